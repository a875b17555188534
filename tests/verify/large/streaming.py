"""Small tables written in parts, judged twice: in memory, and as files that do not fit."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify import verify


def write_parts(table: pa.Table, folder: Path, parts: int = 3) -> Path:
    """The rows of a table in several files of a folder."""
    folder.mkdir(exist_ok=True)
    step = -(-table.num_rows // parts)
    for part in range(parts):
        pq.write_table(table.slice(part * step, step), folder / f"part-{part:05d}.parquet")
    return folder


def in_memory(before: Any, after: Any, **claim: Any) -> Verdict | str:
    try:
        return verify(before, after, **claim)
    except InputError:
        return "error"


def streamed(before: Any, after: Any, folder: Path, **claim: Any) -> Verdict | str:
    """The verdict on the tables as files, of which not one cell fits into memory."""
    folder.mkdir(exist_ok=True)
    one = None if before is None else write_parts(before, folder / "before", 3)
    two = write_parts(after, folder / "after", 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("discreet.verify.large"), "PER_CELL", 1 << 40)
        try:
            return verify(one, two, **claim)
        except InputError:
            return "error"
        finally:
            for path in folder.glob("*/*.parquet"):
                path.unlink()


def outcome(verdict: Verdict | str) -> str:
    return verdict if isinstance(verdict, str) else verdict.outcome
