"""Rows that every protecting pattern satisfies: checked against all patterns, whatever multipliers are named."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify.tabular.cases import ROWS, written

from discreet.verify.tabular.cuts import Rejected, bridge, capacity, cells_of, numbers, rebuilt, whole
from discreet.verify.tabular.levels import check_levels
from discreet.verify.tabular.problem import Table, load

FREE = [c for c in range(9) if c != 4]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return load(written(tmp_path_factory.mktemp("p") / "p.jj", level=2, sliding=5), "the problem")


@pytest.fixture(scope="module")
def protecting(table: Table) -> list[set[int]]:
    """Every set of free cells that protects cell 4 when hidden with it."""
    found = []
    for size in range(len(FREE) + 1):
        for chosen in combinations(FREE, size):
            if any(set(small) <= set(chosen) for small in found) or all(
                each.outcome == "protected" for each in check_levels(table, sorted((*chosen, 4)))
            ):
                found.append(set(chosen))
    assert {5, 7, 8} in found
    return found


MULTIPLIERS = st.dictionaries(st.integers(0, len(ROWS) - 1).map(str), st.integers(-3, 3), max_size=4)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_protecting_pattern_satisfies_every_row(table: Table, protecting: list[set[int]], data: Any) -> None:
    cut: dict[str, Any] = {
        "cell": 4,
        "side": data.draw(st.sampled_from([1, -1, 0])),
        "denominator": data.draw(st.integers(1, 3)),
        "multipliers": data.draw(MULTIPLIERS),
        "cover": data.draw(st.lists(st.sampled_from(FREE), unique=True, max_size=2)),
    }
    if not cut["side"]:
        cut["below"] = data.draw(MULTIPLIERS)
    if data.draw(st.booleans()):
        cut["divisor"] = data.draw(st.integers(1, 9))
    row = None
    with suppress(Rejected):  # a divisor that divides the right side
        row = rebuilt(table, cut)
    if row is not None:
        for pattern in protecting:
            assert sum((row.get(cell, Fraction(0)) for cell in pattern), Fraction(0)) >= 1


def test_what_each_cell_can_give(table: Table) -> None:
    # Relation 1 says 4 + 7 = 1: cell 4 rises by what 1 gains (to 20) and 7 gives (2 at most).
    assert capacity(table, 4, 1, 1, {1: 1}) == {1: 15, 7: 2}


@pytest.mark.parametrize(
    "change",
    [
        {"cell": 5},
        {"cell": 99},
        {"cell": True},
        {"side": 2},
        {"denominator": 0},
        {"denominator": 1.0},
        {"multipliers": {"99": 1}},
        {"multipliers": {"1": 0.5}},
        {"multipliers": [1]},
        {"cover": [4]},
        {"cover": [5, 5]},
        {"known": [5]},
        {"divisor": 2},
    ],
)
def test_what_is_not_so_is_rejected(table: Table, change: dict[str, Any]) -> None:
    cut = {"cell": 4, "side": 1, "denominator": 1, "multipliers": {"1": 1}}
    assert rebuilt(table, cut) == {1: 1, 7: 1}
    with pytest.raises(Rejected):
        rebuilt(table, {**cut, **change})


def test_an_attacker_must_be_stated(table: Table) -> None:
    cut = {"cell": 4, "side": 1, "denominator": 1, "multipliers": {"1": 1}, "known": [7]}
    with pytest.raises(Rejected, match="not stated"):
        rebuilt(table, cut)
    assert rebuilt(table, cut, [frozenset({7})]) == {1: 1}


def test_a_bridge_is_about_a_relation_without_sensitive_cells(table: Table) -> None:
    assert bridge(table, [2, 5]) == {2: 1, 5: -1, 8: 1}
    for entry in ([1, 7], [2, 4], [2, 0], [9, 5], [2], "25", [2, True]):
        with pytest.raises(Rejected):
            bridge(table, entry)


def test_numbers_are_whole_and_cells_are_there(table: Table) -> None:
    assert (
        whole(3, "it", 1) == 3
        and numbers({"0": -2}, "they", 1) == {0: -2}
        and cells_of([8, 0], "they", table) == [8, 0]
    )
    for wrong in (True, 1.0, "1", None, 0):
        with pytest.raises(Rejected):
            whole(wrong, "it", 1)
    for wrong in ({"-1": 1}, {"1": 1}, {"0": "1"}, {"00": 1, "0": 1}, []):
        with pytest.raises(Rejected):
            numbers(wrong, "they", 1)
    for wrong in ([9], [0, 0], [-1], {}):
        with pytest.raises(Rejected):
            cells_of(wrong, "they", table)
