"""Any dataframe in, arrays out, the same kind of dataframe back: pandas, Polars and pyarrow tables.

narwhals tells the kinds apart and gives them one vocabulary; Arrow is the common form of a column on its way
to and from numpy. Neither pandas nor Polars need be installed.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.values.plain import plain_floats, plain_values

if TYPE_CHECKING:
    import narwhals as nw

_KINDS = ("pandas", "polars", "pyarrow")
_COMPARED = 2000  # among more names than these no similar one is looked for

# What a column of codes carries in its Arrow metadata, and a text column whose file allows decimal commas.
CODE = {b"discreet": b"code"}
# Whole numbers some of which have leading zeros, but no codes for sure.
ZEROS = {b"discreet": b"zeros"}
COMMA = {b"discreet": b"comma"}
# Text of a file without types whose digits, where all of it is digits, are numbers.
DIGITS = {b"discreet digits": b"numbers"}

# Under this name a pandas frame that was read from a labelled file says how its columns are measured.
MEASURES = "discreet measures"


def adopt(frame: Any) -> nw.DataFrame[Any]:
    """The frame in narwhals' vocabulary; `InputError` if it is not an eager dataframe with distinct column names."""
    import narwhals as nw

    from discreet.frames.document import Document

    if isinstance(frame, Document):
        frame = frame.frame
    if isinstance(frame, nw.DataFrame) and _kind(frame) in _KINDS:
        return frame  # adopted before, with all its checks: those of a million names take a while
    native = frame.to_native() if isinstance(frame, nw.DataFrame | nw.LazyFrame) else frame
    if isinstance(native, np.ndarray):
        raise InputError(
            "the data is a numpy array: give its columns names, as in pandas.DataFrame(array, columns=...)"
        )
    if callable(getattr(native, "collect", None)) and not hasattr(native, "column_names"):
        raise InputError("the data is a lazy frame: compute it first, as in frame.collect()")
    if getattr(getattr(native, "columns", None), "nlevels", 1) > 1:
        raise InputError("the columns have several levels of names: flatten them to one name each")
    _check_distinct(native)
    try:
        adopted: Any = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"the data is a {type(native).__name__}: pass a pandas or Polars DataFrame or a pyarrow Table"
        ) from None
    if isinstance(adopted, nw.LazyFrame):
        raise InputError("the data is a lazy frame: compute it first, as in frame.collect()")
    if _kind(adopted) not in _KINDS:
        raise InputError(f"the data is a {_kind(adopted)} frame: convert it to pandas, Polars or pyarrow")
    found: nw.DataFrame[Any] = adopted
    return found


def column_faults(frame: Any, columns: Sequence[str], *, numeric: bool = False, what: str = "column") -> list[str]:
    """What is wrong with choosing `columns`: none, unknown, named twice and, with `numeric`, not numeric."""
    if isinstance(columns, str):
        return [f"the {what}s must be a list of names, and one string was given"]
    adopted = adopt(frame)
    known = set(adopted.columns)
    numbers = set(_numbers(adopted)) if numeric else set()
    faults: list[str] = [] if len(columns) else [f"no {what} was chosen"]
    seen: set[str] = set()
    for name in columns:
        if name in seen:
            faults.append(f"{what} {name!r} is named twice")
        elif name not in known:
            faults.append(f"{what} {name!r} is not in the data{did_you_mean(name, adopted.columns)}")
        elif numeric and name not in numbers:
            faults.append(
                f"{what} {name!r} is not numeric ({_type_in_words(adopted.schema[name])}): leave it out or convert it"
            )
        seen.add(name)
    return faults


def is_numeric(frame: Any, column: str) -> bool:
    """Whether the column holds numbers; truth values and dates are not numbers."""
    adopted = adopt(frame)
    _raise_faults(column_faults(adopted, [column]))
    return column in _numbers(adopted)


def numeric_columns(frame: Any) -> list[str]:
    """The names of the columns that hold numbers, in order, without those that hold codes."""
    adopted = adopt(frame)
    codes = {*code_columns(adopted), *zero_columns(adopted)}
    codes |= {name for name, measure in measures(adopted).items() if measure != "scale"}
    return [name for name in _numbers(adopted) if name not in codes]


def measures(adopted: nw.DataFrame[Any]) -> Mapping[str, str]:
    """How columns are measured, "nominal", "ordinal" or "scale", where the file that they were read from tells."""
    found: Mapping[str, str] = adopted.to_native().attrs.get(MEASURES, {}) if _kind(adopted) == "pandas" else {}
    return found


def _numbers(adopted: nw.DataFrame[Any]) -> list[str]:
    """The columns whose type is one of numbers; narwhals does not know all of Arrow's decimals."""
    import narwhals as nw

    unknown = nw.Unknown
    found = []
    for name, dtype in adopted.schema.items():
        if dtype.is_numeric() or (dtype == unknown and "decimal" in str(_native_type(adopted.to_native(), name))):
            found.append(name)
    return found


