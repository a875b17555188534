"""Read the records of an Excel file, through openpyxl.

The first row names the columns; a column has the type that all its cells have: whole numbers, numbers, truth values,
dates, times, or text. Cells of several types make text, as a CSV file would show them. Formulas count by their stored
results, and those without one, as some programs write them, are errors. A workbook with several sheets of data is
refused, for only one of them would be protected.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import Any

from discreet.errors import Faults, InputError
from discreet.frames.dataframes import check_columns

MIDNIGHT = datetime.time()


def read_sheet(path: str | os.PathLike[str], name: str, columns: Sequence[str] | None) -> Any:
    """The pyarrow Table in the only sheet of a workbook."""
    import pyarrow as pa

    rows, errors, unknown = _cells(path, name)
    while rows and all(value is None for value in rows[-1]):
        rows.pop()
    if not rows:
        raise InputError(f"{name} is empty: it needs a row of column names and at least one row")
    width = max(len(row) for row in rows)
    cells = [[row[c] if c < len(row) else None for row in rows] for c in range(width)]
    cells = [column for column in cells if any(value is not None for value in column)]
    heads = [_shown(column[0]) or "" for column in cells]
    faults = Faults()
    faults.check(all(heads), f"{name}: {heads.count('')} columns have no name in the first row: give them one")
    for head in dict.fromkeys(heads):
        faults.check(heads.count(head) == 1, f"{name} has several columns named {head!r}: rename them")
    faults.check(errors == 0, f"{name}: {errors} cells hold errors such as #N/A: correct or empty them")
    faults.check(
        unknown == 0, f"{name}: {unknown} cells hold formulas without a result: open and save the file in Excel first"
    )
    faults.check(len(rows) > 1, f"{name} has column names but no rows")
    faults.raise_if_any()
    wanted = heads if columns is None else list(columns)
    check_columns(name, wanted, heads)
    arrays = [_typed(cells[heads.index(head)][1:]) for head in wanted]
    return pa.table(arrays, names=wanted)


def _cells(path: str | os.PathLike[str], name: str) -> tuple[list[list[Any]], int, int]:
    """The values of the only sheet that has any, row by row, and how many are errors, and formulas without a result."""
    import warnings
    import zipfile

    import openpyxl

    found = []
    try:
        with open(path, "rb") as handle, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and the like, which are not read
            book = openpyxl.load_workbook(handle, read_only=True, data_only=True)
            asked = openpyxl.load_workbook(handle, read_only=True) if _has_formulas(handle) else None
            for sheet in book.worksheets:
                errors = 0
                rows: list[list[Any]] = []
                for row in sheet.iter_rows():
                    errors += sum(cell.data_type == "e" for cell in row)
                    rows.append([None if cell.value == "" else cell.value for cell in row])
                unknown = 0 if asked is None else _unanswered(rows, asked[sheet.title])
                if unknown or any(value is not None for row in rows for value in row):
                    found.append((rows, errors, unknown))
    except OSError:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, EOFError):
        raise InputError(f"cannot read {name}: the file is damaged or not an Excel workbook (.xlsx)") from None
    if len(found) > 1:
        raise InputError(f"{name} has {len(found)} sheets with data: save the one to be protected in its own file")
    return found[0] if found else ([], 0, 0)


def _has_formulas(handle: Any) -> bool:
    """Whether some sheet holds one, by its XML."""
    import zipfile

    with zipfile.ZipFile(handle) as archive:
        sheets = [part for part in archive.namelist() if part.startswith("xl/worksheets/") and part.endswith(".xml")]
        return any(b"<f>" in (text := archive.read(part)) or b"<f " in text or b"<f/" in text for part in sheets)


def _unanswered(rows: list[list[Any]], asked: Any) -> int:
    """How many cells have a formula and no value."""
    return sum(
        cell.data_type == "f" and value is None
        for values, row in zip(rows, asked.iter_rows())
        for value, cell in zip(values, row)
    )


def _typed(values: list[Any]) -> Any:
    """One column as an Arrow array of the type that all its values have."""
    import pyarrow as pa

    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds == {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return pa.array(values, pa.int64())
    if kinds and kinds <= {int, float}:
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    if kinds and kinds <= {datetime.datetime, datetime.date}:
        if all(value is None or type(value) is datetime.date or value.time() == MIDNIGHT for value in values):
            return pa.array([value.date() if type(value) is datetime.datetime else value for value in values])
        return pa.array(
            [datetime.datetime.combine(value, MIDNIGHT) if type(value) is datetime.date else value for value in values],
            pa.timestamp("us"),
        )
    if kinds == {datetime.time}:
        return pa.array(values, pa.time64("us"))
    return pa.array([_shown(value) for value in values], pa.string())


def _shown(value: Any) -> str | None:
    """A cell as a CSV file shows it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**53:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == MIDNIGHT else value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
