"""Trees of whole numbers: the checker's own, and those of others, which it believes only when they add up."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from discreet.verify.tabular.branching import check_tree, empty, settle
from discreet.verify.tabular.cuts import Rejected
from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import load
from discreet.verify.tabular.search import Search

# y0 + y1 = y1 + y2 = y2 + y0 = y3 ≤ 5: the total is even, and fractions do not know.
CELLS = [f"{i} 1 1 m 0 9 0 0 0" for i in range(3)] + ["3 2 1 u 0 5 1 3 0"]
RELATIONS = [f"0 3 : {a} (1) {b} (1) 3 (-1)" for a, b in ((0, 1), (1, 2), (2, 0))]
# y0 = 5/2: at most 2, and then 2 y0 = y3 is no more than 4; at least 3, and then it is 6 or more.
TREE: list[dict[str, Any]] = [
    {"cell": 0, "at": 2, "below": 1, "above": 2},
    {"multipliers": {"0": 1, "1": -1, "2": 1}},
    {"multipliers": {"0": -1, "1": 1, "2": -1}},
]


@pytest.fixture
def view(tmp_path: Path) -> Hidden:
    path = tmp_path / "h.jj"
    path.write_text("\n".join(["0", "4", *CELLS, "3", *RELATIONS]) + "\n")
    return Hidden(load(str(path), "the problem"), range(4))


def test_a_tree_that_adds_up_is_believed(view: Hidden) -> None:
    check_tree(view, view.narrowed(), 3, 1, 3, TREE)


def test_a_tree_that_does_not_is_refused(view: Hidden) -> None:
    def with_node(number: int, **changes: Any) -> list[dict[str, Any]]:
        found = copy.deepcopy(TREE)
        found[number] = {**found[number], **changes}
        return found

    forged: list[Any] = [
        [],
        {},
        [7],
        TREE[:1],
        TREE[1:],
        with_node(0, at=1),  # y0 = 2 is left in the upper half, and y3 = 4 with it
        with_node(0, above=1),
        with_node(0, below=0),
        with_node(0, below=9),
        with_node(0, cell=17),
        with_node(0, at=2.5),
        with_node(1, multipliers={}),
        with_node(1, multipliers={"0": -1, "1": 1, "2": -1}),
        with_node(2, multipliers={"0": 1, "9": 1}),
        with_node(2, multipliers={"0": 0.5}),
    ]
    for tree in forged:
        with pytest.raises(Rejected):
            check_tree(view, view.narrowed(), 3, 1, 3, tree)
    with pytest.raises(Rejected):  # 4 is attained: no tree can prove otherwise
        check_tree(view, view.narrowed(), 3, 1, 2, TREE)


def test_the_checker_finds_tables_and_trees_itself(view: Hidden) -> None:
    search = Search(view, view.narrowed(), None)
    assert settle(search, 3, 1, 3) == (None, True)
    move, none = settle(search, 3, 1, 2)
    assert not none and move is not None and move[3] == 2 and view.possible(move)
    assert settle(search, 3, -1, -2)[0] is not None and settle(search, 0, 1, 2) == (None, True)
    assert settle(Search(view, view.narrowed(), 0.0), 3, 1, 3) == (None, False), "no time, no answer"


def test_a_combination_that_is_0_somewhere_is_not_empty(view: Hidden) -> None:
    low, high = view.narrowed()
    assert not empty(view, {0: 1, 1: -1, 2: 1}, (low, high))
    assert empty(view, {0: 1, 1: -1, 2: 1}, ({**low, 3: 3}, {**high, 0: 1}))
