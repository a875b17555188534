"""Importance as whole numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet.errors import Faults
from discreet.instruments.local_suppression.importance import read_importance


@pytest.mark.parametrize(
    ("given", "cost", "unit"),
    [
        (None, [1, 1], Fraction(1)),
        ({"a": 1, "b": 2}, [1, 2], Fraction(1)),
        ({"a": 4, "b": 6}, [2, 3], Fraction(2)),
        ({"a": 1.5}, [3, 2], Fraction(1, 2)),
        ({"a": 0.001, "b": 1}, [1, 1000], Fraction(1, 1000)),
        ({"a": np.float64(0.1), "b": np.int64(1)}, [1, 10], Fraction(1, 10)),
    ],
)
def test_costs_are_the_least_whole_numbers(given: Any, cost: list[int], unit: Fraction) -> None:
    faults = Faults()
    found = read_importance(given, ["a", "b"], faults)
    assert not faults
    assert found is not None
    assert found.cost.tolist() == cost
    assert found.unit == unit
    for j, name in enumerate("ab"):
        assert found.worth(cost[j]) == (given or {}).get(name, 1)


@pytest.mark.parametrize(
    "given", [5, {"c": 1}, {"a": 0}, {"a": -1}, {"a": "2"}, {"a": True}, {"a": float("nan")}, {"a": 1e7}, {"a": 1 / 3}]
)
def test_what_is_no_importance_is_a_fault(given: Any) -> None:
    faults = Faults()
    assert read_importance(given, ["a", "b"], faults) is None
    assert faults
