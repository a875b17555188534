from __future__ import annotations

import pytest

from discreet.errors import InputError
from discreet.generalization.hierarchy import by_interval, by_prefix, from_mapping, from_rows

ROWS = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*"), ("e", "z", "*")]


def test_rows_become_a_tree_without_labels_that_say_nothing() -> None:
    tree = from_rows(ROWS)
    assert tree.leaves == ("a", "b", "c", "d", "e")
    assert tree.coverage() == {
        "*": ("a", "b", "c", "d", "e"),
        "x": ("a", "b"),
        "y": ("c", "d"),
        **{leaf: (leaf,) for leaf in "abcde"},
    }
    assert tree.height == 2


def test_a_mapping_and_its_rows_are_the_same_tree() -> None:
    tree = from_mapping({"*": {"x": ["a", "b"], "y": ["c", "d"], "z": ["e"]}})
    assert tree.coverage() == from_rows(ROWS).coverage()
    again = {label: set(values) for label, values in from_rows(_square(tree.rows())).coverage().items()}
    assert again == {label: set(values) for label, values in tree.coverage().items()}


def _square(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    height = max(len(row) for row in rows)
    return [(row[0],) * (height - len(row)) + row for row in rows]


def test_intervals_and_prefixes() -> None:
    ages = by_interval([17, 18, 21, 29, 34], [5, 10])
    assert ages.coverage()["[20, 29]"] == ("21", "29")
    assert ages.leaves == ("17", "18", "21", "29", "34")
    halves = by_interval([0.1, 0.4, 0.9], [0.5])
    assert halves.coverage()["[0, 0.5)"] == ("0.1", "0.4")
    codes = by_prefix(["10115", "10117", "20095"], [4, 2])
    assert codes.coverage()["1011*"] == ("10115", "10117")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], ["no rows"]),
        ([("a", "x"), ("b", "y", "*")], ["levels"]),
        ([("a", "x", "*"), ("a", "x", "*")], ["more than once"]),
        ([("a", "x", "p"), ("b", "x", "q")], ["not a tree", "labels at the top"]),
        ([("a", ""), ("b", "")], ["empty label"]),
        ([("a",), ("b",)], ["only one column"]),
        ([("a", "x"), ("b", "y")], ["2 labels at the top"]),
        ([("a", "x", "*"), ("b", "x", "*"), ("x", "y", "*"), ("c", "y", "*")], ["two different sets"]),
    ],
)
def test_every_fault_is_told_and_no_value(rows: list[tuple[str, ...]], words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        from_rows(rows, name="region")
    for word in words:
        assert word in str(caught.value)
    assert "'a'" not in str(caught.value)


def test_bad_mappings_widths_and_prefixes() -> None:
    for wrong in ({"x": ["a"], "y": ["b"]}, {"*": {"x": []}}, {"*": {"x": ["a", "a"]}}, {"*": {"x": "abc"}}):
        with pytest.raises(InputError):
            from_mapping(wrong)
    with pytest.raises(InputError, match="multiple"):
        by_interval([1, 2], [5, 7])
    with pytest.raises(InputError, match="falling"):
        by_prefix(["abc"], [1, 2])


def test_bands_of_ages_are_aligned_and_nest() -> None:
    tree = by_interval(["17", "007", "64", "65"], [5, 10, 20])
    assert {row[0]: row[1:] for row in tree.rows()} == {
        "007": ("[5, 9]", "[0, 9]", "[0, 19]", "*"),
        "17": ("[15, 19]", "[10, 19]", "[0, 19]", "*"),
        "64": ("[60, 64]", "[60, 69]", "[60, 79]", "*"),
        "65": ("[65, 69]", "[60, 69]", "[60, 79]", "*"),
    }
    assert by_interval({"1,5": 1.5, "2": 2.0}, [1]).rows() == [("1,5", "[1, 2)", "*"), ("2", "[2, 3)", "*")]


def test_a_level_has_its_label_for_every_value_even_where_the_tree_has_no_node() -> None:
    tree = by_interval([17, 64, 65], [5, 10])
    labels, above = tree.above(1)
    assert labels == ("[15, 19]", "[60, 64]", "[65, 69]")
    assert above.leaves == labels
    assert above.rows() == [("[15, 19]", "[10, 19]", "*"), ("[60, 64]", "[60, 69]", "*"), ("[65, 69]", "[60, 69]", "*")]
    assert tree.above(0)[0] == tree.leaves
    with pytest.raises(InputError, match=r"0 .* to 2"):
        tree.above(3)
    with pytest.raises(InputError, match="fill all levels"):
        from_mapping({"*": {"a": ["x", "y"], "b": {"c": ["z"], "d": ["w"]}}}).above(1)
