"""Whatever the command is fed: exit codes 0, 1 and 2, no value told, no traceback, nothing left behind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fed import Table, call
from malformed import CANARY, malformed, plain, tells

FILES = 200
MEALS = 3
EDGES = 300


@pytest.mark.parametrize("part", range(4))
def test_malformed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """Each file is given to some commands, so that every command meets every kind of file; `make attack` does all."""
    monkeypatch.chdir(tmp_path)
    table = Table(tmp_path)
    for seed in range(part, FILES, 4):
        found = list(table.feed(seed, MEALS))
        assert not found, (seed, malformed(seed)[0], found)


def test_edge_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = Table(tmp_path)
    lines = list(table.spice())
    random.Random(1).shuffle(lines)
    for words in lines[:EDGES]:
        wrong = table.serve(words, b"")
        assert wrong is None, (words, wrong)


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\u202eb", "a\u0085b", '"a\nb"', "a\x7fb", "\ufeffx"])
def test_names_are_escaped_wherever_they_are_told(tmp_path: Path, name: str) -> None:
    """In errors, notices, figures and pages, of columns and of files."""
    data, out, page, figures = (tmp_path / f for f in ("d\x1b[1m.csv", "o.csv", "r.html", "j.json"))
    rows = [f"{i},{i * i % 7},x{i}" for i in range(9)]
    data.write_text("\n".join([f"{name},income,{name.strip(chr(34))[:1]}z", *rows]) + "\n", encoding="utf-8")
    words = ("microaggregate", data, "-k", 2, "--method", "mdav", "-o", out, "--report", page, "--json", figures)
    code, said, err = call(*words)
    assert code == 0, err
    for text in (said + err, page.read_text(encoding="utf-8"), figures.read_text(encoding="utf-8")):
        assert text.replace("\n", "").isprintable()
    for more in (("--columns", "nobody"), ("--drop", "zz\x1b[31m"), ("--method", "\x1b[31m"), ("--seed", "\x1b[31m")):
        code, said, err = call(*words[:-6], *more, "-o", tmp_path / "p.csv")
        assert code == 2
        assert (said + err).replace("\n", "").isprintable()


def test_a_large_field(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes(plain(random.Random(0)) + b"1," + b"y" * 20_000_000 + b",2,3\n")
    for words in (
        ("microaggregate", data, "-k", 2, "--columns", "age,income", "--method", "mdav", "-o", tmp_path / "o.csv"),
        ("verify", data, data, "-k", 2, "--qi", "age"),
        ("hierarchy", "check", data),
    ):
        code, out, err = call(*words)
        assert code in (0, 1, 2)
        assert len(out + err) < 10_000
        assert "defect" not in err
        (tmp_path / "o.csv").unlink(missing_ok=True)


def test_the_canary_can_be_heard() -> None:
    """The judge of these tests: it hears values, control characters and tracebacks."""
    content = plain(random.Random(0))
    assert tells(f"bad value {CANARY}", content)
    assert tells("\x1b[31m", content)
    assert tells("Traceback (most recent call last)", content)
    assert tells("column 'a' is not numeric\n", content) is None
    assert len({malformed(seed) for seed in range(FILES)}) > 0.9 * FILES
