"""Partitions put together: strata stay apart, losses add up, and no more is said than holds for all."""

from __future__ import annotations

from dataclasses import replace
from math import ldexp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from discreet import microaggregation
from discreet.instruments.grouped.grouping import (
    all_labels,
    bound_with_blanks,
    changed_cells,
    improved_unevenly,
    joint_detail,
    total_loss,
    within_strata,
    worst_status,
)
from discreet.microaggregation.methods import Call, Problem
from discreet.microaggregation.problem import Partition, sse, sst
from discreet.work import Deadline

POINTS = np.random.default_rng(2).standard_normal((40, 2))
STRATA = np.arange(40) % 3


def partition(**more: object) -> Partition:
    return replace(Partition(np.arange(12) // 3, "mdav", "complete", 2.0, 8.0), **more)  # type: ignore[arg-type]


def test_strata_stay_apart_and_each_is_grouped_as_by_itself() -> None:
    call = Call(problem=Problem(POINTS, 3))
    found = within_strata("mdav", call, STRATA)
    labels = found.labels
    assert all(len(set(STRATA[labels == group])) == 1 for group in range(labels.max() + 1))
    assert np.bincount(labels).min() >= 3 and found.detail["strata"] == 3
    assert found.sse == pytest.approx(sse(POINTS, labels)) and found.sst == pytest.approx(sst(POINTS))
    alone = [
        within_strata("mdav", Call(problem=Problem(np.ascontiguousarray(POINTS[one == STRATA]), 3)), None).sse
        for one in range(3)
    ]
    assert found.sse == pytest.approx(sum(alone))
    whole = within_strata("mdav", call, None)
    assert "strata" not in whole.detail and whole.sst == pytest.approx(found.sst)


def test_strata_share_a_time_limit_by_their_records_and_inherit_what_is_left_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strata = np.repeat([0, 1, 2], [4, 12, 24])
    limits: list[float | None] = []
    took = {0: 1.0, 1: 30.0, 2: 0.0}  # seconds: the first ends early, the second at its own end

    def found(method: str, call: Call) -> Partition:
        limits.append(call.deadline.limit)
        whole.start -= took[len(limits) - 1]
        return Partition(np.arange(len(call.problem.points)) // 4, method, "complete", 1.0, 2.0)

    monkeypatch.setattr(microaggregation, "find_groups", found)
    whole = Deadline(100.0)
    within_strata("mdav", Call(problem=Problem(POINTS, 3), deadline=whole), strata)
    # A tenth, four tenths, all: each until its share of the whole time is over, whatever the others took.
    assert limits == pytest.approx([10, 39, 69], abs=0.5)
    limits.clear()
    within_strata("mdav", Call(problem=Problem(POINTS, 3)), strata)
    assert limits == [None, None, None]


def test_strata_share_what_is_left_when_weights_and_gaps_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float | None] = []

    def descended(records: object, k: int, labels: np.ndarray, *, deadline: Deadline, report: object) -> tuple:
        limits.append(deadline.limit)
        return labels, 0, True

    monkeypatch.setattr("discreet.microaggregation.uneven.descent.descend", descended)
    for name in ("uneven_sse", "uneven_sst"):
        monkeypatch.setattr(f"discreet.microaggregation.uneven.records.{name}", lambda *_: 1.0)
    whole = Deadline(100.0)
    whole.start -= 60.0  # seconds that the grouping took
    call = Call(problem=Problem(POINTS, 4), deadline=whole)
    given = Partition(np.arange(40) // 4, "mdav", "complete", 1.0, 2.0)
    records: Any = SimpleNamespace(take=lambda rows: rows)
    improved_unevenly(given, records, call, np.repeat([0, 1, 2], [4, 12, 24]))
    assert limits == pytest.approx([4, 16, 40], abs=0.5)
    limits.clear()
    improved_unevenly(given, records, replace(call, deadline=Deadline(None)), None)
    assert limits == [None]


def test_suppressed_records_are_the_last_group() -> None:
    kept = np.array([True] * 6 + [False] * 3 + [True] * 6)
    labels = all_labels(SimpleNamespace(n=15, kept=kept), partition())  # type: ignore[arg-type]
    assert (labels[kept] == np.arange(12) // 3).all() and (labels[~kept] == 4).all()


def test_losses_add_up_in_units_of_their_own() -> None:
    small = SimpleNamespace(lost=1.0, exponent=0)
    large = SimpleNamespace(lost=0.0, exponent=4)
    error, total, loss = total_loss([small, large], [partition(), partition()])  # type: ignore[list-item]
    assert error == 3.0 + ldexp(2.0, 4) and total == 9.0 + ldexp(8.0, 4)
    assert loss == pytest.approx(100 * error / total)
    nothing = partition(sse=0.0, sst=0.0)
    assert total_loss([SimpleNamespace(lost=0.0, exponent=0)], [nothing])[2] == 0.0  # type: ignore[list-item]
    assert total_loss([SimpleNamespace(lost=np.inf, exponent=0)], [nothing])[2] == 100.0  # type: ignore[list-item]


def test_a_bound_counts_what_is_blanked_as_lost() -> None:
    part = partition()
    assert bound_with_blanks(20.0, SimpleNamespace(lost=0), part) == 20.0  # type: ignore[arg-type]
    found = bound_with_blanks(20.0, SimpleNamespace(lost=2.0), part)  # type: ignore[arg-type]
    assert found == pytest.approx(100 * (0.2 * 8 + 2) / 10)


def test_cells_that_were_blanked_or_filled() -> None:
    values = np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 4.0]])
    data = pd.DataFrame({"x": [1.5, 1.5, None], "y": [3.5, None, None]})
    given = SimpleNamespace(values=values, names=["x", "y"])
    assert changed_cells([given], data) == (2, 1)  # type: ignore[list-item]
    full = SimpleNamespace(values=values[1:2], names=["x", "y"])
    assert changed_cells([full], data) == (0, 0)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("found", "worst"),
    [
        (["optimal", "optimal"], "optimal"),
        (["optimal", "complete"], "complete"),
        (["complete", "time limit", "optimal"], "time limit"),
    ],
)
def test_all_are_optimal_only_where_each_is(found: list[str], worst: str) -> None:
    assert worst_status(found) == worst  # type: ignore[arg-type]


def test_counts_add_up_and_words_stand_side_by_side() -> None:
    parts = [{"a": 1, "w": "x"}, {"a": 2, "w": "y", "b": 5}, {"w": "x"}]
    assert joint_detail(parts) == {"a": 3, "w": "x, y", "b": 5}
    assert joint_detail(parts[:1]) is parts[0]
