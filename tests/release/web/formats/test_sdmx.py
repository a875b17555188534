"""SDMX-CSV with its structure message, as a strict reader written from the specification reads them."""

from __future__ import annotations

import numpy as np
import pytest
from formats_made import answer_of, tables
from hypothesis import given
from oracles.exchange import read_sdmx

from discreet.release.engine import Table
from discreet.release.web.formats.cube import cube_of
from discreet.release.web.formats.sdmx import CODE, as_sdmx_csv, as_sdmx_structure, identifiers


@given(tables())
def test_everything_comes_back(table: Table) -> None:
    cube = cube_of("d", answer_of(table))
    read = read_sdmx(as_sdmx_csv(cube), as_sdmx_structure(cube))
    assert read.names == [d.name for d in cube.dimensions]
    assert [tuple(labels) for labels in read.labels] == [d.labels for d in cube.dimensions]
    assert list(read.cells.values()) == list(cube.counts)


def test_texts_that_are_identifiers_stand_for_themselves() -> None:
    table = Table(("sex", "OBS_VALUE"), (("m", "f"), ("<140", ">=140")), np.array([[1, 2], [3, 4]]))
    cube = cube_of("office.2026", answer_of(table))
    read = read_sdmx(as_sdmx_csv(cube), as_sdmx_structure(cube))
    assert read.other["rows"][0][3:5] == ["sex", "OBS_VALUE_2"]
    assert read.codes == [["m", "f"], ["140", "140_2"]]
    assert read.labels == [["m", "f"], ["<140", ">=140"]]
    assert read.other["id"] == "office_2026-sex-OBS_VALUE_2"


def test_synthetic_counts_say_so(auto: Table) -> None:
    for synthetic in (False, True):
        cube = cube_of("auto", answer_of(auto, synthetic))
        read = read_sdmx(as_sdmx_csv(cube), as_sdmx_structure(cube))
        assert read.other["synthetic"] is synthetic
        assert read.other["id"].endswith("-SYNTHETIC") is synthetic


@pytest.mark.parametrize("texts", [["a b", "a_b", "a-b"], ["", " ", "_"], ["a_b", "a b", "a  b", "a_b_2"], ["é", "è"]])
def test_identifiers_differ(texts: list[str]) -> None:
    found = identifiers(texts, CODE)
    assert len(set(found)) == len(texts)
