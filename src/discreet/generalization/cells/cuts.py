"""The space of values cut into cells by a sample: a k-d tree whose leaves hold few enough records to be solved at once.

A cell is halved as in `partition.kd_blocks`, at the value nearest the median of the attribute that narrows the halves
most. Every cut is *clean*: it parts values, never records with equal values,

    intervals, hierarchies   code ≤ most              on the near side
    sets                     code in `among`          on the near side

so that a set of matches within a cell has its box within the cell, no published box lies across a cut, and whoever
checks the release finds closed blocks again from the boxes alone. What would lie across is avoided: numbers are parted
from missing values, with which a box is `*`, before they are cut; hierarchies, whose labels cover more than the
matches, are cut only where nothing else can be. Records that no attribute tells apart are dealt into `runs` instead.

The cuts depend on the sample alone, and are data: `to_dict`, `cells_from`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.domain import INTERVAL, SET, TREE, Codes, Integers, Tables
from discreet.generalization.partition import NO_RANDOM, CutScratch, best_cut_of, room_for


@dataclass(frozen=True)
class Split:
    """A node of the tree: what goes to the near side, and the two sides, which are nodes (≥ 0) or leaves (−1 − leaf).

    `among` lists the near side's codes of a set; where it is None, codes up to `most` are near.
    """

    attribute: int
    most: int
    among: tuple[int, ...] | None
    near: int
    far: int


@dataclass(frozen=True)
class Cells:
    """The tree: `cuts` with the root first, and how many runs the records of each leaf are dealt into.

    Cells are numbered leaf after leaf, run after run.
    """

    cuts: tuple[Split, ...]
    runs: tuple[int, ...]

    @property
    def count(self) -> int:
        return sum(self.runs)

    def leaves(self, codes: Codes) -> Integers:
        """The leaf of each record."""
        out = np.zeros(len(codes), np.int64)
        waiting = [(0 if self.cuts else -1, np.arange(len(codes)))]
        while waiting:
            node, rows = waiting.pop()
            if node < 0:
                out[rows] = -1 - node
                continue
            cut = self.cuts[node]
            column = codes[rows, cut.attribute]
            near = column <= cut.most if cut.among is None else np.isin(column, cut.among)
            waiting += [(cut.near, rows[near]), (cut.far, rows[~near])]
        return out

    def of(self, codes: Codes) -> Integers:
        """The cell of each record; records of a leaf with several runs are dealt to them in turn."""
        leaf, first = self.leaves(codes), np.concatenate([[0], np.cumsum(self.runs)])
        cell = first[leaf]
        for several in np.flatnonzero(np.array(self.runs) > 1).tolist():
            rows = np.flatnonzero(leaf == several)
            cell[rows] += np.arange(rows.size) % self.runs[several]
        return cell

    def to_dict(self) -> dict[str, Any]:
        cuts = [[c.attribute, c.most, None if c.among is None else list(c.among), c.near, c.far] for c in self.cuts]
        return {"cuts": cuts, "runs": list(self.runs)}


def cells_from(data: dict[str, Any]) -> Cells:
    cuts = (Split(a, m, None if among is None else tuple(among), near, far) for a, m, among, near, far in data["cuts"])
    return Cells(tuple(cuts), tuple(data["runs"]))


def cells(tables: Tables, sample: Codes, largest: int, gaps: Sequence[int]) -> Cells:
    """Cells of at most `largest` records of the sample each, where values allow a quarter of that or more.

    `gaps[a]` is the code that means "missing" in attribute a of intervals, −1 where there is none.
    """
    cuts: list[Split | None] = []
    runs: list[int] = []

    def grow(part: Integers, parted: frozenset[int]) -> int:
        found = _cut(tables, sample, part, largest // 4, gaps, parted) if len(part) > largest else None
        if found is None:
            runs.append(max(1, -(-len(part) // largest)))
            return -len(runs)
        attribute, most, among, parted = found
        place = len(cuts)
        cuts.append(None)
        column = sample[part, attribute]
        inside = column <= most if among is None else np.isin(column, among)
        near, far = grow(part[inside], parted), grow(part[~inside], parted)
        cuts[place] = Split(attribute, most, among, near, far)
        return place

    grow(np.arange(len(sample)), frozenset())
    return Cells(tuple(cut for cut in cuts if cut is not None), tuple(runs))


Found = tuple[int, int, tuple[int, ...] | None, frozenset[int]]


def _cut(
    tables: Tables, sample: Codes, part: Integers, least: int, gaps: Sequence[int], parted: frozenset[int]
) -> Found | None:
    """The best cut of a part: attribute, near side, and which attributes are parted from their missing values; None
    where all records are equal."""
    trees = tables.kind == TREE
    nothing = np.zeros_like(trees)
    for hidden, fewest in ((trees, max(least, 1)), (nothing, max(least, 1)), (nothing, 1)):
        keys = np.ascontiguousarray(sample[part])
        keys[:, hidden] = 0
        attribute, chosen, room = _best_cut(tables, keys, np.arange(len(part)), fewest, NO_RANDOM)
        if attribute < 0:
            continue
        near = room.chosen[:chosen].tolist()
        if tables.kind[attribute] == SET:
            return attribute, 0, tuple(sorted(near)), parted
        if tables.kind[attribute] == INTERVAL and gaps[attribute] >= 0 and attribute not in parted:
            return attribute, gaps[attribute] - 1, None, parted | {attribute}
        return attribute, max(near), None, parted
    return None


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _best_cut(
    t: Tables, keys: Codes, part: Integers, least: int, random: NDArray[np.uint64]
) -> tuple[int, int, CutScratch]:
    """The entry to `best_cut_of`, which other kernels use without one: attribute, values on the near side, the room."""
    room = room_for(t, part.shape[0])
    attribute, _, chosen = best_cut_of(t, keys, part, least, random, room)
    return attribute, chosen, room


def merged(cells: Cells, counts: Integers, least: int) -> list[list[int]]:
    """Blocks of neighboring cells with at least `least` records each, where there are as many: cells by number.

    A cell that holds fewer joins the one after it (the last ones the block before), its nearest in the tree.
    """
    blocks: list[list[int]] = []
    held = 0
    open_block: list[int] = []
    for cell in range(cells.count):
        if counts[cell]:
            open_block.append(cell)
            held += int(counts[cell])
        if held >= least:
            blocks.append(open_block)
            open_block, held = [], 0
    if open_block and blocks:
        blocks[-1] += open_block
    elif open_block:
        blocks.append(open_block)
    return blocks
