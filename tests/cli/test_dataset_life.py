"""`discreet dataset add` with what a custodian says of a table, and `open`, `close`, `retire`, `policy`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.datasets import autoworkers
from discreet.release.audit import audit
from discreet.release.history.database import open_database
from discreet.release.service import Service

Run = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path, discreet: Run) -> tuple[str, Path]:
    table, url = tmp_path / "auto.csv", str(tmp_path / "d.db")
    autoworkers().to_csv(table, index=False)
    assert discreet("dataset", "add", table, "--name", "auto", "--database", url).code == 0
    return url, table


def service(url: str) -> Service:
    return Service(open_database(url, create=True))


def test_codebook(tmp_path: Path, discreet: Run) -> None:
    table, book, url = tmp_path / "t.csv", tmp_path / "book.toml", str(tmp_path / "d.db")
    table.write_text("sex,count\nf,4\nm,5\n")
    book.write_text('[sex]\nm = "men"\nf = "women"\nx = "other"\n')
    ran = discreet("dataset", "add", table, "--name", "t", "--codebook", book, "--database", url)
    assert ran.code == 0
    assert service(url).datasets()[0]["labels"] == {"sex": ["men", "women", "other"]}
    book.write_text("sex = 3\n")
    again = discreet("dataset", "add", table, "--name", "u", "--codebook", book, "--database", url)
    assert (again.code, "list of codes" in again.err) == (2, True)


def test_the_same_table_again(place: tuple[str, Path], discreet: Run) -> None:
    url, table = place
    words = ("dataset", "add", table, "--database", url, "--name", "copy")
    ran = discreet(*words)
    assert (ran.code, "same-as auto" in ran.err) == (2, True)
    assert discreet(*words, "--same-as", "auto", "--distinct").code == 2
    assert discreet(*words, "--same-as", "auto").code == 0
    assert discreet("dataset", "add", table, "--database", url, "--name", "other", "--distinct").code == 0
    listed = discreet("dataset", "list", "--database", url).out
    assert "copy  A:B:C:D:E:F  same as auto" in listed
    assert "other  A:B:C:D:E:F\n" in listed
    assert audit(open_database(url, create=True)).intact


def test_the_same_people_and_the_next_edition(place: tuple[str, Path], tmp_path: Path, discreet: Run) -> None:
    url, table = place
    words = ("dataset", "add", table, "--database", url, "--distinct")
    assert discreet(*words, "--name", "one", "--variables", "A:B", "--population", "p").code == 0
    assert discreet(*words, "--name", "two", "--variables", "B:C", "--population", "p").code == 0
    later = tmp_path / "later.csv"
    autoworkers().assign(count=lambda frame: frame["count"] + 1).to_csv(later, index=False)
    ran = discreet("dataset", "add", later, "--name", "next", "--predecessor", "auto", "--database", url)
    assert (ran.code, "not judged" in ran.err) == (0, True)
    assert "next  A:B:C:D:E:F  after auto" in discreet("dataset", "list", "--database", url).out
    assert [d["population"] for d in service(url).datasets()] == [None, None, "p", "p"]


def test_a_life(place: tuple[str, Path], tmp_path: Path, discreet: Run) -> None:
    url, table = place
    on = ("--database", url)
    assert discreet("dataset", "add", table, "--name", "new", "--draft", "--distinct", *on).code == 0
    assert "new  A:B:C:D:E:F  draft" in discreet("dataset", "list", *on).out
    assert discreet("dataset", "open", "new", *on).code == 0
    assert discreet("dataset", "open", "new", *on).code == 2
    assert discreet("dataset", "close", "auto", *on).code == 0
    assert discreet("dataset", "open", "auto", *on).code == 0
    assert discreet("dataset", "retire", "new", *on).code == 0
    assert discreet("dataset", "close", "new", *on).code == 2
    assert discreet("dataset", "close", "nowhere", *on).code == 2
    rule = tmp_path / "rule.toml"
    rule.write_text("w = 900\npublished = ['A']\n")
    refused = discreet("dataset", "policy", "auto", rule, *on)
    assert (refused.code, "--confirm" in refused.err) == (2, True)
    done = discreet("dataset", "policy", "auto", rule, "--confirm", *on)
    assert (done.code, "too narrow" in done.err or "narrower" in done.err) == (0, True)
    assert service(url).current("auto").policy.w == 900
    assert discreet("ledger", "verify", *on).code == 0
