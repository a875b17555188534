"""Whether any table of whole numbers lets a cell go so far, where tables of fractions do: branch and bound with proof.

The question is side · f_i ≥ goal, in a component with A f = 0 and low ≤ f ≤ high. A node of the tree narrows boxes and
asks the elastic linear program

    minimize Σ (s⁺ + s⁻)   subject to   A f + s⁺ - s⁻ = 0,   low ≤ f ≤ high,   s ≥ 0.

Above 0 its multipliers, rounded to whole λ, prove that the node is empty: λᵀA f = 0 for every table, and the greatest
value of λᵀA f over the boxes is below 0. At 0 with a whole solution there is a table. Else the node is divided at a
fractional cell, f_j ≤ v or f_j ≥ v + 1. If all leaves are empty the tree proves that no table goes so far, and the
proof is checked by adding up (Land and Doig 1960; Farkas 1902).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.equality_lp import EqualityProgram, solve_equalities
from discreet.tabular.audit.moves import holds
from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Ints
from discreet.work import Deadline

# Larger components, wider boxes and larger trees are left to linear programs: they cost more than they settle.
MOST = 500
WIDEST = 1 << 20
NODES = 150
_SCALES = (1, 2, 6, 12, 60, 5040)
_WHOLE = 1e-6


class Leaf(NamedTuple):
    """No table is in this node: multipliers of rows whose combination is below 0 all over its boxes."""

    row: Ints
    multiplier: Ints


class Branch(NamedTuple):
    """f_column ≤ `at` in node `below`, f_column ≥ `at` + 1 in node `above`."""

    column: int
    at: int
    below: int
    above: int


Tree = tuple[Leaf | Branch, ...]


def small(component: Component) -> bool:
    """Whether a tree is worth while."""
    widest = max(int(component.high.max(initial=0)), -int(component.low.min(initial=0)))
    return component.n <= MOST and widest <= WIDEST


def whole_table(
    component: Component, column: int, side: int, goal: int, deadline: Deadline
) -> tuple[Ints | None, Tree | None]:
    """A move with side · f_column ≥ side · goal, or the tree that proves that there is none; neither: not settled."""
    shape = component.row.size, component.n
    matrix = sp.csr_matrix((component.sign.astype(np.int64), component.column, component.start), shape=shape)
    low, high = component.low.copy(), component.high.copy()
    if side > 0:
        low[column] = max(low[column], goal)
    else:
        high[column] = min(high[column], goal)
    if low[column] > high[column]:
        return None, None  # the box alone says so
    nodes: list[Leaf | Branch | None] = [None]
    waiting = [(0, low, high)]
    while waiting:
        number, low, high = waiting.pop()
        if len(nodes) > NODES or deadline.passed:
            return None, None
        x, leaf = _node(matrix, low, high)
        if leaf is not None:
            nodes[number] = leaf
            continue
        apart = np.abs(x - np.rint(x))
        at = int(apart.argmax())
        if apart[at] < _WHOLE:
            change = np.rint(x).astype(np.int64)
            return (change if holds(component, change) and (low <= change).all() else None), None
        cut = int(np.floor(x[at]))
        nodes[number] = Branch(at, cut, len(nodes), len(nodes) + 1)
        nodes += [None, None]
        under, over = high.copy(), low.copy()
        under[at], over[at] = cut, cut + 1
        halves = [(len(nodes) - 2, low, under), (len(nodes) - 1, over, high)]
        waiting += halves if x[at] - cut > 0.5 else halves[::-1]  # the nearer half first
    return None, tuple(node for node in nodes if node is not None)


def _node(matrix: sp.csr_matrix, low: Ints, high: Ints) -> tuple[NDArray[np.float64], Leaf | None]:
    """A solution of the elastic program, and the proof that there is no table where that is one."""
    rows, n = matrix.shape
    slack = sp.identity(rows, format="csr")
    program = EqualityProgram(
        np.concatenate([np.zeros(n), np.ones(2 * rows)]),
        sp.hstack([matrix, slack, -slack]).tocsr(),
        np.zeros(rows),
        np.concatenate([low, np.zeros(2 * rows)]).astype(np.float64),
        np.concatenate([high.astype(np.float64), np.full(2 * rows, np.inf)]),
    )
    found = solve_equalities(program)
    if found.status == "optimal" and np.abs(found.multipliers).max(initial=0.0) < 2.0**10:
        for scale in _SCALES:
            multiplier = np.rint(found.multipliers * scale).astype(np.int64)
            for sign in (1, -1):
                if empties(matrix, low, high, sign * multiplier):
                    used = np.flatnonzero(multiplier)
                    return found.x[:n], Leaf(used, sign * multiplier[used])
    return found.x[:n], None


def empties(matrix: sp.csr_matrix, low: Ints, high: Ints, multiplier: Ints) -> bool:
    """Whether Σ_j (λᵀA)_j f_j, which is 0 in every table, is below 0 all over the boxes."""
    slope = matrix.T @ multiplier
    return int(np.maximum(slope * low, slope * high).sum()) < 0
