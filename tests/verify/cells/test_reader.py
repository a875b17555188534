"""Long tables as the checker reads them: the same from text and from typed data, counts exact, faults counted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from discreet.errors import InputError
from discreet.verify.cells.reader import read_long

FRAME = pd.DataFrame(
    {
        "whole": [2, 10, 1],
        "part": [0.5, 1.0, 1e20],
        "word": ["b", 'a "quoted" one', "c,d"],
        "flag": [True, False, True],
        "day": pd.to_datetime(["2024-01-31", "2023-02-01", "2024-01-31"]),
        "count": [2**53 + 1, 0, 7],
    }
)


def test_text_and_typed_data_read_alike(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    FRAME.to_csv(tmp_path / "t.tsv", index=False, sep="\t", encoding="utf-16")
    FRAME.to_parquet(tmp_path / "t.parquet")
    shuffled = FRAME.set_index(pd.Index([5, 3, 1]))  # an index is no column of the table
    sources = [str(tmp_path / f"t.{kind}") for kind in ("csv", "tsv", "parquet")] + [shuffled, pl.from_pandas(FRAME)]
    for source in sources:
        table = read_long(source, "the table", delimiter=None)
        assert list(table.columns) == list(FRAME.columns)
        assert table.rows == 3
        assert table.numbers("count").tolist() == FRAME["count"].tolist()
        assert table.flags("flag").tolist() == FRAME["flag"].tolist()
        for name, levels in (("whole", ["1", "10", "2"]), ("word", sorted(FRAME["word"]))):
            found, place = table.text(name)
            assert found == levels
            assert [found[p] for p in place] == FRAME[name].astype(str).tolist()
        days, place = table.text("day")
        assert [days[p] for p in place] == ["2024-01-31", "2023-02-01", "2024-01-31"]


def test_whole_floats_are_exact_counts() -> None:
    value = float(2**60 + 256)
    assert repr(value) != str(int(value))
    assert read_long(pd.DataFrame({"n": [value, 0.0]}), "it").numbers("n").tolist() == [2**60 + 256, 0]
    assert read_long(pd.DataFrame({"n": [value, "3", 4]}), "it").numbers("n").tolist() == [2**60 + 256, 3, 4]


def test_every_kind_of_fault_is_counted() -> None:
    frame = pd.DataFrame({"n": ["1.5", "-1", "", "x", str(2**62 + 1), "-1"], "f": ["yes", "no", "1", "0", "2", "TRUE"]})
    table = read_long(frame, "the file")
    with pytest.raises(InputError) as found:
        table.numbers("n")
    for words in ("empty in 1", "not a whole number in 2", "negative in 2", "larger than 2^62 in 1"):
        assert words in str(found.value)
    with pytest.raises(InputError, match="neither true nor false in 1 rows"):
        table.flags("f")
    with pytest.raises(InputError, match="missing in 1 rows"):
        table.text("n")


@pytest.mark.parametrize("values", [[timedelta(seconds=1)] * 2, [[1], [2]]])
def test_types_that_are_no_category(values: list[object]) -> None:
    with pytest.raises(InputError):
        read_long(pl.DataFrame({"x": values}), "it").text("x")


def test_delimiter_and_encoding_are_for_text(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "t.parquet")
    assert read_long(tmp_path / "t.parquet", "it", delimiter=";", encoding="cp1252").rows == 3
    with pytest.raises(InputError, match="no rows"):
        read_long(FRAME.iloc[:0], "it")
