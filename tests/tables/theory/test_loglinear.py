from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import all_ways, random_table
from oracles.tables import margin_of

import discreet as dc


def test_closed_form_and_fitting_agree() -> None:
    from discreet.tables.theory.loglinear import fit_margins

    table = random_table(2, (3, 2, 4), 8.0)
    margins = table.margins([("V1", "V2"), ("V2", "V3")])
    closed = dc.loglinear(margins)
    fitted = fit_margins(margins.shape, margins.values, start=np.ones(margins.shape))
    assert closed.closed_form
    assert not fitted.closed_form
    assert np.allclose(closed.expected, fitted.expected)


def test_fitted_margins_and_degrees_of_freedom() -> None:
    table = dc.Table.from_counts(dc.datasets.autoworkers())
    fit = dc.loglinear(table, all_ways(table, 2).releases)
    assert fit.degrees_of_freedom == 64 - 1 - 6 - 15
    for axes, values in all_ways(table, 2).values.items():
        assert np.allclose(margin_of(fit.expected, axes), values, atol=1e-3)
    x, m = table.dense(), fit.expected
    assert fit.deviance == pytest.approx(2 * float((x[x > 0] * np.log(x[x > 0] / m[x > 0])).sum()))


def test_independence_in_a_two_way_table() -> None:
    fit = dc.loglinear(dc.Table.from_array([[10, 20], [30, 40]], ["A", "B"]), [("A",), ("B",)])
    assert np.allclose(fit.expected, [[12, 18], [28, 42]])
    assert fit.degrees_of_freedom == 1
