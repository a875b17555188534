"""The checker's distances and simple bounds against exact arithmetic, at every magnitude."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from oracles.certificate import optimum

from discreet.verify.certificates import points as module
from discreet.verify.certificates.points import (
    apart,
    classes,
    group_costs,
    lines_bound,
    neighbors_bound,
    scaled,
    within,
)


def exact_squares(values: np.ndarray, scale: str) -> dict[tuple[int, int], Fraction]:
    """Squared distances of all pairs, by definition."""
    n = len(values)
    out = {pair: Fraction(0) for pair in combinations(range(n), 2)}
    for column in values.T:
        x = [Fraction(float(v)) for v in column]
        if len(set(x)) == 1:
            continue
        mean = sum(x) / n
        weight = {"sd": sum((v - mean) ** 2 for v in x) / (n - 1), "range": (max(x) - min(x)) ** 2, "none": 1}[scale]
        for u, v in out:
            out[u, v] += (x[u] - x[v]) ** 2 / weight
    return out


def drawn(seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    values = random.standard_normal((8, 3))
    return [
        values,
        1e6 + 1e-3 * values,
        values * 1e300,
        values * 1e-300,
        np.round(values * 100) * 5e-324,
        np.clip(values, -1, 1) * 1.79e308,
        values * np.array([1e300, 1.0, 1e-300]),
        np.vstack([values[1:], 1e15 * values[:1]]),
        np.nextafter(1.0, 2.0) + np.spacing(1.0) * random.integers(0, 5, (8, 2)),
        values * 0.0 + 3.0,
    ][seed % 10]


@pytest.mark.parametrize("scale", ["sd", "range", "none"])
@pytest.mark.parametrize("seed", range(20))
def test_distances_are_right_to_the_share_that_is_said(seed: int, scale: str) -> None:
    values = drawn(seed)
    points, share, shift, *_ = scaled(values, scale)
    unit = Fraction(2) ** shift
    tiny = Fraction(module.TINY)
    exact = exact_squares(values, scale)
    for (u, v), square in exact.items():
        off = abs(Fraction(apart(points, u, v)) - square / unit)
        assert off <= Fraction(share) * square / unit + tiny
    total = sum(exact.values(), Fraction(0)) / len(values) / unit
    whole = within(points, np.zeros(len(values), np.int64))
    assert abs(Fraction(whole) - total) <= total / 10**12 + tiny
    group = group_costs(points, np.array([[4, 1, 6]]), np.array([3]))[0]
    three = (exact[1, 4] + exact[1, 6] + exact[4, 6]) / 3 / unit
    assert abs(Fraction(float(group)) - three) <= three / 10**12 + tiny


@pytest.mark.parametrize("seed", range(30))
def test_simple_bounds_are_below_every_partition(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.standard_normal((9, 1 + seed % 3))
    k = 2 + seed % 3
    best = optimum(values, k)
    held = scaled(values, "none")
    unit = math.ldexp(1.0, held.shift)
    line = lines_bound(held, k) * unit
    assert line <= best * (1 + 1e-14)
    if values.shape[1] == 1:
        assert line == pytest.approx(best, rel=1e-11)
    near = neighbors_bound(held, k) * unit
    squares = np.sort(np.square(values[:, None] - values[None]).sum(axis=2), axis=1)[:, 1:k]
    assert near == pytest.approx(squares.sum() / (2 * k), rel=1e-12)
    assert near <= best


def test_the_tree_says_no_more_than_all_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(10):
        held = scaled(drawn(seed) if seed < 9 else np.random.default_rng(1).standard_normal((300, 3)), "sd")
        every = neighbors_bound(held, 3)
        with monkeypatch.context() as patch:
            patch.setattr(module, "BRUTE", 0)
            by_tree = neighbors_bound(held, 3)
        assert by_tree <= every
        if seed == 9:
            assert by_tree == pytest.approx(every, rel=1e-10)


def test_classes_are_rows_of_the_same_values() -> None:
    published = np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 2.0], [0.0, 3.0], [-0.0, 3.0]])
    label = classes(published)
    assert label[0] == label[2]
    assert label[3] == label[4]
    assert len(set(label.tolist())) == 3
