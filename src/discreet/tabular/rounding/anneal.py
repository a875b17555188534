"""Rounding by simulated annealing over the innermost cells, so that every state is an additive table.

An innermost cell is rounded down or up; the deviation of a total is the sum of those below it. A step turns one cell,
or one up and one down below the same total (most other totals then hardly move), and is taken by Metropolis' rule on

    Σ w |y| + penalty · Σ_totals ⌊|y| / base⌋,

whose second part is 0 when no total left the two multiples next to its value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.tabular.problem import Ints
from discreet.tabular.rounding.choices import Choices
from discreet.tabular.rounding.innermost import Innermost
from discreet.work import Deadline, Reporter

Flags = NDArray[np.int8]
_SLICES = 60
_HOT, _COLDEST = 0.2, 0.08  # temperatures, of the base


class Field(NamedTuple):
    """What the kernel reads: the cells that can turn, their totals and the parts of totals, weights, base, penalty."""

    turning: Ints
    cell: Ints
    low: Ints
    high: Ints
    start: Ints
    total: Ints
    first: Ints
    part: Ints
    weight: Ints
    base: int
    penalty: int


@inner
def _random(state: NDArray[np.uint64]) -> float:
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return np.float64((x * np.uint64(2685821657736338717)) >> np.uint64(11)) / 9007199254740992.0


@inner
def _price(field: Field, total: int, change: int) -> int:
    size = abs(change)
    return field.weight[total] * size + field.penalty * (size // field.base)


@inner
def _turn(field: Field, place: int, up: Flags, change: Ints) -> int:
    """Round an innermost cell to its other side; what that adds to the price."""
    cell = field.cell[place]
    to = field.low[place] if up[place] else field.high[place]
    up[place] = 1 - up[place]
    by = to - change[cell]
    more = field.weight[cell] * (abs(to) - abs(change[cell]))
    change[cell] = to
    for at in range(field.start[place], field.start[place + 1]):
        total = field.total[at]
        old = change[total]
        more += _price(field, total, old + by) - _price(field, total, old)
        change[total] = old + by
    return more


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def anneal(field: Field, up: Flags, change: Ints, state: NDArray[np.uint64], heat: float, steps: int) -> int:
    """So many steps at one temperature, in place; the price that they added."""
    added = 0
    count = field.turning.size
    for _ in range(steps):
        one = field.turning[int(_random(state) * count)]
        other = -1
        own = field.start[one + 1] - field.start[one]
        if own and _random(state) < 0.75:
            total = field.total[field.start[one] + int(_random(state) * own)]
            size = field.first[total + 1] - field.first[total]
            for _ in range(4):
                found = field.part[field.first[total] + int(_random(state) * size)]
                if field.low[found] < field.high[found] and up[found] != up[one]:
                    other = found
                    break
        more = _turn(field, one, up, change)
        if other >= 0:
            more += _turn(field, other, up, change)
        if more > 0 and (heat <= 0.0 or _random(state) >= np.exp(-more / heat)):
            _turn(field, one, up, change)
            if other >= 0:
                _turn(field, other, up, change)
        else:
            added += more
    return added


def annealed(
    choices: Choices, cells: Innermost, up: Flags, seed: int, sweeps: int, deadline: Deadline, reporter: Reporter
) -> Ints:
    """Deviations of all cells, from the start `up` of the innermost ones; the best state that was met between slices.

    The temperature falls from a third of the base to a sixteenth, in the unit of a typical weight.
    """
    low, high = choices.low[cells.cell], choices.high[cells.cell]
    turning = np.flatnonzero(low < high)
    start = np.where(up > 0, high, low)
    change = cells.sums(start)
    if not turning.size:
        return change
    unit = float(np.median(choices.weight))
    penalty = 4 * choices.base * int(choices.weight.max()) if choices.exact.all() else 0
    field = Field(
        turning, cells.cell, low, high, cells.start, cells.total, cells.first, cells.part, choices.weight,
        choices.base, penalty,
    )  # fmt: skip
    state = np.array([(seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) % 2**64 | 1], np.uint64)
    steps = max(1, turning.size * sweeps // _SLICES)
    heats = np.geomspace(choices.base * _HOT, choices.base * _COLDEST, _SLICES) * unit
    heats[-1] = 0.0
    best, price, least = change.copy(), 0, 0
    for at, heat in enumerate(heats.tolist()):
        price += anneal(field, up, change, state, heat, steps)
        if price < least or at == 0:
            best, least = change.copy(), price
        reporter("annealing", (at + 1) / _SLICES)
        if deadline.passed:
            break
    return best
