"""PX files as a strict reader written from the specification reads them."""

from __future__ import annotations

import numpy as np
import pytest
from formats_made import RECEIPT, answer_of, tables
from hypothesis import given
from oracles.exchange import read_px

from discreet.release.engine import Table
from discreet.release.web.formats.cube import cube_of
from discreet.release.web.formats.px import as_px, text


@given(tables())
def test_cells_come_back_in_order(table: Table) -> None:
    cube = cube_of("d", answer_of(table))
    read = read_px(as_px(cube))
    assert list(read.cells.values()) == list(cube.counts)
    assert [len(codes) for codes in read.codes] == [len(d.codes) for d in cube.dimensions]


def test_what_can_be_written_is_written_as_it_is(auto: Table) -> None:
    read = read_px(as_px(cube_of("auto", answer_of(auto))))
    assert tuple(read.names) == auto.names
    assert [tuple(labels) for labels in read.labels] == [tuple(map(str, levels)) for levels in auto.categories]
    assert read.other["CHARSET"] == ["ANSI"] and read.other["CODEPAGE"] == ["utf-8"]
    assert read.other["STUB"] == list("ABCDE") and read.other["HEADING"] == ["F"]
    assert "NOTEX" not in read.other
    assert read.other["NOTE"] == [f"Receipt {RECEIPT}"]


def test_synthetic_counts_say_so(auto: Table) -> None:
    read = read_px(as_px(cube_of("auto", answer_of(auto, synthetic=True))))
    assert read.other["NOTEX"][0].startswith("Synthetic counts: not those of the data")
    assert "Synthetic" in read.other["TITLE"][0] and "Synthetic" in read.other["CONTENTS"][0]


@pytest.mark.parametrize("length", [0, 1, 245, 246, 247, 248, 249, 250, 251, 252, 253, 600])
def test_long_texts_are_broken_into_lines(length: int) -> None:
    lines = text("TITLE", "x" * length).split("\r\n")
    assert all(len(line) <= 256 for line in lines)
    assert sum(line.count("x") for line in lines) == length
    assert all(line.count('"') == 2 for line in lines)


def test_rows_longer_than_a_line() -> None:
    counts = np.arange(10**6, 10**6 + 200)
    read = read_px(as_px(cube_of("d", answer_of(Table(("v",), (tuple(range(200)),), counts)))))
    assert list(read.cells.values()) == counts.tolist()
