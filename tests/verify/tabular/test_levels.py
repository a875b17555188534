"""Levels of sensitive cells: protected by a table, exposed by a proof, or undecided; never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from verify.tabular.cases import written

from discreet.verify.tabular.levels import Level, check_levels
from discreet.verify.tabular.problem import load

CYCLE = [4, 5, 7, 8]


def outcomes(path: Path, hidden: list[int], level: int = 1, sliding: int = 0, **more: object) -> dict[int, str]:
    table = load(written(path, level=level, sliding=sliding), "the problem")
    found = check_levels(table, hidden, **more)  # type: ignore[arg-type]
    assert {each.cell for each in found} <= {4}
    return {each.kind: each.outcome for each in found}


@pytest.mark.parametrize(
    ("level", "above", "below"),
    [
        (1, "protected", "protected"),
        (2, "protected", "protected"),
        (3, "exposed", "protected"),
        (4, "exposed", "exposed"),
    ],
)
def test_sides_are_judged_by_themselves(tmp_path: Path, level: int, above: str, below: str) -> None:
    found = outcomes(tmp_path / "p.jj", CYCLE, level)
    assert (found[1], found[-1]) == (above, below)


@pytest.mark.parametrize(("sliding", "outcome"), [(5, "protected"), (6, "exposed")])
def test_a_sliding_level_takes_both_sides_together(tmp_path: Path, sliding: int, outcome: str) -> None:
    assert outcomes(tmp_path / "p.jj", CYCLE, 1, sliding)[0] == outcome


def test_a_published_cell_is_exposed_even_without_a_level(tmp_path: Path) -> None:
    found = outcomes(tmp_path / "p.jj", [5, 7, 8], 0)
    assert found[1] == found[-1] == "exposed"


def test_a_witness_spares_the_search_and_a_false_one_does_not(tmp_path: Path) -> None:
    table = load(written(tmp_path / "p.jj", level=2), "the problem")
    turn = {4: 2, 5: -2, 7: -2, 8: 2}
    back = {cell: -change for cell, change in turn.items()}
    found = check_levels(table, CYCLE, [turn, back], end=0.0)
    assert all(each.outcome == "protected" for each in found)
    lies = [{4: 2}, {4: 9, 5: -9, 7: -9, 8: 9}, {0: 2}]
    assert {each.outcome for each in check_levels(table, CYCLE, lies, end=0.0) if each.kind} == {"undecided"}


def test_who_knows_a_cell_knows_more(tmp_path: Path) -> None:
    assert outcomes(tmp_path / "p.jj", CYCLE, known=[5])[1] == "exposed"
    assert outcomes(tmp_path / "p.jj", CYCLE, known=[4]) == {}, "the sensitive cell is their own"


def test_words_for_what_is_known() -> None:
    assert Level(0, 1, 3, 3, None).outcome == "protected"
    assert Level(0, 1, 3, 2, 2).outcome == "exposed"
    assert Level(0, 1, 3, 2, None).outcome == Level(0, 1, 3, 2, 5).outcome == "undecided"
