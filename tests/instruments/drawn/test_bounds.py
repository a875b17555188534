"""The pictures of bounds, and which of them a report shows."""

from __future__ import annotations

from typing import Any

import pytest
from instruments.drawn.kinds import check_kinds, check_sections

from discreet.instruments.drawn import bounds
from discreet.report.figures import alt

pytest.importorskip("matplotlib")


def test_pictures_by_name(results: dict[str, Any]) -> None:
    check_kinds(results["bounds"], bounds, ["map", "graph", "widths", "exposure"])


def test_sections(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_sections(results["bounds"], monkeypatch)


def test_the_map_shows_the_bounds_as_counts(results: dict[str, Any]) -> None:
    found = results["bounds"]
    assert f"Of {found.margins.size} cells {int((found.lower == found.upper).sum())} are known" in alt(found.plot())
