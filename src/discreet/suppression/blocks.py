"""Large neighborhoods: a few hundred tuples are freed, and an integer program publishes them anew.

A block is a tuple and those most like it. Its center is drawn where the present solution pays more than the prices say
it must: x records of tuple t at pattern q pay x (c_q − λ_t) above their price, and these sums over all patterns are the
whole distance to the bound. Blocks that save nothing become less likely, and blocks grow when they save no more.

Four blocks are solved at a time, on as many threads as there are; the answers do not depend on it. They touch different
tuples. A pattern that two of them use and that would have fewer than k records without both belongs to the first: the
tuples of the second that use it stay where they are. A pattern that needs its block to keep it at k stands for all
others; one that only a block uses is counted as unused by the others.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.scale import ordered_map, workers
from discreet.suppression.patterns import Patterns
from discreet.suppression.program import Answer, reassign
from discreet.suppression.state import cost_of
from discreet.suppression.tuples import Tuples
from discreet.work import Deadline, Reporter

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Places = NDArray[np.int32]
Flags = NDArray[np.bool_]

_AT_ONCE = 4
_PLACES, _GROWTH, _LARGEST = 3500.0, 1.5, 9000.0
"""Places that a block's program has, about: their number, not that of tuples, says how long it takes."""
_NODES = 20
_STEPS, _EASIER, _LEAST = 4000, 0.5, 300.0
"""Blocks that take more steps of the simplex method than this, on average, get smaller."""
_PATIENCE = 6
_TUPLES_A_ROUND = 650
"""Without a time limit there is a round of blocks for so many tuples, and ten at least."""


class Blocks:
    """The present solution, and how promising each tuple still is."""

    def __init__(
        self, tuples: Tuples, patterns: Patterns, k: int, records: Places, price: Floats, allowed: Flags, seed: int
    ) -> None:
        self.tuples, self.patterns, self.k = tuples, patterns, k
        self.records, self.price, self.allowed = records.copy(), price, allowed
        self._owner = np.repeat(np.arange(tuples.size.size, dtype=np.int32), np.diff(patterns.first))
        self._draws = np.random.default_rng(seed)
        self._interest = np.ones(tuples.size.size)

    def improve(self, deadline: Deadline, reporter: Reporter, goal: int) -> Places:
        """Rounds of blocks until the time is up or, without a limit, until their number is reached."""
        rounds = max(10, self.tuples.size.size // _TUPLES_A_ROUND)
        usable = max(int(self.allowed[self.patterns.pattern].sum()), 1) / self.tuples.size.size
        size, places, idle, number = _PLACES / usable, _PLACES, 0, 0
        value = cost_of(self.patterns, self.records)
        with workers(None) as pool:
            while not deadline.passed and value > goal and (deadline.limit is not None or number < rounds):
                number += 1
                freed = self._freed(max(int(size), self.k))
                answers = list(ordered_map(pool, reassign, self._tasks(freed, deadline)))
                saved = sum(self._take(free, answer) for free, answer in zip(freed, answers, strict=True))
                value -= saved
                idle = 0 if saved else idle + 1
                if idle >= _PATIENCE:
                    if places >= _LARGEST or size > self.tuples.size.size:
                        break
                    places, idle = min(places * _GROWTH, _LARGEST), 0
                    self._interest[:] = 1.0
                if sum(answer.steps for answer in answers) > _STEPS * len(answers):
                    places = max(_EASIER * places, _LEAST)
                listed = max(sum(answer.places.size for answer in answers), 1)
                size *= min(max(places * len(answers) / listed, 0.5), 2.0)
                reporter("blocks", None if deadline.limit else number / rounds, cost=float(value))
        return self.records

    def _take(self, free: Codes, answer: Answer) -> int:
        if answer.saved > 0:
            self.records[answer.places] = answer.records
            self._interest[free] = np.minimum(1.0, 1.5 * self._interest[free])
        else:
            self._interest[free] *= 0.3
        return answer.saved

    def _freed(self, size: int) -> list[Codes]:
        """The tuples of each block, in rising order; different blocks have different ones."""
        used = np.flatnonzero(self.records)
        pattern, owner = self.patterns.pattern[used], self._owner[used]
        block = np.full(self.tuples.size.size, -1, np.int64)
        chance = self._chances(used, pattern, owner)
        codes = self.tuples.codes
        for number in range(_AT_ONCE):
            weight = np.where(block < 0, chance, 0.0)
            if not weight.any():
                break
            center = self._draws.choice(weight.size, p=weight / weight.sum())
            distance = (codes != codes[center]).sum(axis=1) + self._draws.random(weight.size)
            distance[block >= 0] = np.inf
            near = np.argsort(distance)[:size]
            block[near[np.isfinite(distance[near])]] = number
        outside = self._loads(used, pattern, block[owner] < 0)
        for number in range(1, block.max() + 1):
            earlier = np.zeros(outside.size, np.bool_)
            earlier[pattern[(block[owner] >= 0) & (block[owner] < number)]] = True
            shared = (block[owner] == number) & earlier[pattern] & (outside[pattern] < self.k)
            block[owner[shared]] = -1
        return [np.flatnonzero(block == number) for number in range(block.max() + 1)]

    def _chances(self, used: Codes, pattern: Places, owner: Places) -> Floats:
        """How likely each tuple is a center: what its patterns pay above prices, times what blocks there may save."""
        records = self.records[used].astype(np.float64)
        load = np.bincount(pattern, records, self.patterns.cost.size)
        above = np.bincount(pattern, records * (self.patterns.cost[pattern] - self.price[owner]), load.size)
        share = np.maximum(above, 0.0)[pattern] * records / load[pattern]
        return (np.bincount(owner, share, self._interest.size) + 1e-9) * self._interest

    def _loads(self, used: Codes, pattern: Places, counted: Flags) -> Codes:
        weights = np.where(counted, self.records[used], 0)
        return np.bincount(pattern, weights, self.patterns.cost.size).astype(np.int64)

    def _tasks(self, freed: list[Codes], deadline: Deadline) -> Iterator[tuple[object, ...]]:
        """The programs of a round, each with the loads that it may count on."""
        used = np.flatnonzero(self.records)
        pattern, owner = self.patterns.pattern[used], self._owner[used]
        block = np.full(self.tuples.size.size, -1, np.int64)
        for number, free in enumerate(freed):
            block[free] = number
        outside = self._loads(used, pattern, block[owner] < 0)
        present = self.records.copy()
        for number, free in enumerate(freed):
            mine = np.zeros(outside.size, np.bool_)
            mine[pattern[block[owner] == number]] = True
            view = np.where((outside > 0) & (outside < self.k) & ~mine, self.k, outside)
            yield self.patterns, self.tuples.size, self.k, present, view, self.allowed, free, _NODES, deadline.remaining
