from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import loss
from oracles.generalization_domains import random_domain

from discreet.generalization.bound.distinct import distinct
from discreet.generalization.bound.nearest_records import cheapest_boxes, leaves_of, nearest
from discreet.generalization.boxes import costs
from discreet.generalization.domain import Domain


def _cheapest(domain: Domain, i: int, k: int, prices: np.ndarray) -> float:
    others = [j for j in range(domain.n) if j != i]
    return min(
        loss(domain, [(i, *chosen)]) * domain.codes.size + prices[list(chosen)].sum()
        for chosen in itertools.combinations(others, k - 1)
    )


@settings(max_examples=40, deadline=None)
@given(n=st.integers(5, 30), k=st.integers(2, 5), seed=st.integers(0, 10**6), missing=st.booleans())
def test_each_record_by_itself(n: int, k: int, seed: int, missing: bool) -> None:
    domain = random_domain(n, seed, missing=missing)
    records = distinct(domain, k)
    copies, which, t = records.copies, records.which, domain.tables
    order, leaves = leaves_of(records)
    last = leaves.ends.size - 1
    far = np.empty(copies.size)
    far[order] = nearest(t, leaves, 0, last, k)
    boxes = np.empty(copies.size)
    boxes[order] = cheapest_boxes(t, leaves, 0, last, k, far[order])
    for i in range(n):
        pairs = np.sort([costs(t, domain.codes, np.array([[i, j]]))[0] for j in range(n) if j != i])
        assert far[which[i]] == pytest.approx(pairs[k - 2], abs=1e-12)
        if i < 3 and math.comb(n - 1, k - 1) <= 1000:
            exact = _cheapest(domain, i, k, np.zeros(n))
            assert boxes[which[i]] <= exact + 1e-8
            # Records that a box of wildcards takes in for nothing one by one may cost together: then it is a bound.
            assert missing or boxes[which[i]] >= exact - 1e-8
