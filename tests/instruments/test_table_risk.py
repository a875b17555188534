"""Sensitive cells under a policy: which are exposed, what is said of them, and what is not called safe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import discreet as dc
from discreet.instruments.table_risk import Risk


@pytest.fixture(scope="module")
def table() -> dc.Table:
    return dc.Table.from_counts(dc.datasets.autoworkers())


def test_risk_by_policy(table: dc.Table) -> None:
    bounds = dc.bounds(table.margins([tuple(r) for r in ("ABCDE", "ABCDF", "ABCEF", "ABDEF", "ACDEF", "BCDEF")]))
    risk = bounds.risk({"c": 3, "w": 3}, table)
    x = table.dense()
    assert risk.sensitive.sum() == ((x >= 1) & (x <= 3)).sum()
    wide = (bounds.upper - bounds.lower).reshape(-1)
    assert np.array_equal(risk.exposed, risk.sensitive & (wide < 3))
    assert not risk.undecided.any()
    assert len(risk.to_frame()) == risk.exposed.sum()
    assert str(int(risk.exposed.sum())) in risk.summary()
    assert risk.plot() is not None
    worst = risk.worst(5)
    assert len(worst) == 5
    assert [row[-1] - row[-2] for row in worst] == sorted(wide[risk.exposed].tolist())[:5]
    blind = bounds.risk({"c": 3, "w": 3})
    assert (blind.sensitive <= risk.sensitive).all()
    with pytest.raises(dc.InputError, match="c in the policy"):
        bounds.risk({"c": 0})


@pytest.fixture(scope="module")
def small() -> Risk:
    """A table of which the margins tell one small cell exactly."""
    counts = dc.Table.from_array(np.array([[1, 0], [7, 9]]))
    return dc.bounds(counts.margins([("V1", "V2")])).risk({"c": 2, "w": 3}, counts)


def test_exposed_cells_make_it_unsafe_and_are_listed(small: Risk) -> None:
    assert not small.safe and small.verdict().outcome == "unsafe"
    assert small.title() == "Under the policy c = 2, w = 3: 1 cells are exposed"
    assert small.lines() == ["V1 0, V2 0: 1 to 1"] and small.lines(0) == ["and 1 more"]
    assert small.to_dict() | {"sensitive": 1, "exposed": 1, "pinned": 1, "undecided": 0, "safe": False} == (
        small.to_dict()
    )


def test_without_the_true_counts_nothing_is_called_safe(small: Risk) -> None:
    none = np.zeros_like(small.exposed)
    harmless = replace(small, exposed=none, pinned=none)
    assert harmless.safe and harmless.verdict().outcome == "safe"
    assert replace(harmless, counts=None).verdict().outcome == "cannot tell"
    undecided = replace(harmless, undecided=small.exposed)
    assert not undecided.safe and undecided.verdict().outcome == "cannot tell"
    assert replace(undecided, exposed=small.exposed).verdict().outcome == "unsafe"
    assert undecided.lines() == small.lines()
