"""Counts and sums over files of any size, by DuckDB: what does not fit into memory spills into a private folder.

Parquet files and delimited text are read by DuckDB itself, which sees these files and no other: its access to anything
else, its extensions and its configuration are closed before the first row. Amounts are whole numbers of their smallest
unit, as they are in memory (`discreet.frames.tabular.decimals`), so that sums are exact.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from discreet.errors import InputError
from discreet.frames.datasets.dataset import Dataset, dataset

HEAD = 1 << 20
OWN = 300_000_000  # bytes that Python and its libraries take beside the database
LEAST = 100_000_000
MOST_DECIMALS = 15  # of floats; of texts 18
TEXT_DECIMALS = 18
PLAIN = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$"


def quoted(name: str) -> str:
    """A name as SQL has it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class Files:
    """Files that are one table, and the text of SQL that reads them; `schema` has the types of the columns."""

    name: str
    paths: tuple[Path, ...]
    schema: Any = field(repr=False)
    source: str = field(repr=False)
    parameters: tuple[Any, ...] = field(repr=False)

    def check(self, columns: Sequence[str]) -> None:
        absent = [name for name in dict.fromkeys(columns) if name not in self.schema.names]
        if absent:
            raise InputError(f"{self.name} has no column {name!r}" for name in absent)


def open_files(path: str | os.PathLike[str] | Dataset) -> Files:
    """A folder, pattern or file of Parquet, a dataset, or files of delimited text."""
    if isinstance(path, Dataset):
        return _parquet(path)
    texts = _texts(os.fspath(path))
    if texts:
        return _delimited(os.fspath(path), texts)
    return _parquet(dataset(path))


def _parquet(data: Dataset) -> Files:
    paths = tuple(path.resolve() for path in data.paths)
    return Files(data.name, paths, data.schema, "read_parquet(?)", ([str(path) for path in paths],))


def _texts(text: str) -> list[Path]:
    """The files of delimited text that a name or pattern stands for; none where it stands for others."""
    import glob

    from discreet.frames.formats import format_of

    whole = Path(text)
    found = [whole] if whole.is_file() else sorted(map(Path, glob.glob(text))) if glob.has_magic(text) else []
    return found if found and all(format_of(one).family == "text" for one in found) else []


