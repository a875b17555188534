"""Key columns become codes on disk, and are again what they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from verify.large.streaming import write_parts

from discreet.errors import Faults, InputError
from discreet.verify.claims import Asked, check_claim
from discreet.verify.large import codes
from discreet.verify.large.codes import by_row, read_entries, write_codes
from discreet.verify.large.source import open_source, paths_of
from discreet.verify.order import held_pairs
from discreet.verify.readers import open_table


def test_rows_hold_what_they_hold_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "PIECE", 4)
    x = [0.0, -0.0, 1.5, None, float("nan"), 7.0, 1e300, 2.0, 7.0]
    before = pa.table({"x": x})
    after = pa.table({"x": ["[0, 2]", "0", "{1.5, 2}", None, "*", "[7, 1e300]", "1e300", "[2, 7.0]", "7"]})
    sources = [open_source(paths_of(write_parts(t, tmp_path / str(i), 2)), "x") for i, t in enumerate((before, after))]
    asked = {"k": 1, "quasi_identifiers": ["x"], "guarantee": "matchings"}
    tables = [open_table(t, "x") for t in (before, after)]
    claim = check_claim(tables[0], tables[1], Faults(), Asked(**_all(asked)), has_original=True)
    found = read_entries(sources[0], sources[1], claim, 10**6)
    write_codes(sources[0], ["x"], found.before, [r.codes for r in found.readings], tmp_path / "b")
    write_codes(sources[1], ["x"], found.after, [r.texts for r in found.readings], tmp_path / "a")
    readings = by_row(found.readings, tmp_path / "b", tmp_path / "a")
    pairs = np.repeat(np.arange(9), 9), np.tile(np.arange(9), 9)
    held = held_pairs(readings, *pairs).reshape(9, 9)
    rows = [[0, 1, 2, 7], [0, 1], [2, 7], [3, 4], range(9), [5, 6, 8], [6], [5, 7, 8], [5, 8]]
    assert [np.flatnonzero(one).tolist() for one in held] == [list(one) for one in rows]
    with pytest.raises(InputError, match="too many different values"):
        read_entries(sources[0], sources[1], claim, 1000)


def _all(asked: dict[str, object]) -> dict[str, object]:
    """A claim as `verify` hands it on."""
    from discreet import verify as package

    defaults = {n: p.default for n, p in __import__("inspect").signature(package).parameters.items()}
    for name in ("original", "published", "memory"):
        del defaults[name]
    return defaults | asked
