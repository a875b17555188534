"""Distinct records, and what numbers add to the price of one record to another."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization.bound.distinct import distinct, distinct_records
from discreet.generalization.domain import MEAN


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2)), min_size=1, max_size=20))
def test_copies_and_places(rows: list[tuple[int, int]]) -> None:
    codes = np.array(rows, np.int32)
    whole, copies, which = distinct_records(codes)
    assert Counter(map(tuple, codes.tolist())) == dict(zip(map(tuple, whole.tolist()), copies.tolist()))
    assert (whole[which] == codes).all()


@settings(max_examples=30, deadline=None)
@given(n=st.integers(4, 30), k=st.integers(2, 4), seed=st.integers(0, 10**6), keys=st.sampled_from([0, 2]))
def test_boxes_and_numbers_apart(n: int, k: int, seed: int, keys: int) -> None:
    domain = joint_domain(n, seed, missing=seed % 2 == 0, keys=keys)
    found = distinct(domain, k)
    means = [a for a, attribute in enumerate(domain.attributes) if attribute.kind == MEAN]
    assert (found.whole[found.which] == domain.codes).all() and found.cells == domain.codes.size
    assert (found.codes[found.which] == found.boxes.codes).all()
    assert found.numbers.places.shape == (found.copies.size, len(means))
    for i in range(found.copies.size):
        for j in range(found.copies.size):
            mine = ((found.numbers.places[i] - found.numbers.places[j]) ** 2)[None]
            x, y = (np.array([domain.attributes[a].position[found.whole[r, a]] for a in means]) for r in (i, j))
            weights = np.array([a.weight for a in domain.attributes]) / np.mean([a.weight for a in domain.attributes])
            assert np.allclose(mine, weights[means] * (x - y) ** 2 / (2 * k), equal_nan=True)


def test_without_numbers_there_is_nothing_to_add() -> None:
    found = distinct(random_domain(20, 1), 3)
    assert found.numbers.places.shape[1] == 0 and found.boxes.codes.shape == found.domain.codes.shape
