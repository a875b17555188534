"""Margins of an open dataset: made once, of the true table or of a synthetic one, and never one for the other."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from discreet.release import open_dataset
from discreet.release.engine import Table
from discreet.release.service import Service


def test_a_margin_its_text_and_its_digest_agree(service: Service, auto: Table) -> None:
    opened = service.open("auto")
    mask = opened.mask(["B", "A"])
    assert opened.names(mask) == ("A", "B")
    margin, text, digest = opened.margin(mask)
    assert [row["count"] for row in json.loads(text)] == auto.margin(["A", "B"]).dense().reshape(-1).tolist()
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    assert not margin.synthetic
    assert "synthetic" not in margin.columns()
    assert opened.margin(mask)[0] is margin


def test_synthetic_margins_say_so_and_are_kept_apart(service: Service, auto: Table) -> None:
    opened = service.open("auto")
    mask, counts = opened.mask(["A"]), np.ones(auto.shape, np.int64)
    true, drawn = opened.margin(mask)[0], opened.margin(mask, counts, 3)[0]
    assert drawn.synthetic
    assert drawn.columns()["synthetic"] == [True, True]
    assert drawn.columns()["count"] == [auto.size // 2] * 2
    assert opened.margin(mask)[0] is true
    assert opened.margin(mask, counts, 3)[0] is drawn
    assert opened.margin(mask, counts, 4)[0] is not drawn


def test_few_margins_are_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = service.open("auto")
    monkeypatch.setattr(open_dataset, "CACHED_MARGINS", 2)
    first = opened.margin(1)[0]
    opened.margin(2)
    assert opened.margin(1)[0] is first
    opened.margin(4)
    assert opened.margin(1)[0] is first, "the one that was not asked for longest is forgotten"
    monkeypatch.setattr(open_dataset, "CACHED_TEXT", 0)
    assert opened.margin(8)[0] is not opened.margin(8)[0]
