"""Iterations: each adds a perfect matching, at the cost of what a newcomer adds to the box."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.generalization import is_regular, loss
from oracles.generalization_domains import random_domain

from discreet.generalization.boxes import scratch
from discreet.generalization.matching.iterations import RULES, added_costs, match_blocks
from discreet.solvers.assignment import FORBIDDEN


def test_added_costs_are_those_of_the_boxes_by_definition() -> None:
    domain = random_domain(8, 2)
    slots = np.stack([np.arange(8), np.roll(np.arange(8), 1)], axis=1).astype(np.int32)
    out = np.empty((8, 8), np.int32)
    added_costs(domain.tables, scratch(int(domain.tables.start[-1])), domain.codes, slots, 2, out)
    grown = np.array([[loss(domain, [[*row, j]]) - loss(domain, [row]) for j in range(8)] for row in slots.tolist()])
    allowed = np.ones((8, 8), bool)
    np.put_along_axis(allowed, slots.astype(np.int64), False, axis=1)
    assert (out[~allowed] == FORBIDDEN).all()
    free = grown[allowed]
    unit = out[allowed].max() / free.max()
    np.testing.assert_allclose(out[allowed], unit * free, atol=1e-3 * out[allowed].max())


@pytest.mark.parametrize("rule", RULES)
def test_every_column_of_matches_is_a_permutation_within_its_block(rule: str) -> None:
    domain = random_domain(15, 4)
    slots = match_blocks(domain.tables, domain.codes, np.array([0, 7, 15]), 3, rule)
    for block in (slots[:7], slots[7:]):
        assert is_regular(block, 3) and block[:, 0].tolist() == list(range(len(block)))
        assert all(sorted(column) == list(range(len(block))) for column in block.T.tolist())
