"""Random tables with given margins.

*Uniform.* Where the tables can be enumerated, one is picked by its number: exactly uniform, no walk. Otherwise discrete
hit-and-run along basic moves: choose a move, find how far it can be made either way, go to a random point of that
line. Basic moves do not always connect the non-negative tables, so a cell may be one outside its bounds on the way
(Bunea and Besag 2000), at a price λ per cell: a point of the line has the weight λ^(cells outside), which differs from
the others' only at the line's two ends. Tables are taken when no cell is outside, so their law is uniform.

*By the log-linear model.* Given its sufficient statistics the table has probability ∝ Π 1/n(i)!. The law factorizes
over the atoms of the graph: atoms are drawn independently (by the same walk with Metropolis' rule) and joined at
their separators by random matching of persons, which for decomposable margins is the whole, exact draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import lgamma

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.kernels.compile import inner
from discreet.kernels.randoms import Random, scaled_below, seeded, uniform
from discreet.tables.table import Ints
from discreet.tables.theory.basic_moves import Moves, basic_moves
from discreet.tables.theory.graph import Decomposition
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline

Floats = NDArray[np.float64]

LEG = 50_000
PENALTIES = (0.5, 0.2, 0.08, 0.03, 0.01, 0.003)
RARE = 1000  # a walk that is at a table less than once in so many steps is lost
LOST = 100_000  # steps that are enough to tell


class OutOfTimeError(Exception):
    """A walk was cut short: where it stands is no random table."""


class LostError(OutOfTimeError):
    """A walk is hardly ever at a table: in ever so much time it would find none."""


class RandomWalk:
    """A walk among the integer tables in a box with the margins of its start; the seed fixes it.

    `beat` is called every few hundredths of a second; at the deadline the walk raises `OutOfTimeError`.
    """

    def __init__(
        self,
        lattice: Lattice,
        start: Ints,
        lower: Ints,
        upper: Ints,
        seed: int,
        *,
        factorial: bool = False,
        deadline: Deadline | None = None,
        beat: Callable[[], object] | None = None,
    ) -> None:
        self.moves = basic_moves(lattice, lower == upper, share=4)
        if self.moves.partial:
            raise InputError(f"too many moves on {lattice.size} cells to walk at random: take fewer variables")
        self.lower, self.upper = lower.copy(), upper.copy()
        self.x = start.copy()
        self.random = seeded(seed)
        self.factorial = factorial
        self.penalty = PENALTIES[0]
        self._deadline = deadline or Deadline(None)
        self._beat = beat

    @property
    def stuck(self) -> bool:
        return self.moves.count == 0

    def settle(self, steps: int) -> None:
        """Walk away from the start and choose the price so that the walk is inside often enough.

        Where few persons are in many cells no price may do: then the walk is lost, which is an error.
        """
        for penalty in PENALTIES:
            self.penalty = penalty
            inside = self.advance(steps)
            if inside * 4 >= steps:
                break
        if inside * RARE < steps and self.advance(LOST) * RARE < LOST:
            raise LostError
        self.sample(steps)

    def advance(self, steps: int) -> int:
        """So many steps; in how many of them no cell was outside."""
        if self.stuck:
            return steps
        m = self.moves
        inside = 0
        for done in range(0, steps, LEG):
            if self._deadline.passed:
                raise OutOfTimeError
            if self._beat is not None:
                self._beat()
            inside += _walk(
                self.x,
                self.lower,
                self.upper,
                m.starts,
                m.cells,
                m.signs,
                min(LEG, steps - done),
                self.penalty,
                self.factorial,
                self.random,
            )
        return int(inside)

    def sample(self, steps: int) -> Ints:
        """The table after so many steps, or twice, thrice as many, until no cell is outside at that moment.

        Waiting for the first moment inside instead would favor the tables at the border.
        """
        while True:
            self.advance(steps)
            if bool(((self.x >= self.lower) & (self.x <= self.upper)).all()):
                return self.x.copy()


def default_steps(moves: Moves) -> int:
    """Steps between samples: each move is tried some ten times."""
    return max(2_000, min(2_000_000, 10 * moves.count))


def match_persons(
    shape: tuple[int, ...],
    tree: Decomposition,
    tables: Sequence[Ints],
    rng: np.random.Generator,
) -> tuple[NDArray[np.int32], Ints]:
    """Join tables of the atoms by matching persons at random within each separator cell.

    Returns the non-empty cells as category numbers and their counts, so that tables of any size can be drawn.
    """
    persons = np.zeros((int(tables[0].sum()), len(shape)), np.int32)
    persons[:, list(tree.atoms[0])] = _persons(tables[0])
    for atom, separator, table in zip(tree.atoms[1:], tree.separators[1:], tables[1:]):
        others = _persons(table)
        inside = [atom.index(a) for a in separator]
        sizes = [shape[a] for a in separator]
        mine = _key(persons[:, list(separator)], sizes)
        theirs = _key(others[:, inside], sizes)
        left = np.lexsort((rng.random(mine.size), mine))
        right = np.argsort(theirs, kind="stable")
        fresh = [i for i, a in enumerate(atom) if a not in separator]
        columns = np.array([atom[i] for i in fresh], np.int64)
        persons[np.ix_(left, columns)] = others[right][:, fresh]
    cells, counts = np.unique(persons, axis=0, return_counts=True)
    return cells.astype(np.int32), counts.astype(np.int64)


def _persons(table: Ints) -> NDArray[np.int32]:
    cells = np.argwhere(table > 0).astype(np.int32)
    return np.repeat(cells, table[tuple(cells.T)], axis=0)


def _key(codes: NDArray[np.int32], sizes: list[int]) -> Ints:
    if not sizes:
        return np.zeros(len(codes), np.int64)
    return np.asarray(np.ravel_multi_index(tuple(codes.T.astype(np.int64)), tuple(sizes)), np.int64)


@inner
def _log_weight(value: int, low: int, high: int, log_price: float, factorial: bool) -> float:
    weight = log_price if (value < low or value > high) else 0.0
    if factorial and value > 1:
        weight -= lgamma(value + 1.0)
    return weight


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _walk(
    x: Ints,
    lower: Ints,
    upper: Ints,
    starts: Ints,
    cells: Ints,
    signs: Ints,
    steps: int,
    penalty: float,
    factorial: bool,
    state: Random,
) -> int:
    outside = 0
    for c in range(x.size):
        if x[c] < lower[c] or x[c] > upper[c]:
            outside += 1
    moves, inside_steps, log_price = starts.size - 1, 0, np.log(penalty)
    for _ in range(steps):
        m = scaled_below(state, moves)
        down, up = -(np.int64(1) << 60), np.int64(1) << 60
        for j in range(starts[m], starts[m + 1]):
            c = cells[j]
            room_below, room_above = x[c] - (lower[c] - 1), upper[c] + 1 - x[c]
            if signs[j] > 0:
                down, up = max(down, -room_below), min(up, room_above)
            else:
                down, up = max(down, -room_above), min(up, room_below)
        if down == up:
            inside_steps += outside == 0
            continue
        if factorial:
            step = down + scaled_below(state, up - down + 1)
            if step != 0:
                change = 0.0
                for j in range(starts[m], starts[m + 1]):
                    c = cells[j]
                    change += _log_weight(x[c] + step * signs[j], lower[c], upper[c], log_price, True)
                    change -= _log_weight(x[c], lower[c], upper[c], log_price, True)
                if np.log(uniform(state) + 1e-300) > change:
                    step = 0
        else:
            at_down, at_up = 0, 0
            for j in range(starts[m], starts[m + 1]):
                c = cells[j]
                value = x[c] + down * signs[j]
                at_down += value < lower[c] or value > upper[c]
                value = x[c] + up * signs[j]
                at_up += value < lower[c] or value > upper[c]
            weight_down, weight_up = penalty**at_down, penalty**at_up
            u = uniform(state) * (weight_down + weight_up + (up - down - 1))
            if u < weight_down:
                step = down
            elif u < weight_down + weight_up:
                step = up
            else:
                step = down + 1 + min(np.int64(u - weight_down - weight_up), up - down - 2)
        if step != 0:
            for j in range(starts[m], starts[m + 1]):
                c = cells[j]
                outside -= x[c] < lower[c] or x[c] > upper[c]
                x[c] += step * signs[j]
                outside += x[c] < lower[c] or x[c] > upper[c]
        inside_steps += outside == 0
    return inside_steps
