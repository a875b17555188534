"""What published entries cover, with and without caps: against a slow reading, entry by entry and value by value."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.matchings.covers import UnreadableError
from discreet.verify.matchings.reading import Reading, read_attribute
from discreet.verify.readers import open_table
from discreet.verify.values.caps import Cap

FIRST = datetime.date(1950, 1, 1)


def day(number: int) -> str:
    return (FIRST + datetime.timedelta(days=number)).isoformat()


def covers(reading: Reading) -> np.ndarray:
    """Which original lies in which published entry, from the runs."""
    out = np.zeros((reading.codes.size, reading.texts.size), bool)
    for i, code in enumerate(reading.codes):
        for j, text in enumerate(reading.texts):
            runs = range(reading.run_ends[text], reading.run_ends[text + 1])
            out[i, j] = code < 0 or any(reading.run_low[r] <= code <= reading.run_high[r] for r in runs)
    return out


ENDS = st.none() | st.integers(2, 8)
BOXES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(sorted) | st.frozensets(st.integers(0, 10), min_size=1)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.none() | st.integers(0, 10), min_size=1, max_size=8),
    st.lists(BOXES, min_size=1, max_size=8),
    ENDS,
    ENDS,
    st.sampled_from(["numbers", "dates", "ISO text"]),
)
def test_caps_put_originals_at_the_cap(
    numbers: list[int | None], boxes: list, bottom: int | None, top: int | None, kind: str
) -> None:
    if all(number is None for number in numbers) or (bottom is not None and top is not None and bottom > top):
        return
    spell = str if kind == "numbers" else day
    was = [None if number is None else spell(number) for number in numbers]
    if kind == "numbers":
        column = pa.array(numbers, pa.int64())
    else:
        stored = pa.array([None if x is None else datetime.date.fromisoformat(x) for x in was], pa.date32())
        column = stored if kind == "dates" else pa.array(was, pa.string())
    shown = [
        "{" + ", ".join(spell(x) for x in sorted(box)) + "}"
        if isinstance(box, frozenset)
        else f"[{spell(box[0])}, {spell(box[1])}]"
        for box in boxes
    ]
    before, after = open_table(pa.table({"x": column}), "a"), open_table(pa.table({"x": shown}), "b")
    cap = None
    if bottom is not None or top is not None:
        cap = Cap(*(None if end is None else spell(end) for end in (bottom, top)))
    low, high = (-1 if bottom is None else bottom), (99 if top is None else top)
    outside = any(min(box) < low or max(box) > high for box in boxes)
    hidden = kind == "ISO text" and cap is None and not any(text.startswith("[") for text in shown)

    def read() -> Reading:
        one, two = before.column("x"), after.column("x")
        return read_attribute(one, two, categorical=False, labels=None, missing="value", cap=cap)[0]

    if outside and cap is not None:
        with pytest.raises(UnreadableError, match="beyond its cap"):
            read()
        return
    found = covers(read())
    for i, number in enumerate(numbers):
        for j, box in enumerate(boxes):
            value = None if number is None else min(max(number, low), high)
            inside = value in box if isinstance(box, frozenset) else value is not None and box[0] <= value <= box[1]
            assert found[i, j] == inside, (hidden, number, box)


def test_labels_meet_the_cap_by_its_text() -> None:
    before = open_table(pd.DataFrame({"x": ["83", "85", "91", "104"]}), "a")
    after = open_table(pd.DataFrame({"x": ["[80, 84]", "[85, 89]", "[80, 89]", "[90, 94]"]}), "b")
    labels = {
        "[80, 84]": frozenset(["83"]),
        "[85, 89]": frozenset(["85"]),
        "[80, 89]": frozenset(["83", "85"]),
        "[90, 94]": frozenset(["91"]),
    }
    reading, _ = read_attribute(
        before.column("x"), after.column("x"), categorical=False, labels=labels, missing="value", cap=Cap(None, "85")
    )
    assert covers(reading).astype(int).tolist() == [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0]]


@pytest.mark.parametrize("cap", [Cap(None, "soon"), Cap("1950-01-01", None)])
def test_a_cap_of_another_kind_is_not_believed(cap: Cap) -> None:
    table = open_table(pa.table({"x": [1, 2]}), "a")
    with pytest.raises(UnreadableError, match="does not fit"):
        read_attribute(table.column("x"), table.column("x"), categorical=False, labels=None, missing="value", cap=cap)
