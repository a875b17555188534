"""Standard input and output, closed or shared, and pipes by whatever name: used, or refused with a reason."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
from pathlib import Path

import pytest
from fed import call
from malformed import plain

from discreet.cli import app
from discreet.cli.console import run

TABLE = "A,B,count\nx,u,3\nx,v,4\ny,u,5\ny,v,2\n"

READERS = (
    ("microaggregate", "-", "-k", "2", "--columns", "age", "-o", "o.csv"),
    ("generalize", "-", "-k", "2", "--qi", "age", "-o", "o.csv"),
    ("verify", "-", "good.csv", "-k", "2"),
    ("verify", "good.csv", "-", "-k", "2"),
    ("bounds", "-", "-r", "age", "-r", "sex"),
    ("simulate", "-", "-r", "age", "-r", "sex", "-o", "o.csv"),
    ("verify-bounds", "-", "good.csv", "-r", "age", "-r", "sex"),
    ("verify-bounds", "good.csv", "-", "-r", "age", "-r", "sex"),
    ("hierarchy", "make", "-", "--column", "age", "--widths", "5", "-o", "o.csv"),
    ("hierarchy", "check", "tree.csv", "--data", "-", "--column", "sex"),
    ("plan", "-"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.csv").write_bytes(plain(random.Random(0)))
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "tree.csv").write_text("f;*\nm;*\n")
    return tmp_path


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_closed_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = call(*words)
    assert code == 2
    assert "defect" not in err
    if words[1] == "-" or words[0] != "verify-bounds":
        assert "standard input: it is closed" in err
    assert not (folder / "o.csv").exists()


def test_a_result_that_nobody_can_be_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    for words in (
        ["plan", "table.csv"],
        ["verify", "good.csv", "good.csv", "-k", "2"],
        ["hierarchy", "check", "tree.csv"],
    ):
        assert run(app, words) == 2
        assert "cannot write standard output: it is closed" in capsys.readouterr().err


def test_figures_on_standard_output_stand_alone(folder: Path) -> None:
    assert call("bounds", "table.csv", "-r", "A", "-r", "B", "-o", "bounds.csv")[0] == 0
    for words in (
        ("verify", "good.csv", "good.csv", "-k", 2, "--qi", "age"),
        ("verify-bounds", "bounds.csv", "table.csv", "-r", "A", "-r", "B"),
        ("plan", "table.csv"),
    ):
        code, out, err = call(*words, "--json", "-")
        assert code in (0, 1)
        assert json.loads(out)
        assert err.strip()


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no names for open files")
def test_an_output_that_is_a_pipe(folder: Path) -> None:
    out, into = os.pipe()
    try:
        code, _, err = call("bounds", "table.csv", "-r", "A", "-r", "B", "--json", f"/dev/fd/{into}")
        os.close(into)
        assert code == 0, err
        assert json.loads(os.read(out, 1 << 16))
    finally:
        os.close(out)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("command", ["bounds", "simulate"])
def test_a_table_from_a_pipe(folder: Path, command: str) -> None:
    """It can be read but once, and the check reads it again."""
    os.mkfifo("pipe.csv")
    writer = threading.Thread(target=Path("pipe.csv").write_text, args=(TABLE,), daemon=True)
    writer.start()
    more = ("--pinned", "say") if command == "simulate" else ()
    code, _, err = call(command, "pipe.csv", "-r", "A", "-r", "B", "-o", "o.csv", *more)
    writer.join(10)
    assert code == 0, err
    assert (folder / "o.csv").exists()


def test_an_explanation_that_was_asked_for_is_given(folder: Path) -> None:
    words = ("bounds", "table.csv", "-r", "A", "-r", "B", "--explain")
    assert "Released" in call(*words)[2]
    assert "Released" in call(*words, "--quiet")[2]
