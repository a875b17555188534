"""Which way "auto" takes: pairs to the optimum, rounds otherwise, diverse matchings where values are due."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import pytest
from oracles.generalization import is_regular, least_loss, loss
from oracles.generalization_domains import random_domain

from discreet.generalization import automatic
from discreet.generalization.automatic import ROUNDS_BEFORE_PAIRS, reassign, run
from discreet.generalization.methods import Call, Problem
from discreet.generalization.reassignment import default_rounds
from discreet.work import Deadline


def call(n: int, k: int, seed: int = 0, **more: object) -> Call:
    return Call(problem=Problem(random_domain(n, seed), k), seed=seed, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_optimal_and_cost_what_is_said(seed: int) -> None:
    asked = call(7, 2, seed)
    found = run(asked)
    domain = asked.problem.domain
    matches = found.answer.matches
    assert is_regular(matches, 2) and found.status == "complete"
    assert loss(domain, matches) == pytest.approx(least_loss(domain, 2), abs=1e-9)
    assert found.proof is None or len(found.proof) == 7


def test_rounds_are_those_asked_for_or_as_many_as_the_file_needs() -> None:
    assert run(call(30, 3)).detail["rounds"] == default_rounds(30, 3)
    assert run(call(30, 3, options={"rounds": 2})).detail["rounds"] == 2
    assert run(call(30, 2)).detail["rounds"] == ROUNDS_BEFORE_PAIRS
    assert run(call(30, 2, options={"rounds": 0})).detail["rounds"] == 0


def test_many_records_are_not_paired_to_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "MOST_PAIRS", 29)
    assert reassign(call(30, 2)).detail["rounds"] == default_rounds(30, 2)


def test_rounds_never_lose_and_better_matches_that_are_given_are_kept() -> None:
    asked = call(40, 4, seed=3)
    domain = asked.problem.domain
    plain = reassign(replace(asked, options={"rounds": 0}))
    better = reassign(asked)
    losses = [loss(domain, found.answer.matches) for found in (plain, better)]
    assert losses[1] <= losses[0] == pytest.approx(float(plain.detail["start_gcp"]), abs=1e-9)
    given = replace(asked, problem=asked.problem._replace(start=better.answer.matches), options={"rounds": 0})
    again = reassign(given)
    assert loss(domain, again.answer.matches) == pytest.approx(losses[1], abs=1e-12)
    worse = np.array([[(i + r * 7) % 40 for r in range(4)] for i in range(40)], np.int64)
    kept = reassign(replace(asked, problem=asked.problem._replace(start=worse), options={"rounds": 0}))
    assert np.array_equal(kept.answer.matches, plain.answer.matches)


def test_no_time_is_said_to_be_so() -> None:
    found = run(call(40, 3, deadline=Deadline(0.0)))
    assert found.status == "time limit" and is_regular(found.answer.matches, 3)


def test_sensitive_values_take_another_way() -> None:
    values = np.arange(30) % 5
    asked = call(30, 3)
    for problem, least in (
        (asked.problem._replace(values=values, l=2), 2),
        (asked.problem._replace(values=np.where(values == 0, -1, values)), 1),
    ):
        found = run(replace(asked, problem=problem))
        assert is_regular(found.answer.matches, 3)
        assert problem.values is not None
        for row in found.answer.matches:
            known = {int(v) for v in problem.values[row] if v >= 0}
            assert len(known) >= least
    assert not isinstance(found, Future)
