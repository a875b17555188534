"""The pictures of a microaggregation, and which of them a report shows."""

from __future__ import annotations

from typing import Any

import pytest
from instruments.drawn.kinds import check_kinds, check_sections

from discreet.instruments.drawn import microaggregation

pytest.importorskip("matplotlib")


def test_pictures_by_name(results: dict[str, Any]) -> None:
    check_kinds(results["microaggregation"], microaggregation, ["loss", "sizes", "correlations", "distribution"])


def test_sections(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_sections(results["microaggregation"], monkeypatch)


def test_group_sizes_are_for_everybody(results: dict[str, Any]) -> None:
    titles = [section.title for section in results["microaggregation"].public_sections()]
    assert "Group sizes" in titles and "Before and after" not in titles and "How the search went" not in titles
