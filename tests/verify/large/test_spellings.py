"""Values spelled in more than one way, counted in files as they are in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from verify.large.streaming import write_parts

from discreet.errors import InputError
from discreet.verify.large.database import database
from discreet.verify.large.facts import Column
from discreet.verify.large.source import open_source, paths_of
from discreet.verify.large.spellings import PER_ENTRY, spellings
from discreet.verify.matchings.reading import spellings as in_memory
from discreet.verify.readers import open_table
from discreet.verify.values.meaning import is_numeric

NAN = float("nan")
CASES = {
    "one zero": (pa.array([0.0, 1.0, 0.0]), 0),
    "two zeros": (pa.array([0.0, 1.0, -0.0]), 1),
    "two zeros and two gaps": (pa.array([0.0, -0.0, None, NAN], from_pandas=False), 2),
    "half floats": (pa.array(np.array([0.0, -0.0], np.float16)), 1),
    "numbers in texts": (pa.array(["1", "1.0", "2", "2", "3e0", "3"]), 2),
    "texts": (pa.array(["a", "b", "a"]), 0),
    "whole numbers": (pa.array([1, 1, 2]), 0),
    "a dictionary": (pa.array(["1", "1.0", "2"]).dictionary_encode(), 1),
}


def counted(
    table: pa.Table, folder: Path, names: Sequence[str], memory: int = 10**9, **facts: Column
) -> dict[str, int]:
    source = open_source(paths_of(write_parts(table, folder, 2)), "the published data")
    with database(10**9) as connection:
        return spellings(connection, source, names, open_table(table, "data"), facts, memory)


@pytest.mark.parametrize("case", CASES)
def test_files_say_what_memory_says(case: str, tmp_path: Path) -> None:
    array, expected = CASES[case]
    table = pa.table({"x": array})
    column = open_table(table, "data").column("x")
    # Types with one form per value are not looked at.
    assert counted(table, tmp_path / "p", ["x"]).get("x", 0) == expected
    assert in_memory(column, numeric=is_numeric(column)) == expected


def test_what_a_pass_has_told_is_not_asked_again(tmp_path: Path) -> None:
    known = Column()
    known.zeros = {True, False}
    assert counted(pa.table({"x": [0.0, 1.0]}), tmp_path / "p", ["x"], x=known) == {"x": 1}


def test_texts_that_do_not_fit_are_an_error(tmp_path: Path) -> None:
    table = pa.table({"x": [f"t{i}" for i in range(9)]})
    with pytest.raises(InputError, match="too many different texts"):
        counted(table, tmp_path / "p", ["x"], memory=8 * PER_ENTRY)
    assert counted(table, tmp_path / "q", ["x"], memory=9 * PER_ENTRY) == {"x": 0}
