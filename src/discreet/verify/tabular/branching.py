"""Whole numbers where fractions go further: trees that prove a cell not to reach so far, checked, and sought.

The claim is that no table of whole numbers has side · f_cell ≥ goal. A node narrows boxes; it is divided at a cell,
y ≤ at or y ≥ at + 1, or it is empty: multipliers λ of relations for which Σ_j (λᵀA)_j f_j, 0 in every table, is below 0
all over its boxes. A tree whose leaves are all empty proves the claim. Where nobody shows one the checker looks for it
by a linear program a node, whose answer is only a hint:

    minimize Σ (s⁺ + s⁻)   subject to   A f + s⁺ - s⁻ = 0,   low ≤ f ≤ high,   s ≥ 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet.verify.tabular.cuts import Rejected, numbers, whole
from discreet.verify.tabular.moves import Hidden

Boxes = tuple[dict[int, int], dict[int, int]]
SCALES = (1, 2, 6, 12, 60, 5040)
NODES = 150
MOST = 500
WIDEST = 1 << 20
NEAR = 1e-6


def beyond(boxes: Boxes, cell: int, side: int, goal: int) -> Boxes:
    """The boxes of tables in which the cell goes to `goal` or further."""
    low, high = boxes
    if side > 0:
        return {**low, cell: max(goal, low[cell])}, high
    return low, {**high, cell: min(goal, high[cell])}


def empty(view: Hidden, multipliers: Mapping[int, int], boxes: Boxes) -> bool:
    """Whether the relations, so combined, leave no table in the boxes."""
    slope: dict[int, int] = {}
    for relation, multiplier in multipliers.items():
        for cell, sign in view.rows.get(relation, ()):
            slope[cell] = slope.get(cell, 0) + multiplier * sign
    low, high = boxes
    return sum(max(c * low[j], c * high[j]) for j, c in slope.items()) < 0


def check_tree(view: Hidden, boxes: Boxes, cell: int, side: int, goal: int, nodes: Any) -> None:
    """Raises `Rejected` unless the tree proves that no table has the cell at `goal` or further."""
    if not isinstance(nodes, list) or not nodes:
        raise Rejected("a tree of an interval has no nodes")
    relations = int(view.table.right.size)
    seen: set[int] = set()
    waiting = [(0, beyond(boxes, cell, side, goal))]
    while waiting:
        number, own = waiting.pop()
        if number in seen or not 0 <= number < len(nodes):
            raise Rejected("a tree of an interval names a node twice or one that is not there")
        seen.add(number)
        node = nodes[number]
        if not isinstance(node, Mapping):
            raise Rejected("a node is no object")
        if "multipliers" in node:
            if not empty(view, numbers(node["multipliers"], "the multipliers of a node", relations), own):
                raise Rejected(f"a leaf of the tree of cell {cell} is not empty")
            continue
        at = whole(node.get("cell"), "the cell of a node", 0)
        if at not in view.low:
            raise Rejected("a tree divides at a cell that is not hidden")
        cut = whole(node.get("at"), "the value of a node") - int(view.table.value[at])
        waiting.append((whole(node.get("below"), "a node", 0), beyond(own, at, -1, cut)))
        waiting.append((whole(node.get("above"), "a node", 0), beyond(own, at, 1, cut + 1)))


def settle(search: Any, cell: int, side: int, goal: int) -> tuple[dict[int, int] | None, bool]:
    """A move that takes the cell to `goal` or further, and whether there is proven to be none."""
    cells, view = search.cells, search.hidden
    if len(cells) > MOST or max(max(-search.boxes[0][c], search.boxes[1][c]) for c in cells) > WIDEST:
        return None, False
    waiting = [beyond(search.boxes, cell, side, goal)]
    for _ in range(NODES):
        if search.seconds <= 0:
            return None, False
        low, high = waiting.pop()
        x, duals = _elastic(search, low, high)
        if x is None:
            return None, False
        if not any(empty(view, each, (low, high)) for each in _rounded(search.relations, duals)):
            apart = np.abs(x - np.rint(x))
            at = int(apart.argmax())
            if apart[at] < NEAR:
                move = {c: int(v) for c, v in zip(cells, np.rint(x))}
                odd = view.astray(move)
                if odd is None:
                    move = {c: v for c, v in move.items() if v}
                    return (move if side * move.get(cell, 0) >= side * goal and view.possible(move) else None), False
                less, more = _next(view.among[odd], move[odd])
                waiting += [beyond((low, high), odd, -1, less)] if less >= low[odd] else []
                waiting += [beyond((low, high), odd, 1, more)] if more <= high[odd] else []
            else:
                cut = int(np.floor(x[at]))
                waiting += [beyond((low, high), cells[at], -1, cut), beyond((low, high), cells[at], 1, cut + 1)]
        if not waiting:
            return None, True
    return None, False


def _next(among: Sequence[int], value: int) -> tuple[int, int]:
    """The values on either side that the cell can have; its box ends at such values."""
    return max(v for v in among if v < value), min(v for v in among if v > value)


def _elastic(search: Any, low: Mapping[int, int], high: Mapping[int, int]) -> tuple[Any, Any]:
    """The solution of the program above and its multipliers; None where the solver has none."""
    import highspy

    n, m = len(search.cells), len(search.relations)
    model = highspy.Highs()
    for option, given in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        model.setOptionValue(option, given)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n + 2 * m, m
    program.col_cost_ = np.append(np.zeros(n), np.ones(2 * m))
    program.col_lower_ = np.append(np.array([low[c] for c in search.cells], np.float64), np.zeros(2 * m))
    program.col_upper_ = np.append(np.array([high[c] for c in search.cells], np.float64), np.full(2 * m, np.inf))
    program.row_lower_ = program.row_upper_ = np.zeros(m)
    start, index, value = [0], list[int](), list[float]()
    for r, relation in enumerate(search.relations):
        terms = [(search.place[c], float(sign)) for c, sign in search.hidden.rows[relation] if c in search.place]
        for column, factor in (*terms, (n + r, 1.0), (n + m + r, -1.0)):
            index.append(column)
            value.append(factor)
        start.append(len(index))
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.array(start, np.int32)
    program.a_matrix_.index_ = np.array(index, np.int32)
    program.a_matrix_.value_ = np.array(value)
    model.passModel(program)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None, None
    found = model.getSolution()
    return np.array(found.col_value)[:n], np.array(found.row_dual)


def _rounded(relations: Sequence[int], duals: Any) -> list[dict[int, int]]:
    """Whole multipliers near the solver's, either way round."""
    if not np.isfinite(duals).all() or np.abs(duals).max(initial=0.0) > 1 << 20:
        return []
    return [
        {r: sign * round(float(v) * scale) for r, v in zip(relations, duals) if round(float(v) * scale)}
        for scale in SCALES
        for sign in (1, -1)
    ]