def _delimited(name: str, paths: Sequence[Path]) -> Files:
    """Delimited text: its columns are those of the first lines of each file, and all are text."""
    import pyarrow as pa

    from discreet.frames.csv_text import CsvText
    from discreet.frames.files import read

    heads = []
    for path in paths:
        if path.suffix.lower() == ".gz":
            raise InputError(f"{path} is compressed: unpack it, or convert it to Parquet")
        with path.open("rb") as handle:
            data = handle.read(HEAD)
        whole = data if len(data) < HEAD else data[: data.rfind(b"\n") + 1]
        heads.append(read(path, data=whole))
    sources = [head.source for head in heads if isinstance(head.source, CsvText)]
    names = list(heads[0].frame.column_names)
    marks = {source.delimiter for source in sources}
    codes = {source.encoding for source in sources}
    if any(list(head.frame.column_names) != names for head in heads) or len(marks) > 1 or len(codes) > 1:
        raise InputError(f"the files of {name} differ in columns, delimiters or encodings: make them alike")
    code = {"utf-8": "utf-8", "utf-8-sig": "utf-8", "cp1252": "", "latin-1": "latin-1"}.get(codes.pop().lower(), "")
    if not code:
        raise InputError(f"{name} is not in UTF-8 or Latin 1: convert it, or store it as Parquet")
    columns = ", ".join(f"{_text(one)}: 'VARCHAR'" for one in names)
    options = "auto_detect = false, header = true, quote = '\"', escape = '\"', nullstr = ''"
    source = f"read_csv(?, {options}, delim = {_text(marks.pop())}, encoding = '{code}', columns = {{{columns}}})"
    places = tuple(path.resolve() for path in paths)
    schema = pa.schema([(one, pa.string()) for one in names])
    return Files(name, places, schema, source, ([str(place) for place in places],))


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def tallies(files: Files, memory: int) -> Iterator[Tallies]:
    """A database that reads these files, within so many bytes of memory."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="discreet-") as folder:  # 0700
        config = {
            "memory_limit": f"{max(LEAST, memory - OWN) >> 20}MiB",
            "temp_directory": folder,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "python_enable_replacements": False,
        }
        connection = duckdb.connect(":memory:", config=config)
        try:
            connection.execute("SET allowed_paths = ?", [[str(path) for path in files.paths]])
            connection.execute("SET enable_progress_bar = false")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield Tallies(files, connection)
        finally:
            connection.close()


@dataclass(frozen=True)
class Unit:
    """A column of numbers: its type, how many decimals it has, and its largest magnitude in whole units."""

    column: str
    kind: str
    decimals: int
    largest: int
    least: int
    negative: int

    @property
    def whole(self) -> str:
        """The column as whole numbers of its smallest unit, in SQL."""
        name, power = quoted(self.column), 10**self.decimals
        if self.kind == "int":
            return f"CAST({name} AS BIGINT)"
        if self.kind == "float":
            return f"CAST(round(CAST({name} AS DOUBLE) * {power}) AS BIGINT)"
        text = f"CAST({name} AS VARCHAR)"
        digits = f"regexp_extract({text}, '^[+-]?([0-9]*)', 1) || rpad({_fraction(text)}, {self.decimals}, '0')"
        return f"(CASE WHEN {text} LIKE '-%' THEN -1 ELSE 1 END * CAST('0' || {digits} AS BIGINT))"


@dataclass(frozen=True)
class Tallies:
    """The open database. Every question is one pass over the files."""

    files: Files
    connection: Any = field(repr=False)

    def ask(self, query: str) -> Any:
        """The Arrow table that `query` makes of the table `rows`."""
        import duckdb

        text = f"WITH rows AS NOT MATERIALIZED (SELECT * FROM {self.files.source}) {query}"
        try:
            return self.connection.sql(text, params=list(self.files.parameters)).to_arrow_table()
        except (duckdb.ConversionException, duckdb.OutOfRangeException):
            raise InputError(f"numbers in {self.files.name} are too large to be added up exactly: round them") from None
        except duckdb.OutOfMemoryException:
            raise InputError(f"{self.files.name} cannot be counted in so little memory: give more (--memory)") from None
        except (duckdb.IOException, duckdb.InvalidInputException):
            raise InputError(f"cannot read {self.files.name}: a file is damaged, or the disk is full") from None

    def unit(self, name: str) -> Unit:
        """What unit a column of numbers is in, or one error with what is wrong with it."""
        import pyarrow as pa

        kind, types = self.files.schema.field(name).type, pa.types
        column = quoted(name)
        if types.is_integer(kind):
            what, odd, decimals = "int", "false", "0"
        elif types.is_floating(kind):
            what, odd = "float", f"NOT isfinite({column})"
            number = f"CAST({column} AS DOUBLE)"
            cases = [f"WHEN {number} = round({number} * {10**d}) / {10**d} THEN {d}" for d in range(MOST_DECIMALS + 1)]
            decimals = f"CASE {' '.join(cases)} ELSE 99 END"
        elif types.is_decimal(kind) or types.is_string(kind) or types.is_large_string(kind):
            text = f"CAST({column} AS VARCHAR)"
            what, odd, decimals = "text", f"NOT regexp_matches({text}, '{PLAIN}')", f"length({_fraction(text)})"
        else:
            raise InputError(f"column {name!r} is not numeric: give a column of numbers")
        query = (
            f"SELECT count(*) - count({column}), coalesce(count(*) FILTER ({odd}), 0), max({decimals}) FILTER "
            f"(NOT {odd}) FROM rows"
        )
        empty, strange, places = self._row(query)
        if empty:
            raise InputError(f"column {name!r} is empty in {empty} rows: fill them in or drop the rows")
        if strange:
            raise InputError(f"column {name!r} is not a number in {strange} rows: fill them in or drop the rows")
        if places > (MOST_DECIMALS if what == "float" else TEXT_DECIMALS):
            raise InputError(f"column {name!r} has numbers of too many decimals: round them to fewer")
        found = Unit(name, what, int(places), 0, 0, 0)
        query = (
            f"SELECT max(abs(u)), min(u) FILTER (u > 0), count(*) FILTER (u < 0) FROM (SELECT {found.whole} AS u "
            "FROM rows)"
        )
        largest, least, negative = self._row(query)
        if what == "float" and largest >= 2**53:
            raise InputError(f"column {name!r} has floats with more digits than they hold: store it as decimal numbers")
        if largest > 1 << 60:
            raise InputError(f"column {name!r} has numbers beyond 2^60: no more can be proved about")
        return Unit(name, what, int(places), int(largest), int(least or 0), int(negative))

    def _row(self, query: str) -> tuple[int, ...]:
        found = self.ask(query).to_pylist()[0]
        return tuple(int(value or 0) for value in found.values())

    def categories(self, table: Any, names: Sequence[str]) -> Any:
        """A table of groups with the columns that files store by dictionaries as they are there: with its order."""
        import pyarrow as pa

        for name in names:
            kind = self.files.schema.field(name).type
            if not pa.types.is_dictionary(kind):
                continue
            words = _dictionary(self.files.paths, name)
            at = pa.array(words, kind.value_type)
            codes = table.column(name).cast(kind.value_type).combine_chunks()
            place = pa.compute.index_in(codes, at)
            column = pa.DictionaryArray.from_arrays(place.cast(pa.int32()), at, ordered=kind.ordered)
            table = table.set_column(table.column_names.index(name), name, column)
        return table


def records_without(groups: Any, names: Sequence[str], count: str) -> dict[str, int]:
    """How many records miss a value of a column, by the groups they were counted in; only columns where some do."""
    import pyarrow.compute as pc

    found = {}
    for name in names:
        gone = pc.is_null(groups.column(name), nan_is_null=True)
        if pc.any(gone).as_py():
            found[name] = int(pc.sum(pc.filter(groups.column(count), gone)).as_py())
    return found


def _dictionary(paths: Sequence[Path], name: str) -> list[Any]:
    """The values in the dictionaries of a column, in order."""
    import pyarrow.parquet as pq

    found: dict[Any, None] = {}
    for path in paths:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=[name]):
                found |= dict.fromkeys(batch.column(name).dictionary.to_pylist())
    return list(found)


def _fraction(text: str) -> str:
    """The digits behind the point, without trailing zeros, in SQL."""
    return f"rtrim(regexp_extract({text}, '\\.([0-9]*)', 1), '0')"
