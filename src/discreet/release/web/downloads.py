"""A margin as a file: CSV, JSON, Parquet, or one of the formats that offices exchange. One that is not whole says so.

A synthetic margin, one with hidden counts and one with rounded counts say it in their name and in every row, or where
the format has a place for it. In CSV no text is left that a
spreadsheet would run (`formulas.py`); JSON and Parquet have it as it is.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Final

from fastapi import HTTPException, Response

from discreet.release.people.actor import Actor
from discreet.release.service import Answer, Service
from discreet.release.web.formats.cube import Cube, cube_of
from discreet.release.web.formats.json_stat import as_json_stat
from discreet.release.web.formats.px import as_px
from discreet.release.web.formats.sdmx import as_sdmx_csv, as_sdmx_structure
from discreet.release.web.formulas import harmless

TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "json-stat": "application/vnd.json-stat+json; version=2.0",
    "px": "application/octet-stream",
    "sdmx-csv": "application/vnd.sdmx.data+csv; version=2.0.0; charset=utf-8",
    "sdmx-structure": "application/vnd.sdmx.structure+json; version=2.0.0",
}
TITLES: Final = {
    "csv": "CSV",
    "json": "JSON",
    "parquet": "Parquet",
    "json-stat": "JSON-stat",
    "px": "PX",
    "sdmx-csv": "SDMX-CSV",
    "sdmx-structure": "SDMX structure",
}
WORDS: Final = {"simulate": "synthetic", "suppress": "partial", "round": "rounded"}
ENDINGS: Final = {"sdmx-csv": "sdmx.csv", "sdmx-structure": "sdmx.json"}
PATTERN: Final = f"^({'|'.join(TYPES)})$"
_EXCHANGED: Final[dict[str, Callable[[Cube], bytes]]] = {
    "json-stat": as_json_stat,
    "px": as_px,
    "sdmx-csv": as_sdmx_csv,
    "sdmx-structure": as_sdmx_structure,
}


def told_file(service: Service, actor: Actor, name: str, variables: list[str], format: str) -> Response:
    """A file of what has been told. Fetching it decides nothing new, and does not tell what was refused.

    It asks again, so that the ledger knows of the file too.
    """
    opened = service.current(name, actor)
    mask = opened.mask(variables)
    frontier, policy = opened.state.frontier, opened.policy
    told = frontier.has_told(mask) or (policy.otherwise == "simulate" and frontier.forbids(mask))
    answer = service.ask(actor, name, variables, again=True) if told else None
    if answer is None or answer.margin is None:
        raise HTTPException(409, "there is no file of this margin: ask for it first")
    disposition = f'attachment; filename="{file_name(name, answer, format)}"'
    headers = {"Content-Disposition": disposition, "Content-Type": TYPES[format]}
    return Response(as_file(name, answer, format), headers=headers)


def file_name(dataset: str, answer: Answer, format: str) -> str:
    ending = [WORDS[answer.answer]] if answer.answer in WORDS else []
    parts = [dataset, *(answer.variables or ("total",)), *ending]
    stem = "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part) for part in parts)[:120]
    return f"{stem}.{ENDINGS.get(format, format)}"


def as_file(dataset: str, answer: Answer, format: str) -> bytes:
    assert answer.margin is not None
    if format in _EXCHANGED:
        return _EXCHANGED[format](cube_of(dataset, answer))
    columns = answer.margin.columns()
    if format == "parquet":
        import pyarrow
        import pyarrow.parquet

        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table(columns), buffer)
        return buffer.getvalue()
    if format == "json":
        content = {
            "variables": list(answer.variables),
            "answer": answer.answer,
            "synthetic": answer.synthetic,
            "hidden": answer.margin.missing,
            "base": answer.margin.base,
            "entry": answer.entry,
            "margin": answer.margin.rows(),
        }
        return json.dumps(content, ensure_ascii=False, indent=1).encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(harmless, columns))
    writer.writerows(map(harmless, row) for row in zip(*columns.values()))  # a hidden count is an empty field
    return text.getvalue().encode()


def accepted_format(accept: str) -> str:
    """The format that a caller likes best of those it accepts (`Accept`, RFC 9110, 12.5.1); JSON where any will do.

    The most specific range decides: the type itself, then type/*, then */*. Parameters other than `q` do not count.
    """
    wanted = [_preference(part) for part in accept.split(",") if part.strip()] or [(1.0, "*/*")]
    kinds = {format: kind.split(";")[0] for format, kind in TYPES.items()}
    offered = {"json": kinds["json"], **kinds}

    def quality(kind: str) -> float:
        ranges = ("*/*", kind.split("/")[0] + "/*", kind)
        return max(((ranges.index(w), q) for q, w in wanted if w in ranges), default=(0, 0.0))[1]

    best = max(offered, key=lambda format: quality(offered[format]))
    if quality(offered[best]) <= 0:
        raise HTTPException(406, f"known formats are {', '.join(kinds.values())}")
    return best


def _preference(part: str) -> tuple[float, str]:
    kind, *parameters = (word.strip().lower() for word in part.split(";"))
    given = next((p[2:] for p in parameters if p.startswith("q=")), "1")
    return float(given) if re.fullmatch(r"[01](\.\d{0,3})?", given) else 0.0, kind