def _native_type(native: Any, column: str) -> Any:
    if hasattr(native, "column_names"):
        return native.schema.field(column).type
    dtype = native[column].dtype
    return getattr(dtype, "pyarrow_dtype", dtype)


def code_columns(frame: Any) -> list[str]:
    """Columns of a text file that are codes though they could be read as numbers: digits of one length, zeros in front.

    They are numeric for whoever names them, and not chosen by default.
    """
    return _marked(frame, CODE)


def zero_columns(frame: Any) -> list[str]:
    """Columns of a text file whose numbers have leading zeros here and there: codes or quantities, who knows."""
    return _marked(frame, ZEROS)


def _marked(frame: Any, mark: Mapping[bytes, bytes]) -> list[str]:
    adopted = adopt(frame)
    if _kind(adopted) != "pyarrow":
        return []
    return [column.name for column in adopted.to_native().schema if mark.items() <= (column.metadata or {}).items()]


def numeric_array(frame: Any, columns: Sequence[str] | None = None) -> NDArray[np.float64]:
    """The columns (all numeric ones by default) as an n × d array of float64 in C order; NaN where a value is
    missing.

    Integers beyond 2^53 are rounded to the nearest float64, and decimals likewise. Every fault of every
    column is reported at once.
    """
    adopted = adopt(frame)
    chosen = numeric_columns(adopted) if columns is None else list(columns)
    faults = Faults()
    for fault in column_faults(adopted, columns if isinstance(columns, str) else chosen, numeric=True):
        faults.add(fault)
    numbers = set(_numbers(adopted))
    usable = [name for name in dict.fromkeys(chosen) if name in numbers]
    points = np.empty((len(adopted), len(usable)), dtype=np.float64)
    native = adopted.to_native()
    arrow = dict(zip(native.column_names, native.columns)) if _kind(adopted) == "pyarrow" else {}
    for j, name in enumerate(usable):
        points[:, j] = _arrow_float64(arrow[name]) if name in arrow else _as_float64(adopted.get_column(name))
    infinite = np.isinf(points).sum(axis=0)
    for j in np.flatnonzero(infinite).tolist():
        rows = int(infinite[j])
        faults.add(
            f"column {usable[j]!r} has an infinite value in {rows} {'row' if rows == 1 else 'rows'}: "
            "correct them or leave the rows out"
        )
    faults.raise_if_any()
    return points


def whole_numbers(frame: Any, column: str) -> list[int | None] | None:
    """The values of a column of integers, exactly; None for a column of another type."""
    import pyarrow as pa

    array = arrow_column(adopt(frame).get_column(column))
    found: list[int | None] | None = array.to_pylist() if pa.types.is_integer(array.type) else None
    return found


def text_array(frame: Any, column: str) -> NDArray[np.object_]:
    """The column's values as text, as a CSV file would show them; None where a value is missing."""
    from discreet.frames.text import as_text

    adopted = adopt(frame)
    _raise_faults(column_faults(adopted, [column]))
    values = np.empty(len(adopted), dtype=object)
    values[:] = as_text(arrow_column(adopted.get_column(column))).to_pylist()
    return values


def differs_everywhere(frame: Any, column: str) -> bool:
    """Whether no two rows have the same value in the column; False for values that have no equality, such as lists."""
    import pyarrow as pa

    array = arrow_column(adopt(frame).get_column(column))
    try:
        return len(array) > 1 and len(array.unique()) == len(array)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return False


def take_rows(frame: Any, order: NDArray[np.integer[Any]] | Sequence[int]) -> Any:
    """The rows in another order, or some of them.

    A pandas index is replaced by 0, 1, 2, ... and the unnamed index that pandas stores in Arrow tables is
    dropped: either would tell which row each one was. So would the dictionaries of categorical columns, which list
    values by first appearance: they are set up anew.
    """
    from discreet.frames.dictionaries import take, tidy, tidy_pandas

    adopted = adopt(frame)
    native = adopted.to_native()
    rows = np.asarray(order, dtype=np.int64)
    kind = _kind(adopted)
    if kind == "pandas":
        return tidy_pandas(native.take(rows).reset_index(drop=True))
    if kind == "polars":
        return native[rows]
    import pyarrow as pa

    metadata = {key: value for key, value in (native.schema.metadata or {}).items() if key != b"pandas"}
    keep = [name for name in native.column_names if not name.startswith("__index_level_")]
    kept = native.select(keep)
    columns = [tidy(take(column, rows)) for column in kept.columns]
    return pa.table(columns, schema=kept.schema).replace_schema_metadata(metadata or None)


