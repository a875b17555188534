"""A reading as files: it comes back as it was, and nothing in the files can act."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.loading.columns import Column, Taken
from discreet.release.loading.published import Figures
from discreet.release.loading.reading import Reading
from discreet.release.loading.results import COUNTS, RESULT, read_result, write_reading

TABLE = Table(("a", "b"), (("x", "y"), ("u", "v", "w")), np.arange(6).reshape(2, 3))
WHOLE = Reading(
    6,
    (Column("a", "text", 2, False), Column("n", "whole", 6, True)),
    Taken("n", False, ("a", "b"), ("id",), ("m",)),
    TABLE,
    ("column 'a' is odd",),
    Figures(3, 1, 1, 0, 2, True),
)


@pytest.mark.parametrize(
    "reading",
    [WHOLE, replace(WHOLE, taken=None, figures=None), replace(WHOLE, table=None), Reading(0, (), faults=("empty",))],
)
def test_a_reading_comes_back_as_it_was(reading: Reading, tmp_path: Path) -> None:
    write_reading(reading, tmp_path)
    back = read_result(tmp_path)
    assert isinstance(back, Reading)
    assert replace(back, table=None) == replace(reading, table=None)
    assert (back.table is None) == (reading.table is None)
    if back.table is not None:
        assert (back.table.names, back.table.categories) == (TABLE.names, TABLE.categories)
        assert np.array_equal(back.table.dense(), TABLE.dense())


def test_an_error_is_handed_on(tmp_path: Path) -> None:
    (tmp_path / RESULT).write_text(json.dumps({"error": {"kind": "memory", "faults": ["too large"]}}))
    assert read_result(tmp_path) == {"kind": "memory", "faults": ["too large"]}


def test_objects_in_the_file_of_counts_are_not_made(tmp_path: Path) -> None:
    class Acts:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.touch, (tmp_path / "done",))

    write_reading(WHOLE, tmp_path)
    with (tmp_path / COUNTS).open("wb") as file:
        np.savez(file, counts=np.array([Acts()], object))
    with pytest.raises((ValueError, pickle.UnpicklingError)):
        read_result(tmp_path)
    assert not (tmp_path / "done").exists()
