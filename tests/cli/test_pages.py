"""The report of every command that writes one: for whom it is, and what it puts on record."""

from __future__ import annotations

import hashlib
import re
import shlex
import stat
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

import discreet as dc
from discreet.cli.inputs import Source
from discreet.cli.pages import readers, record
from tests.cli.test_options import BASES, commands, files, options_of

__all__ = ["files"]

REPORTING = [name for name, command in commands() if any("--report" in option.opts for option in options_of(command))]
# What is no release, or none that may go out: there is no public page about it.
UNSAFE = ("tabulate", "audit", "bounds")
# What measures: its table is for the custodian.
MEASURING = ("risk", "utility", "compare", "recommend")
COMMAND = re.compile(r'<code class="command">(.*?)</code>')


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def ran(discreet: Callable, files: dict, folder: Path, command: str, *more: object) -> tuple[int, Path, Path]:
    out, page = folder / "o.csv", folder / "r.html"
    words = [word.format(**files) for word in BASES[command]]
    found = discreet(*command.split(), *words, "-o", out, "--report", page, "--quiet", *more)
    return found.code, out, page


def test_every_report_has_an_audience() -> None:
    for name, command in commands():
        opts = {word for option in options_of(command) for word in option.opts}
        assert ("--report" in opts) == ("--audience" in opts), name


@pytest.mark.parametrize("command", REPORTING)
def test_the_internal_page_has_all_hashes(discreet: Callable, files: dict, tmp_path: Path, command: str) -> None:
    code, out, page = ran(discreet, files, tmp_path, command)
    assert code in (0, 1)
    text, original = page.read_text(encoding="utf-8"), Path(BASES[command][0].format(**files))
    assert "Internal" in text and hash_of(original) in text
    if command not in (*UNSAFE, *MEASURING):  # what these write is for the custodian
        assert hash_of(out) in text
    assert command != "utility" or hash_of(files["released"]) in text


@pytest.mark.parametrize("command", [name for name in REPORTING if name not in UNSAFE])
def test_the_public_page_has_that_of_the_release(discreet: Callable, files: dict, tmp_path: Path, command: str) -> None:
    code, out, page = ran(discreet, files, tmp_path, command, "--audience", "public")
    assert code == 0
    text, original = page.read_text(encoding="utf-8"), Path(BASES[command][0].format(**files))
    assert '<span class="badge">Public</span>' in text
    assert hash_of(original) not in text and original.name not in text and str(tmp_path) not in text
    assert (hash_of(out) in text) == (command not in MEASURING)
    assert command != "utility" or hash_of(files["released"]) in text


@pytest.mark.parametrize("command", UNSAFE)
def test_no_public_page_of_what_is_unsafe(discreet: Callable, files: dict, tmp_path: Path, command: str) -> None:
    """Here cells are sensitive and shown: nothing is written at all."""
    more = {"bounds": ["--policy", "c=90,w=90"], "tabulate": ["--rule", "frequency=30"]}.get(command, [])
    code, out, page = ran(discreet, files, tmp_path, command, "--audience", "public", *more)
    assert code == 1 and not out.exists() and not page.exists()


@pytest.mark.parametrize("command", ["microaggregate", "generalize", "bounds", *MEASURING])
def test_the_command_on_the_page_runs(discreet: Callable, files: dict, tmp_path: Path, command: str) -> None:
    _, _, page = ran(discreet, files, tmp_path, command)
    found = COMMAND.search(page.read_text(encoding="utf-8"))
    assert found is not None
    words = shlex.split(unescape(found[1]))
    assert words[0] == "discreet" and discreet(*words[1:]).code == 0


def test_a_certificate_is_on_record(discreet: Callable, files: dict, tmp_path: Path) -> None:
    proof = tmp_path / "c.json"
    more = ("--certificate", proof, "--drop", "code,born", "--method", "auto")
    words = [*BASES["microaggregate"][:5], "-o", tmp_path / "o.csv", "--report", tmp_path / "r.html", "-q", *more]
    assert discreet("microaggregate", *(str(word).format(**files) for word in words)).code == 0
    assert stat.S_IMODE(proof.stat().st_mode) == 0o600, "it holds a number for every record"
    assert hash_of(proof) in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_recipe_may_name_the_report(discreet: Callable, files: dict, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(files["recipe"].read_text() + '[outputs]\nreport = "mine.html"\n')
    words = ["protect", files["people"], recipe, "-o", tmp_path / "o.csv", "--seed", "1", "-q", "--audience", "public"]
    assert discreet(*words).code == 0
    assert "Public" in (tmp_path / "mine.html").read_text(encoding="utf-8")


def test_what_cannot_be_honored(discreet: Callable, files: dict, tmp_path: Path) -> None:
    words = [word.format(**files) for word in BASES["microaggregate"]]
    alone = discreet("microaggregate", *words, "-o", tmp_path / "o.csv", "--audience", "public")
    assert alone.code == 2 and "--report" in alone.err
    code, out, page = ran(discreet, files, tmp_path, "microaggregate", "--audience", "everybody")
    assert code == 2 and not out.exists() and not page.exists()
    assert readers(None, None) == "internal"
    with pytest.raises(dc.InputError, match="--report"):
        readers("internal", None)


def test_streams_are_hashed_where_they_were_kept(tmp_path: Path) -> None:
    found = record([Source("-", data=b"a,b\n")], command=["discreet", Path("x")])
    assert [(file.name, file.sha256) for file in found.files] == [
        ("standard input", hashlib.sha256(b"a,b\n").hexdigest())
    ]
    assert list(found.command) == ["discreet", "x"] and not record(["-"]).files
