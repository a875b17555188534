"""The plan of blocks: every record has one, of a size that was asked for, and ties are no obstacle."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scale.plan import Tree, grow, portions, spread_of, tree_from


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("kind", ["normal", "ties", "one value"])
def test_blocks_are_about_as_large_as_planned(kind: str, shifted: bool) -> None:
    random = np.random.default_rng(0)
    points = random.standard_normal((20_000, 3))
    if kind == "ties":
        points = np.round(points)
    elif kind == "one value":
        points = np.zeros_like(points)
    spread = spread_of(np.arange(20_000))
    sample = np.column_stack([points, spread])[::4]
    tree = grow(sample, 20_000, 1000, np.random.default_rng(1) if shifted else None)
    sizes = np.bincount(tree.block_of(points, spread), minlength=tree.blocks)
    assert sizes.sum() == 20_000
    assert sizes.max() < 1300
    assert tree.blocks >= 20


def walked(tree: Tree, point: Sequence[float], spread: float) -> int:
    """The block of one record, down the tree by itself."""
    node = 0 if tree.low else -1
    while node >= 0:
        along = tree.weights[node][-1] * spread
        for weight, x in zip(tree.weights[node], point):
            along += weight * x
        node = (tree.low if along < tree.thresholds[node] else tree.high)[node]
    return -node - 1


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(20, 700), decimals=st.integers(0, 3), shifted=st.booleans())
def test_each_record_has_the_block_to_which_it_walks(seed: int, size: int, decimals: int, shifted: bool) -> None:
    random = np.random.default_rng(seed)
    points, spread = np.round(random.standard_normal((600, 3)), decimals), spread_of(np.arange(600))
    tree = grow(np.column_stack([points, spread])[::2], 600, size, random if shifted else None)
    expected = [walked(tree, point, at) for point, at in zip(points.tolist(), spread.tolist())]
    assert tree.block_of(points, spread).tolist() == expected
    assert tree.block_of(points[::-7], spread[::-7]).tolist() == expected[::-7]
    assert tree.block_of(points[:0], spread[:0]).tolist() == []


def test_a_plan_is_json() -> None:
    sample = np.random.default_rng(0).standard_normal((500, 3))
    tree = grow(sample, 5000, 600)
    again = tree_from(json.loads(json.dumps(tree.to_dict())))
    np.testing.assert_array_equal(
        tree.block_of(sample[:, :2], sample[:, 2]), again.block_of(sample[:, :2], sample[:, 2])
    )


def test_one_block_needs_no_cut() -> None:
    tree = grow(np.zeros((10, 3)), 10, 100)
    assert tree.blocks == 1
    assert tree.block_of(np.zeros((4, 2)), np.zeros(4)).tolist() == [0, 0, 0, 0]


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5),
    least=st.integers(1, 6),
    more=st.integers(0, 20),
)
def test_portions_hold_every_record_once_and_enough_of_them(counts: list[list[int]], least: int, more: int) -> None:
    table = np.array(counts, np.int64)
    found = portions(table, least, 2 * least + more)
    pairs = [pair for portion in found for pair in portion]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {(int(s), int(b)) for s, b in zip(*np.nonzero(table))}
    if table.sum() >= least:
        assert all(sum(int(table[s, b]) for s, b in portion) >= least for portion in found)
