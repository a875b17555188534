"""Write records as an Excel file: a workbook of one sheet, in the plainest form of ISO/IEC 29500 (SpreadsheetML).

The file holds the cells and nothing else: no author, no time of writing, no order of first appearance. Text is never a
formula: it stands as text (`inlineStr`), and what begins like one (= + - @) is also marked with Excel's own apostrophe
(`quotePrefix`), so that editing the cell does not run it. What a cell cannot hold exactly is written as text: whole
numbers beyond 2^53, dates before March 1900, moments with parts of a second or a time zone.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from discreet.errors import Faults

MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 1_048_576, 16_384, 32_767
PLAIN, QUOTED, DATE, MOMENT, TIME = range(5)  # the styles in STYLES, in order
FORMULA = ("=", "+", "-", "@", "\t", "\r")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
DAY_ZERO, FIRST_DAY = -25_569, -25_508  # 1899-12-30 and 1900-03-01, in days from 1970: serial numbers 0 and 61
DAY = 86_400

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
CONTENT = (
    f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/></Types>'
)
RELATIONS = (
    f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
BOOK = (
    f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="data" sheetId="1" r:id="rId1"/></sheets>'
    "</workbook>"
)
BOOK_RELATIONS = (
    f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
)
_XF = '<xf numFmtId="{}" fontId="0" fillId="0" borderId="0" xfId="0"{}/>'
STYLES = (
    f'{HEAD}<styleSheet xmlns="{MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">'
    + _XF.format(0, "")
    + _XF.format(0, ' quotePrefix="1"')
    + "".join(_XF.format(number, ' applyNumberFormat="1"') for number in (164, 165, 21))
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def write_sheet(table: Any, handle: Any) -> None:
    """Write a pyarrow Table into an open file; one InputError for everything that Excel has no place for."""
    names = list(table.column_names)
    faults = Faults()
    faults.check(table.num_rows < MOST_ROWS, f"an Excel sheet holds {MOST_ROWS - 1} records: choose .csv or .parquet")
    faults.check(len(names) <= MOST_COLUMNS, f"an Excel sheet holds {MOST_COLUMNS} columns: choose .csv or .parquet")
    columns = [_column(name, column, faults) for name, column in zip(names, table.columns)]
    for name in names:
        faults.check(_UNWRITABLE.search(name) is None, f"the name {name!r} holds control characters: rename it")
    faults.raise_if_any()
    with zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in (
            ("[Content_Types].xml", CONTENT),
            ("_rels/.rels", RELATIONS),
            ("xl/workbook.xml", BOOK),
            ("xl/_rels/workbook.xml.rels", BOOK_RELATIONS),
            ("xl/styles.xml", STYLES),
        ):
            archive.writestr(_entry(part), text)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            for piece in _sheet(names, columns, table.num_rows):
                sheet.write(piece.encode("utf-8"))


def _entry(part: str) -> zipfile.ZipInfo:
    """A part of the archive; the same at whatever time it is written."""
    found = zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0))
    found.compress_type = zipfile.ZIP_DEFLATED
    return found


def _sheet(names: list[str], columns: list[list[str]], rows: int) -> Iterator[str]:
    yield f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>'
    letters = [_letters(c) for c in range(len(names))]
    for r in range(rows + 1):
        cells = [_text(name) for name in names] if r == 0 else [column[r - 1] for column in columns]
        yield f'<row r="{r + 1}">'
        yield "".join(f"<c r={quoteattr(f'{letter}{r + 1}')}{cell}</c>" for letter, cell in zip(letters, cells) if cell)
        yield "</row>"
    yield "</sheetData></worksheet>"


def _letters(column: int) -> str:
    """A, B, … Z, AA, …"""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _column(name: str, column: Any, faults: Faults) -> list[str]:
    """What stands in each cell after its place: style, type and value; the empty text where there is none."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    write: Callable[[Any], str] | None = None
    if pa.types.is_boolean(kind):
        write = _truth
    elif pa.types.is_integer(kind) and all(abs(v) <= 2**53 for v in column.unique().to_pylist() if v is not None):
        write = _number
    elif pa.types.is_floating(kind):
        write = _number
        column = column.cast(pa.float64())
    elif pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return _moments(name, column, faults)
    if write is None:
        return _texts(name, column, faults)
    return ["" if value is None or value != value else write(value) for value in column.to_pylist()]


def _texts(name: str, column: Any, faults: Faults) -> list[str]:
    from discreet.frames.text import as_text

    encoded = as_text(column).dictionary_encode().combine_chunks()
    words = encoded.dictionary.to_pylist()
    bad = sum(_UNWRITABLE.search(word) is not None for word in words)
    faults.check(bad == 0, f"column {name!r} holds control characters, which Excel files cannot hold: remove them")
    long = sum(len(word) > MOST_LETTERS for word in words)
    faults.check(long == 0, f"column {name!r} holds texts of more than {MOST_LETTERS} letters: choose .csv or .parquet")
    cells = [_text(word) if word else "" for word in words]
    return ["" if place is None else cells[place] for place in encoded.indices.to_pylist()]


def _text(word: str) -> str:
    style = f' s="{QUOTED}"' if word.startswith(FORMULA) else ""
    return f'{style} t="inlineStr"><is><t xml:space="preserve">{escape(word)}</t></is>'


def _truth(value: bool) -> str:
    return f' t="b"><v>{int(value)}</v>'


def _number(value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return _text(str(value))
    return f"><v>{value!r}</v>"


def _moments(name: str, column: Any, faults: Faults) -> list[str]:
    """Days and whole seconds as serial numbers; as text where some moment is none."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_date(kind):
        days = column.cast(pa.date32()).cast(pa.int32()).to_pylist()
        if all(day is None or day >= FIRST_DAY for day in days):
            return ["" if day is None else f' s="{DATE}"><v>{day - DAY_ZERO}</v>' for day in days]
        return _texts(name, column, faults)
    unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    counts = column.cast(pa.int64() if kind.bit_width == 64 else pa.int32()).to_pylist()
    clock = pa.types.is_time(kind)
    whole = all(count is None or count % unit == 0 for count in counts)
    late = clock or all(count is None or count >= FIRST_DAY * DAY * unit for count in counts)
    if not whole or not late or (not clock and kind.tz is not None):
        return _texts(name, column, faults)
    zero = 0 if clock else DAY_ZERO * DAY
    style = TIME if clock else MOMENT
    if not clock and all(count is None or count % (DAY * unit) == 0 for count in counts):
        style = DATE
    return ["" if count is None else f' s="{style}"><v>{_share(count // unit - zero)}</v>' for count in counts]


def _share(seconds: int) -> str:
    days, rest = divmod(seconds, DAY)
    return str(days) if rest == 0 else repr(days + rest / DAY)
