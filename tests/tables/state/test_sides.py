"""Loops over sides, against the same in operations on whole arrays."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.tables.state import sides

SEEDS = range(20)


def draw(seed: int) -> tuple[np.random.Generator, list[np.ndarray]]:
    """Lower and upper bounds, and what tables reach; some sides are open, some meet."""
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 4, int(rng.integers(1, 30)))
    high = low + rng.integers(0, 4, low.size)
    inner_low, inner_high = low + rng.integers(0, 2, low.size), high - rng.integers(0, 2, low.size)
    return rng, [low, high, inner_low, inner_high]


@pytest.mark.parametrize("seed", SEEDS)
def test_tighter_bounds_are_taken_over(seed: int) -> None:
    rng, (lower, upper, _, _) = draw(seed)
    low, high = lower + rng.integers(-1, 2, lower.size), upper + rng.integers(-1, 2, lower.size)
    expected = np.maximum(lower, low), np.minimum(upper, high)
    sides.tighten(lower, upper, low, high)
    for found, wanted in zip((lower, upper), expected):
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_open_sides_of_wanted_cells_upper_ones_first(seed: int) -> None:
    rng, (lower, upper, inner_lower, inner_upper) = draw(seed)
    wanted = rng.random(lower.size) < 0.7
    highs, lows = np.flatnonzero(wanted & (inner_upper < upper)), np.flatnonzero(wanted & (inner_lower > lower))
    cells, which = sides.list_open(wanted, lower, upper, inner_lower, inner_upper)
    assert np.array_equal(cells, np.concatenate([highs, lows]))
    assert np.array_equal(which, np.repeat([1, -1], [highs.size, lows.size]))
    assert sides.count_open(wanted, lower, upper, inner_lower, inner_upper) == cells.size


@pytest.mark.parametrize("seed", SEEDS)
def test_witnesses_stay_the_same_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables, n = int(rng.integers(0, 12)), int(rng.integers(1, 10))
    before = [rng.integers(-1, tables, n) for _ in range(2)]
    after = [some.copy() for some in before]
    used = sides.keep_needed(tables, *after)
    assert used.tolist() == sorted({int(t) for some in before for t in some} - {-1})
    for old, new in zip(before, after):
        assert np.array_equal(new < 0, old < 0)
        assert np.array_equal(used[new[new >= 0]], old[old >= 0])
