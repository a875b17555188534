"""Bounds and witnesses that decisions leave are true; forged ones are found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.release.audit import audit
from discreet.release.checks.carried import carried_faults
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.history.store import StoredDataset, StoredState, pack, unpack
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

Arrays = dict[str, Any]


@given(st.integers(0, 10**6), st.lists(st.integers(1, 15), min_size=1, max_size=6))
def test_what_decisions_leave_is_sound(seed: int, requests: list[int]) -> None:
    rng = np.random.default_rng(seed)
    table = Table(tuple("ABCD"), (("a", "b"),) * 4, rng.poisson(3.0, (2,) * 4))
    state, policy = Situation(table), Policy(w=int(rng.integers(1, 4)))
    for mask in requests:
        made = decide(state, policy, mask)
        state = Situation(table, made.frontier, state.carried if made.carried is None else made.carried)
        stored = StoredDataset(1, "x", table, policy, "", None)  # type: ignore[arg-type]
        assert carried_faults(stored, StoredState(0, 0, state.frontier, state.carried)) == []


@pytest.fixture
def carrying(service: Service, analyst: Actor) -> Service:
    """Four pairs in a circle: one atom that is not released as a whole."""
    for request in ("AB", "BC", "CD", "AD"):
        assert service.ask(analyst, "auto", list(request)).answer == "release"
    assert any(key.endswith(".tables") for key in service.current("auto").state.carried)
    assert audit(service.database).faults == ()
    return service


def forge(database: Database, edit: Callable[[Arrays], Arrays]) -> None:
    raw = sqlite3.connect(str(database.engine.url.database))
    (old,) = raw.execute("SELECT carried FROM states").fetchone()
    raw.execute("UPDATE states SET carried = ?", (pack(edit(unpack(old))),))
    raw.commit()
    raw.close()


def changed(part: str, by: Callable[[Any], Any]) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {key: by(values) if key.endswith(part) else values for key, values in arrays.items()}


def moved(tables: Any) -> Any:
    """A person more in one cell of the last witness and one less in another."""
    out = tables.copy()
    out[-1][np.argmax(out[-1])] -= 1
    out[-1][np.argmin(out[-1])] += 1
    return out


FORGERIES: dict[str, Callable[[Arrays], Arrays]] = {
    "lower bounds too high": changed(".lower", lambda values: values + 1_000_000),
    "upper bounds too low": changed(".upper", lambda values: values * 0),
    "a witness with other margins": changed(".tables", moved),
    "a witness of other people": changed(".tables", lambda values: values + 1),
    "negative counts": changed(".tables", lambda values: -values),
    "numbers that are not whole": changed(".tables", lambda values: values + 0.5),
    "another shape": changed(".lower", lambda values: values[:-1]),
    "a part that is missing": lambda arrays: {k: v for k, v in arrays.items() if not k.endswith(".upper")},
    "a part that nobody knows": lambda arrays: {**arrays, "atom-0-1.extra": np.zeros(4, np.int64)},
    "an atom that is none": lambda arrays: {**arrays, "atom-0-99.lower": np.zeros(4, np.int64)},
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forgery_shows(carrying: Service, kind: str) -> None:
    forge(carrying.database, FORGERIES[kind])
    assert not audit(carrying.database).intact


def test_what_cannot_be_unpacked_shows(carrying: Service) -> None:
    raw = sqlite3.connect(str(carrying.database.engine.url.database))
    for packed in (b"", b"PK\3\4 nonsense", b"\0" * 100):
        raw.execute("UPDATE states SET carried = ?", (packed,))
        raw.commit()
        assert any("cannot be followed" in fault for fault in audit(carrying.database).faults)
    raw.close()
