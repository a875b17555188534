"""Files of bounds: checked whole, forged ones never called safe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.table_cases import all_ways, random_table
from oracles.tables import one_parameter_bounds

import discreet as dc
from discreet.verify.cells.files import verify_bounds


@pytest.fixture(scope="module")
def made() -> tuple[dc.Table, dc.Bounds]:
    table = random_table(3, (2, 3, 2), 4.0)
    return table, dc.bounds(all_ways(table, 2))


def test_files_are_checked_whole(made: tuple[dc.Table, dc.Bounds]) -> None:
    table, bounds = made
    frame, counts = bounds.to_frame(), table.to_frame()
    releases = bounds.margins.releases
    assert verify_bounds(frame, counts, releases).safe
    shuffled = frame.sample(frac=1, random_state=1)
    assert verify_bounds(shuffled, counts, releases).safe
    assert verify_bounds(frame.iloc[1:], counts, releases).outcome == "unsafe"
    wrong = frame.copy()
    wrong.loc[wrong["upper"].idxmax(), "upper"] -= 1
    assert verify_bounds(wrong, counts, releases).outcome == "unsafe"
    with pytest.raises(dc.InputError):
        verify_bounds(frame.drop(columns="sharp"), counts, releases)
    assert isinstance(frame, pd.DataFrame)


def forged(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """A bounds file with one thing wrong."""
    row, last = int(frame["upper"].idxmax()), len(frame) - 1
    changed = frame.astype({"sharp": object, "lower": object, "upper": object, "V1": object})
    if kind in ("twice", "another twice"):
        return changed.iloc[[*range(len(frame)), 0 if kind == "twice" else last]]
    if kind == "extra column":
        return changed.assign(note=1)
    if kind == "crossed":
        changed.loc[row, ["lower", "upper"]] = [int(frame["upper"][row]) + 1, int(frame["lower"][row])]
    elif kind == "everything":
        changed["lower"], changed["upper"] = 0, 999
    else:
        column, value = {
            "category": ("V1", "nobody"),
            "no category": ("V1", ""),
            "negative": ("lower", -1),
            "fraction": ("upper", "1.5"),
            "too large": ("upper", 2**62 + 1),
            "text": ("upper", "many"),
            "empty": ("lower", ""),
            "infinite": ("upper", "inf"),
            "word": ("sharp", "perhaps"),
            "no word": ("sharp", ""),
            "number": ("sharp", "2"),
        }[kind]
        changed.loc[row, column] = value
    return changed


KINDS = [
    *("twice", "another twice", "extra column", "category", "no category", "negative", "fraction", "too large"),
    *("text", "empty", "infinite", "word", "no word", "number", "crossed", "everything"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_forged_files_are_never_called_safe(made: tuple[dc.Table, dc.Bounds], tmp_path: Path, kind: str) -> None:
    table, bounds = made
    first, second = tmp_path / "bounds.csv", tmp_path / "table.csv"
    table.to_frame().to_csv(second, index=False)
    bounds.to_frame().to_csv(first, index=False)
    releases = bounds.margins.releases
    assert verify_bounds(str(first), str(second), releases).safe
    forged(bounds.to_frame(), kind).to_csv(first, index=False)
    if kind in ("crossed", "everything"):
        assert verify_bounds(str(first), str(second), releases).outcome == "unsafe"
    else:
        with pytest.raises(dc.InputError):
            verify_bounds(str(first), str(second), releases)


def test_too_wide_is_wrong_only_where_sharp_is_claimed(made: tuple[dc.Table, dc.Bounds]) -> None:
    table, bounds = made
    frame = bounds.to_frame()
    frame["lower"], frame["upper"] = 0, 999
    verdict = verify_bounds(frame, table.to_frame(), bounds.margins.releases)
    assert verdict.outcome == "unsafe"
    assert "too wide" in verdict.summary()
    frame["sharp"] = False
    verdict = verify_bounds(frame, table.to_frame(), bounds.margins.releases)
    assert verdict.safe
    assert "outer bounds" in verdict.summary()
    assert "wider than needed" in verdict.summary()
    frame.loc[0, "sharp"] = True
    assert verify_bounds(frame, table.to_frame(), bounds.margins.releases).outcome == "unsafe"


def test_it_is_said_what_was_proved_of_how_many(made: tuple[dc.Table, dc.Bounds]) -> None:
    table, bounds = made
    verdict = verify_bounds(bounds.to_frame(), table.to_frame(), bounds.margins.releases, sample=3)
    assert verdict.summary().splitlines()[1] == "  6 sides of 3 cells (a sample of 12) proved again, 0 undecided"
    assert "9 cells that are not in the sample" in verdict.summary()
    for sample in (0, -1):
        with pytest.raises(dc.InputError, match="sample"):
            verify_bounds(bounds.to_frame(), table.to_frame(), bounds.margins.releases, sample=sample)


def test_large_counts_are_checked_exactly() -> None:
    counts = np.array([[[2**60 + 1, 3], [1, 7]], [[2, 9], [11, 2**59 + 3]]])
    table = dc.Table.from_array(counts)
    releases = [["V1", "V2"], ["V2", "V3"], ["V1", "V3"]]
    ends = one_parameter_bounds(counts)
    frame = table.to_frame().drop(columns="count")
    frame["lower"], frame["upper"], frame["sharp"] = [low for low, _ in ends], [high for _, high in ends], True
    verdict = verify_bounds(frame, table.to_frame(), releases)
    assert verdict.safe, verdict.summary()
    for column, by in (("upper", 1), ("upper", -1), ("lower", -1), ("lower", 1)):
        wrong = frame.copy()
        wrong.loc[0, column] += by
        assert verify_bounds(wrong, table.to_frame(), releases).outcome == "unsafe"