def from_arrays(columns: Mapping[str, Any], like: Any = None) -> Any:
    """A frame of these columns, of the same kind as `like`; without it pandas if installed, else a pyarrow
    Table.

    NaN becomes null where the kind tells the two apart.
    """
    kind = _kind(adopt(like)) if like is not None else _default_kind()
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame({name: _plain(values) for name, values in columns.items()})
    import pyarrow as pa

    arrays = {name: pa.array(_plain(values), from_pandas=True) for name, values in columns.items()}
    if kind == "polars":
        import polars as pl

        return pl.DataFrame({name: pl.Series(name, pl.from_arrow(array)) for name, array in arrays.items()})
    return pa.table(arrays)


def build(kind_like: Any, columns: Mapping[str, Any]) -> Any:
    """A frame of these columns, of the same kind as `kind_like`."""
    return from_arrays(columns, like=kind_like)


def to_arrow(frame: Any) -> Any:
    """The frame as a pyarrow Table, without a pandas index."""
    import pyarrow as pa

    adopted = adopt(frame)
    native = adopted.to_native()
    if _kind(adopted) == "pyarrow":
        return native
    return pa.table({str(name): arrow_column(adopted.get_column(name)) for name in adopted.columns})


def arrow_column(series: nw.Series[Any]) -> Any:
    """A column as an Arrow array; `InputError` where its values are of several kinds."""
    import pyarrow as pa

    try:
        array = series.to_native() if series.implementation.is_pyarrow() else series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        raise InputError(
            f"column {series.name!r} holds values of several or unusual types: convert it to one type first"
        ) from None
    return array


def kind_of(frame: Any) -> str:
    """ "pandas", "polars" or "pyarrow"."""
    return _kind(adopt(frame))


def _as_float64(series: nw.Series[Any]) -> NDArray[np.float64]:
    native = series.to_native()
    if isinstance(native, np.ndarray):
        return native.astype(np.float64)
    dtype = getattr(native, "dtype", None)
    if isinstance(dtype, np.dtype):
        return np.asarray(native.to_numpy(), dtype=np.float64)
    return _arrow_float64(arrow_column(series))


def _arrow_float64(array: Any) -> NDArray[np.float64]:
    import pyarrow as pa

    if pa.types.is_float16(array.type):
        return np.asarray(array.to_numpy(), dtype=np.float64)
    if pa.types.is_decimal(array.type):
        array = array.cast(pa.string())  # Arrow's own cast from decimals is not the nearest float64, that from text is
    parts = [_plain_float64(chunk) for chunk in (array.chunks if isinstance(array, pa.ChunkedArray) else [array])]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.float64)


def _plain_float64(array: Any) -> NDArray[np.float64]:
    import pyarrow as pa

    if array.type == pa.int64() and not array.null_count:
        return plain_values(array).astype(np.float64)
    return plain_floats(array.cast(pa.float64(), safe=False))


def _plain(values: Any) -> Any:
    array = np.asarray(values)
    return array.tolist() if array.dtype.kind in "OUS" else array


def _kind(adopted: nw.DataFrame[Any]) -> str:
    return str(adopted.implementation.name).lower()


def _default_kind() -> str:
    from importlib.util import find_spec

    return "pandas" if find_spec("pandas") is not None else "pyarrow"


def _check_distinct(native: Any) -> None:
    names = getattr(native, "column_names", None)
    if names is None:
        columns = getattr(native, "columns", None)
        if columns is None or not hasattr(columns, "__iter__"):
            return
        names = list(columns)
    counts: dict[Any, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise InputError(f"column name {name!r} stands {counts[name]} times: rename the columns" for name in repeated)


def check_columns(name: str, columns: Sequence[str] | None, known: Sequence[str]) -> None:
    """Raise `InputError` if the file `name`, whose columns are `known`, lacks one of `columns`."""
    there = set(known)
    unknown = [column for column in columns or () if column not in there]
    _raise_faults([f"{name} has no column {column!r}{did_you_mean(column, known)}" for column in unknown])


def did_you_mean(name: object, known: Sequence[str]) -> str:
    names = [str(column) for column in known]
    near = difflib.get_close_matches(str(name), names, n=1) if len(names) <= _COMPARED else []
    if near:
        return f": did you mean {near[0]!r}?"
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f": it has {shown}" if names else ""


def _type_in_words(dtype: object) -> str:
    words = {
        "String": "text",
        "Categorical": "categories",
        "Enum": "categories",
        "Boolean": "true or false",
        "Datetime": "dates",
        "Date": "dates",
        "Object": "mixed values",
    }
    name = str(dtype).split("(")[0]
    return words.get(name, name.lower())


def _raise_faults(faults: Sequence[str]) -> None:
    if faults:
        raise InputError(faults)
