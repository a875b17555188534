"""Dealing rows of blocks to files: the two passes together are a uniform shuffle of all rows."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from discreet.generalization.cells.dealing import dealt, equal_parts
from discreet.generalization.extraction import shuffled, stream


def test_files_differ_by_one_row_at_most() -> None:
    assert equal_parts(10, 4).tolist() == [4, 3, 3]
    assert equal_parts(8, 4).tolist() == [4, 4]
    assert equal_parts(3, 100).tolist() == [3]
    assert equal_parts(7, 1).tolist() == [1] * 7


@pytest.mark.parametrize("parts", [[5], [2, 2, 1], [1] * 5, [3, 2]])
def test_every_row_of_a_block_goes_somewhere_and_files_are_filled(parts: list[int]) -> None:
    blocks = np.array([1, 3, 1])
    for seed in range(50):
        found = dealt(stream(seed), blocks, np.array(parts))
        assert found.sum(axis=0).tolist() == parts
        assert found.sum(axis=1).tolist() == blocks.tolist()


def one_order(seed: int, blocks: list[list[int]], parts: list[int]) -> tuple[int, ...]:
    """What the stages of a run do with the rows of these blocks."""
    goes = dealt(stream(seed, "deal"), np.array([len(block) for block in blocks]), np.array(parts))
    received: list[list[int]] = [[] for _ in parts]
    for number, (block, counts) in enumerate(zip(blocks, goes)):
        rows = [block[i] for i in shuffled(stream(seed, f"draw {number}"), len(block))]
        for part, count in enumerate(counts.tolist()):
            received[part] += rows[:count]
            rows = rows[count:]
    out: list[int] = []
    for number, rows in enumerate(received):
        out += [rows[i] for i in shuffled(stream(seed, f"part {number}"), len(rows))]
    return tuple(out)


def test_all_orders_of_all_rows_are_equally_likely() -> None:
    draws = 120 * 60
    found = Counter(one_order(seed, [[0, 1, 2], [3, 4]], [3, 2]) for seed in range(draws))
    assert set(found) == set(permutations(range(5)))
    expected = draws / factorial(5)
    chi = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi < 119 + 5 * np.sqrt(2 * 119)  # five standard deviations of chi square with 119 degrees of freedom
