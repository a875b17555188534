"""The pictures of a risk, and which of them a report shows."""

from __future__ import annotations

from typing import Any

import pytest
from instruments.drawn.kinds import check_kinds, check_sections

import discreet as dc
from discreet.instruments.drawn import risk

pytest.importorskip("matplotlib")


def test_pictures_by_name(results: dict[str, Any]) -> None:
    check_kinds(results["risk"], risk, ["alike", "combinations", "common combinations", "risks", "contributions"])


def test_sections(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_sections(results["risk"], monkeypatch)


def test_the_public_sees_no_rare_combination_of_keys(results: dict[str, Any]) -> None:
    found = results["risk"]
    assert found.below(2) > 0, "there are unique records"
    pictures = [section.figure for section in found.public_sections() if section.figure is not None]
    assert len(pictures) == 1
    counts = [bar.get_width() for bar in pictures[0].axes[0].patches]
    assert all(count >= risk.PUBLIC for count in counts)


def test_combinations_are_told_by_their_values(people: Any) -> None:
    first = dc.risk(people.assign(sex=["x", *people["sex"][1:]]), ["sex", "region"])
    label = first.plot("combinations").axes[0].get_yticklabels()[0].get_text()
    sizes = people.assign(sex=["x", *people["sex"][1:]]).groupby(["sex", "region"]).size()
    assert sizes[tuple(label.split(", "))] == sizes.min()
