"""Parts of a column are what is joined by boxes, whatever the kind of box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.large.codes import rows_at_once
from discreet.verify.large.cuts import Block, NoMatchingError, best_cut, parts, split
from discreet.verify.matchings.reading import Reading


def reading(boxes: list[set[int]], size: int) -> Reading:
    """Boxes that are any sets of codes, as runs."""
    low: list[int] = []
    high: list[int] = []
    ends = [0]
    for box in boxes:
        for code in sorted(box):
            if high[ends[-1] :] and high[-1] == code - 1:
                high[-1] = code
            else:
                low.append(code)
                high.append(code)
        ends.append(len(low))
    runs = [np.array(one, np.int64) for one in (ends, low, high)]
    return Reading(np.arange(size), np.arange(len(boxes)), *runs)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_parts_are_the_components_of_values_that_share_a_box(data: Any) -> None:
    size = data.draw(st.integers(1, 9))
    boxes = data.draw(st.lists(st.sets(st.integers(0, size - 1), max_size=4), min_size=1, max_size=6))
    values = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    used = np.array(data.draw(st.lists(st.booleans(), min_size=len(boxes), max_size=len(boxes))))
    of_value, of_text, count = parts(reading(boxes, size), values, used)
    here = set(np.flatnonzero(values).tolist())
    component = {code: {code} for code in here}
    for box in (box & here for box, there in zip(boxes, used) if there):
        whole = set().union(*(component[code] for code in box))
        for code in whole:
            component[code] = whole
    assert count == len({frozenset(one) for one in component.values()})
    for a in here:
        for b in here:
            assert (of_value[a] == of_value[b]) == (b in component[a])
    for text, box in enumerate(boxes):
        if used[text]:
            expected = {int(of_value[code]) for code in box & here} or {-1}
            assert {int(of_text[text])} == expected


def block(folder: Path, before: list[int], after: list[int]) -> Block:
    for name, rows in (("b", before), ("a", after)):
        np.array(rows, np.int32).tofile(folder / name)
    return Block(folder / "b", folder / "a", len(before))


def test_a_cut_near_the_middle_splits_both_sides(tmp_path: Path) -> None:
    whole = block(tmp_path, [0, 1, 2, 3, 3, 4], [0, 0, 1, 2, 2, 2])
    readings = [reading([{0, 1}, {2}, {3, 4}], 5)]
    cut = best_cut(whole, readings)
    assert cut is not None and cut.rows == 3
    one, two = split(whole, cut, 1, tmp_path, 1)
    assert [
        sorted(np.concatenate(list(rows_at_once(path, 1))).ravel().tolist()) for path in (one.before, one.after)
    ] == [
        [0, 1, 2],
        [0, 0, 1],
    ]
    assert (one.rows, two.rows) == (3, 3)


def test_uneven_parts_exclude_every_matching(tmp_path: Path) -> None:
    readings = [reading([{0, 1}, {2}, set()], 3)]
    with pytest.raises(NoMatchingError):
        best_cut(block(tmp_path, [0, 1, 2], [0, 1, 1]), readings)
    with pytest.raises(NoMatchingError):
        best_cut(block(tmp_path, [0, 1, 2], [0, 0, 2]), readings)


def test_people_who_fit_everywhere_are_put_on_one_side(tmp_path: Path) -> None:
    readings = [reading([{0}, {1}], 2)]
    cut = best_cut(block(tmp_path, [0, 0, 1, -1], [0, 0, 1, 1]), readings)
    assert cut is not None and not cut.exact and cut.rows == 2
    assert cut.values.tolist() == [True, False, False]
    assert best_cut(block(tmp_path, [0, 0, 0, -1], [0, 1, 1, 1]), readings) is None
    cut = best_cut(block(tmp_path, [0, 0, 1, 1], [0, 0, 1, 1]), readings)
    assert cut is not None and cut.exact
