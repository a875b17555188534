"""The pictures of a protection, and which of them a report shows."""

from __future__ import annotations

from typing import Any

import pytest
from instruments.drawn.kinds import check_kinds, check_sections

from discreet.instruments.drawn import protection
from discreet.report.figures import alt

pytest.importorskip("matplotlib")


def test_pictures_by_name(results: dict[str, Any]) -> None:
    check_kinds(results["protection"], protection, ["loss", "widened", "households", "correlations", "distribution"])


def test_sections(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_sections(results["protection"], monkeypatch)


def test_a_picture_of_a_column_of_means(results: dict[str, Any]) -> None:
    assert alt(results["protection"].plot("distribution", column="income")).startswith("income:")
