from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import all_ways, random_table
from oracles.tables import margin_of, one_parameter_bounds, sharp_bounds

import discreet as dc
from discreet.verify.cell_files import verify_bounds
from discreet.verify.cells import Equations, verify_cells


@pytest.fixture(scope="module")
def made() -> tuple[dc.Table, dc.Bounds]:
    table = random_table(3, (2, 3, 2), 4.0)
    return table, dc.bounds(all_ways(table, 2))


def claims(bounds: dc.Bounds) -> dict[str, object]:
    return {
        "shape": bounds.margins.shape,
        "margins": dict(bounds.margins.values),
        "lower": bounds.lower.copy(),
        "upper": bounds.upper.copy(),
        "lower_sharp": bounds.lower_sharp.copy(),
        "upper_sharp": bounds.upper_sharp.copy(),
    }


def test_right_bounds_pass_with_and_without_witnesses(made: tuple[dc.Table, dc.Bounds]) -> None:
    table, bounds = made
    assert verify_cells(**claims(bounds), counts=table.dense()).safe
    verdict = verify_cells(**claims(bounds), witness=bounds.solution.witness)
    assert verdict.safe
    assert verdict.figures["witnesses"] == verdict.figures["proved"] == 2 * table.size


@pytest.mark.parametrize(("name", "by"), [("upper", -1), ("lower", 1), ("upper", 1), ("lower", -1)])
def test_one_wrong_bound_is_found(made: tuple[dc.Table, dc.Bounds], name: str, by: int) -> None:
    _, bounds = made
    claim = claims(bounds)
    wide = np.argmax((bounds.upper - bounds.lower).reshape(-1))
    claim[name].reshape(-1)[wide] += by
    assert verify_cells(**claim).outcome == "unsafe"


def test_a_false_witness_is_found(made: tuple[dc.Table, dc.Bounds]) -> None:
    table, bounds = made
    lie = table.dense().copy()
    lie.reshape(-1)[0] += 1
    assert verify_cells(**claims(bounds), witness=lambda cell, side: lie).outcome == "unsafe"


def test_no_time_means_cannot_tell(made: tuple[dc.Table, dc.Bounds]) -> None:
    assert verify_cells(**claims(made[1]), time_limit=0.0).outcome == "cannot tell"


def test_equations_are_the_margins() -> None:
    table = random_table(1, (2, 2, 3), 3.0)
    margins = all_ways(table, 2)
    equations = Equations(table.shape, margins.values.items())
    assert equations.has(table.dense())
    assert not equations.has(table.dense() + 0.5)
    other = table.dense().copy()
    other[0, 0, 0] += 1
    assert not equations.has(other)


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


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_closed_form_is_sharp(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = [(2, 3), (2, 2, 2), (3, 1, 2), (2, 2, 3)][seed % 4]
    every = [axes for size in range(len(shape)) for axes in combinations(range(len(shape)), size)]
    chosen = [every[i] for i in rng.choice(len(every), 2, replace=False)]
    counts = rng.integers(0, 3, shape)
    margins = {axes: margin_of(counts, axes) for axes in chosen}
    closed = Equations(shape, margins.items()).closed_form()
    truth = sharp_bounds(shape, {axes: np.asarray(values) for axes, values in margins.items()})
    assert closed is not None, "two margins are always decomposable"
    assert truth is not None
    assert np.array_equal(closed[0], truth[0].reshape(-1))
    assert np.array_equal(closed[1], truth[1].reshape(-1))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2**31 - 1, 2**45 + 1, 2**58 + 1]))
def test_no_multipliers_prove_what_is_not_so(seed: int, factor: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (2, 2, 2)) * factor
    axes = [(0, 1), (1, 2), (0, 2)]
    equations = Equations(counts.shape, [(some, margin_of(counts, some)) for some in axes])
    for cell in range(8):
        multipliers = rng.normal(0, rng.choice([0.3, 1, 40]), equations.sums.size)
        assert equations.reach(cell, 1, multipliers) >= counts.reshape(-1)[cell]
        assert equations.reach(cell, -1, multipliers) <= counts.reshape(-1)[cell]


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


def test_the_checker_imports_nothing_of_the_methods() -> None:
    for name in ("cells", "cell_files", "cell_equations", "cell_reader", "cell_solvers", "cell_child"):
        text = (Path(dc.__file__).parent / "verify" / f"{name}.py").read_text(encoding="utf-8")
        ours = {line.split()[1] for line in text.splitlines() if line.lstrip().startswith("from discreet")}
        allowed = {"discreet.errors", "discreet.results"}
        assert all(module in allowed or module.startswith("discreet.verify.cell") for module in ours)
