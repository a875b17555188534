"""The rarest combinations of keys: all for the custodian, none below the threshold for the public."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.drawing import words

from discreet.report.figures import alt, confidential, svg
from discreet.report.pictures.combinations import MOST, combinations

pytest.importorskip("matplotlib")


def test_the_custodian_sees_the_rarest_first() -> None:
    figure = combinations(["common", "rare", "unique"], [9, 2, 1], keys=["a", "b"], k=3)
    axis = figure.axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["unique", "rare", "common"]
    assert [bar.get_hatch() for bar in axis.patches] == ["////", "////", None]
    assert confidential(figure)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(2, 20))
def test_the_public_sees_none_below_the_threshold(counts: list[int], threshold: int) -> None:
    labels = [f"value{place}of" for place in range(len(counts))]
    figure = combinations(labels, counts, keys=["a"], k=3, threshold=threshold)
    text = svg(figure) + alt(figure)
    for label, count in zip(labels, counts):
        assert count >= threshold or label not in text
    kept = sorted(count for count in counts if count >= threshold)[:MOST]
    assert not confidential(figure)
    assert [bar.get_width() for bar in figure.axes[0].patches] == kept


def test_where_nothing_is_left_that_is_said() -> None:
    figure = combinations(["x"], [1], keys=["a"], k=3, threshold=10)
    assert "No combination is shared by so many." in words(figure) and "No combination" in alt(figure)
