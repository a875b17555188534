"""Rules against the textbook's inequalities in fractions; levels are the least that make the inequalities fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tabular.additive import AdditiveTable, Contributors
from discreet.tabular.hierarchy import flat_tree
from discreet.tabular.problem import FIXED, FREE, PRIMARY, Cells, Problem, Relations
from discreet.tabular.rules import Rules, apply_rules, costs_of, parse_rules, sensitive
from tests.oracles import tabular as oracle

NO_RELATIONS = Relations(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0, np.int64))


def table(contributions: list[list[int]], status: int = FREE, top: int = 3) -> AdditiveTable:
    """A table of cells with these contributions, and no relations."""
    sizes = [sorted(map(abs, cell), reverse=True) for cell in contributions]
    value = np.array([sum(cell) for cell in contributions], np.int64)
    number = np.array([len(cell) for cell in contributions], np.int64)
    largest = np.array([(cell + [0] * top)[:top] for cell in sizes], np.int64).reshape(len(sizes), top)
    n, nothing = value.size, value * 0
    cells = Cells(value, value, value, nothing + 1, np.full(n, status, np.int8), nothing, nothing, nothing)
    tree = flat_tree([f"c{i}" for i in range(n)])
    return AdditiveTable(
        Problem(cells, NO_RELATIONS),
        ("cell",),
        (tree,),
        np.arange(1, n + 1, dtype=np.int32).reshape(n, 1),
        counts=number,
        contributors=Contributors(number, number, largest, np.array([sum(cell) for cell in sizes], np.int64)),
    )


percent = st.fractions(Fraction(1, 10), Fraction(99), max_denominator=10)


@given(
    st.lists(st.lists(st.integers(0, 10**4), max_size=6), min_size=1, max_size=6),
    st.integers(1, 5),
    st.integers(1, 3),
    percent,
    percent,
)
def test_rules_say_what_the_inequalities_say(
    cells: list[list[int]], frequency: int, n: int, k: Fraction, p: Fraction
) -> None:
    for rules, asked in (
        (Rules(frequency=frequency), {"frequency": (Fraction(frequency),)}),
        (Rules(dominance=((n, k),)), {"dominance": (Fraction(n), k)}),
        (Rules(pq=((p, Fraction(100)),)), {"pq": (p, Fraction(100))}),
    ):
        found, level = sensitive(table(cells), rules)
        for i, cell in enumerate(cells):
            sizes = [Fraction(one) for one in sorted(cell, reverse=True)]
            assert found[i] == oracle.sensitive(sum(sizes, Fraction(0)), sizes, len(cell), asked)
            assert (level[i] > 0) == found[i]
            if found[i] and "frequency" not in asked:
                # With so much more, all of it from others, the rule would be content; with a unit less it would not.
                for more, still in ((int(level[i]), False), (int(level[i]) - 1, True)):
                    total = sum(sizes, Fraction(0)) + more
                    assert oracle.sensitive(total, sizes, len(cell), asked) == still


@given(st.lists(st.lists(st.integers(-(10**15), 10**15), max_size=5), min_size=1, max_size=5), percent)
def test_limits_and_levels_are_whole_and_around_the_value(cells: list[list[int]], range_: Fraction) -> None:
    found = apply_rules(table(cells), Rules(frequency=4, range=range_, sliding=Fraction(20)))
    got = found.problem.cells
    total = [sum(map(abs, cell)) for cell in cells]
    positive = all(sum(cell) >= 0 for cell in cells)
    for i, cell in enumerate(cells):
        few = 0 < len(cell) < 4 and total[i] > 0
        assert (got.status[i] == PRIMARY) == few
        assert got.lower[i] <= got.value[i] <= got.upper[i] == got.value[i] + total[i]
        assert not positive or got.lower[i] == min(got.value[i], 1)
        if few:
            level = max(1, -((-total[i] * range_ / 100) // 1))
            assert got.above[i] == level
            assert got.below[i] == (min(level, got.value[i] - 1) if positive else level), "hidden cells are not zero"
            assert got.sliding[i] == -((-total[i] * Fraction(20, 100)) // 1)
        elif got.value[i] == 0:
            assert got.status[i] == FIXED


def test_cells_marked_by_hand() -> None:
    marked = apply_rules(table([[50, 50], [3, 3, 3]], status=PRIMARY), Rules())
    assert marked.problem.cells.above.tolist() == [15, 2]
    with pytest.raises(InputError, match="cell = c0 must be published"):
        apply_rules(table([[50, 50], [3, 3, 3]], status=FIXED), Rules(frequency=3))


def test_zeros_and_what_intruders_know() -> None:
    found = apply_rules(table([[0], [], [9]]), parse_rules(["zeros=20", "knowledge=none"])).problem.cells
    assert found.status.tolist() == [PRIMARY, PRIMARY, FREE]
    assert found.above.tolist() == [20, 20, 0]
    assert found.below.tolist() == [0, 0, 0]
    assert found.upper.tolist() == [40, 40, 18]
    assert found.lower.tolist() == [0, 0, 0]


def test_costs() -> None:
    found = table([[50, 50], [3], []])
    assert costs_of(found, "unit").tolist() == [1, 1, 1]
    assert costs_of(found, "count").tolist() == [2, 1, 1]
    assert costs_of(found, "value").tolist() == [100, 3, 1]
    assert costs_of(found, "file").tolist() == [1, 1, 1]
    with pytest.raises(InputError, match="not known"):
        costs_of(found, "gold")


def test_rules_from_texts() -> None:
    rules = parse_rules(["frequency=3", "dominance=2,85", "dominance=1,75.5", "p=10", "pq=10,50", "range=20"])
    assert rules.frequency == 3
    assert rules.dominance == ((2, Fraction(85)), (1, Fraction(151, 2)))
    assert rules.pq == ((Fraction(10), Fraction(100)), (Fraction(10), Fraction(50)))
    assert rules.range == 20
    assert rules.top == 2
    assert len(rules.told()) == 7


@pytest.mark.parametrize(
    "text",
    ["hat=3", "frequency=0", "frequency=2.5", "frequency=x", "dominance=2", "dominance=2,100", "dominance=0,50", "p=0",
     "p=100", "p=1,2", "pq=10", "pq=60,50", "range=0", "knowledge=", "sliding=-1", "zeros=0.5", "frequency"],
)  # fmt: skip
def test_rules_that_make_no_sense(text: str) -> None:
    with pytest.raises(InputError):
        parse_rules([text])


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError, match="3 things"):
        parse_rules(["hat=3", "p=0", "frequency=3", "frequency=4"])


def test_more_contributors_than_the_table_has() -> None:
    with pytest.raises(InputError, match="4 largest"):
        sensitive(table([[1, 2]]), Rules(dominance=((4, Fraction(80)),)))


@pytest.mark.parametrize(("zero", "least"), [(True, 0), (False, 1)])
def test_a_rule_for_zeros_hides_those_that_are_listed(zero: bool, least: int) -> None:
    found = apply_rules(table([[1], [1], *[[]] * zero]), parse_rules(["zeros=1", "frequency=2"])).problem.cells
    assert found.lower.tolist()[:2] == [least, least], "zeros that are left out are plain to see"
    assert found.below.tolist()[:2] == [1 - least, 1 - least]


def test_weighted_counts_that_share_a_weight_are_no_less() -> None:
    plain, number = table([[6], [9], [15]]), np.array([1, 2, 3])
    assert plain.contributors is not None
    weighted = replace(plain, amounts=False, contributors=plain.contributors._replace(number=number))
    found = apply_rules(weighted, parse_rules(["frequency=3", "range=60"])).problem.cells
    assert found.lower.tolist() == [3, 3, 3], "multiples of 3 as all are, and not zero"
    assert found.below.tolist() == [3, 6, 0] and found.above.tolist() == [4, 6, 0]
    amounts = apply_rules(plain, parse_rules(["frequency=3"])).problem.cells
    assert amounts.lower.tolist() == [1, 1, 1]
