"""What a rounded table gives away: intervals that hold the truth, and no more is called exact than is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from discreet.instruments.totals.round_audit import RoundingAudit, audit_rounding, rounding_view
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.problem import FREE, PRIMARY, Cells, Problem, Relations


def line(values: list[int], *, sensitive: bool = False) -> Problem:
    """A total and its parts."""
    value = np.array([sum(values), *values], np.int64)
    n = value.size
    status = np.full(n, FREE, np.int8)
    need = np.zeros(n, np.int64)
    if sensitive:
        status[1], need[1] = PRIMARY, 3
    sign = np.array([-1, *[1] * (n - 1)], np.int8)
    rows = Relations(np.array([0, n]), np.arange(n), sign, np.zeros(1, np.int64))
    zero = np.zeros(n, np.int64)
    return Problem(Cells(value, zero, zero + 99, value, status, need, need, zero), rows)


def audited(problem: Problem, told: list[int], base: int) -> RoundingAudit:
    rounded = problem._replace(cells=problem.cells._replace(value=np.array(told)))
    return audit_rounding(AdditiveTable(problem), AdditiveTable(rounded), base)


def possible(problem: Problem, told: np.ndarray, base: int, reach: int) -> np.ndarray:
    """All tables whose parts are within the base and whose total is within reach of what is told, by definition; none
    is zero where no zero is listed."""
    least = 1 if (problem.cells.value > 0).all() else 0
    boxes = (range(max(least, int(t) - base + 1), int(t) + base) for t in told[1:])
    tables = [(sum(parts), *parts) for parts in itertools.product(*boxes)]
    return np.array([t for t in tables if abs(t[0] - told[0]) <= reach])


@pytest.mark.parametrize(
    ("values", "told", "base"),
    [
        ([1, 2], [3, 0, 3], 3),
        ([4, 4, 1], [10, 5, 5, 0], 5),
        ([1, 1], [0, 0, 0], 3),
        ([0, 9], [9, 0, 9], 3),
        ([1, 1], [0, 0, 0], 2),
    ],
)
def test_intervals_are_those_of_all_tables_within_reach(values: list[int], told: list[int], base: int) -> None:
    problem, rounded = line(values), np.array(told)
    found = audited(problem, told, base)
    reach = max(base - 1, int(np.abs(rounded - problem.cells.value).max()))
    tables = possible(problem, rounded, base, reach)
    assert found.intervals.lower.tolist() == tables.min(axis=0).tolist()
    assert found.intervals.upper.tolist() == tables.max(axis=0).tolist()
    exact = int((tables.min(axis=0) == tables.max(axis=0)).sum())
    assert found.exact == exact == found.figures()["exact"]
    assert found.told().startswith(f"{exact} cells can be inferred exactly")


def test_a_base_of_one_tells_everything() -> None:
    problem = line([2, 3], sensitive=True)
    found = audited(problem, [5, 2, 3], 1)
    assert found.exact == 3 and found.exposed == (1,) and found.undecided == ()
    assert found.figures() == {"exact": 3, "exposed": 1, "undecided": 0, "attackers": found.attackers}
    wide = audited(line([5, 6], sensitive=True), [10, 0, 10], 10)
    assert wide.exposed == () and "undecided" not in wide.told()


def test_only_tables_without_negative_values_are_bounded_from_below() -> None:
    told = np.array([0, 0, 0])
    assert rounding_view(line([1, 0]), told, 3).cells.lower.tolist() == [0, 0, 0]
    assert rounding_view(line([1, 1]), told, 3).cells.lower.tolist() == [1, 1, 1], "zeros are left out"
    assert rounding_view(line([3, -2]), told, 4).cells.lower.tolist() == [-3, -3, -3]
