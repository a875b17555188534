"""The plan of a run on data that does not fit into memory: which record goes to which block, decided beforehand.

A tree of half-spaces cuts the space of records: a node sends x to one side if Σ w_j·x_j < t, and each leaf is a block.
It is grown from a sample until a leaf stands for no more records than a task can hold. The first set of blocks cuts
along the column of largest variance. Every shifted set cuts whole groups, by their centroids, along random directions
and off the middle, so that what met a border of one set lies within a block of the next. The last coordinate of a
record is a number in [0, 1) drawn from its place in the file: where records agree in everything else, it cuts among
them.

A sample only tells roughly how large blocks are. Once records have been counted, `portions` joins blocks that are too
small and divides, by the files their records come from, those that are too large. All of this depends on the data, the
memory of a task and the seed; the number of workers plays no part. A plan is data that JSON can hold.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

PER_BLOCK = 400  # records of the sample for each block: sizes are then off by some 5 %
LEAST_SAMPLE = 20_000


@dataclass(frozen=True)
class Tree:
    """Half-spaces that cut records into blocks; a child below 0 is block −child − 1."""

    weights: list[list[float]]
    thresholds: list[float]
    low: list[int]
    high: list[int]
    blocks: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def block_of(self, points: Floats, spread: Floats) -> Rows:
        """The block of each point; `spread` is its last coordinate."""
        found = np.zeros(len(points), np.int64)
        stack = [(0, np.arange(len(points)))] if self.low else []
        while stack:  # every node sees its own records alone: the work is the depth of the tree, not its blocks
            node, rows = stack.pop()
            # Column by column: sums in the same order whatever rows stand beside.
            weights = self.weights[node]
            along = weights[-1] * spread[rows]
            for j, weight in enumerate(weights[:-1]):
                if weight:
                    along += weight * points[rows, j]
            below = along < self.thresholds[node]
            for child, inside in ((self.low[node], rows[below]), (self.high[node], rows[~below])):
                if child < 0:
                    found[inside] = -child - 1
                elif inside.size:
                    stack.append((child, inside))
        return found


def tree_from(found: dict[str, Any]) -> Tree:
    """The tree that `to_dict` described."""
    return Tree(**found)


def sample_size(n: int, size: int, columns: int) -> int:
    """How many of n records to draw for blocks of `size`."""
    wanted = max(LEAST_SAMPLE, PER_BLOCK * -(-n // size))
    return min(n, wanted, max(LEAST_SAMPLE, 40_000_000 // (columns + 1)))


def spread_of(places: Rows) -> Floats:
    """A number in [0, 1) for each place in the data, as if drawn (splitmix64, Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        z = places.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return np.asarray((z >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def grow(sample: Floats, n: int, size: int, random: np.random.Generator | None = None) -> Tree:
    """Blocks for n records of which `sample`, with its last coordinate, was drawn; shifted with `random`."""
    weights: list[list[float]] = []
    thresholds: list[float] = []
    children: list[list[int]] = []
    blocks = 0
    stack: list[tuple[NDArray[np.int64], int, int]] = [(np.arange(len(sample)), -1, 0)]
    while stack:
        rows, parent, side = stack.pop()
        pieces = -(-len(rows) * n // (len(sample) * size)) if len(sample) else 1
        cut = _cut(sample[rows], pieces, random) if pieces > 1 and len(rows) > 1 else None
        if cut is None:
            blocks += 1
            child = -blocks
        else:
            direction, threshold, below = cut
            child = len(weights)
            weights.append(direction.tolist())
            thresholds.append(threshold)
            children.append([0, 0])
            stack.append((rows[~below], child, 1))
            stack.append((rows[below], child, 0))
        if parent >= 0:
            children[parent][side] = child
    return Tree(weights, thresholds, [pair[0] for pair in children], [pair[1] for pair in children], blocks)


def _cut(
    part: Floats, pieces: int, random: np.random.Generator | None
) -> tuple[Floats, float, NDArray[np.bool_]] | None:
    """A direction, the threshold along it, and who is below; None where nothing can be cut."""
    columns, direction = part.shape[1], np.zeros(part.shape[1])
    deviation = part[:, :-1].std(axis=0)
    if not deviation.any():
        direction[-1] = 1.0
        share = 0.5
    elif random is None:
        direction[int(deviation.argmax())] = 1.0
        share = (pieces // 2) / pieces
    else:
        # A random direction stretched like the data: wide columns are cut more often than narrow ones.
        centered = part[:, :-1] - part[:, :-1].mean(axis=0)
        drawn = random.standard_normal(columns - 1) * deviation
        direction[:-1] = (centered * (centered * drawn).sum(axis=1)[:, None]).sum(axis=0)
        direction[:-1] /= max(float(np.abs(direction).max()), 1e-300)
        share = float(random.uniform(0.35, 0.65))
    along = np.zeros(len(part))
    for j in np.flatnonzero(direction).tolist():
        along += direction[j] * part[:, j]
    ordered = np.sort(along)
    middle = min(max(1, round(share * len(part))), len(part) - 1)
    # Equal ones stay together: the cut is at the nearer end of their run.
    start = int(np.searchsorted(ordered, ordered[middle], "left"))
    end = int(np.searchsorted(ordered, ordered[middle], "right"))
    if end < len(part) and (start == 0 or end - middle < middle - start):
        start = end
    if start == 0:
        return None
    return direction, float(ordered[start]), along < ordered[start]


def portions(counts: NDArray[np.int64], least: int, most: int) -> list[list[tuple[int, int]]]:
    """What is worked on together, as (source, block): counts[s, b] records of block b come from source s.

    Every portion has at least `least` records. A block of more than `most` is divided by its sources; one of too few
    goes with the next, which lies beside it, and the last with the one before.
    """
    found: list[list[tuple[int, int]]] = []
    weights: list[int] = []
    current: list[tuple[int, int]] = []
    weight = 0
    for block in range(counts.shape[1]):
        for source in np.flatnonzero(counts[:, block]).tolist():
            rows = int(counts[source, block])
            if weight >= least and weight + rows > most:
                found.append(current)
                weights.append(weight)
                current, weight = [], 0
            current.append((source, block))
            weight += rows
        if weight >= least:
            found.append(current)
            weights.append(weight)
            current, weight = [], 0
    if current and found:
        found[-1].extend(current)
    elif current:
        found.append(current)
    return found
