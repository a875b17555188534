"""SPSS, Stata and SAS files through pyreadstat, with their labels, formats and missing codes.

A file is read as it is stored: dates as numbers and user-defined missing values as codes. The frame shows
what they mean: dates as dates, missing values as missing. Written back, a column that was not changed is
stored as it was; a changed one keeps its labels and format, and boxes over labelled codes get labels in SPSS.

The frame also tells how columns are measured: as SPSS says or, where nothing is said, as nominal if every value that
occurs has a label.
"""

from __future__ import annotations

import errno
import os
import re
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.dataframes import MEASURES, check_columns
from discreet.frames.values.labels import box_labels

_READERS = {
    "sav": "read_sav",
    "zsav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "xpt": "read_xport",
    "sas7bdat": "read_sas7bdat",
}
_HOUSE = {"sav": "spss", "zsav": "spss", "por": "spss", "dta": "stata", "xpt": "sas", "sas7bdat": "sas"}
# Display formats of plain numbers and text; anything else may be a date or a time.
_PLAIN = {
    "spss": re.compile(r"(F|A|AHEX|COMMA|DOT|E|N|DOLLAR|PCT|RB|RBHEX|CC[A-E])?\d*(\.\d+)?", re.IGNORECASE),
    "stata": re.compile(r"%[-0~]?\d*([.,]\d+)?[gfexhls]c?", re.IGNORECASE),
    "sas": re.compile(r"(BEST|F|\$|\$CHAR|COMMA|DOLLAR|PERCENT|E|Z)?\d*(\.\d*)?", re.IGNORECASE),
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")  # a column name that every one of the formats allows
_WHOLE_FORMAT = re.compile(r"F(\d+)(\.0)?", re.IGNORECASE)


@dataclass(frozen=True)
class Labelled:
    """What a labelled file holds beside its values: `stored` is the frame with codes and unconverted dates."""

    family: str
    stored: Any = field(repr=False)
    meta: Any = field(repr=False)

    @property
    def house(self) -> str:
        """Who counts days from which epoch: "spss", "stata" or "sas"."""
        return _HOUSE[self.family]


def read_labelled(
    path: str | os.PathLike[str], family: str, columns: Sequence[str] | None, encoding: str | None
) -> tuple[Any, Labelled]:
    """The pandas frame in the file and what is needed to write it back."""
    import pyreadstat

    reader = getattr(pyreadstat, _READERS[family])
    options: dict[str, Any] = {"usecols": list(columns)} if columns is not None else {}
    if encoding is not None and family != "por":
        options["encoding"] = encoding
    codes = {"user_missing": True} if family in ("sav", "zsav", "dta", "sas7bdat") else {}
    try:
        if columns is not None:
            check_columns(os.fspath(path), columns, reader(path, metadataonly=True)[1].column_names)
        stored, meta = reader(path, disable_datetime_conversion=True, **codes, **options)
        coded = bool(meta.missing_ranges or meta.missing_user_values)
        shown = reader(path, disable_datetime_conversion=True, **options)[0] if coded else stored
        frame = shown.copy(deep=False)
        dates = [name for name in meta.column_names if _maybe_date(meta, name, family)]
        if dates:
            dated = reader(path, dates_as_pandas_datetime=True, **{**options, "usecols": dates})[0]
            for name in dates:
                frame[name] = dated[name]
    except InputError:
        raise
    except _refusals():
        raise InputError(f"cannot read {os.fspath(path)}: the file is damaged or not of this format") from None
    for name in frame.columns:
        frame[name] = _as_shown(frame[name], meta, name)
    frame.attrs[MEASURES] = {name: found for name in frame.columns if (found := _measure(frame[name], meta, name))}
    return frame if columns is None else frame[list(columns)], Labelled(family, stored, meta)


def variable_labels(source: Labelled) -> dict[str, str]:
    return {name: label for name, label in source.meta.column_names_to_labels.items() if label}


def value_labels(source: Labelled) -> dict[str, dict[Any, str]]:
    return {name: dict(labels) for name, labels in source.meta.variable_value_labels.items()}


def write_labelled(
    frame: Any,
    path: Path,
    family: str,
    *,
    read: Any = None,
    source: Labelled | None = None,
    order: NDArray[np.int64] | None = None,
    anew: Collection[str] = (),
) -> None:
    """Write a pandas frame; columns of `read` that are unchanged in it are stored as `source` stored them.

    The columns in `anew` count as changed even if no value in them did.
    """
    import pyreadstat

    kept = _unchanged(frame, read, source, order) if source is not None and read is not None else set()
    kept -= set(anew)
    same_house = source is not None and source.house == _HOUSE[family]
    columns = {}
    for name in frame.columns:
        if source is not None and same_house and name in kept and _storable(source, name, family):
            stored = source.stored[name] if order is None else source.stored[name].iloc[order]
            columns[name] = _stored_type(stored.reset_index(drop=True), source, name)
        else:
            columns[name] = _writable(frame[name].reset_index(drop=True), family)
    import pandas as pd

    out = pd.DataFrame(columns)
    options = _options(out, family, source, kept) if source is not None else {}
    if family in ("sav", "zsav"):
        options["compress" if family == "zsav" else "row_compress"] = True
    writer: Any = {"dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}.get(family, pyreadstat.write_sav)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            writer(out, os.fspath(path), **options)
        # The transport writer does not notice that a disk is full.
        whole = len(getattr(pyreadstat, _READERS[family])(path, usecols=[out.columns[0]])[0]) == len(out)
    except _refusals() as error:
        if re.search("unable to (read|write|open)", str(error), re.IGNORECASE):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        unusual = ", ".join(repr(name) for name in out.columns if not _NAME.fullmatch(str(name)))
        cause = f"it may be the names {unusual}" if unusual else "a column holds values of several or unusual types"
        raise InputError(
            f"this table cannot be written as .{family}: {cause}; change them, or choose .csv or .parquet"
        ) from None
    if not whole:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _refusals() -> tuple[type[Exception], ...]:
    """What pyreadstat raises; its own error has no public name in older versions."""
    import pyreadstat

    own: Any = getattr(pyreadstat, "PyreadstatError", None) or pyreadstat._readstat_parser.PyreadstatError
    theirs: Any = pyreadstat.ReadstatError
    return theirs, own, ValueError, TypeError, OverflowError


def _maybe_date(meta: Any, name: str, family: str) -> bool:
    if meta.readstat_variable_types.get(name) == "string":
        return False
    return _PLAIN[_HOUSE[family]].fullmatch(meta.original_variable_types.get(name) or "") is None


def _as_shown(column: Any, meta: Any, name: str) -> Any:
    """A column as the frame shows it: numbers in a numeric type, integers where SPSS displays no decimals."""
    import pandas as pd

    if meta.readstat_variable_types.get(name) == "string":
        return column
    if column.dtype == object and not column.map(lambda value: hasattr(value, "isoformat")).any():
        column = pd.to_numeric(column, errors="coerce")
    if column.dtype == np.float64 and _WHOLE_FORMAT.fullmatch(meta.original_variable_types.get(name) or ""):
        present = column[column.notna()].to_numpy()
        if present.size and bool(np.all((present == np.rint(present)) & (np.abs(present) < 2.0**53))):
            return column.astype("int64" if present.size == len(column) else "Int64")
    return column


def _measure(column: Any, meta: Any, name: str) -> str | None:
    """ "nominal", "ordinal" or "scale"; None where the file does not tell."""
    stated = (getattr(meta, "variable_measure", None) or {}).get(name)
    if stated in ("nominal", "ordinal", "scale"):
        return str(stated)
    labels = meta.variable_value_labels.get(name)
    return "nominal" if labels and set(column.dropna().unique().tolist()) <= set(labels) else None


def _unchanged(frame: Any, read: Any, source: Labelled, order: NDArray[np.int64] | None) -> set[str]:
    if order is None and len(frame) != len(read):
        return set()
    kept = set()
    for name in frame.columns:
        if name in read.columns and frame[name].dtype == read[name].dtype:
            old = read[name] if order is None else read[name].iloc[order]
            if frame[name].reset_index(drop=True).equals(old.reset_index(drop=True)):
                kept.add(name)
    return kept


def _storable(source: Labelled, name: str, family: str) -> bool:
    """SAS transport files have no letters for missing values."""
    coded = source.stored[name].dtype == object and source.meta.readstat_variable_types.get(name) != "string"
    return not (coded and family == "xpt")


def _stored_type(column: Any, source: Labelled, name: str) -> Any:
    """pyreadstat shows all integers as int64, which it would store as floats."""
    kind = source.meta.readstat_variable_types.get(name, "")
    return column.astype(np.int32) if kind.startswith("int") and column.dtype == np.int64 else column


def _writable(column: Any, family: str) -> Any:
    """A column in a type that pyreadstat stores well."""
    import pandas as pd

    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return column.astype("float64")
    if pd.api.types.is_integer_dtype(dtype):
        if column.isna().any():
            return column.astype("float64")
        values = column.to_numpy(dtype=np.int64)
        small = values.size == 0 or (values.min() > -(2**31) and values.max() < 2**31 - 101)  # Stata's last codes
        return pd.Series(values.astype(np.int32) if small else values)
    if pd.api.types.is_float_dtype(dtype):
        return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(dtype, pd.CategoricalDtype):
        return column.astype(object)
    if pd.api.types.is_object_dtype(dtype):
        kinds = set(column.dropna().map(type))
        if kinds == {bool}:  # with gaps
            return column.astype("float64")
        if len(kinds) > 1 or kinds & {bytes, bytearray}:
            what = "values of several types" if len(kinds) > 1 else "bytes, which this format has no place for"
            raise InputError(f"column {column.name!r} holds {what}: convert it first, or choose .csv or .parquet")
    if pd.api.types.is_datetime64_dtype(dtype) and column.equals(column.dt.normalize()):
        return column.dt.date  # stored as dates, without a time
    return column


def _options(out: Any, family: str, source: Labelled, kept: set[str]) -> dict[str, Any]:
    """Labels, formats and missing codes of the columns that are still of the type they were."""
    import pandas as pd

    meta = source.meta
    is_text = {name: not pd.api.types.is_numeric_dtype(out[name]) and out[name].map(type).eq(str).any() for name in out}
    was_text = {name: kind == "string" for name, kind in meta.readstat_variable_types.items()}
    alike = [name for name in out if name in was_text and is_text[name] == was_text[name]]
    same_house = source.house == _HOUSE[family]
    options: dict[str, Any] = {
        "column_labels": {name: label for name, label in variable_labels(source).items() if name in out},
        "file_label": meta.file_label or "",
    }
    if family == "xpt":
        options["table_name"] = meta.table_name or "DATASET"
    elif same_house or family == "dta":
        labels = {name: found for name, found in meta.variable_value_labels.items() if name in alike}
        options["variable_value_labels"] = labels if same_house else _whole_keys(labels)
    else:
        options["variable_value_labels"] = {
            name: found
            for name, found in meta.variable_value_labels.items()
            if name in alike and not any(isinstance(key, str) for key in found)
        }
    if "variable_value_labels" in options:  # pyreadstat wants the labels of whole numbers to be about whole numbers
        whole = {name: found for name, found in options["variable_value_labels"].items() if out[name].dtype.kind == "i"}
        options["variable_value_labels"].update(_whole_keys(whole))
    if family in ("sav", "zsav"):
        boxed = {name: meta.variable_value_labels.get(name) for name in out if name not in alike and is_text[name]}
        boxes = {name: box_labels(out[name], labels) for name, labels in boxed.items() if labels}
        options["variable_value_labels"] = {**options.get("variable_value_labels", {}), **boxes}
    if same_house:
        options["variable_format"] = _formats(
            out, source, [name for name in alike if name in kept or not is_text[name]]
        )
        if family == "dta":
            options["missing_user_values"] = {
                name: codes for name, codes in meta.missing_user_values.items() if name in kept
            }
        elif source.house == "spss":
            notes = list(meta.notes or [])
            options["note"] = notes[0] if len(notes) == 1 else notes  # older versions of pyreadstat take one only
            options["variable_measure"] = {
                name: meta.variable_measure[name]
                for name in out
                if name in alike or meta.variable_measure.get(name) in ("nominal", "ordinal")
            }
            options["variable_display_width"] = {name: meta.variable_display_width[name] for name in alike}
            options["missing_ranges"] = {
                name: ranges
                for name, ranges in meta.missing_ranges.items()
                if name in alike and (name in kept or not _hits(out[name], ranges))
            }
    return {key: value for key, value in options.items() if value}


def _formats(out: Any, source: Labelled, names: Sequence[str]) -> dict[str, str]:
    formats = {}
    for name in names:
        shown = source.meta.original_variable_types.get(name)
        whole = _WHOLE_FORMAT.fullmatch(shown or "") if source.house == "spss" else None
        if whole and out[name].dtype.kind == "f":
            values = out[name].to_numpy()
            present = values[~np.isnan(values)]
            if not bool(np.all(present == np.rint(present))):
                shown = f"F{max(8, int(whole[1]) + 3)}.2"  # else SPSS would show the new values rounded
        if shown:
            formats[name] = shown
    return formats


def _whole_keys(labels: dict[str, dict[Any, str]]) -> dict[str, dict[int, str]]:
    """Value labels whose keys are whole numbers: the only ones Stata has."""
    kept = {}
    for name, found in labels.items():
        if all(not isinstance(key, str) and float(key).is_integer() for key in found):
            kept[name] = {int(key): label for key, label in found.items()}
    return kept


def _hits(column: Any, ranges: Sequence[Any]) -> bool:
    """Whether a published value would be taken for a missing one."""
    hit = np.zeros(len(column), dtype=bool)
    for item in ranges:
        low, high = (item["lo"], item["hi"]) if isinstance(item, dict) else (item, item)
        hit |= ((column >= low) & (column <= high)).to_numpy(dtype=bool, na_value=False)
    return bool(hit.any())
