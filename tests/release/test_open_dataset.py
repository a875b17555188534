"""Margins of an open dataset: made once, of the true table or of a synthetic one, and never one for the other."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from discreet.release import open_dataset
from discreet.release.engine import Table
from discreet.release.open_dataset import Margin, Told
from discreet.release.service import Service


def test_a_margin_its_text_and_its_digest_agree(service: Service, auto: Table) -> None:
    opened = service.open("auto")
    mask = opened.mask(["B", "A"])
    assert opened.names(mask) == ("A", "B")
    told = opened.margin(mask)
    margin, text, digest = told
    assert [row["count"] for row in json.loads(text)] == auto.margin(["A", "B"]).dense().reshape(-1).tolist()
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    assert not margin.synthetic
    assert "synthetic" not in margin.columns()
    assert opened.margin(mask).margin is not margin, "what was made is kept only where it is said to be out"
    opened.keep(mask, told)
    assert opened.margin(mask).margin is margin


def test_synthetic_margins_say_so_and_are_known_by_what_is_in_them(service: Service, auto: Table) -> None:
    opened = service.open("auto")
    mask, ones, twos = opened.mask(["A"]), np.ones(auto.shape, np.int64), np.full(auto.shape, 2)
    true, drawn = opened.margin(mask), opened.margin(mask, ones)
    assert drawn.margin.synthetic
    assert drawn.margin.columns()["synthetic"] == [True, True]
    assert drawn.margin.columns()["count"] == [auto.size // 2] * 2
    opened.keep(mask, true)
    opened.keep(mask, drawn, ones)
    assert opened.margin(mask) is true
    assert opened.margin(mask, ones.copy()) is drawn
    assert opened.margin(mask, twos).margin.columns()["count"] == [auto.size] * 2


def test_few_margins_are_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = service.open("auto")

    def kept(mask: int) -> Told:
        told = opened.margin(mask)
        opened.keep(mask, told)
        return told

    monkeypatch.setattr(open_dataset, "CACHED_MARGINS", 2)
    first = kept(1)
    kept(2)
    assert opened.margin(1) is first
    kept(4)
    assert opened.margin(1) is first, "the one that was not asked for longest is forgotten"
    monkeypatch.setattr(open_dataset, "CACHED_TEXT", 0)
    assert kept(8) is not kept(8)


@given(
    hnp.arrays(np.int64, hnp.array_shapes(min_dims=0, max_dims=3, max_side=3), elements=st.integers(0, 2**60)),
    st.lists(st.text(max_size=5) | st.integers() | st.booleans() | st.none(), min_size=3, max_size=3, unique_by=str),
    st.lists(st.text(min_size=1, max_size=5), min_size=3, max_size=3, unique=True),
)
def test_the_text_of_a_margin_is_its_rows_as_json(
    counts: np.ndarray[Any, Any], levels: list[Any], names: list[str]
) -> None:
    categories = tuple(tuple(levels[:size]) for size in counts.shape)
    if counts.sum() > 2**62 or "count" in names or any(len(set(c)) < len(c) for c in categories):
        return
    margin = Margin(Table(tuple(names[: counts.ndim]), categories, counts), False)
    assert margin.text() == json.dumps(margin.rows(), ensure_ascii=False, separators=(",", ":"))
    assert [row["count"] for row in margin.rows()] == counts.reshape(-1).tolist()
    for row, place in zip(margin.rows(), np.ndindex(counts.shape)):
        assert list(row.values())[:-1] == [categories[a][i] for a, i in enumerate(place)]


def test_a_variable_called_synthetic_keeps_its_column() -> None:
    table = Table(("synthetic", "synthetic_"), (("yes", "no"), ("a", "b")), np.array([[1, 2], [3, 4]]))
    columns = Margin(table, synthetic=True).columns()
    assert columns["synthetic"] == ["yes", "yes", "no", "no"]
    assert columns["synthetic_"] == ["a", "b", "a", "b"]
    assert columns["synthetic__"] == [True] * 4
    assert list(Margin(table, synthetic=False).columns()) == ["synthetic", "synthetic_", "count"]
