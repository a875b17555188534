from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.classes import class_loss, holds, joint_domain

from discreet.generalization import domain as domains
from discreet.generalization.classes.exchange import exchange_block
from discreet.generalization.domain import MEAN, Attribute, Domain


def _exchanged(domain: Domain, labels: np.ndarray, values: np.ndarray, k: int, l: int, seed: int) -> np.ndarray:
    """One exchange among all classes."""
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    arguments = (domain.codes[order], values[order], np.zeros(domain.n, np.int32), starts, k, l, np.uint64(seed))
    found, prices = exchange_block(domain.tables, *arguments)
    assert prices.shape == (domain.n,)
    out = np.empty(domain.n, np.int64)
    out[order] = found
    return out


@settings(max_examples=80, deadline=None)
@given(
    classes=st.integers(1, 6),
    k=st.integers(1, 4),
    l=st.integers(0, 3),
    seed=st.integers(0, 10**6),
    gaps=st.booleans(),
    spread=st.sampled_from([1.0, 6.0]),
)
def test_it_never_costs_more_and_keeps_k_and_l(
    classes: int, k: int, l: int, seed: int, gaps: bool, spread: float
) -> None:
    rng = np.random.default_rng(seed)
    size = max(k, l)
    labels = rng.permutation(
        np.concatenate([np.repeat(np.arange(classes), size), np.repeat(np.arange(classes), k - 1)])
        if seed % 2
        else np.repeat(np.arange(classes), size)
    )
    n = labels.size
    values = rng.integers(-1, 4, n)
    for g in range(classes):
        values[np.flatnonzero(labels == g)[:l]] = np.arange(l)
    domain = joint_domain(n, seed, gaps=gaps, spread=spread)
    for turn in range(3):
        after = _exchanged(domain, labels, values, k, l, seed + turn)
        assert holds(after, k, values, l)
        assert np.bincount(after).size == classes
        assert class_loss(domain, after) <= class_loss(domain, labels) + 1e-9
        assert np.bincount(after).max() <= max(2 * k - 1, np.bincount(labels).max())
        labels = after


def test_a_chain_through_three_classes_is_found() -> None:
    """Each class holds one record that belongs to the next: no two of them can swap to mend it, three can."""
    domain = domains.domain([domains.categorical("kind", np.array([0, 0, 1, 1, 1, 2, 2, 2, 0]), 3)])
    labels = np.repeat(np.arange(3), 3)
    found = {class_loss(domain, _exchanged(domain, labels, np.full(9, -1), 3, 0, seed)) for seed in range(20)}
    assert min(found) == 0


def test_a_record_moves_where_sizes_allow() -> None:
    """One record more would suit the other class: nothing but a move helps, and the class it leaves keeps k."""
    domain = domains.domain([domains.categorical("kind", np.array([0, 0, 0, 1, 1, 1, 1]), 2)])
    labels, after = np.array([0, 0, 0, 0, 1, 1, 1]), []
    for seed in range(40):
        after.append(_exchanged(domain, labels, np.full(7, -1), 3, 0, seed))
    assert min(class_loss(domain, one) for one in after) == 0
    assert all(np.bincount(one).min() >= 3 for one in after)


def test_a_record_far_from_everybody_does_not_keep_others_from_mending() -> None:
    """It suits the first class best, which costs that are cut off do not tell: the last two must still be mended."""
    numbers = np.array([2, 2, 500, 0, 0, 2, 0, 0, 0, -8, -8, -7, -7, -7, -8]) / 1.0
    place, codes = np.unique(numbers, return_inverse=True)
    domain = domains.domain([Attribute("x", MEAN, codes.astype(np.int32), place.size, place)])
    labels = np.repeat(np.arange(5), 3)
    mended = 0
    for seed in range(30):
        after = _exchanged(domain, labels, np.full(15, -1), 3, 0, seed)
        mended += after[11] == 4 and after[14] == 3
        assert after[2] == 0, "it stays where it fits best"
    assert mended >= 10


def _best(domain: Domain, given_up: Sequence[int | None], labels: np.ndarray, k: int) -> float:
    """The least loss over all ways to hand out what the classes gave up (None: an empty place)."""
    losses = []
    for order in itertools.permutations(range(len(given_up))):
        trial = labels.copy()
        for g, c in enumerate(order):
            if given_up[c] is not None:
                trial[given_up[c]] = g
        if np.bincount(trial).min() >= k:
            losses.append(class_loss(domain, trial))
    return min(losses)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), gaps=st.booleans())
def test_what_is_given_up_is_handed_out_optimally(seed: int, gaps: bool) -> None:
    """Three classes of two: whatever each gave up, a record or an empty no other way loses less."""
    domain = joint_domain(6, seed, gaps=gaps, spread=3.0)
    labels = np.repeat(np.arange(3), 2)
    after = class_loss(domain, _exchanged(domain, labels, np.full(6, -1), 2, 0, seed))
    choices = itertools.product(*((2 * g, 2 * g + 1, None) for g in range(3)))
    assert min(abs(after - _best(domain, given_up, labels, 2)) for given_up in choices) < 1e-6
