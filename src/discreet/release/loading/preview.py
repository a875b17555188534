"""What a custodian sees of a file before it is opened to anybody: names, numbers, categories. For custodians only."""

from __future__ import annotations

from typing import Any

from discreet.release.loading.reading import Reading

SHOWN_CATEGORIES = 30


def preview_of(reading: Reading) -> dict[str, Any]:
    """Plain values: rows, total, columns, what is taken for what, categories, what is in doubt or wrong."""
    taken, table = reading.taken, reading.table
    levels = {} if table is None else dict(zip(table.names, table.categories))
    return {
        "rows": reading.rows,
        "total": None if table is None else table.total,
        "cells": None if table is None else table.size,
        "columns": [column.to_dict() for column in reading.columns],
        "count": None if taken is None else taken.count,
        "records": taken is not None and taken.records,
        "doubt": list(reading.doubt),
        "left_out": [] if taken is None else list(taken.left_out),
        "variables": [
            {
                "name": name,
                "number": len(some),
                "categories": [str(level) for level in some[:SHOWN_CATEGORIES]],
            }
            for name, some in levels.items()
        ],
        "faults": list(reading.faults),
        "published": None if reading.figures is None else reading.figures.to_dict(),
        "published_safe": reading.figures is None or reading.figures.safe,
        "ready": table is not None and not reading.doubt,
    }
