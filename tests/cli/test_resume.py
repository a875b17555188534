"""`discreet resume`: a held server decides again when it has heard what was told meanwhile, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.running.hold import hold, is_held
from discreet.release.service import Service

Run = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A database in which decisions are held."""
    path = tmp_path / "d.db"
    opened = open_database(str(path), create=True)
    Service(opened).add("carla", "auto", Table.from_array(np.array([[5, 7], [8, 9]]), names=["A", "B"]), Policy())
    with opened.writing() as connection:
        hold(connection, {"why": "test"})
    opened.close()
    return path


def released(place: Path) -> list[list[str]]:
    service = Service(open_database(str(place)))
    opened = service.current("auto")
    return [list(opened.names(mask)) for mask in opened.state.frontier.released]


def held(place: Path) -> bool:
    with open_database(str(place)).reading() as connection:
        return is_held(connection)


def test_what_is_named_counts_as_told(place: Path, discreet: Run) -> None:
    ran = discreet("resume", "--database", place, "--released", "auto=A", "--released", "auto=B")
    assert ran.code == 0 and "2 margins count as told" in ran.err
    assert sorted(released(place)) == [["A"], ["B"]]
    assert not held(place)
    assert discreet("ledger", "verify", "--database", place).code == 0
    again = discreet("resume", "--database", place)
    assert (again.code, "nothing to resume" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("auto", "DATASET=A:B"),
        ("=A", "DATASET=A:B"),
        ("auto=Z", "A, B"),
        ("auto=A:A", "twice"),
        ("nowhere=A", "no dataset named"),
        ("auto=A=round5", "does not tell"),
        ("auto=A=3", "rows, numbered from 1"),
        ("auto=A=0", "rows, numbered from 1"),
        ("auto=A=round0", "A, B"),
    ],
)
def test_one_wrong_name_leaves_everything_held(place: Path, discreet: Run, given: str, said: str) -> None:
    """What is named right beside it does not count either: the custodian corrects the line and sends it again."""
    ran = discreet("resume", "--database", place, "--released", "auto=B", "--released", given)
    assert ran.code == 2 and said in ran.err, ran.err
    assert released(place) == []
    assert held(place)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, discreet: Run) -> None:
    assert discreet("resume", "--database", tmp_path / "none.db").code == 2
    assert list(tmp_path.iterdir()) == []
