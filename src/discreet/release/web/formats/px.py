"""PX, the file of PC-Axis (PX-file format specification, AXIS-VERSION 2013, Statistics Sweden).

    KEYWORD("variable")="value","value";

Keywords stand in the recommended order, `DATA` last. Lines have at most 256 characters: lists are broken after a comma,
long texts into several quoted pieces. A quotation mark cannot be written and becomes an apostrophe. The last variable
is the heading, all others the stub; cells follow in row-major order, one row of the stub after another. Text is UTF-8,
which `CODEPAGE` says; `CHARSET="ANSI"` says that it is not the alphabet of DOS. A hidden count is the symbol `".."`,
whose text is `DATASYMBOL2`; counts that are hidden or rounded must not be added up, which `AGGREGALLOWED` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from discreet.release.web.formats.cube import SOURCE, Cube

LINE = 256
LONGEST = 240  # of a name or a value, which cannot be broken: room for the quotation marks, a comma and the keyword
END = "\r\n"
HIDDEN = "Hidden to protect people"


def as_px(cube: Cube) -> bytes:
    names = unique([plain(dimension.name) for dimension in cube.dimensions])
    stub, heading = names[:-1], names[-1:]
    stamp = cube.moment.strftime("%Y%m%d %H:%M")
    lines = [
        text("CHARSET", "ANSI"),
        text("AXIS-VERSION", "2013"),
        text("CODEPAGE", "utf-8"),
        text("LANGUAGE", "en"),
        text("CREATION-DATE", stamp),
        text("TABLEID", cube.dataset),
        "DECIMALS=0;",
        "SHOWDECIMALS=0;",
        text("MATRIX", re.sub(r"[^A-Za-z0-9_]", "_", cube.dataset)[:20]),
        f"AGGREGALLOWED={'NO' if cube.hides or cube.base > 1 else 'YES'};",
        text("SUBJECT-CODE", "COUNT"),
        text("SUBJECT-AREA", cube.dataset),
        text("TITLE", cube.title),
        text("CONTENTS", cube.what),
        text("UNITS", "number"),
    ]
    if stub:
        lines.append(listed("STUB", stub))
    lines.append(listed("HEADING", heading))
    for keyword in ("VALUES", "CODES"):
        for name, dimension in zip(names, cube.dimensions):
            given = dimension.labels if keyword == "VALUES" else dimension.codes
            lines.append(listed(f'{keyword}("{name}")', unique([plain(value) for value in given])))
    lines += [text("LAST-UPDATED", stamp), text("SOURCE", SOURCE)]
    if cube.note is not None:
        lines.append(text("NOTEX", cube.note))
    lines.append(text("NOTE", f"Receipt {cube.receipt}"))
    if cube.hides:
        lines.append(text("DATASYMBOL2", HIDDEN))
    lines.append("DATA=")
    width = len(cube.dimensions[-1].codes)
    rows = (cube.counts[i : i + width] for i in range(0, len(cube.counts), width))
    lines += [part for row in rows for part in wrapped('".."' if n is None else str(n) for n in row)]
    return (END.join(lines) + ";" + END).encode()


def plain(value: str) -> str:
    """A name or value as it can be written: on one line, not too long, not empty."""
    written = unquoted(value)
    if len(written) > LONGEST:
        written = written[: LONGEST - 3] + "..."
    return written or "-"


def unquoted(value: str) -> str:
    """Without quotation marks, and without what does not print."""
    return "".join(letter if letter.isprintable() else " " for letter in value.replace('"', "'"))


def unique(values: Sequence[str]) -> list[str]:
    """The same values, with their places where they would be alike."""
    if len(set(values)) == len(values):
        return list(values)
    return [f"{value} ({i + 1})" for i, value in enumerate(values)]


def text(keyword: str, value: str) -> str:
    """A keyword with one text, in pieces of a line each where it is long."""
    written = unquoted(value)
    first = LINE - len(keyword) - 4
    pieces = [written[:first], *(written[i : i + LINE - 3] for i in range(first, len(written), LINE - 3))]
    return f"{keyword}=" + END.join(f'"{piece}"' for piece in pieces) + ";"


def listed(keyword: str, values: Iterable[str]) -> str:
    """A keyword with a list, broken after a comma."""
    lines, line = [], f"{keyword}="
    quoted = [f'"{value}",' for value in values]
    for value in quoted:
        if len(line) + len(value) > LINE:
            lines.append(line)
            line = ""
        line += value
    lines.append(line[:-1] + ";")
    return END.join(lines)


def wrapped(cells: Iterable[str]) -> list[str]:
    """A row of cells, each followed by a blank, in lines."""
    lines, line = [], ""
    for cell in cells:
        if len(line) + len(cell) + 1 >= LINE:
            lines.append(line)
            line = ""
        line += f"{cell} "
    return [*lines, line]
