"""Who did what: found by person, kind and day, against a plain look at every entry."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.release.audit import audit
from discreet.release.history import events, store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.events import Wanted, find, note
from discreet.release.history.scribe import Scribe

PEOPLE = ["ann", "an", "Ann", 'a"n', "a%n", "a_n", "command line (root)", "é"]
KINDS = ["signed in", "signed out", "cells at risk viewed", "ledger exported"]


@pytest.fixture
def busy(database: Database) -> Database:
    scribe = Scribe(database)
    for number in range(24):
        who = PEOPLE[number % len(PEOPLE)]
        note(scribe, who, KINDS[number % len(KINDS)], by=PEOPLE[(number + 1) % len(PEOPLE)])
    return database


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["", *PEOPLE, "nobody"]),
    st.sampled_from(["", "signed", "SIGNED IN", "risk", "%"]),
    st.sampled_from(["", "2000-01-01", "2999-01-01"]),
    st.sampled_from(["", "2000-01-01", "2999-01-01"]),
    st.sampled_from([None, 1, 9, 25, 99]),
    st.sampled_from([1, 5, 2000]),
)
def test_as_a_plain_look_at_all(
    busy: Database, who: str, what: str, since: str, until: str, before: int | None, chunk: int
) -> None:
    wanted = Wanted(who, what, since, until)
    with pytest.MonkeyPatch.context() as patch, busy.reading() as connection:
        patch.setattr(events, "CHUNK", chunk)
        found = [entry.sequence for entry in find(connection, wanted, before=before)]
        slow = []
        for entry in store.read_entries(connection, SERVER):
            content = entry.content
            if who and content["who"] != who:
                continue
            if what.lower() not in content["what"].lower():
                continue
            if (since and content["at"][:10] < since) or (until and content["at"][:10] > until):
                continue
            if before is None or entry.sequence < before:
                slow.append(entry.sequence)
    assert found == slow[::-1]


def test_events_are_in_the_chain(busy: Database) -> None:
    found = audit(busy)
    assert (found.intact, found.heads[SERVER][0]) == (True, 24)
