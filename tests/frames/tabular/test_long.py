"""Long files of tables with totals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.errors import InputError
from discreet.frames.tabular.cells import CellFile
from discreet.frames.tabular.long import long_columns, read_long

TABLE = """region,count,value,largest,second,contributors,status
Total,5,10.50,4,3.25,4,s
N,2,4.5,4,0.5,2,u
S,3,6,3,3.0,3,z
"""


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    found = read_long(path)
    assert found.variables == ("region",)
    assert found.labels == (("Total", "N", "S"),)
    assert found.decimals == 2
    assert found.amounts["value"].tolist() == [1050, 450, 600]
    assert found.amounts["top"].tolist() == [[400, 325], [400, 50], [300, 300]]
    assert found.status.tolist() == [2, 0, 3]
    assert found.counts is not None
    assert found.counts.tolist() == [5, 2, 3]
    assert found.contributors is not None
    assert found.contributors.tolist() == [4, 2, 3]
    assert not found.of_counts


def test_labels_stay_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('code;count\n"Total";3\n007;1\n1.50;2\n')
    found = read_long(path)
    assert found.labels == (("Total", "007", "1.50"),)
    assert found.of_counts
    assert found.amounts["value"].tolist() == [3, 1, 2]


def test_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("region;value\nTotal;1,5\nN;1,5\n")
    assert read_long(path).amounts["value"].tolist() == [15, 15]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("region,", "count2,"), None),
        (("N,2,4.5", ",2,4.5"), "no label in 1 rows"),
        (("N,2,4.5", "N,,4.5"), "'count' .* is empty in 1 rows"),
        (("N,2,4.5", "N,2,four"), "value is not a number 1 time"),
        ((",u\n", ",hidden\n"), "published file"),
        ((",u\n", ",v\n"), "1 other entries"),
        ((",2,u", ",2.5,u"), "whole numbers"),
        ((",2,u", ",-2,u"), "whole numbers"),
    ],
)
def test_faults(tmp_path: Path, change: tuple[str, str], expected: str | None) -> None:
    path = tmp_path / "t.csv"
    assert change[0] in TABLE
    path.write_text(TABLE.replace(*change))
    if expected is None:
        read_long(path)  # other names are variables
        return
    with pytest.raises(InputError, match=expected) as caught:
        read_long(path)
    assert "4.5" not in str(caught.value)


@pytest.mark.parametrize(("text", "expected"), [("count,value\n1,2\n", "no variables"), ("a,b\n1,2\n", "neither")])
def test_columns_that_are_missing(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=expected):
        read_long(path)


def test_what_the_public_gets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    found = read_long(path)
    columns = long_columns(found, public=True)
    assert list(columns) == ["region", "count", "value", "status"]
    assert columns["value"].to_pylist() == ["10.50", None, "6.00"]
    assert columns["count"].to_pylist() == [None, None, None]
    assert columns["status"].to_pylist() == ["s", "hidden", "s"]
    whole = long_columns(found)
    assert list(whole) == ["region", "count", "value", "largest", "second", "contributors", "status"]
    assert whole["status"].to_pylist() == ["s", "u", "z"]


def test_a_variable_named_like_a_column() -> None:
    one = np.ones(1, np.int64)
    codes, status = np.zeros((1, 1), np.int32), np.zeros(1, np.int8)
    cells = CellFile(("status",), (("a",),), codes, {"value": one}, 0, True, status)
    with pytest.raises(InputError, match="rename"):
        long_columns(cells)


def test_a_published_file_is_read_where_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("region,count,value,status\nTotal,,10.5,s\nN,,,hidden\nS,,6,s\nW,,,hidden\n")
    found = read_long(path, published=True)
    assert found.unknown is not None and found.unknown.tolist() == [False, True, False, True]
    assert found.amounts["value"].tolist() == [105, 0, 60, 0] and found.counts is None
    assert found.status.tolist() == [2, 1, 2, 1]
    with pytest.raises(InputError, match="is a published file"):
        read_long(path)
    path.write_text("region,value,status\nTotal,10.5,s\nN,,s\nS,,hidden\n")
    with pytest.raises(InputError, match="is empty in 1 rows"):
        read_long(path, published=True)


@pytest.mark.parametrize("published", [True, False])
def test_a_published_file_that_hides_nothing_is_read_again(tmp_path: Path, published: bool) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,count,value,status\nTotal,,9,s\nx,,4,s\ny,,5,s\n")
    found = read_long(path, published=published)
    assert found.counts is None and found.amounts["value"].tolist() == [9, 4, 5] and found.unknown is None
    path.write_text("a,count,value,status\nTotal,,9,s\nx,2,4,s\ny,,5,s\n")
    with pytest.raises(InputError, match=r"'count' of .* is empty in 2 rows"):
        read_long(path, published=published)
