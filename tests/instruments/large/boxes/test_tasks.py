"""What workers leave in the work folder: rows of the release, and of the draw nothing but what that shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import discreet as dc
from discreet.instruments.large.boxes.tasks import solved_name
from tests.instruments.large.boxes.conftest import KEYS


def test_solved_blocks_hold_boxes_and_left_columns_only(people: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, list[str]]] = []

    def look(step: Any) -> None:
        if step.stage == "shuffling" and not seen:
            for path in tmp_path.glob(".discreet-*/solved-*"):
                with pa.OSFile(str(path), "rb") as source:
                    table = pa.ipc.open_file(source).read_all()
                seen.append((table.num_columns, [str(kind) for kind in table.schema.types]))

    dc.generalize(dc.dataset(people, output=tmp_path / "out"), 3, quasi_identifiers=KEYS, progress=look)
    assert seen
    assert set(map(str, seen)) == {str((6, ["string"] * 5 + ["double"]))}


@pytest.mark.parametrize("block", [0, 12])
def test_no_name_is_used_twice(block: int) -> None:
    assert solved_name(block) != solved_name(block)
