"""`discreet dataset add` and other commands that read a table: a count is never taken for a variable in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the release server needs the extra `server`")

from discreet.release.history.database import open_database
from discreet.release.service import Service

LONG = "A,B,Freq\nx,1,4\ny,2,1\nx,2,3\ny,1,9\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(LONG)
    return path


def opened(tmp_path: Path) -> Service:
    return Service(open_database(str(tmp_path / "d.db"), create=True))


def test_doubt_is_an_error_that_lists_the_columns(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    words = ("dataset", "add", table, "--name", "t", "--database", tmp_path / "d.db")
    ran = discreet(*words)
    assert ran.code == 2
    assert "B, Freq" in ran.err and "--count NAME" in ran.err and "--records" in ran.err
    assert "9" not in ran.err
    assert not (tmp_path / "d.db").exists()
    both = discreet(*words, "--count", "Freq", "--records")
    assert both.code == 2 and "not both" in both.err


def test_counts_are_named(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    ran = discreet("dataset", "add", table, "--name", "t", "--database", tmp_path / "d.db", "--count", "Freq")
    assert ran.code == 0 and "2 variables, 4 cells" in ran.err
    assert opened(tmp_path).open("t").table.total == 17


def test_records_are_said(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    ran = discreet("dataset", "add", table, "--name", "t", "--database", tmp_path / "d.db", "--records")
    assert ran.code == 0
    assert "Every row is a person." in ran.err
    assert "Not variables unless they are named" in ran.err and "Freq" in ran.err
    found = opened(tmp_path).open("t").table
    assert (found.names, found.total) == (("A", "B"), 4)


def test_text_alone_leaves_no_doubt(discreet: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("sex,region\nf,north\nm,south\nm,north\n")
    assert discreet("dataset", "add", path, "--name", "t", "--database", tmp_path / "d.db").code == 0


def test_declared_margins_are_confirmed(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    policy = tmp_path / "p.toml"
    policy.write_text('published = ["A:B"]\n')
    words = ("dataset", "add", table, "--name", "t", "--database", tmp_path / "d.db", "--count", "Freq")
    ran = discreet(*words, "--policy", policy)
    assert ran.code == 2
    assert "1 would be known exactly" in ran.err and "--confirm-published" in ran.err
    assert discreet(*words, "--policy", policy, "--confirm-published").code == 0
    assert opened(tmp_path).ledger("t")[0].content["confirmed"] is True


def test_what_it_has_to_do_with_others(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.json"
    book.write_text(json.dumps({"A": ["x", "y"], "B": ["1", "2"]}))
    words = ("dataset", "add", table, "--database", tmp_path / "d.db", "--count", "Freq")
    assert discreet(*words, "--name", "first", "--codebook", book, "--population", "workers").code == 0
    ran = discreet(*words, "--name", "second", "--predecessor", "nobody")
    assert ran.code == 2 and "no dataset named" in ran.err
    ran = discreet(*words, "--name", "second", "--same-as", "nobody")
    assert ran.code == 2 and "no dataset named" in ran.err
    assert discreet(*words, "--name", "second", "--distinct", "--predecessor", "first").code == 0
    assert opened(tmp_path).ledger("second")[0].content["distinct"] is True
    missing = discreet(*words, "--name", "third", "--codebook", tmp_path / "none.json")
    assert missing.code == 2 and "cannot be read" in missing.err


def test_other_commands_do_not_guess_either(discreet: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    """`bounds` and `simulate` counted the rows of such a file, four persons, and said nothing."""
    for words in (("bounds", table, "-r", "A"), ("simulate", table, "-r", "A", "-o", tmp_path / "s.csv")):
        ran = discreet(*words)
        assert ran.code == 2 and "Freq may hold counts" in ran.err
    assert discreet("bounds", table, "-r", "A", "--count", "Freq").code == 0
    assert discreet("bounds", table, "-r", "A", "--variables", "A:B").code == 0
    ran = discreet("plan", table)
    assert ran.code == 2 and "could hold counts" in ran.err
