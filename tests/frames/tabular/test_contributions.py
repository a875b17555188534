"""The column of what all other holdings contribute: read as it was written, and one error for what is wrong with it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.tabular.contributions import Contributions, contribution_texts, read_contributions
from discreet.frames.tabular.decimals import in_smallest_unit

ENTRIES = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(1, 10**12)), st.integers(1, 10**12), max_size=12)


@given(entries=ENTRIES, decimals=st.integers(0, 3))
def test_what_is_written_is_read(entries: dict[tuple[int, int], int], decimals: int) -> None:
    pairs = sorted(entries)
    row, who = (np.array([pair[at] for pair in pairs], np.int64) for at in (0, 1))
    amount = np.array([entries[pair] for pair in pairs], np.int64)
    texts = contribution_texts(Contributions(row, who, amount), 5, decimals)
    assert len(texts) == 5
    found = read_contributions(pa.chunked_array([pa.array(texts, pa.large_string())]), "t.csv")
    assert np.array_equal(found.row, row) and np.array_equal(found.who, who)
    scaled, digits = in_smallest_unit({"a": found.amount}, where="t.csv")
    assert np.array_equal(scaled["a"] * 10 ** (decimals - digits), amount)


def test_spaces_and_gaps_are_nothing() -> None:
    found = read_contributions(pa.chunked_array([pa.array(["  3:1   4:2.5 ", None, "", "3:0.25"])]), "t.csv")
    assert found.row.tolist() == [0, 0, 3] and found.who.tolist() == [3, 4, 3]
    assert found.amount.to_pylist() == ["1", "2.5", "0.25"]


@pytest.mark.parametrize("text", ["3", "3:", ":4", "3:-1", "0:4", "3:1e5", "3:4:5", "a:4", "3;4", "3:nan"])
def test_what_is_no_contribution_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="others_by has 1 entries"):
        read_contributions(pa.chunked_array([pa.array(["1:2 " + text])]), "t.csv")


def test_a_holding_contributes_once() -> None:
    with pytest.raises(InputError, match="names a holding twice in 1 rows"):
        read_contributions(pa.chunked_array([pa.array(["1:2 3:4", "3:1 1:2 3:4"])]), "t.csv")
