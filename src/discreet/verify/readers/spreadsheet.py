"""Excel files for the checker, read from their XML: the first sheet, cell by cell, as it is stored.

A number that is formatted as a date is one: the serial number counts days from 1899-12-30 (or 1904-01-01, if the
workbook says so), to the millisecond. What else the workbook holds is named, and nobody looks at it.
"""

from __future__ import annotations

import re
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any
from xml.etree import ElementTree

from discreet.errors import InputError
from discreet.verify.readers.column import shown
from discreet.verify.readers.typed import ArrowTable, check_names

_SPACE = re.compile(r"^\{[^}]*\}")
_PLACE = re.compile(r"([A-Z]+)[0-9]+")
_NOT_CODE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.')
DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/.*|xl/(workbook|styles|sharedStrings|calcChain|metadata)\.xml"
    r"|xl/theme/.*|xl/_rels/workbook\.xml\.rels"
)
ERROR = object()


def read_spreadsheet(source: Any, name: str) -> ArrowTable:
    """The table in the first sheet of a workbook; its first row has the names."""
    import pyarrow as pa

    try:
        import io

        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            rows, carried = _sheet(archive)
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, ValueError, IndexError, OverflowError, EOFError):
        raise InputError(f"cannot read {name}: the file is damaged or not an Excel workbook (.xlsx)") from None
    while rows and not any(value is not None for value in rows[-1].values()):
        rows.pop()
    used = sorted({place for row in rows for place, value in row.items() if value is not None})
    if not rows or not used:
        raise InputError(f"{name} is empty")
    heads = [_word(rows[0].get(place)) for place in used]
    if "" in heads:
        raise InputError(f"{name} has columns without a name in the first row")
    check_names(heads, name)
    if len(rows) < 2:
        raise InputError(f"{name} has column names but no rows")
    cells = [[row.get(place) for row in rows[1:]] for place in used]
    wrong = [head for head, column in zip(heads, cells) if any(value is ERROR for value in column)]
    if wrong:
        raise InputError(f"{name}: column {shown(head)} holds errors such as #N/A" for head in wrong)
    arrays = [pa.array(*_array(column)) for column in cells]
    return ArrowTable(heads, arrays, len(rows) - 1, carried=carried)


def _tag(element: Any) -> str:
    return _SPACE.sub("", element.tag)


def _sheet(archive: zipfile.ZipFile) -> tuple[list[dict[int, Any]], list[str]]:
    """Per row the value at each column's place, and what else the file carries."""
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    base = date(1899, 12, 30)
    sheets = []
    for element in book.iter():
        if _tag(element) == "workbookPr" and element.get("date1904") in ("1", "true"):
            base = date(1904, 1, 1)
        if _tag(element) == "sheet":
            sheets.append(next(value for key, value in element.attrib.items() if _SPACE.sub("", key) == "id"))
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): str(link.get("Target")) for link in links}
    paths = [targets[one].lstrip("/") for one in sheets]
    paths = [path if path.startswith("xl/") else f"xl/{path}" for path in paths]
    names = archive.namelist()
    strings = _strings(archive) if "xl/sharedStrings.xml" in names else []
    moments = _date_styles(archive) if "xl/styles.xml" in names else []
    filled = [path for path in paths if b"<v" in (data := archive.read(path)) or b"<is" in data or b"<t" in data]
    chosen = filled[0] if filled else paths[0]
    carried = ["other sheets"] if len(paths) > 1 else []
    if any(not PARTS.fullmatch(part) and part not in paths and not part.endswith("/") for part in names):
        carried.append("other parts of the workbook")
    rows: list[dict[int, Any]] = []
    formulas = False
    with archive.open(chosen) as handle:
        for _, element in ElementTree.iterparse(handle):
            if _tag(element) == "row":
                at = int(element.get("r") or len(rows) + 1)
                rows.extend({} for _ in range(at - len(rows) - 1))
                rows.append(_row(element, strings, moments, base))
                formulas = formulas or any(_tag(part) == "f" for cell in element for part in cell)
                element.clear()
    return rows, [*carried, "formulas"] if formulas else carried


def _row(element: Any, strings: list[str], moments: list[bool], base: date) -> dict[int, Any]:
    found: dict[int, Any] = {}
    place = -1
    for cell in element:
        if _tag(cell) != "c":
            continue
        given = _PLACE.fullmatch(cell.get("r") or "")
        place = _number_of(given[1]) if given else place + 1
        value = _value(cell, strings, moments, base)
        if value is not None and value != "":
            found[place] = value
    return found


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _value(cell: Any, strings: list[str], moments: list[bool], base: date) -> Any:
    kind = cell.get("t") or "n"
    parts = {_tag(part): part for part in cell}
    if kind == "inlineStr":
        return _inline(parts["is"]) if "is" in parts else None
    text = parts["v"].text if "v" in parts else None
    if text is None:
        return None
    if kind == "s":
        return strings[int(text)]
    if kind == "str":
        return text
    if kind == "b":
        return text.strip() in ("1", "true")
    if kind == "e":
        return ERROR
    if kind == "d":
        return datetime.fromisoformat(text)
    style = int(cell.get("s") or 0)
    if style < len(moments) and moments[style]:
        return _moment(float(text), base)
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else float(text)


def _moment(serial: float, base: date) -> Any:
    """A date or an instant, or a time of day where there is no day."""
    thousandths = round(serial * 86_400_000)
    if 0 <= serial < 1:
        return (datetime.min + timedelta(milliseconds=thousandths)).time()
    return datetime.combine(base, time()) + timedelta(milliseconds=thousandths)


def _inline(element: Any) -> str:
    """The text of a string: its own or that of its runs, without how they are read aloud."""
    words = []
    for part in element:
        if _tag(part) == "t":
            words.append(part.text or "")
        elif _tag(part) == "r":
            words += [piece.text or "" for piece in part if _tag(piece) == "t"]
    return "".join(words)


def _strings(archive: zipfile.ZipFile) -> list[str]:
    return [_inline(item) for item in ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))]


def _date_styles(archive: zipfile.ZipFile) -> list[bool]:
    """Per style of a cell whether it shows numbers as dates or times."""
    root = ElementTree.fromstring(archive.read("xl/styles.xml"))
    codes: dict[int, str] = {}
    styles: list[bool] = []
    for part in root:
        if _tag(part) == "numFmts":
            codes = {int(one.get("numFmtId") or 0): str(one.get("formatCode")) for one in part}
    for part in root:
        if _tag(part) == "cellXfs":
            for one in part:
                number = int(one.get("numFmtId") or 0)
                shown_as = _NOT_CODE.sub("", codes.get(number, ""))
                styles.append(number in DATES or re.search("[dmyhs]", shown_as, re.IGNORECASE) is not None)
    return styles


def _array(values: list[Any]) -> tuple[list[Any], Any]:
    """The values of a column and the Arrow type they all fit; text where they are of several kinds."""
    import pyarrow as pa

    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return values, pa.bool_()
    if kinds == {int}:
        return values, pa.int64()
    if kinds == {int, float} or kinds == {float}:
        return [None if value is None else float(value) for value in values], pa.float64()
    if kinds == {time}:
        return values, pa.time64("us")
    if kinds == {datetime}:
        if all(value is None or value.time() == time() for value in values):
            return [None if value is None else value.date() for value in values], pa.date32()
        return values, pa.timestamp("us")
    return [None if value is None else _word(value) for value in values], pa.large_string()


def _word(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else str(value)
    return str(value)
