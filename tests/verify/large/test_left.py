"""Columns that go out as they are in files of which only a part is held: judged by counts of all values."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from verify.large.streaming import in_memory, outcome, streamed

import discreet as dc

N = 1200
RNG = np.random.default_rng(7)
LEFT: dict[str, Any] = {
    "plain": RNG.choice(["u", "v", "w"], N),
    "amounts": RNG.lognormal(size=N),
    "person_id": RNG.permutation(N),
    "word": [f"w{i:05d}x" for i in RNG.permutation(N)],
    "household": np.repeat(np.arange(N // 3), 3),
    "steps": np.repeat(RNG.permutation(N // 2), 2),
}


@pytest.fixture(scope="module")
def release() -> tuple[pa.Table, pa.Table]:
    data = pa.table({"a": RNG.normal(size=N), "b": RNG.normal(size=N)})
    return data, dc.microaggregate(data, k=4, columns=["a", "b"], random_state=1).data


@pytest.mark.parametrize("name", LEFT)
def test_nothing_is_safe_that_is_not_so_in_memory(
    name: str, release: tuple[pa.Table, pa.Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("discreet.verify.large.sample"), "MOST_PERSONS", 200)
    before, after = (side.append_column(name, pa.array(LEFT[name])) for side in release)
    claim = {"k": 4, "quasi_identifiers": ["a", "b"], "guarantee": "microaggregation"}
    whole, parts = in_memory(before, after, **claim), streamed(before, after, tmp_path, **claim)
    assert parts.figures["examined_rows"] == 200
    if name in ("plain", "amounts"):
        assert outcome(whole) == outcome(parts) == "safe"
    else:
        assert outcome(parts) != "safe"
        accepted = streamed(before, after, tmp_path, **claim, accept=[name])
        assert accepted.safe and accepted.limits
    copied = streamed(before, after.append_column("copy", before.column("a")), tmp_path, **claim)
    assert outcome(copied) == "unsafe"


@pytest.mark.parametrize("guarantee", ["microaggregation", "classes", "matchings"])
def test_what_was_made_of_an_accepted_column_is_not_accepted(
    guarantee: str, release: tuple[pa.Table, pa.Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other values, rows torn, spellings that tell equal values apart: as in memory."""
    monkeypatch.setattr(import_module("discreet.verify.large.sample"), "MOST_PERSONS", 200)
    before, after = (side.append_column("left", pa.array(LEFT["person_id"] / 2).cast(pa.string())) for side in release)
    before, after = (side.append_column("word", pa.array([f"{i % 6}.5" for i in range(N)])) for side in (before, after))
    order = np.arange(N)
    if guarantee == "matchings":
        after = after.set_column(0, "a", pa.array(["*"] * N)).set_column(1, "b", pa.array(["*"] * N))
        order = RNG.permutation(N)
    words = after.column("left").to_pylist()
    forged = {
        "honest": after,
        "changed": after.set_column(2, "left", pa.array([*words[:-1], "0.25"])),
        "torn": after.set_column(2, "left", pa.array([*words[1:], words[0]])),
        "signs": after.set_column(3, "word", pa.array([f"{i % 6}.5{'0' * (i % 7 == 0)}" for i in range(N)])),
        "styles": after.set_column(
            2, "left", pa.array([f"{word}{'0' * (i % 7 == 0)}" for i, word in enumerate(words)])
        ),
        "zeros": after.set_column(3, "word", pa.array([f"{i % 6}.50" for i in range(N)])),
    }
    claim = {"k": 4, "quasi_identifiers": ["a", "b"], "guarantee": guarantee, "accept": ["left", "word"]}
    for name, table in forged.items():
        shuffled = table.take(pa.array(order))
        told = outcome(streamed(before, shuffled, tmp_path, **claim)), outcome(in_memory(before, shuffled, **claim))
        assert told == (("safe", "safe") if name in ("honest", "zeros") else ("unsafe", "unsafe")), name


def test_a_copy_and_a_recode_among_left_columns(
    release: tuple[pa.Table, pa.Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("discreet.verify.large.sample"), "MOST_PERSONS", 200)
    claim = {"k": 4, "quasi_identifiers": ["a", "b"], "guarantee": "microaggregation"}
    known = release[0].column("a").to_numpy()
    for told in (known, known * 2.0 + 1.0, np.round(known, 2)):
        before, after = (side.append_column("told", pa.array(told)) for side in release)
        assert outcome(streamed(before, after, tmp_path, **claim)) == "unsafe"
