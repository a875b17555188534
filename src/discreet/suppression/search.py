"""Classes of k at small cost, and prices that say how small it can be.

Patterns are opened greedily, prices are found, and patterns with small opening values are opened again from the start.
Small tables go to an integer program as a whole; large ones are annealed, and then solved block by block.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.xorshift import Random, seeded
from discreet.suppression.annealing import anneal
from discreet.suppression.blocks import Blocks
from discreet.suppression.cover import Cover
from discreet.suppression.open_close import GENTLY, OPEN, try_moves
from discreet.suppression.patterns import TINY, Patterns, patterns_of
from discreet.suppression.prices import PRICE_SCALE, Prices, improve_prices, opening_values
from discreet.suppression.program import reassign
from discreet.suppression.state import State, cost_of, first_records, state_of
from discreet.suppression.tuples import Tuples
from discreet.work import Deadline, Reporter

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Places = NDArray[np.int32]

_WHOLE = 1200
"""Tuples that one program takes at once."""
_NODES = 400
_PRICED, _ANNEALED = 0.2, 0.4
"""Shares of the time limit after which these stages end."""


class Classes(NamedTuple):
    """So many records of a tuple publish these blanks (a mask); prices over `PRICE_SCALE`; whether none is cheaper."""

    tuple_of: Codes
    blank: Codes
    records: Codes
    prices: Codes
    solved: bool


def classes(
    tuples: Tuples, cost: Codes, k: int, cheapest: Cover, deadline: Deadline, reporter: Reporter, seed: int
) -> Classes:
    """The cheapest classes found."""
    reporter("listing patterns")
    patterns = patterns_of(tuples, cost, k)
    random = seeded(seed)
    start = first_records(tuples, patterns, k)
    state = state_of(patterns, start)
    order = _promising_first(tuples, patterns, k)
    _pass(patterns, state, k, order, GENTLY, random)
    value = cost_of(patterns, state.records)
    reporter("prices", lower_bound=float(tuples.size @ cheapest.cost), cost=float(value))
    prices = Prices(cheapest.cost.astype(np.float64), float(tuples.size @ cheapest.cost))
    solved = value <= prices.bound
    if not solved:
        prices = improve_prices(patterns, tuples.size, k, prices.price, float(value), deadline.until(_PRICED))
        values, unit = opening_values(patterns, tuples.size, k, prices.price), _unit(patterns, state.records)
        good = np.flatnonzero((values <= unit) & (patterns.cost > 0))
        good = good[np.argsort(values[good], kind="stable")]
        again = state_of(patterns, start)
        _pass(patterns, again, k, np.concatenate([good[values[good] < 0.3 * unit], order]), GENTLY, random)
        for kind in (OPEN, GENTLY, OPEN):
            _pass(patterns, again, k, good, kind, random)
        state = min(state, again, key=lambda each: cost_of(patterns, each.records))
        if tuples.size.size <= _WHOLE:
            records, solved = _whole(tuples, patterns, k, state.records, values <= unit, deadline)
            state = state_of(patterns, records)
        else:
            state = anneal(patterns, state, k, good, unit, random, deadline.until(_ANNEALED), reporter)
            blocks = Blocks(tuples, patterns, k, state.records, prices.price, values <= unit, seed)
            state = state_of(patterns, blocks.improve(deadline, reporter, ceil(prices.bound - 1e-6)))
    used = np.flatnonzero(state.records)
    return Classes(
        np.repeat(np.arange(tuples.size.size), np.diff(patterns.first))[used],
        patterns.blank[patterns.pattern[used]],
        state.records[used].astype(np.int64),
        np.rint(prices.price * PRICE_SCALE).astype(np.int64),
        solved,
    )


def _promising_first(tuples: Tuples, patterns: Patterns, k: int) -> Codes:
    """Patterns with blanks, the cheapest first, among them those that the most rare records fit."""
    rare = np.where(tuples.size < k, tuples.size, 0)[patterns.member]
    fitting = np.add.reduceat(rare, patterns.begin[:-1])
    order = np.lexsort((-fitting, patterns.cost))
    return order[(patterns.cost[order] > 0) & (fitting[order] > 0)]


def _unit(patterns: Patterns, records: Places) -> float:
    """What a blank costs on average: temperatures and thresholds are in this unit."""
    used = np.flatnonzero(records)
    pattern = patterns.pattern[used]
    blanks = np.bitwise_count(patterns.blank[pattern]).astype(np.int64) @ records[used]
    return cost_of(patterns, records) / max(int(blanks), 1)


def _whole(
    tuples: Tuples, patterns: Patterns, k: int, records: Places, good: NDArray[np.bool_], deadline: Deadline
) -> tuple[Places, bool]:
    """All tuples in one program; whether it shows that nothing is cheaper."""
    everything = tuples.codes.shape[0] << tuples.codes.shape[1] <= TINY
    answer = reassign(
        patterns,
        tuples.size,
        k,
        records,
        np.zeros(patterns.cost.size, np.int64),
        np.ones_like(good) if everything else good,
        np.arange(tuples.size.size),
        _NODES,
        deadline.remaining,
    )
    out = records.copy()
    out[answer.places] = answer.records
    return out, everything and answer.exhausted


def _pass(patterns: Patterns, state: State, k: int, chosen: Codes, kind: int, random: Random) -> None:
    """Open the patterns one after another, and keep what does not cost."""
    try_moves(patterns, state, k, chosen, np.full(chosen.size, kind, np.int8), 0.0, random)
