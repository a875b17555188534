from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.classes import holds, joint_domain

from discreet.generalization import domain as domains
from discreet.generalization.classes.greedy import greedy_blocks
from discreet.generalization.domain import Domain


def _labels(domain: Domain, ends: list[int], values: np.ndarray, k: int, l: int, anywhere: bool) -> np.ndarray:
    arguments = (domain.tables, domain.codes, np.array(ends), values, k, l, anywhere, np.uint64(5))
    return greedy_blocks(*arguments)


@settings(max_examples=80, deadline=None)
@given(
    n=st.integers(4, 40),
    k=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    anywhere=st.booleans(),
    few=st.booleans(),
)
def test_every_block_falls_into_classes_of_k_to_2k_minus_1(
    n: int, k: int, seed: int, anywhere: bool, few: bool
) -> None:
    domain = joint_domain(n, seed, gaps=True)
    if few:  # many equal records: classes take in more than k
        domain = domains.domain([domains.categorical("kind", np.random.default_rng(seed).integers(0, 3, n), 3)])
    middle = n // 2 if n // 2 >= k and n - n // 2 >= k else 0
    ends = [0, middle, n] if middle else [0, n]
    labels = _labels(domain, ends, np.full(n, -1), k, 0, anywhere)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    if middle:
        assert labels[:middle].max() < labels[middle:].min()


@settings(max_examples=80, deadline=None)
@given(n=st.integers(6, 30), k=st.integers(1, 4), l=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_classes_hold_l_known_values(n: int, k: int, l: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([-1, 0, 0, 0, 1, 2, 3], n)
    values[:l] = np.arange(l)
    rng.shuffle(values)
    labels = _labels(joint_domain(n, seed), [0, n], values, k, l, False)
    assert holds(labels, k, values, l)
    assert set(labels.tolist()) == set(range(labels.max() + 1))
