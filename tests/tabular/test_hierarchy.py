"""Trees from chains of labels, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tabular.hierarchy import flat_tree, tree_from_chains


def test_pairs_and_levels_give_the_same_tree() -> None:
    pairs = tree_from_chains([["a", "x"], ["b", "x"], ["c", "y"], ["x", "*"], ["y", "*"]], name="h")
    levels = tree_from_chains([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]], name="h")
    assert pairs.labels == levels.labels == ("*", "x", "a", "b", "y", "c")
    assert pairs.parent.tolist() == [-1, 0, 1, 1, 0, 4]
    assert pairs.depth.tolist() == [0, 1, 2, 2, 1, 2]
    assert [pairs.labels[node] for node in pairs.leaves] == ["a", "b", "c"]


def test_several_tops_stand_below_the_total() -> None:
    tree = tree_from_chains([["a", "x"], ["y"]], name="h")
    assert tree.labels == ("Total", "x", "a", "y")
    assert tree_from_chains([["a", "x"], ["b", "x"]], name="h", total="All").labels == ("All", "x", "a", "b")
    assert tree_from_chains([["a"], ["b"]], name="h").labels == ("Total", "a", "b")
    assert tree_from_chains([["a"]], name="h").labels == ("Total", "a")


def test_labels_that_say_nothing_new() -> None:
    tree = tree_from_chains([["a", "a", "", "x"], ["b", "", "b", "x"]], name="h")
    assert tree.labels == ("x", "a", "b")


@pytest.mark.parametrize(
    ("chains", "expected"),
    [
        ([["a", "b"], ["b", "c"], ["c", "a"]], "a below b below c below a"),
        ([["a", "a2", "a"]], "a cycle"),
        ([["a", "x"], ["a", "y"]], "a stands below two labels"),
        ([[""], []], "no labels"),
        ([["Total", "x"], ["a", "x"]], None),
    ],
)
def test_what_is_no_tree(chains: list[list[str]], expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="stands below x"):
            tree_from_chains(chains, name="h", total="Total")
        return
    with pytest.raises(InputError, match=expected):
        tree_from_chains(chains, name="h")


@given(st.lists(st.integers(-1, 8), min_size=1, max_size=9))
def test_ancestors_by_walking_up(parents: list[int]) -> None:
    """Any forest whose parents have smaller numbers, below one root."""
    chains = []
    for node, parent in enumerate(parents):
        chain, up = [f"n{node}"], min(parent, node - 1)
        while up >= 0:
            chain.append(f"n{up}")
            up = min(parents[up], up - 1)
        chains.append([*chain, "root"])
    tree = tree_from_chains(chains, name="h")
    assert tree.labels[0] == "root"
    assert set(tree.labels) == {"root", *(f"n{i}" for i in range(len(parents)))}
    for node, label in enumerate(tree.labels):
        path = [] if label == "root" else [*chains[int(label[1:])]]
        assert tree.depth[node] == max(len(path) - 1, 0)
        up = path[::-1] or ["root"]
        for level in range(tree.height + 1):
            expected = tree.number[up[level]] if level < len(up) else -1
            assert tree.ancestors(level)[node] == expected


def test_flat_labels_are_sorted_with_numbers_by_size() -> None:
    assert flat_tree(["b", "10", "9", "a", "Total"]).labels == ("Total", "9", "10", "a", "b")
