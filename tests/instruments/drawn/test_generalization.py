"""The pictures of a generalization, and which of them a report shows."""

from __future__ import annotations

from typing import Any

import pytest
from instruments.drawn.kinds import check_kinds, check_sections

import discreet as dc
from discreet.instruments.drawn import generalization
from discreet.report.figures import alt

pytest.importorskip("matplotlib")


def test_pictures_by_name(results: dict[str, Any]) -> None:
    check_kinds(results["generalization"], generalization, ["loss", "widened", "distribution", "convergence"])


def test_sections(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_sections(results["generalization"], monkeypatch)


def test_a_picture_of_a_column(results: dict[str, Any]) -> None:
    assert alt(results["generalization"].plot("distribution", column="region")).startswith("region:")
    with pytest.raises(dc.InputError, match="not of one column"):
        results["generalization"].plot("loss", column="region")
