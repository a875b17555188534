"""The cell key method: rows of counts, the support of the noise, keys from a secret, faulty tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tabular.cell_key import Perturbation, counts_behind, perturbation_of, record_keys


def grid(last: int, keys: int, seed: int = 0) -> Perturbation:
    noise = np.random.default_rng(seed).integers(-2, 3, (last + 1, keys))
    noise[0] = 0
    return Perturbation(np.maximum(noise, -np.arange(last + 1)[:, None]))


def test_large_counts_go_round_in_the_last_250_rows() -> None:
    """Counts 751, 752, … have the rows 501, 502, …, as the Office for National Statistics reads its table."""
    table = grid(750, 4)
    count = np.array([0, 1, 500, 501, 750, 751, 752, 1000, 1001, 1250])
    assert table.row(count).tolist() == [0, 1, 500, 501, 750, 501, 502, 750, 501, 750]
    assert grid(5, 4).row(np.array([4, 5, 6, 900])).tolist() == [4, 5, 5, 5]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.integers(1, 6), st.lists(st.integers(0, 20), min_size=1, max_size=8))
def test_counts_behind_are_those_of_every_pair(seed: int, last: int, counts: list[int]) -> None:
    table = grid(last, 3, seed)
    count = np.array(counts)
    told = count + table.added(count, np.arange(count.size))
    for z, found, above in zip(told.tolist(), counts_behind(table, told), counts_behind(table, told, least=1)):
        possible = [
            true
            for true in range(40)
            if any(true + int(table.added(np.array([true]), np.array([key]))[0]) == z for key in range(3))
        ]
        assert found.tolist() == possible and above.tolist() == [true for true in possible if true]


def test_keys_come_from_the_secret() -> None:
    people = [f"p{i}" for i in range(2000)]
    keys = record_keys(people, b"a secret of ours")
    assert keys.tolist() == record_keys(people, b"a secret of ours").tolist()
    assert keys.tolist() != record_keys(people, "another secret of ours").tolist()
    assert set(keys.tolist()) <= set(range(256))
    assert len(set(keys.tolist())) > 250
    with pytest.raises(InputError, match="secret"):
        record_keys(people, b"short")


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([], "empty"),
        ([(1, 0, 0), (1, 0, 1)], "more than once"),
        ([(1, 0, 0), (2, 1, 0)], "lacks 2"),
        ([(1, 0, -2)], "negative"),
        ([(-1, 0, 0)], "0 or more"),
        ([(0, 0, 0)], "above 0"),
    ],
)
def test_faulty_tables(rows: list[tuple[int, int, int]], fault: str) -> None:
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    with pytest.raises(InputError, match=fault):
        perturbation_of(*columns)
