"""Blocks of rows that are alike are judged by their counts, however many rows there are."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from discreet.verify.large import codes
from discreet.verify.large.blocks import Allowance, distinct, judge_blocks
from discreet.verify.large.cuts import Block
from discreet.verify.matchings.reading import Reading


def test_rows_that_are_alike_fit_however_many_they_are(tmp_path: Path) -> None:
    n, k = 5000, 3
    for name in ("before", "after"):
        np.zeros(n, np.int32).tofile(tmp_path / name)
    zero = np.zeros(1, np.int64)
    readings = [Reading(zero, zero, np.array([0, 1]), zero, zero)]
    whole = Block(tmp_path / "before", tmp_path / "after", n)
    assert judge_blocks(whole, readings, ("x",), k, Allowance(2, 100), tmp_path).safe
    assert judge_blocks(whole, readings, ("x",), n + 1, Allowance(2, 100), tmp_path).outcome == "unsafe"


def test_distinct_rows_of_several_pieces(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(codes, "PIECE", 7)
    rows = np.random.default_rng(0).integers(0, 3, (100, 2)).astype(np.int32)
    rows.tofile(tmp_path / "rows")
    found = distinct(tmp_path / "rows", 2, 100)
    assert found is not None
    expected = np.unique(rows, axis=0, return_counts=True)
    assert dict(zip(map(tuple, found[0].tolist()), found[1].tolist())) == dict(
        zip(map(tuple, expected[0].tolist()), expected[1].tolist())
    )
    assert distinct(tmp_path / "rows", 2, 8) is None
