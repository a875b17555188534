"""Boxes that are wider than the originals they were made from are found, whatever the column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.verify.matchings.secret_boxes import Runs, extent, members, not_closed, one_text_each, text_extent


def runs_of(*texts: list[tuple[int, int]]) -> Runs:
    ends = np.cumsum([0, *(len(text) for text in texts)])
    flat = [run for text in texts for run in text]
    return Runs(ends.astype(np.int64), *(np.array([run[i] for run in flat], np.int64) for i in (0, 1)))


def test_members_are_matches_and_whom_else_the_box_covers() -> None:
    matches = np.array([[0, 1], [1, 2]])
    none = np.zeros(0, np.int64)
    made = members(matches, none, none)
    assert made.ends.tolist() == [0, 2, 4] and made.one.tolist() == [0, 1, 1, 2]
    made = members(matches, np.array([0]), np.array([2]))
    assert made.ends.tolist() == [0, 3, 5] and made.one.tolist() == [0, 1, 2, 1, 2]


def test_extent_of_originals_and_of_texts() -> None:
    ranks = np.array([0, 3, 5, -1])
    made = members(np.array([[0, 1], [1, 2], [3, 3]]), np.zeros(0, np.int64), np.zeros(0, np.int64))
    runs = runs_of([(0, 3)], [(3, 5)], [(0, 5)])
    strayed, least, greatest, distinct = extent(ranks, 6, made, np.array([0, 1, 2]), runs)
    assert not strayed.any()
    assert least[:2].tolist() == [0, 3] and greatest[:2].tolist() == [3, 5] and distinct.tolist() == [2, 2, 0]
    strayed, *_ = extent(ranks, 6, made, np.array([1, 1, 2]), runs)
    assert strayed.tolist() == [True, False, False]
    low, high, held = text_extent(runs_of([(0, 1), (4, 4)], [(2, 2)]))
    assert (low.tolist(), high.tolist(), held.tolist()) == ([0, 2], [4, 2], [3, 1])


def test_one_text_for_each_value() -> None:
    made = members(np.array([[0], [1], [2]]), np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert one_text_each(np.array([4, 4, 5]), made, np.array([0, 0, 0]))
    assert not one_text_each(np.array([4, 4, 5]), made, np.array([0, 1, 0]))


def test_a_box_is_closed_unless_another_fits_without_a_part_of_it() -> None:
    ranks = np.array([0, 1, 2])
    none = np.zeros(0, np.int64)
    made = members(np.array([[0, 1], [0, 1], [2, 2]]), none, none)
    narrow, wide, other = [(0, 1)], [(0, 2)], [(2, 2)]
    assert not_closed(ranks, 3, made, np.array([0, 0, 2]), runs_of(narrow, wide, other)) == 0
    assert not_closed(ranks, 3, made, np.array([0, 1, 2]), runs_of(narrow, wide, other)) == 1


@pytest.mark.parametrize(
    ("column", "old", "new"),
    [("age", "[20, 30]", "[20, 40]"), ("town", "{a, b}", "{a, b, c}")],
)
def test_a_widened_box_is_refused_with_the_secret(column: str, old: str, new: str) -> None:
    original = pd.DataFrame({"age": ["20", "30", "40", "50"], "town": ["a", "b", "c", "c"]})
    published = pd.DataFrame(
        {"age": ["[20, 30]", "[20, 30]", "[40, 50]", "[40, 50]"], "town": ["{a, b}", "{a, b}", "c", "c"]}
    )
    secret = "published_row,origin,drawn,match_1,match_2\n0,1,2,0,1\n1,0,2,1,0\n2,3,2,2,3\n3,2,2,3,2\n"
    claim = {"k": 2, "quasi_identifiers": ["age", "town"], "guarantee": "matchings", "secret": secret}
    words = "not the least"
    assert not any(words in failure for failure in dc.verify(original, published, **claim).failures)
    published.loc[0, column] = new
    verdict = dc.verify(original, published, **claim)
    assert any(column in failure and words in failure for failure in verdict.failures)
    assert old != new
