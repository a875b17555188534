"""Columns that are known by their tallies only are what they are in memory: kinds, codes, labels, costs and faults."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import Faults, InputError
from discreet.frames.dataframes import DIGITS, adopt
from discreet.instruments.large.boxes.values import Values, tally, together, values_of, write_tallies
from discreet.instruments.quasi_identifiers import Treatment, read


def treatment(**given: Any) -> Treatment:
    plain: dict[str, Any] = {"hierarchies": {}, "categorical": (), "ordered": {}, "importance": {}}
    return Treatment(**{**plain, "ncp": "distinct", "missing": "value", "sensitive": None, **given})


def streamed(table: Any, folder: Path, asked: Treatment, pieces: int = 3) -> Values:
    """The domain of a table that is read in pieces."""
    ends = np.linspace(0, len(table), pieces + 1).astype(int).tolist()
    parts = [table.slice(a, b - a) for a, b in pairwise(ends)]
    names = table.column_names
    tallies = [together([tally(part.column(name), name) for part in parts], 10**6, name) for name in names]
    write_tallies(folder, "values", tallies)
    return values_of(folder, table.schema, names, asked)


def many_kinds(n: int = 60) -> Any:
    """A column of every kind, with gaps in some."""
    rng = np.random.default_rng(5)
    words = rng.choice(["b", "a", "c, d", ""], n)
    floats = rng.choice([0.0, -0.0, 1.5, np.nan, 2.25], n)
    shades = pa.DictionaryArray.from_arrays(rng.integers(0, 3, n), ["low", "middle", "high", "never"], ordered=True)
    return pa.table(
        {
            "whole": pa.array(rng.integers(-3, 9, n)),
            "float": pa.array(floats),
            "gappy": pa.array([None if x < 2 else int(x) for x in rng.integers(0, 9, n)]),
            "word": pa.array(words.tolist()),
            "large": pa.array(words.tolist(), pa.large_string()),
            "day": pa.array([date(1990 + int(x), 1, 2) for x in rng.integers(0, 9, n)]),
            "iso": pa.array([f"19{int(x)}0-05-06" for x in rng.integers(1, 9, n)]),
            "amount": pa.array([Decimal(int(x)) / 4 for x in rng.integers(0, 9, n)], pa.decimal128(12, 2)),
            "truth": pa.array(rng.random(n) < 0.5),
            "kind": pa.array(rng.choice(["p", "q"], n).tolist()).dictionary_encode(),
            "shade": shades,
        }
    )


@pytest.mark.parametrize("missing", ["value", "wildcard"])
def test_a_streamed_domain_is_that_of_the_table(tmp_path: Path, missing: str) -> None:
    table = many_kinds()
    asked = treatment(missing=missing, categorical=("whole",), importance={"day": 2.0})
    whole = read(adopt(table), table.column_names, asked, Faults())
    found = streamed(table, tmp_path, asked)
    assert (found.encode(table) == whole.domain.codes).all()
    assert found.labels == whole.labels
    assert found.keys.ranges == whole.numbers
    for one, other in zip(found.tables, whole.domain.tables):
        np.testing.assert_array_equal(one, other)


def test_a_block_is_spelled_as_it_would_be_in_the_whole(tmp_path: Path) -> None:
    table = many_kinds()
    whole = read(adopt(table), table.column_names, treatment(), Faults())
    found = streamed(table, tmp_path, treatment())
    rows = np.arange(10, 34)
    block = found.reading(found.encode(table)[rows])
    cover = np.random.default_rng(1).integers(0, 24, (24, 3))
    for name in table.column_names:
        texts, wide = block.spell_column(name, cover)
        # A cover in the whole table for every row: that of the block where the row is in it, else itself.
        all_rows = np.repeat(np.arange(60)[:, None], 3, axis=1)
        all_rows[rows] = rows[cover]
        same, _ = whole.spell_column(name, all_rows)
        assert texts.tolist() == same[rows].tolist()
        assert 0 <= wide <= 24


def test_values_that_stay_have_their_type_and_one_spelling(tmp_path: Path) -> None:
    table = many_kinds()
    found = streamed(table, tmp_path, treatment())
    block = found.reading(found.encode(table))
    itself = np.arange(60)[:, None]
    for place, name in enumerate(table.column_names):
        texts, _ = block.spell_column(name, itself)
        back = found.columns[place].values_of(pa.array(texts, pa.string())).to_pylist()
        before = [None if x == "" or x != x else x for x in table.column(name).to_pylist()]
        assert back == before
        assert str(back).count("-0.0") == 0


def test_text_of_digits_is_numbers_by_how_often_it_stands(tmp_path: Path) -> None:
    """Nine of ten entries are numbers though most distinct texts are not: named as in memory, with the same counts."""
    texts = ["7"] * 90 + ["x", "y", "z", "u", "v", "w", "r", "s", "t", "q"]
    table = pa.table([pa.array(texts)], schema=pa.schema([pa.field("code", pa.string(), metadata=DIGITS)]))
    with pytest.raises(InputError) as streamed_error:
        streamed(table, tmp_path, treatment())
    with pytest.raises(InputError) as whole_error:
        read(adopt(table), ["code"], treatment(), Faults())
    assert str(streamed_error.value) == str(whole_error.value)
    assert "10 of 100" in str(whole_error.value)


def test_gaps_are_counted_as_in_memory(tmp_path: Path) -> None:
    table = many_kinds()
    for run in (
        lambda: streamed(table, tmp_path, treatment(missing="error")),
        lambda: read(adopt(table), table.column_names, treatment(missing="error"), Faults()),
    ):
        with pytest.raises(InputError) as error:
            run()
        gaps = table.column("gappy").null_count
        assert f"column 'gappy' has {gaps} missing values" in str(error.value)


def test_more_values_than_memory_holds_are_refused_by_name() -> None:
    column = pa.chunked_array([pa.array(range(100))])
    with pytest.raises(InputError, match="column 'x' has more than 50 different values"):
        together([tally(column, "x")], 50, "x")


def test_a_value_that_was_not_there_before_is_an_error(tmp_path: Path) -> None:
    found = streamed(pa.table({"x": [1, 2, 3]}), tmp_path, treatment())
    with pytest.raises(InputError, match="was changed while"):
        found.encode(pa.table({"x": [1, 4]}))
