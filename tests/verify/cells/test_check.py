from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import all_ways, random_table

import discreet as dc
from discreet.verify.cells.check import verify_cells


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
