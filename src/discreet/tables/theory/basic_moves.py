"""Basic moves as lists: the cells and signs of each move, and the moves through each cell.

A basic move of a minimal non-face D takes two levels on each variable of D and adds ±1 to the 2^|D| cells that mix
them; margins do not change. Where bounds pin cells (sparse tables pin most), a move through many of them only makes
damage that must be repaired: moves with at most an eighth of their cells pinned are kept, which made the search thirty
times faster on a sparse 2^10 table, with more success.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.lattice import Lattice, mix

ENTRY_LIMIT = 20_000_000
Bools = NDArray[np.bool_]


class Moves(NamedTuple):
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
    def count(self) -> int:  # type: ignore[override]
        """The number of moves, where tuples count their members."""
        return self.starts.size - 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _grouped(n: int, starts: Ints, cells: Ints) -> tuple[Ints, Ints, Ints]:
    """Where the positions of each cell begin, those positions cell by cell, and the move of each position."""
    cell_starts = np.zeros(n + 1, np.int64)
    for p in range(cells.size):
        cell_starts[cells[p] + 1] += 1
    for c in range(n):
        cell_starts[c + 1] += cell_starts[c]
    at = cell_starts[:n].copy()
    by_cell, move_of = np.empty(cells.size, np.int64), np.empty(cells.size, np.int64)
    for move in range(starts.size - 1):
        for p in range(starts[move], starts[move + 1]):
            move_of[p] = move
            by_cell[at[cells[p]]] = p
            at[cells[p]] += 1
    return cell_starts, by_cell, move_of


def basic_moves(lattice: Lattice, pinned: Bools | None = None, share: int = 8) -> Moves:
    """The basic moves with at most one pinned cell in `share`."""
    nonfaces = lattice.nonfaces
    entries = sum(_entries(lattice, d, adjacent=False) for d in nonfaces)
    if entries <= ENTRY_LIMIT:
        mixed = np.array([[a in d for a in range(len(lattice.shape))] for d in nonfaces], np.bool_)
        mixed = mixed.reshape(len(nonfaces), len(lattice.shape))
        free = np.zeros(lattice.size, np.bool_) if pinned is None else pinned
        count = sum(_entries(lattice, d, adjacent=False) >> len(d) for d in nonfaces)
        return Moves(
            *_all_moves(np.array(lattice.shape, np.int64), lattice.strides, mixed, free, share, count, entries)
        )
    parts: list[tuple[Ints, Ints]] = []
    left, partial = ENTRY_LIMIT, False
    # In a scattered order, so that what is left out is not all on the same variables.
    for nonface in sorted(nonfaces, key=lambda d: (len(d), hash(d))):
        if _entries(lattice, nonface, adjacent=True) > left:
            partial = True
            continue
        block = _adjacent_moves(lattice, nonface)
        signs = _signs(len(nonface))
        if pinned is not None:
            block = block[pinned[block].sum(axis=1) <= signs.size // share]
        left -= block.size
        parts.append((block, np.broadcast_to(signs, block.shape)))
    starts = np.cumsum(np.concatenate([[0], *(np.full(len(block), block.shape[1]) for block, _ in parts)]))
    cells = np.concatenate([np.zeros(0, np.int64), *(block.reshape(-1) for block, _ in parts)])
    values = np.concatenate([np.zeros(0, np.int64), *(signs.reshape(-1) for _, signs in parts)])
    cell_starts, by_cell, move_of = _grouped(lattice.size, starts, cells)
    return Moves(starts, cells, values, move_of, cell_starts, by_cell, partial)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _all_moves(
    shape: Ints, strides: Ints, mixed: Bools, pinned: Bools, share: int, most: int, entries: int
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """The moves of these non-faces with few pinned cells, as `Moves` has them; at most so many, of so many cells."""
    cells, signs = np.empty(entries, np.int64), np.empty(entries, np.int64)
    starts = np.zeros(most + 1, np.int64)
    count, filled = 0, 0
    for d in range(mixed.shape[0]):
        block = mix(shape, strides, mixed[d])
        width = block.shape[1]
        for i in range(block.shape[0]):
            barred = 0
            for j in range(width):
                c = block[i, j]
                barred += pinned[c]
                cells[filled + j] = c
                odd, rest = 0, j
                while rest > 0:
                    odd ^= rest & 1
                    rest >>= 1
                signs[filled + j] = 1 - 2 * odd
            if barred <= width // share:
                count += 1
                filled += width
                starts[count] = filled
    starts, cells = starts[: count + 1].copy(), cells[:filled].copy()
    cell_starts, by_cell, move_of = _grouped(pinned.size, starts, cells)
    return starts, cells, signs[:filled].copy(), move_of, cell_starts, by_cell


def _signs(width: int) -> Ints:
    """Signs of the cells of a basic move, by corner."""
    signs = np.ones(1, np.int64)
    for _ in range(width):
        signs = np.concatenate([signs, -signs])
    return signs


def _adjacent_moves(lattice: Lattice, nonface: Axes) -> Ints:
    """As `mix`, of adjacent levels only."""
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
