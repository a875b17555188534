"""A better pattern from a good one: publish a neighborhood again and route anew (large neighborhood search).

A neighborhood grows from a random hidden cell over relations that it shares with other hidden cells. Only
requirements whose moves used it are looked at again. Routes are chosen by costs that the linear program's solution
discounts and chance shakes, each more at one time than at another, and in an order that chance gives, so that the
same neighborhood may lead elsewhere next time. The search goes on from the last pattern that costs at most a little
more than the best one (record-to-record travel, Dueck 1993), which leads out of patterns that no neighborhood
improves; how much a little is shrinks and begins anew. Chance comes from the seed alone.
"""

from __future__ import annotations

import numpy as np

from discreet.tabular.suppress.model import Flags
from discreet.tabular.suppress.repair import Repaired, repair
from discreet.tabular.suppress.state import State

_SHARES = (0.05, 0.1, 0.2, 0.4)  # of the secondary cells, in turn
_SHAKE, _DISCOUNT = 0.5, 0.7  # at most
_WORSE = (0.06, 0.12)  # shares of the best pattern's cost, in turn
_CYCLE = 60  # tries within which such a share shrinks to nothing


class Improver:
    """`improve` tries one neighborhood."""

    def __init__(self, state: State, seed: int) -> None:
        self._state = state
        self._random = np.random.default_rng(seed)
        self._tries = 0
        self._last: Repaired | None = None

    def improve(self) -> bool:
        """Whether a cheaper pattern was found."""
        state, model = self._state, self._state.model
        assert state.best is not None
        cycle, step = divmod(self._tries, _CYCLE)
        last, most = self._last, state.cost * (1 + _WORSE[cycle % len(_WORSE)] * (1 - step / _CYCLE))
        if last is None or last.cost > most:
            last = state.best
        secondary = last.hidden & model.free
        if secondary.sum() < 2:
            return False
        share = _SHARES[self._tries % len(_SHARES)]
        self._tries += 1
        near = self._neighborhood(secondary, max(2, int(share * secondary.sum())))
        discount, shake = _DISCOUNT * self._random.random(), _SHAKE * self._random.random()
        prices = model.cost * np.exp(shake * self._random.standard_normal(model.count))
        prices *= 1.001 - discount * np.clip(state.x, 0.0, 1.0)
        known = {r: cells for r, cells in last.support.items() if not near[cells].any()}
        order = self._random.permutation(model.requirements.n)
        found = repair(model, last.hidden & ~near, state.deadline, prices=prices, known=known, order=order)
        if found is not None and found.cost <= most:
            self._last = found
        return state.offer(found)

    def _neighborhood(self, hidden: Flags, size: int) -> Flags:
        """So many hidden cells around one of them."""
        model = self._state.model
        near = np.zeros(model.count, np.bool_)
        edge = [int(self._random.choice(np.flatnonzero(hidden)))]
        while edge and near.sum() < size:
            cell = edge.pop(0)
            if near[cell]:
                continue
            near[cell] = True
            relations = model.transposed.indices[model.transposed.indptr[cell] : model.transposed.indptr[cell + 1]]
            beside = np.unique(model.matrix[relations].indices)
            beside = beside[hidden[beside] & ~near[beside]]
            edge += self._random.permutation(beside).tolist()
            if not edge and near.sum() < size:
                left = np.flatnonzero(hidden & ~near)
                edge = [int(self._random.choice(left))] if left.size else []
        return near
