"""A reading as files, between the process that reads and the one that serves: JSON and arrays, nothing that can act."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from discreet.release.engine import Table
from discreet.release.loading.columns import Column, Taken
from discreet.release.loading.published import Figures
from discreet.release.loading.reading import Reading

RESULT, COUNTS = "result.json", "counts.npz"


def write_reading(reading: Reading, folder: Path) -> None:
    """Leave a reading in a folder."""
    told: dict[str, Any] = {
        "rows": reading.rows,
        "columns": [column.to_dict() for column in reading.columns],
        "taken": None if reading.taken is None else asdict(reading.taken),
        "faults": list(reading.faults),
        "figures": None if reading.figures is None else reading.figures.to_dict(),
        "table": None,
    }
    if reading.table is not None:
        table = reading.table
        told["table"] = {"names": list(table.names), "categories": [list(levels) for levels in table.categories]}
        with (folder / COUNTS).open("wb") as file:
            np.savez(file, counts=table.dense())
    (folder / RESULT).write_text(json.dumps(told), encoding="utf-8")


def read_result(folder: Path) -> Reading | dict[str, Any]:
    """The reading that was left in a folder, or the error."""
    told = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    if "error" in told:
        error: dict[str, Any] = told["error"]
        return error
    table = None
    if told["table"] is not None:
        with np.load(folder / COUNTS, allow_pickle=False) as arrays:
            counts = arrays["counts"]
        levels = tuple(tuple(some) for some in told["table"]["categories"])
        table = Table(tuple(told["table"]["names"]), levels, counts)
    return Reading(
        told["rows"],
        tuple(Column(**column) for column in told["columns"]),
        None if told["taken"] is None else _taken(told["taken"]),
        table,
        tuple(told["faults"]),
        None if told["figures"] is None else Figures.from_mapping(told["figures"]),
    )


def _taken(told: dict[str, Any]) -> Taken:
    lists = {key: tuple(told[key]) for key in ("variables", "left_out", "doubt")}
    return Taken(told["count"], told["records"], **lists)
