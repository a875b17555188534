"""Columns by exact value: compared with fractions, for text and for every type."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import exact as oracle

from discreet import InputError
from discreet.frames.exact import Entries, as_number, entries, folded

NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.sampled_from(["4.1", "4.10", "300", "0300", "+300", "0", "-0", "-0.0", " 1", "1\t", "1e2", "1E+2", "100", ".5"]),
    st.integers(0, 9).map(lambda i: f"10000000000000000{i}"),
)
ODD = st.sampled_from(
    ["1_1", "１１", "0x10", "inf", "nan", "1e401", "1e", ".", "-", "1,5", "٣", "", "NA", " null ", None]
)


def by_value(column: Entries) -> list[object]:
    return [None if code < 0 else code for code in column.codes.tolist()]


def same_partition(left: list[object], right: list[object]) -> bool:
    pairs = set(zip(left, right))
    return len({a for a, _ in pairs}) == len(pairs) == len({b for _, b in pairs})


@settings(max_examples=400)
@given(st.lists(st.one_of(NUMBERS, ODD), min_size=1, max_size=12))
@example(["1e400", "1e-400", "10e399"])
@example(["-0", "0.0", "+0"])
def test_text_is_told_apart_as_by_fractions(texts: list[str | None]) -> None:
    found = entries(pa.table({"x": pa.array(texts, pa.string())}), "x")
    meant = oracle.meanings(texts)
    assert same_partition(by_value(found), meant)
    assert found.missing == sum(value is None for value in meant)
    numbers = any(isinstance(value, Fraction) for value in meant)
    assert (found.place is not None) == numbers
    for code, value in zip(found.codes.tolist(), meant):
        if isinstance(value, Fraction):
            assert oracle.number(found.texts[code]) == value
            spellings = [t.strip(" \t") for t, m in zip(texts, meant) if t is not None and m == value]
            assert found.texts[code] == "0" or found.texts[code] == min(spellings, key=lambda t: (len(t), t))
    if found.place is not None:
        values = [oracle.number(text) for text in found.texts]
        assert values == sorted(values)
        assert (np.diff(found.place) >= 0).all()
    shown = [None if code < 0 else found.texts[code] for code in found.codes.tolist()]
    assert found.respelled == (shown != texts)


@given(st.one_of(NUMBERS, st.text(alphabet="0123456789+-.eE_ \t１", max_size=8)))
@example("1e0000000000000000000400")
@example("1e99999999999999999999999")
def test_numbers_are_those_of_the_grammar(text: str) -> None:
    found = as_number(text)
    assert (found is None) == (oracle.number(text) is None)
    if found is not None:
        assert Fraction(found) == oracle.number(text)


INSTANTS = [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, 0, 0, 1), dt.datetime(2020, 1, 1)]
TYPED: dict[str, tuple[Any, list[int], list[str]]] = {
    "int64 beyond 2^53": (pa.array([2**53, 2**53 + 1, 2**53]), [0, 1, 0], ["9007199254740992", "9007199254740993"]),
    "uint64": (pa.array([2**64 - 1, 0, 2**64 - 2], pa.uint64()), [2, 0, 1], ["0", str(2**64 - 2), str(2**64 - 1)]),
    "floats": (pa.array([-0.0, 0.0, float("nan"), None]), [0, 0, -1, -1], ["0"]),
    "float32": (pa.array([0.1, 0.5, 0.1], pa.float32()), [0, 1, 0], ["0.10000000149011612", "0.5"]),
    "float16": (pa.array(np.array([1.5, 0.1], np.float16)), [1, 0], ["0.0999755859375", "1.5"]),
    "decimals near 1e20": (
        pa.array([Decimal("100000000000000000000.1"), Decimal("100000000000000000000.2")]),
        [0, 1],
        ["100000000000000000000.1", "100000000000000000000.2"],
    ),
    "truth": (pa.array([True, False, None]), [0, 1, -1], ["true", "false"]),
    "dates": (
        pa.array([dt.date(2020, 1, 2), dt.date(2020, 1, 1), dt.date(2020, 1, 2)]),
        [0, 1, 0],
        ["2020-01-02", "2020-01-01"],
    ),
    "times of nanoseconds": (
        pa.array([1, 2, 1], pa.time64("ns")),
        [0, 1, 0],
        ["00:00:00.000000001", "00:00:00.000000002"],
    ),
    "instants": (pa.array(INSTANTS), [0, 1, 0], ["2020-01-01 00:00:00", "2020-01-01 00:00:01"]),
    "dictionary": (pa.array(["b", "a", "b"]).dictionary_encode(), [0, 1, 0], ["b", "a"]),
    "empty text": (pa.array(["", None, "a"]), [-1, -1, 0], ["a"]),
    "nothing": (pa.nulls(2), [-1, -1], []),
}


@pytest.mark.parametrize("name", TYPED)
def test_types_are_told_apart_exactly(name: str) -> None:
    array, codes, texts = TYPED[name]
    found = entries(pa.table({"x": array}), "x")
    assert found.codes.tolist() == codes
    assert found.texts == texts


def test_places_are_finite_at_the_limits() -> None:
    found = entries(pa.table({"x": [-1.7e308, 0.0, 1.7e308]}), "x")
    assert found.place is not None
    np.testing.assert_allclose(found.place, [0, 0.5, 1])
    with pytest.raises(InputError, match="infinite"):
        entries(pa.table({"x": [1.0, float("inf")]}), "x")


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, 2], pa.duration("ns")),
        pa.array([b"a", b"\xff"]),
        pa.array([[1], [2]]),
        pa.array([{"a": 1}] * 2),
        pa.array([1, 2], pa.date64()),
    ],
    ids=str,
)
def test_what_has_no_text_of_its_own_is_refused_in_words(array: Any) -> None:
    with pytest.raises(InputError, match=r"column 'x'.*convert"):
        entries(pa.table({"x": array}), "x")


def test_views_pandas_and_polars() -> None:
    for frame in (
        pa.table({"x": pa.array(["4.1", "4.10", None], pa.string_view())}),
        pd.DataFrame({"x": ["4.1", "4.10", None]}),
        pd.DataFrame({"x": pd.Categorical(["4.1", "4.10", None])}),
        pl.DataFrame({"x": ["4.1", "4.10", None]}),
    ):
        found = entries(frame, "x")
        assert (found.codes.tolist(), found.texts, found.respelled) == ([0, 0, -1], ["4.1"], True)


def test_the_odd_entries_of_a_column_of_numbers_are_counted() -> None:
    def odd(*texts: str | None) -> int:
        return entries(pa.table({"x": pa.array(texts, pa.string())}), "x").odd

    assert odd("1", "2", "n/a", "unknown") == 2
    assert odd("1", "2", "NA", "") == 0
    assert odd("1", "a", "b") == 0  # words, of which one looks like a number
    assert odd("1", "１") == 1
    assert entries(pa.table({"x": ["1", "n/a"]}), "x", categories=True).odd == 0


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["a", "A", " a", "a ", "Ａ", "ß", "SS", "ss", "é", "é", "a b", "a\u00a0 b", ""]), min_size=1
    )
)
def test_sensitive_values_are_folded_as_by_the_slow_way(texts: list[str]) -> None:
    codes = folded(pa.table({"s": texts}), "s").tolist()
    meant = [oracle.folded(text) or None for text in texts]
    assert same_partition(codes, meant)


def test_sensitive_numbers_count_by_value_and_gaps_once() -> None:
    texts = ["1", "1.0", "１", "NA", "", None, "x"]
    assert folded(pa.table({"s": texts}), "s").tolist() == [0, 0, 0, -1, -1, -1, 1]
    assert folded(pa.table({"s": [0.0, -0.0, float("nan"), None]}), "s").tolist() == [0, 0, -1, -1]
    assert len(set(folded(pa.table({"s": pa.array([1, 2, 1], pa.duration("ns"))}), "s").tolist())) == 2
    with pytest.raises(InputError, match=r"nested|convert"):
        folded(pa.table({"s": [[1], [2]]}), "s")
