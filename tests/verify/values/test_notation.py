"""Ranges and sets taken apart: what was put together comes back, and what is ambiguous does not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.values.notation import all_items, is_set, range_ends, set_items, split_ranges, stretches


def quoted(item: str) -> str:
    """As a widened category is written: quoted where it holds a comma, brace or quote, or begins with a blank."""
    if any(char in item for char in ',{}"') or item[:1] == " ":
        return '"' + item.replace('"', '""') + '"'
    return item


@given(st.lists(st.text('ab ,{}"é', max_size=5), min_size=1, max_size=5))
def test_the_items_of_a_set_come_back(items: list[str]) -> None:
    assert set_items("{" + ", ".join(map(quoted, items)) + "}") == items


@pytest.mark.parametrize("text", ['{"a}', '{"a"b}', "{a{b}", "{a}b}", '{a"b}', '{a, "b" , c}'])
def test_what_is_not_well_formed_has_no_items(text: str) -> None:
    assert set_items(text) is None


def test_the_items_of_all_sets_stand_in_one_list() -> None:
    items, members = all_items(["{a, b}", None, '{"}', "{}", "{c}"])
    assert items == ["a", "b", "", "c"]
    assert {code: [items[i] for i in places] for code, places in members.items()} == {0: ["a", "b"], 3: [""], 4: ["c"]}
    assert is_set("{}") and not is_set("{") and not is_set("a}")


RANGES = [
    "[1, 2]",
    "[1,2]",
    "[1,5, 2,5]",
    "[-1e5, 1e5]",
    "[,, ]",
    "[1;2]",
    "[1,5,2,5]",
    "[a]",
    "(1, 2)",
    "[1, 2",
    "[,]",
    "",
]


def test_bytes_and_texts_are_split_at_the_same_place() -> None:
    data = "".join(RANGES).encode()
    lengths = np.array([len(text) for text in RANGES])
    ends = np.cumsum(lengths)
    starts = ends - lengths
    bounds = np.zeros((4, len(RANGES)), np.int64)
    split_ranges(np.frombuffer(data, np.uint8), starts, ends, bounds)
    for text, (a, b, c, d) in zip(RANGES, bounds.T.tolist()):
        if b:
            assert range_ends(text) == (data[a:b].decode(), data[c:d].decode().removeprefix(" "))
        else:
            assert range_ends(text) is None or text == "[1,5,2,5]", "four commas could be read in two ways"
    assert (bounds[1] > 0).tolist() == [True] * 5 + [False] * 7


def test_a_range_with_two_spaced_commas_is_none() -> None:
    data = b"[1, 2, 3]"
    bounds = np.zeros((4, 1), np.int64)
    split_ranges(np.frombuffer(data, np.uint8), np.array([0]), np.array([len(data)]), bounds)
    assert not bounds.any()


@given(st.sets(st.integers(0, 30)))
def test_stretches_cover_the_places_and_do_not_touch(places: set[int]) -> None:
    runs = stretches(sorted(places))
    assert [place for low, high in runs for place in range(low, high + 1)] == sorted(places)
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(runs))
