"""The optimum by an integer program, against dynamic programming, and what the program does not know."""

from __future__ import annotations

import pytest
from oracles.generalization import is_regular, least_loss, loss
from oracles.generalization_domains import random_domain

from discreet.errors import InputError
from discreet.generalization.baselines.mip import MOST_RECORDS, optimum, run
from discreet.generalization.methods import Call, Problem
from discreet.work import Deadline


@pytest.mark.parametrize("ncp", ["distinct", "share"])
@pytest.mark.parametrize("seed", range(3))
def test_matches_of_least_loss(seed: int, ncp: str) -> None:
    n, k = 6, 2 + seed % 2
    domain = random_domain(n, seed, ncp=ncp, weights=seed == 2)
    matches, proven, _ = optimum(domain, k, Deadline(None))
    assert proven and is_regular(matches, k) and (matches[:, 0] == range(n)).all()
    share = ncp == "share"
    if not share:
        assert loss(domain, matches) == pytest.approx(least_loss(domain, k), abs=1e-9)
    weaker = [[i, *((i + r) % n for r in range(1, k))] for i in range(n)]
    assert loss(domain, matches, share) <= loss(domain, weaker, share) + 1e-12


def test_without_time_a_ring_is_handed_out_and_nothing_claimed() -> None:
    matches, proven, _ = optimum(random_domain(9, 1), 3, Deadline(0.0))
    assert is_regular(matches, 3)
    assert not proven
    found = run(Call(problem=Problem(random_domain(9, 1), 3), deadline=Deadline(0.0)))
    assert found.status == "time limit" and found.method == "mip"


def test_what_it_does_not_know_is_refused() -> None:
    with pytest.raises(InputError, match="missing values"):
        optimum(random_domain(8, 0, missing=True), 2, Deadline(None))
    with pytest.raises(InputError, match=f"at most {MOST_RECORDS} records"):
        run(Call(problem=Problem(random_domain(MOST_RECORDS + 1, 0), 2)))
