"""Household sizes: rare ones are hatched, and confidential."""

from __future__ import annotations

import pytest

from discreet.report.figures import alt, confidential
from discreet.report.pictures.households import MOST_SIZES, households

pytest.importorskip("matplotlib")


def test_rare_sizes_are_marked_and_make_it_confidential() -> None:
    figure = households({1: 30, 2: 5, 7: 2}, 3)
    assert [bar.get_hatch() for bar in figure.axes[0].patches] == [None, None, "////"]
    assert confidential(figure) and "Rare: 7." in alt(figure)


def test_without_rare_sizes_it_is_for_everybody() -> None:
    figure = households({1: 30, 2: 5}, 3, what="persons")
    assert not confidential(figure) and "hatched" not in alt(figure) and alt(figure).startswith("Persons by size")


def test_the_largest_are_taken_together_and_a_rare_one_among_them_counts() -> None:
    many = dict.fromkeys(range(1, MOST_SIZES + 4), 10) | {40: 1}
    figure = households(many, 3)
    axis = figure.axes[0]
    assert axis.get_xticklabels()[-1].get_text() == f"{MOST_SIZES + 1} or more"
    assert axis.patches[-1].get_height() == 31 and axis.patches[-1].get_hatch() and confidential(figure)
