"""Basic moves as lists: the cells and signs of each move, and the moves through each cell.

A basic move of a minimal non-face D takes two levels on each variable of D and adds ±1 to the 2^|D| cells that mix
them; margins do not change. Where bounds pin cells (sparse tables pin most), a move through many of them only makes
damage that must be repaired: moves with at most an eighth of their cells pinned are kept, which made the search thirty
times faster on a sparse 2^10 table, with more success.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.tables.graph import Axes
from discreet.tables.lattice import Lattice
from discreet.tables.table import Ints

ENTRY_LIMIT = 20_000_000
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Moves:
    """Move m touches cells[starts[m]:starts[m+1]] by signs; through cell c go by_cell[cell_starts[c]:cell_starts[c+1]].

    `by_cell` holds positions in `cells`; `move_of` says to which move a position belongs. `partial` says that there
    were too many to list, so that those of some non-faces are missing: enough to search with, not to walk at random.
    """

    starts: Ints
    cells: Ints
    signs: Ints
    move_of: Ints
    cell_starts: Ints
    by_cell: Ints
    partial: bool = False

    @property
    def count(self) -> int:
        return self.starts.size - 1


def basic_moves(lattice: Lattice, pinned: Bools | None = None, share: int = 8) -> Moves:
    """The basic moves with at most one pinned cell in `share`."""
    nonfaces = lattice.nonfaces
    everywhere = sum(_entries(lattice, d, adjacent=False) for d in nonfaces) <= ENTRY_LIMIT
    parts: list[tuple[Ints, Ints]] = []
    room, partial = ENTRY_LIMIT, False
    if not everywhere:
        # In a scattered order, so that what is left out is not all on the same variables.
        nonfaces = sorted(nonfaces, key=lambda d: (len(d), hash(d)))
    for nonface in nonfaces:
        if _entries(lattice, nonface, adjacent=not everywhere) > room:
            partial = True
            continue
        block = lattice.moves_of(nonface) if everywhere else _adjacent_moves(lattice, nonface)
        signs = np.array([1 - 2 * (i.bit_count() & 1) for i in range(1 << len(nonface))], np.int64)
        if pinned is not None:
            block = block[pinned[block].sum(axis=1) <= signs.size // share]
        room -= block.size
        parts.append((block, np.broadcast_to(signs, block.shape)))
    lengths = [np.full(len(block), block.shape[1], np.int64) for block, _ in parts]
    cells = [block.reshape(-1) for block, _ in parts]
    values = [signs.reshape(-1) for _, signs in parts]
    return replace(_listed(lattice.size, lengths, cells, values), partial=partial)


def _listed(n: int, lengths: list[Ints], cells: list[Ints], values: list[Ints]) -> Moves:
    length = np.concatenate(lengths) if lengths else np.zeros(0, np.int64)
    cell = np.concatenate(cells).astype(np.int64) if cells else np.zeros(0, np.int64)
    sign = np.concatenate(values).astype(np.int64) if values else np.zeros(0, np.int64)
    starts = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    # Small types are sorted by radix, many times faster.
    by_cell = np.argsort(cell.astype(np.uint16) if n <= 1 << 16 else cell, kind="stable").astype(np.int64)
    cell_starts = np.searchsorted(cell[by_cell], np.arange(n + 1)).astype(np.int64)
    move_of = np.repeat(np.arange(length.size, dtype=np.int64), length)
    return Moves(starts, cell, sign, move_of, cell_starts, by_cell)


def _adjacent_moves(lattice: Lattice, nonface: Axes) -> Ints:
    """As `Lattice.moves_of`, of adjacent levels only."""
    corner = np.zeros((1, 1), np.int64)
    for a, size in enumerate(lattice.shape):
        stride = int(lattice.strides[a])
        if a not in nonface:
            corner = (corner[None] + np.arange(size)[:, None, None] * stride).reshape(-1, corner.shape[1])
            continue
        low = corner[None] + np.arange(size - 1)[:, None, None] * stride
        corner = np.concatenate([low, low + stride], axis=2).reshape(-1, 2 * corner.shape[1])
    return corner


def _entries(lattice: Lattice, nonface: Axes, adjacent: bool) -> int:
    entries = 1
    for a, size in enumerate(lattice.shape):
        if a not in nonface:
            entries *= size
        else:
            entries *= 2 * (size - 1 if adjacent else size * (size - 1) // 2)
    return entries
