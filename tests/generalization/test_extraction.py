from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from oracles.generalization_domains import random_domain

from discreet.generalization.extraction import chacha_block, components, draw, drawn, keyed, peel, shuffled, stream
from discreet.generalization.methods import solve


@njit
def _block(state, block):  # type: ignore[no-untyped-def]
    chacha_block(state, block)


def test_chacha20_as_in_rfc_8439() -> None:
    s = keyed(np.frombuffer(bytes(range(32)), "<u4").astype(np.uint32))
    s.state[12] = 1
    s.state[13:] = np.frombuffer(bytes.fromhex("000000090000004a00000000"), "<u4")
    _block(s.state, s.block)
    expected = (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    assert s.block.astype("<u4").tobytes().hex() == expected
    assert s.state[12] == 2


@settings(max_examples=25, deadline=None)
@given(n=st.integers(3, 40), k=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_peeled_matchings_are_disjoint_and_perfect(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    matches = solve(random_domain(n, seed), k, method="hungarian").matches
    matchings = peel(stream(seed), matches)
    for matching in matchings:
        assert sorted(matching) == list(range(n))
    for i in range(n):
        assert sorted(matchings[:, i]) == sorted(matches[i])


def test_each_candidate_is_drawn_with_probability_one_in_k() -> None:
    n, k, times = 12, 4, 4000
    matches = solve(random_domain(n, 5), k, method="hungarian").matches
    seen = np.zeros((n, n))
    for seed in range(times):
        seen[np.arange(n), draw(matches, seed=seed).origin] += 1
    expected = np.zeros((n, n))
    np.put_along_axis(expected, matches, times / k, axis=1)
    # 48 cells, each binomial: five standard deviations leave no room for the bias of a single random matching.
    assert np.abs(seen - expected).max() < 5 * np.sqrt(times * (1 / k) * (1 - 1 / k))


@settings(max_examples=40, deadline=None)
@given(n=st.integers(3, 9), k=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_over_all_draws_every_person_is_at_each_of_its_rows_equally_often(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    matches = solve(random_domain(n, seed), k, method="hungarian").matches
    matchings, component = peel(stream(seed), matches), components(matches)
    heads = np.unique(component)
    times = np.zeros((n, n))
    for draws in itertools.product(range(k), repeat=heads.size):
        chosen = np.array(draws)[np.searchsorted(heads, component)]
        origin = matchings[chosen, np.arange(n)]
        assert sorted(origin) == list(range(n))
        times[np.arange(n), origin] += 1
    expected = np.zeros((n, n))
    np.put_along_axis(expected, matches, k**heads.size / k, axis=1)
    assert (times == expected).all()
    # What is drawn is one of these: the same matching throughout a component.
    made = draw(matches, seed=seed, matchings=matchings).origin
    for head in heads:
        rows = np.flatnonzero(component == head)
        assert any((matchings[t, rows] == made[rows]).all() for t in range(k))


def test_components_are_drawn_apart() -> None:
    ring = np.array([[i, (i + 1) % 4] for i in range(4)])
    matches = np.vstack([ring, ring + 4])
    assert components(matches).tolist() == [0] * 4 + [4] * 4
    apart = [draw(matches, seed=s).origin for s in range(64)]
    assert len({(int(o[0] != 0), int(o[4] != 4)) for o in apart}) == 4


def test_a_seed_repeats_the_draw_and_without_one_it_is_secret() -> None:
    matches = solve(random_domain(60, 2), 5, method="hungarian").matches
    first, again, other = (draw(matches, seed=s) for s in (1, 1, 2))
    assert (first.origin == again.origin).all()
    assert (first.order == again.order).all()
    assert (first.order != other.order).any()
    secret = [draw(matches, seed=None) for _ in range(2)]
    assert secret[0].secret
    assert not first.secret
    assert (secret[0].order != secret[1].order).any()
    assert (draw(matches, seed=None, shuffle=False).order == np.arange(60)).all()


def test_numbers_are_drawn_without_bias() -> None:
    s = stream(3)
    counts = np.bincount([drawn(s, 3) for _ in range(9000)], minlength=3)
    assert np.abs(counts - 3000).max() < 5 * np.sqrt(9000 * 2 / 9)
    assert sorted(shuffled(s, 50)) == list(range(50))
