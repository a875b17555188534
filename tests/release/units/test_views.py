"""Views: whatever is asked of them is decided, written down and released on their table's history."""

from __future__ import annotations

import sqlite3
from itertools import combinations

import numpy as np
import pytest
from release_tables import declared

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.life.stages import change_stage
from discreet.release.open_dataset import public_categories
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.queue.deciders import Here
from discreet.release.queue.ticket import Job, Ticket
from discreet.release.service import Service


def coarse(auto: Table) -> Table:
    """Renamed, reordered, one variable dropped, the categories of one merged into one."""
    table = auto.margin(list("ABCDE")).collapse("E", dict.fromkeys(auto.categories[4], "any"))
    names = tuple(f"my {name}" for name in table.names)
    levels = tuple(tuple(f"{name}{i}" for i in range(len(c))) for name, c in zip(table.names, table.categories))
    return Table(names[::-1], levels[::-1], np.ascontiguousarray(table.dense().transpose(4, 3, 2, 1, 0)))


@pytest.fixture
def viewed(service: Service, auto: Table) -> Service:
    service.add("custodian", "view", coarse(auto), Policy(), unit="auto")
    return service


def test_two_names_give_together_no_more_than_one(database: Database, analyst: Actor) -> None:
    """What two copies gave: each margin alone is safe, both together are not."""
    pair = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[1, 3], [3, 0]]))
    service = Service(database)
    service.add("custodian", "pair", pair, Policy(c=1, w=4))
    swapped = Table(("Y", "X"), (("p", "q"), ("r", "s")), np.ascontiguousarray(pair.dense().T))
    with pytest.raises(InputError, match="'Y', 'X' may be one or another"):
        service.add("custodian", "copy", swapped, Policy(), unit="pair")
    service.add("custodian", "copy", Table(("B", "A"), swapped.categories, swapped.dense()), Policy(), unit="pair")
    answers = [service.ask(analyst, "pair", ["A"]).answer, service.ask(analyst, "copy", ["B"]).answer]
    assert sorted(answers) == ["refuse", "release"]
    assert audit(database).intact


def test_a_view_answers_as_its_table_does_in_its_own_categories(viewed: Service, analyst: Actor, auto: Table) -> None:
    own = coarse(auto)
    for size in (1, 2, 3):
        for names in combinations(own.names, size):
            told = viewed.ask(analyst, "view", list(names))
            base = viewed.ask(analyst, "auto", [name[-1] for name in names])
            assert told.answer == base.answer
            assert told.variables == own.margin(names).names
            if told.margin is not None:
                assert (told.margin.table.dense() == own.margin(names).dense()).all()
                assert told.margin.table.categories == own.margin(names).categories
    state = viewed.current("view").state
    released = {frozenset(name[-1] for name in viewed.open("view").names(m)) for m in state.frontier.released}
    kept = {frozenset(viewed.open("auto").names(m)) for m in viewed.current("auto").state.frontier.released}
    assert released == kept
    assert audit(viewed.database).intact


def test_lists_of_a_view_follow_its_table(viewed: Service, analyst: Actor) -> None:
    assert set(public_categories(viewed.current("view")).values()) == {None}
    viewed.ask(analyst, "auto", ["A"])
    told = public_categories(viewed.current("view"))
    assert {name for name, levels in told.items() if levels is not None} == {"my A"}
    assert next(d for d in viewed.datasets() if d["name"] == "view")["categories"] == {"my A": ["A0", "A1"]}


def test_synthetic_answers_agree_with_the_tables(database: Database, auto: Table, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(otherwise="simulate"), codebook=declared(auto))
    merged = auto.collapse("A", dict.fromkeys(auto.categories[0], "all"))
    service.add("custodian", "view", merged, Policy(), unit="auto", codebook=declared(merged))
    whole = service.ask(analyst, "auto", list("ABCDEF"))
    seen = service.ask(analyst, "view", list("ABCDEF"))
    assert whole.answer == seen.answer == "simulate"
    assert whole.margin is not None
    assert seen.margin is not None
    assert (whole.margin.table.dense().sum(axis=0) == seen.margin.table.dense()[0]).all()
    assert audit(database).intact


def test_no_synthetic_answer_lists_the_undeclared_categories_of_a_view(database: Database, analyst: Actor) -> None:
    """The table declares a category that nobody has; the view, read from the data, does not know it."""
    service = Service(database)
    table = Table(("Z", "B"), (("1", "2", "3"), ("c", "d")), np.array([[1, 4], [3, 2], [0, 0]]))
    service.add("custodian", "table", table, Policy(c=3, otherwise="simulate"), codebook=declared(table))
    view = Table(("Z", "B"), (("1", "2"), ("c", "d")), np.array([[1, 4], [3, 2]]))
    service.add("custodian", "view", view, Policy(), unit="table")
    told = service.ask(analyst, "view", ["Z", "B"])
    assert (told.answer, told.margin, told.json) == ("refuse", None, "null")
    assert service.ask(analyst, "table", ["Z", "B"]).answer == "simulate"
    assert audit(database).intact


def test_a_view_of_a_view_is_a_view_of_the_table(viewed: Service, auto: Table) -> None:
    viewed.add("custodian", "again", auto.margin(list("AB")), Policy(), unit="view")
    assert viewed.open("again").stored.origin.unit == "auto"


def test_a_forged_view_shows(viewed: Service, analyst: Actor) -> None:
    viewed.ask(analyst, "view", ["my A"])
    assert audit(viewed.database).intact
    raw = sqlite3.connect(str(viewed.database.engine.url.database))
    raw.execute("UPDATE datasets SET unit = NULL WHERE name = 'view'")
    raw.commit()
    raw.close()
    assert any("view" in fault for fault in audit(viewed.database).faults)


def test_a_view_that_was_closed_while_its_request_waited_is_not_answered(viewed: Service, analyst: Actor) -> None:
    class Later(Here):
        """Closes the view when a request has got into line, before its turn comes."""

        def submit(self, token: int, dataset: str | None, job: Job) -> Ticket:
            change_stage(viewed.database, "custodian", "view", "closed")
            return super().submit(token, dataset, job)

    viewed.decider = Later()
    with pytest.raises(InputError, match="closed"):
        viewed.ask(analyst, "view", ["my A", "my B"])
    assert viewed.current("auto").state.frontier.released == ()
    assert len(viewed.ledger("view")) == 2  # opened and closed: nothing was passed on
    assert audit(viewed.database).intact
