"""JSON-stat as a strict reader written from the specification reads it."""

from __future__ import annotations

from formats_made import RECEIPT, answer_of, tables
from hypothesis import given
from oracles.exchange import read_json_stat

from discreet.release.engine import Table
from discreet.release.web.formats.cube import cube_of
from discreet.release.web.formats.json_stat import as_json_stat


@given(tables())
def test_everything_comes_back(table: Table) -> None:
    cube = cube_of("d", answer_of(table))
    read = read_json_stat(as_json_stat(cube))
    assert read.names == [d.name for d in cube.dimensions]
    assert [tuple(labels) for labels in read.labels] == [d.labels for d in cube.dimensions]
    assert list(read.cells.values()) == list(cube.counts)


def test_synthetic_counts_say_so(auto: Table) -> None:
    true = read_json_stat(as_json_stat(cube_of("auto", answer_of(auto)))).other
    assert "note" not in true and "status" not in true
    assert true["extension"] == {"dataset": "auto", "receipt": RECEIPT, "synthetic": False}
    made = read_json_stat(as_json_stat(cube_of("auto", answer_of(auto, synthetic=True)))).other
    assert made["note"][0].startswith("Synthetic counts: not those of the data")
    assert made["extension"]["synthetic"] is True
    assert made["extension"]["status"]["label"][made["status"]] == "synthetic"
    assert "Synthetic" in made["label"]
