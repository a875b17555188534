"""A new table is compared with those that are here within the transaction that stores it."""

from __future__ import annotations

import numpy as np
import pytest
from release_tables import declared

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history import store
from discreet.release.history.database import Database
from discreet.release.history.store import Origin, StoredState
from discreet.release.loading.sameness import digest_margins, find_same, load_key
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.units.entering import Entering, prepare, remember

PLAIN = Policy()


def other(auto: Table) -> Table:
    return Table(auto.names, auto.categories, auto.dense() * 2 + 1)


def test_a_table_by_itself(database: Database, small: Table) -> None:
    labels = declared(small).apply(small)[1]
    policy = Policy(published=(("A", "B"),))
    with database.writing() as connection:
        found = prepare(connection, "t", small, policy, [0b011], Origin(labels))
    assert found.origin == Origin(labels)
    assert found.frontier.covers(0b011) and not found.frontier.covers(0b111)
    assert found.content().keys() == {"codebook", "digests"}
    assert found.content()["digests"] == len(found.digests) == 8, "the total, six margins, the whole"


def test_a_view_has_no_frontier_of_its_own(service: Service, auto: Table) -> None:
    """What is published of it is published of its table, or not at all."""
    with service.database.writing() as connection:
        found = prepare(connection, "v", auto.margin(["B", "A"]), PLAIN, [], Origin(unit="auto"))
    assert found.frontier == Frontier() and found.notes == ()
    assert found.origin.mapping.keys() == {"A", "B"}
    assert {"same as", "mapping", "digests"} <= found.content().keys()


def test_a_name_that_is_taken_is_told_before_a_likeness(service: Service, auto: Table) -> None:
    with service.database.writing() as connection:
        with pytest.raises(InputError, match="already a dataset named 'auto'"):
            prepare(connection, "auto", auto, PLAIN, [], Origin())
        with pytest.raises(InputError, match="may be a table that is here already"):
            prepare(connection, "copy", auto, PLAIN, [], Origin())


def test_a_distinct_table_is_entered_as_such(service: Service, auto: Table) -> None:
    with service.database.writing() as connection:
        found = prepare(connection, "copy", auto, PLAIN, [], Origin(), distinct=True)
        assert found.content()["distinct"] is True
        assert "distinct" not in prepare(connection, "new", other(auto), PLAIN, [], Origin()).content()


def test_tables_about_the_same_people_are_looked_at(service: Service, auto: Table) -> None:
    labels = declared(auto).apply(auto)[1]
    with service.database.writing() as connection:
        edition = Origin(labels, predecessor="auto")
        found = prepare(connection, "next", other(auto), Policy(published=(("A",),)), [1], edition)
        assert found.content()["said"] == list(found.notes)
        assert any("counts in the decisions on the others" in note for note in found.notes)
        with pytest.raises(InputError, match="no dataset named"):
            prepare(connection, "next", other(auto), PLAIN, [], Origin(labels, predecessor="nowhere"))


def test_what_is_remembered_is_recognized(database: Database, small: Table) -> None:
    with database.writing() as connection:
        found = prepare(connection, "t", small, PLAIN, [], Origin())
        number = store.add_dataset(connection, "t", small, PLAIN, StoredState(0, 0, Frontier(), {}), found.origin)
        remember(connection, number, small, found)
        key = load_key(connection)
        turned = Table(("Z", "Y"), (("q", "p"), ("s", "r")), np.ascontiguousarray(small.dense().sum(axis=0).T))
        (match,) = find_same(connection, digest_margins(turned, key), key)
        assert (match.name, match.whole, match.part) == ("t", True, False)


def test_an_entering_says_nothing_that_was_not_said() -> None:
    assert Entering(Origin(), Frontier(), (), {}, False).content() == {"digests": 0}
