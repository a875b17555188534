"""Hidden lists protect: enumerated over every table that an analyst cannot exclude, with lists of any length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import simulatable_answers
from release_tables import declared

from discreet.errors import InputError
from discreet.release import judging
from discreet.release import service as service_module
from discreet.release.audit import audit
from discreet.release.decision import leave_open
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.open_dataset import public_categories
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

LETTERS = "abc"


def worlds(total: int, sizes: tuple[int, int]) -> Iterator[tuple[np.ndarray, ...]]:
    """Every file of `total` records over two variables with at most so many categories each, as counts of pairs."""
    cells = list(product(range(sizes[0]), range(sizes[1])))
    for chosen in combinations_with_replacement(range(len(cells)), total):
        counts = np.zeros(sizes, np.int64)
        for cell in chosen:
            counts[cells[cell]] += 1
        yield (counts,)


def as_table(counts: np.ndarray) -> Table:
    """The table as it is loaded without a codebook: categories are those that somebody has."""
    rows, columns = counts.sum(axis=1) > 0, counts.sum(axis=0) > 0
    names = tuple(np.array(list(LETTERS))[: len(k)][k].tolist() for k in (rows, columns))
    return Table(("A", "B"), tuple(tuple(n) for n in names), counts[rows][:, columns])


def view_of(table: Table, released: list[tuple[str, ...]]) -> tuple[Any, ...]:
    """What an analyst holds: released margins with the categories in them."""
    seen = []
    for names in released:
        margin = table.margin(names)
        seen.append((names, margin.categories, tuple(margin.dense().reshape(-1).tolist())))
    return tuple(seen)


@settings(max_examples=25, deadline=None)
@given(
    counts=st.lists(st.integers(0, 2), min_size=6, max_size=6).filter(lambda c: 1 <= sum(c) <= 4),
    w=st.integers(1, 3),
    order=st.permutations([(), ("A",), ("B",), ("A", "B")]),
)
def test_no_cell_is_narrower_than_the_rule_among_all_worlds(
    counts: list[int], w: int, order: list[tuple[str, ...]]
) -> None:
    """Bounds over every file with any lists that gives the same released margins, where nothing else is shown."""
    from discreet.release.decision import Situation, decide
    from discreet.release.frontier import mask_of

    truth = np.array(counts).reshape(2, 3)
    table, policy = as_table(truth), Policy(c=2, w=w)
    state, released = Situation(table), list[tuple[str, ...]]()
    for names in order:
        decided = decide(state, policy, mask_of(table.axes(names)))
        state = Situation(table, decided.frontier)
        if decided.answer == "release":
            released.append(names)
    if not released:  # nothing is known at all, not even how many people there are
        return
    mine = view_of(table, released)
    fibre = [c for (c,) in worlds(int(truth.sum()), (2, 3)) if view_of(as_table(c), released) == mine]
    assert any((c == truth).all() for c in fibre)
    width = np.max(fibre, axis=0) - np.min(fibre, axis=0)
    assert (width[(truth >= 1) & (truth <= policy.c)] >= w).all()


def test_lists_from_the_data_would_break_the_rule() -> None:
    """Why they are hidden: with the total, three listed categories of one person each are known."""
    from discreet.release.decision import Situation, decide

    truth = np.array([[1, 1, 1]])
    table, policy = as_table(truth), Policy(c=2, w=2)
    assert decide(Situation(table), policy, 0).answer == "release"
    alike = [
        c for (c,) in worlds(3, (1, 3)) if as_table(c).total == 3 and as_table(c).categories[1] == table.categories[1]
    ]
    assert len(alike) == 1, "the list and the total leave one table"


class TestAnswers:
    """What is told of a hidden list by anything but a released margin: nothing."""

    @pytest.fixture
    def secret(self, database: Database, small: Table) -> Service:
        made = Service(database)
        made.add("custodian", "secret", small, Policy(otherwise="simulate"), codebook='{"A": ["a", "b"]}')
        return made

    def test_no_synthetic_answer_lists_what_is_hidden(self, secret: Service, analyst: Actor) -> None:
        for names in ("ABC", "BC", "B", "AC"):
            answer = secret.ask(analyst, "secret", list(names))
            assert answer.answer in ("refuse", "release")
            assert answer.answer == "refuse" or answer.ground in ("safe", "contained")
        assert audit(secret.database).intact

    def test_a_synthetic_answer_over_public_lists_stays(self, database: Database, small: Table, analyst: Actor) -> None:
        service = Service(database)
        service.add("custodian", "open", small, Policy(otherwise="simulate"), codebook=declared(small))
        assert service.ask(analyst, "open", list("ABC")).answer == "simulate"

    def test_a_size_is_not_told(self, secret: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service_module, "MAX_MARGIN", 2)
        large = secret.ask(analyst, "secret", list("BC"))
        usual = secret.ask(analyst, "secret", list("ABC"))
        assert (large.answer, large.reason, large.margin) == (usual.answer, usual.reason, usual.margin)
        assert audit(secret.database).intact
        secret.ask(analyst, "secret", ["C"])
        secret.ask(analyst, "secret", ["B"])
        if {name for name, levels in public_categories(secret.current("secret")).items() if levels} >= {"B", "C"}:
            with pytest.raises(InputError, match="4 cells"):
                secret.ask(analyst, "secret", list("BC"))


class TestReleased:
    """Support "released": every list with its counts is public from the start, or the table is not opened."""

    def test_counts_in_every_decision(self, database: Database, analyst: Actor) -> None:
        table = Table(("A", "B"), (("a", "b"), ("x", "y")), np.array([[9, 8], [7, 9]]))
        service = Service(database)
        service.add("custodian", "shown", table, Policy(support="released"))
        assert service.datasets()[0]["categories"] == {"A": ["a", "b"], "B": ["x", "y"]}
        assert service.current("shown").state.frontier.released == (1, 2)
        assert service.ask(analyst, "shown", ["A"]).ground == "contained"
        assert audit(database).intact

    def test_is_refused_where_it_is_unsafe(self, database: Database) -> None:
        table = Table(("A",), (("a", "b", "c"),), np.array([1, 1, 1]))
        with pytest.raises(InputError, match="not safe to publish"):
            Service(database).add("custodian", "bad", table, Policy(support="released"))
        assert Service(database).datasets() == []

    def test_declared_variables_are_left_alone(self, database: Database) -> None:
        table = Table(("A", "B"), (("a", "b"), ("x", "y")), np.array([[1, 9], [30, 40]]))
        Service(database).add("custodian", "half", table, Policy(support="released"), codebook='{"A": ["a", "b"]}')
        assert Service(database).current("half").state.frontier.released == (2,)


class TestSimulatable:
    def test_needs_every_list(self, database: Database, small: Table) -> None:
        service, policy = Service(database), Policy(mode="simulatable")
        for codebook in (None, '{"A": ["a", "b"], "B": ["a", "b"]}'):
            with pytest.raises(InputError, match="codebook"):
                service.add("custodian", "blind", small, policy, codebook=codebook)
        service.add("custodian", "blind", small, policy, codebook=declared(small))

    @pytest.mark.parametrize("w", [1, 2])
    def test_with_a_codebook_empty_categories_answer_alike(self, database: Database, analyst: Actor, w: int) -> None:
        """Tables that look alike, some with a category that nobody has, get the same answers in the same order."""
        requests: list[tuple[int, ...]] = [(0,), (1,), (0, 1)]
        book = '{"A": ["a", "b"], "B": ["x", "y"]}'
        service, told = Service(database), set()
        tables = [np.array(c).reshape(2, 2) for c in product(range(4), repeat=4) if sum(c) == 3]
        for number, counts in enumerate(tables):
            rows, columns = counts.sum(axis=1) > 0, counts.sum(axis=0) > 0
            names = ("ab", rows), ("xy", columns)
            levels = tuple(tuple(letter for letter, k in zip(text, keep) if k) for text, keep in names)
            loaded = Table(("A", "B"), levels, counts[rows][:, columns])
            policy = Policy(mode="simulatable", c=1, w=w, published=((),))
            service.add("custodian", f"t{number}", loaded, policy, codebook=book, distinct=True)
            asked = [["AB"[a] for a in axes] for axes in requests]
            given = tuple(service.ask(analyst, f"t{number}", names).answer for names in asked)
            assert list(given) == simulatable_answers(counts.reshape(-1), (2, 2), requests, 1, w, [()])
            told.add(given[:1])
        assert len(told) == 1, "the first answer is a function of the total and the codebook"


def test_what_is_too_large_forgets_no_open_question(
    database: Database, analyst: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(database)
    table = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[11, 14], [13, 12]]))
    service.add("custodian", "table", table, Policy())
    monkeypatch.setattr(judging, "decide", lambda state, policy, mask, _=None: leave_open(state, policy, mask, {}))
    assert service.ask(analyst, "table", ["A"]).ground == "unresolved"
    monkeypatch.setattr(service_module, "MAX_MARGIN", 2)
    assert service.ask(analyst, "table", ["A", "B"]).answer == "refuse"
    assert list(service.current("table").state.unresolved) == [1]
    assert audit(database).intact
