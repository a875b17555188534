"""Long tables for the checker of cells: a file or a frame as columns of text and exact whole numbers.

Read with pyarrow (and pyreadstat) directly; nothing is shared with the reader that the methods use. In delimited text a
value is the text between the delimiters. Counts never pass through floating point: a number is what its digits say.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

LARGEST = 1 << 62
DELIMITERS = ",;\t|"
NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?[ \t]*", re.ASCII)
YES, NO = ("true", "yes", "1"), ("false", "no", "0")
LABELLED = {
    "sav": "read_sav",
    "zsav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "xpt": "read_xport",
    "sas7bdat": "read_sas7bdat",
}


@dataclass(frozen=True)
class LongTable:
    """Columns by name, as Arrow arrays; `label` says in messages which file it is."""

    label: str
    columns: Mapping[str, Any]
    rows: int

    def text(self, name: str) -> tuple[list[str], NDArray[np.int64]]:
        """The distinct values of a column as text, sorted, and which of them each row has."""
        import pyarrow as pa

        shown = _as_text(self.columns[name], self.label, name)
        encoded = shown.combine_chunks().dictionary_encode()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.chunk(0)
        found = encoded.dictionary.to_pylist()
        missing = encoded.null_count + sum(
            int((encoded.indices.to_numpy(zero_copy_only=False) == i).sum()) for i, v in enumerate(found) if v == ""
        )
        if missing:
            raise InputError(f"{self.label}: {name!r} is missing in {missing} rows")
        order = sorted(range(len(found)), key=lambda i: found[i])
        place = np.empty(len(found), np.int64)
        place[order] = np.arange(len(found))
        return [found[i] for i in order], place[encoded.indices.to_numpy(zero_copy_only=False)]

    def numbers(self, name: str) -> NDArray[np.int64]:
        """A column of whole numbers from 0 to 2^62, exactly."""
        column = self.columns[name]
        values, faults = _plain(column), []
        if values is not None:
            negative, large = int((values < 0).sum()), int((values > LARGEST).sum())
        else:
            found = [_whole(value) for value in _python(column)]
            empty = sum(value is None for value in found)
            broken = sum(isinstance(value, str) for value in found)
            whole = [value if isinstance(value, int) else 0 for value in found]
            negative, large = sum(v < 0 for v in whole), sum(v > LARGEST for v in whole)
            faults = [f"{self.label}: {name!r} is empty in {empty} rows"] * bool(empty)
            faults += [f"{self.label}: {name!r} is not a whole number in {broken} rows"] * bool(broken)
            values = np.array([min(max(v, 0), LARGEST) for v in whole], np.int64)
        faults += [f"{self.label}: {name!r} is negative in {negative} rows"] * bool(negative)
        faults += [f"{self.label}: {name!r} is larger than 2^62 in {large} rows"] * bool(large)
        if faults:
            raise InputError(faults)
        return values

    def flags(self, name: str) -> NDArray[np.bool_]:
        """A column of yes or no."""
        levels, place = self.text(name)
        words = [level.strip().lower() for level in levels]
        strange = [i for i, word in enumerate(words) if word not in (*YES, *NO)]
        if strange:
            rows = int(np.isin(place, strange).sum())
            raise InputError(f"{self.label}: {name!r} is neither true nor false in {rows} rows")
        return np.array([word in YES for word in words], np.bool_)[place]


def read_long(source: Any, label: str, delimiter: str | None = None, encoding: str | None = None) -> LongTable:
    """A long table from a path (`-` is standard input, as CSV) or a frame (pandas, Polars, Arrow)."""
    import pyarrow as pa

    if not isinstance(source, str | os.PathLike):
        table = _arrow(source, label)
    else:
        name = os.fspath(source)
        words = Path(name).name.lower().split(".")
        kind = words[-2] if words[-1] == "gz" and len(words) > 2 else words[-1]
        try:
            if name == "-" and sys.stdin is None:
                raise InputError(f"{label}: cannot read standard input: it is closed")
            if name == "-" or kind in ("csv", "tsv", "tab", "txt"):
                data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
                if words[-1] == "gz":
                    data = gzip.decompress(data)
                table = _delimited(data, label, delimiter or ("\t" if kind in ("tsv", "tab") else None), encoding)
            elif kind in ("parquet", "pq"):
                import pyarrow.parquet as pq

                with pq.ParquetFile(name) as file:
                    table = file.read()
            elif kind in LABELLED:
                table = _labelled(name, kind, label)
            else:
                raise InputError(f"{label}: {name} has an unknown extension; CSV, Parquet, SPSS, Stata, SAS are read")
        except InputError:
            raise
        except (OSError, EOFError, zlib.error, pa.ArrowException) as error:
            reason = getattr(error, "strerror", None) or "it is damaged or not of this format"
            raise InputError(f"cannot read {name}: {reason}") from None
    names = [str(name) for name in table.column_names]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"{label}: several columns are named {name!r}" for name in repeated)
    if not table.num_rows:
        raise InputError(f"{label} has no rows")
    return LongTable(label, dict(zip(names, table.columns)), table.num_rows)


def _arrow(frame: Any, label: str) -> Any:
    import pyarrow as pa

    inner = getattr(frame, "frame", None)  # a file that was read elsewhere
    if inner is not None and hasattr(frame, "source"):
        frame = inner
    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "to_arrow"):
        return frame.to_arrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, AttributeError, TypeError):
        raise InputError(f"{label} is neither a path nor a dataframe that Arrow can hold") from None


def _delimited(data: bytes, label: str, delimiter: str | None, encoding: str | None) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    text = _decoded(data, label, encoding)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    if not first.strip():
        raise InputError(f"{label} is empty")
    if delimiter is not None and len(delimiter) != 1:
        raise InputError("a delimiter is one character")
    if delimiter is None:
        delimiter = max(DELIMITERS, key=lambda mark: (first.count(mark), -DELIMITERS.index(mark)))
    body = text.encode("utf-8")
    # A first pass over the header tells how many columns there are; all of them are then read as text.
    options = {"parse_options": csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)}
    block = csv.ReadOptions(autogenerate_column_names=True, block_size=max(1 << 16, min(len(body) + 1, 1 << 30)))
    width = csv.read_csv(BytesIO(_first_record(body)), read_options=block, **options).num_columns
    types = {f"f{i}": pa.string() for i in range(width)}
    convert = csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    table = csv.read_csv(BytesIO(body), read_options=block, convert_options=convert, **options)
    names = [str(column[0].as_py()) for column in table.columns]
    return table.slice(1).rename_columns(names)


def _first_record(body: bytes) -> bytes:
    quoted = False
    for i, byte in enumerate(body):
        if byte == 34:
            quoted = not quoted
        elif byte in (10, 13) and not quoted and i and body[:i].strip(b"\r\n"):
            return body[: i + 1]
    return body


def _decoded(data: bytes, label: str, encoding: str | None) -> str:
    try:
        if encoding is not None:
            return data.decode(encoding).removeprefix("\ufeff")
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252")
    except (UnicodeDecodeError, LookupError):
        raise InputError(f"{label} cannot be read as text in this encoding") from None


def _labelled(name: str, kind: str, label: str) -> Any:
    import pyarrow as pa

    try:
        import pyreadstat
    except ImportError:
        raise InputError(f"{label}: this format needs pyreadstat") from None
    try:
        frame, _ = getattr(pyreadstat, LABELLED[kind])(name)
        return pa.Table.from_pandas(frame, preserve_index=False)
    except pa.ArrowException:
        raise InputError(f"{label} holds values of several types in one column") from None
    except Exception as error:  # pyreadstat raises its own errors, of no common kind
        raise InputError(f"cannot read {name}: {type(error).__name__}") from None


def _as_text(column: Any, label: str, name: str) -> Any:
    """The column as a CSV file shows it: null where a value is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        return _as_text(column.cast(kind.value_type), label, name)
    if pa.types.is_null(kind):
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    if pa.types.is_float16(kind):
        column = pa.chunked_array([pa.array(column.to_numpy().astype("float32"))])
        kind = column.type
    if pa.types.is_floating(kind):
        missing = pc.is_null(column, nan_is_null=True)
        return pc.if_else(missing, pa.scalar(None, pa.string()), column.cast(pa.string()))
    try:
        shown = column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise InputError(f"{label}: {name!r} has a type that is no category") from None
    if not pa.types.is_timestamp(kind):
        return shown
    shown = pc.replace_substring_regex(shown, r"\.0+(Z|[+-]\d\d:?\d\d)?$", r"\1")
    midnight = pc.all(pc.ends_with(shown, " 00:00:00")).as_py() and kind.tz is None
    return pc.utf8_slice_codeunits(shown, 0, 10) if midnight else shown


def _plain(column: Any) -> NDArray[np.int64] | None:
    """Whole numbers at once where that is exact: integers, or text of at most eighteen digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if column.null_count:
        return None
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return np.asarray(column.cast(pa.int64()).to_numpy(), np.int64)
    if pa.types.is_string(kind) and pc.all(pc.match_substring_regex(column, "^[0-9]{1,18}$")).as_py():
        return np.asarray(column.cast(pa.int64()).to_numpy(), np.int64)
    return None


def _python(column: Any) -> list[Any]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return list(column.to_pylist())


def _whole(value: Any) -> int | str | None:
    """The exact whole number; None where it is missing, a text where it is not one."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, bool):
        return "truth value"
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        if not NUMBER.fullmatch(value):
            return "text"
        value = Decimal(value.strip(" \t"))
    if isinstance(value, float):
        return int(value) if value.is_integer() else "fraction"
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else "fraction"
    return "other"
