"""Rows grouped into units: numbered by their first rows, whatever the ids are called."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.readers import open_table
from discreet.verify.units.unit import grouped, in_order, signatures, units

NUMBERS = st.lists(st.integers(-1, 5), min_size=1, max_size=30)


@given(NUMBERS)
def test_units_hold_their_rows_in_order(given_numbers: list[int]) -> None:
    found = grouped(np.array(given_numbers, np.int64))
    seen: dict[int, list[int]] = {}
    for row, number in enumerate(given_numbers):
        if number >= 0:
            seen.setdefault(number, []).append(row)
    members = [found.rows[a:b].tolist() for a, b in zip(found.ends[:-1], found.ends[1:])]
    assert members == list(seen.values())
    assert found.sizes.tolist() == [len(rows) for rows in seen.values()]
    assert found.loose.tolist() == [row for row, number in enumerate(given_numbers) if number < 0]
    assert found.heads.tolist() == sorted([rows[0] for rows in seen.values()] + found.loose.tolist())
    assert all(found.of_row[row] == unit for unit, rows in enumerate(members) for row in rows)


def test_members_of_one_size_stand_in_lines() -> None:
    found = grouped(np.array([7, 3, 7, 9, 3, 9, 9], np.int64))
    assert found.members(np.flatnonzero(found.sizes == 2), 2).tolist() == [[0, 2], [1, 4]]
    assert found.members(np.flatnonzero(found.sizes == 3), 3).tolist() == [[3, 5, 6]]


@given(NUMBERS, st.randoms(use_true_random=False))
def test_signatures_are_equal_where_units_carry_the_same_codes(numbers: list[int], chance) -> None:  # type: ignore[no-untyped-def]
    side = grouped(np.array(numbers, np.int64))
    codes = np.array([chance.randrange(3) for _ in numbers], np.int64)
    (found,) = signatures([codes], [side])
    lines = [sorted(codes[side.rows[a:b]].tolist()) for a, b in zip(side.ends[:-1], side.ends[1:])]
    lines += [[codes[row]] for row in side.loose.tolist()]
    for i, one in enumerate(lines):
        for j, other in enumerate(lines):
            assert (found[i] == found[j]) == (one == other)
    heads = np.concatenate([side.first, side.loose])
    assert in_order(heads, side).tolist() == side.heads.tolist()


def test_a_missing_id_is_no_unit_and_spelling_does_not_part_one() -> None:
    table = open_table(pd.DataFrame({"h": ["1", "1.0", None, "2", "", "1"]}), "data")
    found = units(table, "h")
    assert found.of_row.tolist() == [0, 0, -1, 1, -1, 0]
