"""Columns of records: labels as the file spells them, and codes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from discreet.errors import InputError
from discreet.frames import read
from discreet.frames.tabular.labels import encoded, named_column


def test_labels_of_a_file_are_its_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("code,x\n007,1.50\n7,2\n007,1.50\n")
    document = read(path)
    assert encoded(named_column(document, "code"), "code")[0] == ["007", "7"]
    assert encoded(named_column(document, "x"), "x")[0] == ["1.50", "2"]


@pytest.mark.parametrize("column", [pd.Series(["b", "a", "b"]), pd.Series(["b", "a", "b"], dtype="category")])
def test_codes_by_first_appearance(column: pd.Series) -> None:
    labels, codes = encoded(named_column(pd.DataFrame({"v": column}), "v"), "v")
    assert (labels, codes.tolist()) == (["b", "a"], [0, 1, 0])


def test_chunks_and_gaps() -> None:
    column = pa.chunked_array([["a", None], ["b", "a"]])
    with pytest.raises(InputError, match="'v' is empty in 1 rows"):
        encoded(column, "v")
    labels, codes = encoded(column, "v", gaps=True)
    assert (labels, codes.tolist()) == (["a", "b"], [0, -1, 1, 0])


def test_absent_columns() -> None:
    with pytest.raises(InputError, match="'w' is not in the data"):
        named_column(pd.DataFrame({"v": [1]}), "w")
