"""Noise by cell keys, checked without the method: by hand, against a list of all tables, and with wrong figures."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.tabular.cell_key import possible, row_of, verify_cell_key

# Total = a + b + c, keys 0 to 2: one less, nothing, one more; a count of 0 stays.
NOISE = [(count, key, key - 1) for count in range(1, 4) for key in range(3)]


def table_of(leaves: list[int]) -> SimpleNamespace:
    value = np.array([sum(leaves), *leaves])
    n = value.size
    same = dict.fromkeys(("value", "lower", "upper"), value)
    nothing = {name: np.zeros(n, np.int64) for name in ("cost", "below", "above", "sliding")}
    cells = SimpleNamespace(**same, **nothing, status=np.full(n, 2))
    sign = np.array([-1] + [1] * (n - 1))
    rows = SimpleNamespace(start=np.array([0, n]), cell=np.arange(n), sign=sign, right=np.zeros(1, np.int64))
    return SimpleNamespace(cells=cells, relations=rows)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=2, max_size=3))
def test_what_is_told_exactly_is_what_all_tables_share(cells: list[tuple[int, int]]) -> None:
    leaves = [count for count, _ in cells]
    keys = [sum(key for count, key in cells if count), *(key if count else 0 for count, key in cells)]
    lookup = {(row, key): value for row, key, value in NOISE}
    true = [sum(leaves), *leaves]
    told = [count + (lookup[min(count, 3), key % 3] if count else 0) for count, key in zip(true, keys)]
    verdict = verify_cell_key(table_of(leaves), told, keys, NOISE)

    def fits(count: int, shown: int) -> bool:
        return shown == 0 if count == 0 else any(count + lookup[min(count, 3), key] == shown for key in range(3))

    tables = [
        (sum(own), *own)
        for own in product(range(0 if 0 in leaves else 1, 7), repeat=len(leaves))  # zeros are listed, or left out
        if all(fits(count, shown) for count, shown in zip((sum(own), *own), told))
    ]
    # Boxes hold every such table; what is told exactly by them is told by the list as well.
    exact = {at for at, count in enumerate(true) if count and len({table[at] for table in tables}) == 1}
    assert tuple(true) in tables
    assert verdict.outcome != "cannot tell" and verdict.figures["wrong"] == 0
    assert int(verdict.figures["exact"]) <= len(exact)
    assert (verdict.outcome == "unsafe") == (verdict.figures["exact"] > 0)


STEPS = st.lists(st.sampled_from([-3, -2, 0, 2, 3]), min_size=9, max_size=9)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 2)), min_size=2, max_size=3), STEPS)
def test_noise_with_gaps_hides_no_more_than_the_counts_it_can_come_from(
    cells: list[tuple[int, int]], steps: list[int]
) -> None:
    noise = [(at // 3 + 1, at % 3, max(step, -(at // 3 + 1))) for at, step in enumerate(steps)]
    lookup = {(row, key): value for row, key, value in noise}
    leaves, keys = [count for count, _ in cells], [key for _, key in cells]
    true, keys = [sum(leaves), *leaves], [sum(keys), *keys]
    told = [count + lookup[min(count, 3), key % 3] for count, key in zip(true, keys)]
    behind = [possible(shown, lookup, 3, 1) for shown in told]
    tables = [(sum(own), *own) for own in product(*behind[1:]) if sum(own) in behind[0]]
    exact = sum(len(set(column)) == 1 for column in zip(*tables))
    verdict = verify_cell_key(table_of(leaves), told, keys, noise)
    assert verdict.figures["exact"] == exact and verdict.outcome == ("unsafe" if exact else "safe")


def test_other_noise_is_found_out() -> None:
    problem, keys = table_of([2, 3]), [1, 0, 1]
    right = [5, 1, 3]
    assert verify_cell_key(problem, right, keys, NOISE).figures["wrong"] == 0
    for wrong in ([6, 1, 3], [5, 2, 3], [5, 1, 2]):
        verdict = verify_cell_key(problem, wrong, keys, NOISE)
        assert verdict.outcome == "unsafe" and verdict.figures["wrong"] == 1
    assert verify_cell_key(problem, right, [1, 2, 2], NOISE).figures["wrong"] == 2


def test_silent_noise_tells_every_count() -> None:
    silent = [(row, key, 0) for row, key, _ in NOISE]
    verdict = verify_cell_key(table_of([2, 3]), [5, 2, 3], [0, 0, 0], silent)
    assert verdict.outcome == "unsafe" and verdict.figures["exact"] == 3


def test_rows_go_round_above_750() -> None:
    assert [row_of(count, 750) for count in (0, 750, 751, 1000, 1001)] == [0, 750, 501, 750, 501]
    assert [row_of(count, 10) for count in (0, 10, 11, 751)] == [0, 10, 10, 10]
    added = {(row, key): value for row, key, value in NOISE}
    assert possible(2, added, 3) == [1, 2, 3] and possible(0, added, 3) == [0, 1]
