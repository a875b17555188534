"""A better pattern from a good one: publish a neighborhood again and route anew (large neighborhood search).

A neighborhood grows from a random hidden cell over relations that it shares with other hidden cells. Routes are chosen
by costs that the linear program's solution discounts and chance shakes a little, so that the same neighborhood may lead
elsewhere next time. Chance comes from the seed alone.
"""

from __future__ import annotations

import numpy as np

from discreet.tabular.suppress.model import Flags
from discreet.tabular.suppress.repair import repair
from discreet.tabular.suppress.state import State

_SHARES = (0.15, 0.3, 0.6)  # of the secondary cells, in turn
_SHAKE = 0.25


class Improver:
    """`improve` tries one neighborhood."""

    def __init__(self, state: State, seed: int) -> None:
        self._state = state
        self._random = np.random.default_rng(seed)
        self._tries = 0

    def improve(self) -> bool:
        """Whether a cheaper pattern was found."""
        state, model = self._state, self._state.model
        assert state.best is not None
        secondary = state.best.hidden & model.free
        if secondary.sum() < 2:
            return False
        share = _SHARES[self._tries % len(_SHARES)]
        self._tries += 1
        near = self._neighborhood(secondary, max(2, int(share * secondary.sum())))
        shake = np.exp(_SHAKE * self._random.standard_normal(model.count))
        prices = model.cost * shake * (1.001 - 0.7 * np.clip(state.x, 0.0, 1.0))
        kept = state.best.hidden & ~near
        return state.offer(repair(model, kept, state.deadline, prices=prices, known=state.own))

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
