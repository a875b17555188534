"""How searches went: results keep the moments, in their own unit, and what is found does not depend on it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.drawn.search import traced
from discreet.work import Moment, Progress


def test_moments_are_in_the_unit_of_the_result_and_end_with_it() -> None:
    end = Moment(9.0, 1.0, 1.0)
    assert traced([Moment(1.0, 4.0, 2.0)], end, 0.5) == (Moment(1.0, 2.0, 1.0), end)
    assert traced([], end) == ()


@pytest.fixture(scope="module")
def amounts() -> pd.DataFrame:
    return dc.datasets.survey(60, seed=3)[["income", "spending"]]


def test_the_trace_of_a_microaggregation_ends_at_its_loss_and_bound(amounts: pd.DataFrame) -> None:
    result = dc.microaggregate(amounts, 3, certify=True)
    seconds, values, bounds = (np.array(part) for part in zip(*result.trace))
    assert (np.diff(seconds) >= 0).all()
    assert values[-1] == result.information_loss == pytest.approx(np.nanmin(values))
    assert bounds[-1] == result.lower_bound and np.nanmax(bounds[:-1]) == pytest.approx(result.lower_bound, rel=1e-6)
    assert (np.fmin.accumulate(values) >= np.fmax.accumulate(bounds) * (1 - 1e-9))[~np.isnan(bounds)].all()


def test_each_k_has_its_own_moments_and_listening_changes_nothing(amounts: pd.DataFrame) -> None:
    heard: list[Progress] = []
    both = dc.microaggregate(amounts, [3, 5], progress=heard.append)
    for k, result in zip((3, 5), both):
        alone = dc.microaggregate(amounts, k)
        assert result.trace[-1].value == result.information_loss
        assert [m.value for m in result.trace] == [m.value for m in alone.trace]
        assert result.data.equals(alone.data)
    assert heard


def test_groups_that_are_found_apart_have_no_trace(amounts: pd.DataFrame) -> None:
    frame = amounts.assign(part=["x", "y"] * 30)
    assert dc.microaggregate(frame, 3, columns=["income", "spending"], by="part").trace == ()
    with pytest.raises(dc.InputError, match="no picture 'convergence'"):
        dc.microaggregate(frame, 3, columns=["income"], method="univariate").plot("convergence")


def test_the_trace_of_a_generalization_ends_at_its_loss() -> None:
    frame = dc.datasets.survey(80, seed=3)[["sex", "age", "region"]]
    result = dc.generalize(frame, 3, quasi_identifiers=["sex", "age", "region"], random_state=1)
    values = [moment.value for moment in result.trace]
    assert values[-1] == result.gcp and values[0] >= values[-1] and len(values) > 3
    assert math.isnan(result.trace[-1].bound)


def test_the_trace_of_a_pattern_of_hidden_cells_is_its_cost() -> None:
    totals = dc.tabulate(dc.datasets.survey(200, seed=7), ["region", "education"], rules=["frequency=4"])
    result = dc.suppress(totals, cost="unit")
    assert result.trace[-1][1:] == (result.cost, result.lower_bound)
