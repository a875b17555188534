from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from discreet.errors import Faults
from discreet.frames.values import caps as method
from discreet.verify.values.caps import Cap, beyond, clip, clip_texts, read_cap

GIVEN = (
    85,
    np.int8(85),
    85.5,
    "85",
    Decimal("8.50"),
    (16, 85),
    [None, 85],
    {"bottom": 16},
    datetime.date(1950, 1, 3),
    datetime.datetime(1950, 1, 3, 4),
    datetime.time(4, 5),
)


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_the_checker_and_the_method_understand_the_same(given: Any) -> None:
    found, other = read_cap(given), method.as_cap(given, "x", Faults())
    assert found is not None
    assert other is not None
    assert (found.bottom, found.top) == (other.bottom, other.top)


@pytest.mark.parametrize("given", [None, True, {}, {"most": 3}, (1, 2, 3), (None, None), "", float("nan")], ids=str)
def test_what_is_none_is_none_for_both(given: Any) -> None:
    faults = Faults()
    assert read_cap(given) is None
    assert method.as_cap(given, "x", faults) is None
    assert faults


def test_ranks_are_clipped_and_those_beyond_are_told() -> None:
    ranks, cap, ends = np.array([-1, 0, 3, 9]), Cap("a", "b"), np.array([2, 5])
    assert clip(ranks, cap, ends).tolist() == [-1, 2, 3, 5]
    assert clip(ranks, None, ends) is ranks
    assert beyond(ranks, ranks, cap, ends).tolist() == [False, True, False, True]
    assert not beyond(ranks, ranks, None, ends).any()


def test_texts_are_clipped_by_what_they_mean() -> None:
    assert clip_texts(["9", "85.0", "91", "", "84"], Cap(None, "85")) == ["9", "85.0", "85.0", "", "84"]
    assert clip_texts(["9", "91"], Cap("16", "85")) == ["16", "85"]
    assert clip_texts(["1930-01-01", "1960-01-01"], Cap("1950-01-03", None)) == ["1950-01-03", "1960-01-01"]
    assert clip_texts(["12:30"], Cap(None, "11:00")) == ["11:00"]
    assert clip_texts(["a", "91"], Cap(None, "85")) is None
