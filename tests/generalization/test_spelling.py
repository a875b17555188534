"""Boxes as text: least, sorted, and with one meaning each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.generalization_domains import TREE

from discreet.generalization import domain as domains
from discreet.generalization.spelling import ANYTHING, braces, reads_as_box, spell
from discreet.verify.values.notation import set_items

COVER = np.array([[0, 0], [0, 1], [1, 2], [2, 3]])


def test_numbers_are_written_by_their_ends_and_what_is_unchanged_stays() -> None:
    domain = domains.domain([domains.numeric("x", np.array([17.0, 39.0, 20.0, 20.0]))])
    texts, widened = spell(domain, 0, ["17", "20.0", "39"], COVER, numbers=True)
    assert texts.tolist() == ["17", "[17, 39]", "[20.0, 39]", "20.0"] and widened == 2
    listed, _ = spell(domain, 0, ["17", "20.0", "39"], COVER, numbers=False)
    assert listed.tolist() == ["17", "{17, 20.0, 39}", "{20.0, 39}", "20.0"]


def test_missing_values_among_numbers_make_anything() -> None:
    domain = domains.domain([domains.numeric("x", np.array([1.0, 2.0, np.nan, np.nan]), missing="value")])
    texts, widened = spell(domain, 0, ["1", "2", None], COVER, numbers=True)
    assert texts.tolist() == ["1", "[1, 2]", ANYTHING, None] and widened == 2


def test_sets_hold_each_value_once_and_wildcards_widen_nothing() -> None:
    domain = domains.domain([domains.categorical("c", np.array([1, 0, -1, 1]), 2)])
    cover = np.array([[0, 3, 2], [0, 1, 3], [1, 2, 2], [2, 2, 2]])
    texts, widened = spell(domain, 0, ["b, c", "a"], cover, numbers=False)
    assert texts.tolist() == ["a", '{a, "b, c"}', "b, c", None] and widened == 1


def test_hierarchies_write_the_label_of_the_lowest_node() -> None:
    codes = np.array([TREE.leaves.index(leaf) for leaf in "abdf"])
    domain = domains.domain([domains.categorical("c", codes, 6), domains.hierarchical("leaf", codes, TREE)])
    texts, widened = spell(domain, 1, list(TREE.leaves), COVER, numbers=False)
    assert texts.tolist() == ["a", "left", "*", "right"] and widened == 3


@given(st.lists(st.text('ab ,{}"', max_size=4), min_size=1, max_size=5, unique=True))
def test_what_is_put_in_braces_is_read_back_sorted(items: list[str]) -> None:
    assert set_items(braces(items)) == sorted(items)
    assert reads_as_box(braces(items))


@pytest.mark.parametrize(("text", "box"), [("*", True), (" * ", True), ("{}", True), ("**", False), ("{a} b", False)])
def test_what_could_be_taken_for_a_box(text: str, box: bool) -> None:
    assert reads_as_box(text) is box
