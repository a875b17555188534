"""Counts and sums over files: exact in the unit of the column, from these files and no other."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.datasets.dataset import dataset
from discreet.frames.datasets.tallies import open_files, quoted, records_without, tallies

MEMORY = 10**9


def parquet(folder: Path, **columns: object) -> Path:
    folder.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return folder


def total(path: Path, name: str) -> tuple[Fraction, int]:
    """The sum of a column in its smallest units, as a number, and the decimals of that unit."""
    with tallies(open_files(path), MEMORY) as found:
        unit = found.unit(name)
        (row,) = found.ask(f"SELECT sum({unit.whole}) AS s FROM rows").to_pylist()
        return Fraction(int(row["s"]), 10**unit.decimals), unit.decimals


AMOUNTS = st.decimals(-(10**9), 10**9, places=4)


@settings(max_examples=20, deadline=None)
@given(values=st.lists(AMOUNTS, min_size=1, max_size=12), kind=st.sampled_from(["text", "decimal", "float"]))
def test_sums_are_exact_whatever_the_column_is_stored_as(
    values: list[Decimal], kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("t")
    column = {
        "text": pa.array([str(v) for v in values]),
        "decimal": pa.array(values, pa.decimal128(30, 6)),
        "float": pa.array([float(v) for v in values]),
    }[kind]
    found, decimals = total(parquet(folder / "d", x=column), "x")
    assert found == sum(map(Fraction, values))
    assert decimals == max(max(0, -int(v.normalize().as_tuple().exponent)) for v in values)  # type: ignore[arg-type]


def test_a_unit_tells_extremes(tmp_path: Path) -> None:
    with tallies(open_files(parquet(tmp_path / "d", x=["-2.50", "+.75", "3.", "0"])), MEMORY) as found:
        unit = found.unit("x")
    assert (unit.kind, unit.decimals, unit.largest, unit.least, unit.negative) == ("text", 2, 300, 75, 1)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.array([1, None]), "empty in 1 rows"),
        (pa.array(["1", "x", "1e5"]), "not a number in 2 rows"),
        (pa.array([1.0, float("nan"), float("inf")]), "not a number in 2 rows"),
        (pa.array([1 / 3]), "too many decimals"),
        (pa.array([2**60 + 1]), r"beyond 2\^60"),
        (pa.array([12345678901234567.0]), "more digits than they hold"),
        (pa.array([b"1"]), "is not numeric"),
        (pa.array(["9" * 30]), "too large to be added up"),
    ],
)
def test_what_cannot_be_added_up_exactly_is_refused(column: pa.Array, words: str, tmp_path: Path) -> None:
    with (
        tallies(open_files(parquet(tmp_path / "d", x=column)), MEMORY) as found,
        pytest.raises(InputError, match=words),
    ):
        found.unit("x")


def test_text_files_that_are_alike_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('x;"a;b"\n1;"u ""v"""\n;z\n')
    (tmp_path / "b.csv").write_text('x;"a;b"\n3;w\n')
    files = open_files(str(tmp_path / "*.csv"))
    assert files.schema.names == ["x", "a;b"]
    with tallies(files, MEMORY) as found:
        rows = found.ask(f"SELECT x, {quoted('a;b')} AS t FROM rows ORDER BY t").to_pylist()
    assert rows == [{"x": "1", "t": 'u "v"'}, {"x": "3", "t": "w"}, {"x": None, "t": "z"}]
    with pytest.raises(InputError, match="no column 'y'"):
        files.check(["x", "y"])
    (tmp_path / "b.csv").write_text("x,y\n3,w\n")
    with pytest.raises(InputError, match="differ in columns"):
        open_files(str(tmp_path / "*.csv"))
    (tmp_path / "c.csv.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(InputError, match="is compressed"):
        open_files(str(tmp_path / "c.csv.gz"))


def test_columns_whose_names_are_sql_are_columns(tmp_path: Path) -> None:
    name = 'x"; DROP TABLE rows; --'
    folder = parquet(tmp_path / "d", **{name: [1, 2]})
    assert total(folder, name) == (Fraction(3), 0)
    text = tmp_path / "t.csv"
    text.write_text("it's,y\n5,1\n")
    with tallies(open_files(text), MEMORY) as found:
        assert found.unit("it's").largest == 5


def test_no_other_file_is_read(tmp_path: Path) -> None:
    folder = parquet(tmp_path / "d", x=[1])
    (tmp_path / "other.csv").write_text("x\n7\n")
    with tallies(open_files(dataset(folder)), MEMORY) as found:
        for query in (f"SELECT * FROM read_csv('{tmp_path / 'other.csv'}')", "SET memory_limit = '9GB'"):
            with pytest.raises(duckdb.Error):
                found.connection.execute(query)


def test_a_damaged_file_is_an_error_in_words(tmp_path: Path) -> None:
    folder = parquet(tmp_path / "d", x=[1])
    files = open_files(folder)
    (folder / "a.parquet").write_bytes(b"PAR1" + bytes(60) + b"PAR1")
    with tallies(files, MEMORY) as found, pytest.raises(InputError, match="damaged"):
        found.unit("x")


def test_dictionaries_keep_their_order_and_gaps_are_counted(tmp_path: Path) -> None:
    kind = pa.dictionary(pa.int8(), pa.string(), ordered=True)
    column = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1], pa.int8()), ["low", "high"], ordered=True)
    folder = parquet(tmp_path / "d", g=column.cast(kind))
    with tallies(open_files(folder), MEMORY) as found:
        groups = found.ask("SELECT g, count(*) AS n FROM rows GROUP BY g")
        again = found.categories(groups, ["g"])
    assert again.column("g").type.ordered
    assert again.column("g").combine_chunks().dictionary.to_pylist() == ["low", "high"]
    assert dict(zip(again.column("g").to_pylist(), again.column("n").to_pylist())) == {"high": 2, "low": 1, None: 1}
    assert records_without(groups, ["g"], "n") == {"g": 1}
    assert records_without(groups, ["n"], "n") == {}
