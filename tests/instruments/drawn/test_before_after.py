"""Before and after: sets by the obvious count, any kind of column, and the order of rows does not matter."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.instruments.drawn import before_after
from discreet.instruments.drawn.before_after import BeforeAfter, correlation_change, value_counts
from discreet.measure.utility.columns import ANYTHING, MISSING, Categories
from discreet.report.figures import alt, confidential

pytest.importorskip("matplotlib")


@given(
    st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=1, max_size=5),
    st.lists(st.integers(-2, 4), max_size=30),
)
def test_values_are_counted_as_a_slow_count_does(sets: list[set[int]], codes: list[int]) -> None:
    codes = [min(code, len(sets) - 1) for code in codes]
    first = np.concatenate([[0], np.cumsum([len(one) for one in sets])])
    member = np.array([value for one in sets for value in sorted(one)])
    column = Categories(np.array(codes, np.int64), first, member, 5, False)
    slow = np.zeros(5)
    for code in codes:
        if code == ANYTHING:
            slow += 0.2
        elif code != MISSING:
            for value in sets[code]:
                slow[value] += 1 / len(sets[code])
    assert value_counts(column, 5) == pytest.approx(slow)


ORIGINAL = pd.DataFrame(
    {
        "age": [20, 30, 40, 50],
        "place": ["a", "b", "c", "c"],
        "born": pd.to_datetime(["1950-01-01", "1960-01-01", "1970-01-01", "1980-01-01"]),
    }
)
PUBLISHED = pd.DataFrame(
    {
        "age": ["[20, 30]", "*", "40", ""],
        "place": ["{a, b}", "*", "c", ""],
        "born": ["[1950-01-01, 1960-01-01]", "*", "1970-01-01", ""],
    }
)


def test_every_kind_of_column_is_drawn() -> None:
    both = BeforeAfter(ORIGINAL, PUBLISHED, ["age", "place", "born"])
    age, place, born = both.figures(both.names)
    assert "Mean 35 before" in alt(age) and "after" in alt(age)
    assert "c: 50.0 % before, 44.4 % after" in alt(place)
    assert "Mean 1.96e+03 before" in alt(born), "dates by the year"
    assert all(confidential(figure) for figure in (age, place, born))
    section = both.section()
    assert section.confidential and len(section.figure) == 3


def test_one_column_is_drawn_by_its_name_and_a_wrong_one_refused() -> None:
    both = BeforeAfter(ORIGINAL, PUBLISHED, ["age", "place"])
    assert alt(both.draw()).startswith("age:") and alt(both.draw("place")).startswith("place:")
    with pytest.raises(InputError, match="did you mean 'place'"):
        both.draw("plase")


def test_of_very_many_rows_evenly_spaced_ones_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"x": np.arange(1000.0)})
    whole = alt(BeforeAfter(frame, frame, ["x"]).draw())
    monkeypatch.setattr(before_after, "MOST_ROWS", 100)
    some = alt(BeforeAfter(frame, frame, ["x"]).draw())
    assert "Mean 500 before" in whole.replace("499.5", "500") and "Mean 495 before" in some


def test_correlations_do_not_depend_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(1)
    before = rng.normal(size=(50, 3))
    before[3, 1] = np.nan
    after = np.round(before, 0)
    turned = correlation_change(["a", "b", "c"], before, after[::-1])
    assert alt(turned) == alt(correlation_change(["a", "b", "c"], before, after))
    assert "None changes" in alt(correlation_change(["a", "b"], np.full((4, 2), np.nan), np.zeros((4, 2))))
