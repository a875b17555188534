"""Margins told in part, as strict readers of each standard read them: hidden counts its own way, others marked."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow.parquet
import pytest
from formats_made import part_of
from oracles.exchange import Read, read_json_stat, read_px, read_sdmx

from discreet.release.engine import Table
from discreet.release.web.downloads import as_file, file_name

COUNTS = np.array([[11, 2, 33], [44, 55, 1]])
TABLE = Table(("sex", "status"), (("m", "f"), ("a", "b", "c")), COUNTS)
HIDDEN = part_of(TABLE, hidden=(1, 5))
ROUNDED = part_of(TABLE, base=5)
TOLD = [11, None, 33, 44, 55, None]
NEAR = [10, 0, 35, 45, 55, 0]


def read(format: str, part: bool) -> Read:
    answer = HIDDEN if part else ROUNDED
    made = as_file("d", answer, format)
    if format == "sdmx-csv":
        return read_sdmx(made, as_file("d", answer, "sdmx-structure"))
    return {"px": read_px, "json-stat": read_json_stat}[format](made)


@pytest.mark.parametrize("format", ["px", "json-stat", "sdmx-csv"])
def test_what_is_told_comes_back(format: str) -> None:
    assert list(read(format, part=True).cells.values()) == TOLD
    assert list(read(format, part=False).cells.values()) == NEAR


def test_px_has_a_symbol_and_forbids_sums() -> None:
    other = read("px", part=True).other
    assert other["DATASYMBOL2"] == ["Hidden to protect people"]
    assert (other["AGGREGALLOWED"], read("px", part=False).other["AGGREGALLOWED"]) == (["NO"], ["NO"])
    assert "hidden" in other["NOTEX"][0] and "hidden" in other["TITLE"][0]
    assert "multiple of 5" in read("px", part=False).other["NOTEX"][0]


def test_json_stat_has_a_status_for_each_hidden_count() -> None:
    other = read("json-stat", part=True).other
    assert other["status"] == {"1": "c", "5": "c"}
    assert other["extension"]["status"]["label"] == {"c": "confidential"}
    other = read("json-stat", part=False).other
    assert (other["status"], other["extension"]["base"]) == ("r", 5)


def test_sdmx_has_the_code_for_suppressed() -> None:
    other = read("sdmx-csv", part=True).other
    assert other["attributes"] == {"OBS_STATUS": ["A", "Q", "A", "A", "A", "Q"]}
    assert other["id"] == "d-sex-status-OBS_STATUS"
    assert read("sdmx-csv", part=False).other["attributes"] == {"ROUNDED_TO": ["5"] * 6}


def test_plain_files() -> None:
    rows = list(csv.DictReader(io.StringIO(as_file("d", HIDDEN, "csv").decode())))
    assert [row["count"] for row in rows] == ["11", "", "33", "44", "55", ""]
    assert [row["status_"] for row in rows] == ["", "hidden", "", "", "", "hidden"]  # a variable is called status
    rows = list(csv.DictReader(io.StringIO(as_file("d", ROUNDED, "csv").decode())))
    assert {row["status_"] for row in rows} == {"rounded to 5"}
    read_back = pyarrow.parquet.read_table(io.BytesIO(as_file("d", HIDDEN, "parquet"))).to_pydict()
    assert read_back["count"] == TOLD
    content = json.loads(as_file("d", HIDDEN, "json"))
    assert [row["count"] for row in content["margin"]] == TOLD
    assert (content["answer"], content["hidden"], content["base"]) == ("suppress", 2, 1)
    content = json.loads(as_file("d", ROUNDED, "json"))
    assert (content["answer"], content["hidden"], content["base"]) == ("round", 0, 5)


@pytest.mark.parametrize("format", ["csv", "json", "json-stat", "px", "sdmx-csv", "sdmx-structure"])
def test_no_file_has_a_hidden_count(format: str) -> None:
    table = Table(TABLE.names, TABLE.categories, np.array([[11, 987654321, 33], [44, 55, 123456789]]))
    made = as_file("d", part_of(table, hidden=(1, 5)), format)
    assert b"987654321" not in made and b"123456789" not in made


def test_names_say_it() -> None:
    assert file_name("d", HIDDEN, "px") == "d-sex-status-partial.px"
    assert file_name("d", ROUNDED, "csv") == "d-sex-status-rounded.csv"
