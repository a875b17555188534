"""Methods within blocks: k disjoint matchings inside each block, and rings where the time is over."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.generalization_domains import random_domain

from discreet.generalization.blockwise import SIZES, partition_of, run_greedy, run_hungarian, run_sort_greedy
from discreet.generalization.methods import Call, Problem
from discreet.work import Deadline, Reporter

K = 3


def _call(n: int, seconds: float | None = None, **options: object) -> Call:
    problem = Problem(random_domain(n, 1), K)
    return Call(problem=problem, deadline=Deadline(seconds), report=Reporter(None), seed=0, options=options)


@pytest.mark.parametrize("run", [run_greedy, run_sort_greedy, run_hungarian])
def test_matches_are_disjoint_matchings_within_the_blocks(run: object) -> None:
    call = _call(90, partition_size=20)
    outcome = run(call)  # type: ignore[operator]
    matches = outcome.answer.matches
    assert outcome.status == "complete"
    assert (matches[:, 0] == np.arange(90)).all()
    for slot in range(K):
        assert sorted(matches[:, slot]) == list(range(90))
    assert all(len(set(row)) == K for row in matches.tolist())
    order, ends = partition_of(call, "greedy")
    block = np.empty(90, int)
    block[order] = np.repeat(np.arange(ends.size - 1), np.diff(ends))
    assert (block[matches] == block[:, None]).all()
    assert outcome.detail["blocks"] == ends.size - 1 > 1


def test_what_the_time_leaves_over_is_matched_in_rings() -> None:
    outcome = run_hungarian(_call(60, 0.0))
    matches = outcome.answer.matches
    assert outcome.status == "time limit"
    for slot in range(K):
        assert sorted(matches[:, slot]) == list(range(60))


def test_blocks_hold_enough_for_k_and_follow_the_order_that_is_given() -> None:
    _, ends = partition_of(_call(200, partition_size=1), "greedy")
    assert np.diff(ends).min() >= K
    _, whole = partition_of(_call(200), "hungarian")
    assert whole.tolist() == [0, 200] and SIZES["hungarian"] > 200
    call = _call(200, partition="lexicographic", partition_size=50)
    name = call.problem.domain.attributes[1].name
    order, ends = partition_of(
        Call(
            problem=call.problem, deadline=call.deadline, report=call.report, seed=0,
            options={**call.options, "attribute_order": name},
        ),
        "greedy",
    )  # fmt: skip
    assert np.diff(ends).tolist() == [50] * 4
    codes = call.problem.domain.codes[order, 1]
    assert (np.diff(codes) >= 0).all()
