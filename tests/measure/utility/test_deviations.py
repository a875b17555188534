"""IL1 and its variants: by hand, against sdcMicro's printed values, and without nonsense at the edges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from references import reference

import discreet as dc
from discreet.measure.utility.absent import CONSTANT, EMPTY
from discreet.measure.utility.correlations import correlations
from discreet.measure.utility.deviations import deviations


def test_by_hand() -> None:
    x, y = np.array([[1.0], [2.0], [3.0], [0.0]]), np.array([[2.0], [2.0], [1.0], [1.0]])
    found = deviations(x, y)
    sd = np.std([1, 2, 3, 0], ddof=1)
    assert found.il1 == pytest.approx(100 * (1 + 0 + 2 / 3))
    assert found.il1s == pytest.approx(4 / (np.sqrt(2) * sd))
    assert found.il1_old == pytest.approx(1 / (np.sqrt(2) * sd))
    assert found.il_variables == pytest.approx(2 / np.pi * (np.arctan(1) + np.arctan(2) + np.arctan(1)) / 4)
    assert found.by_column == (found.il1s,)


def test_sdcmicro_after_mdav() -> None:
    """IL1, IL1s, eigenvalues and IL_correl of expend, income, savings of its test data after MDAV with k = 3."""
    frame = pd.read_csv(reference("testdata.csv"))[["expend", "income", "savings"]].astype(float)
    x = frame.to_numpy()
    y = dc.microaggregate(frame, k=3, method="mdav").data.to_numpy()
    found = deviations(x, y)
    assert found.il1 == pytest.approx(384097.499427, rel=1e-9)
    assert found.il1_old == pytest.approx(0.0388168382111, rel=1e-9)
    assert found.il1s == pytest.approx(533.34335702, rel=1e-9)
    assert found.il_variables == pytest.approx(0.998097055901, rel=1e-9)
    ones = np.ones(len(x))
    related = correlations(x, y, ones, ones)
    assert related.eigenvalues == pytest.approx(0.000185549162391, rel=1e-7)
    assert related.il_correl == pytest.approx(8.32348466e-07, rel=1e-6)


def test_edges() -> None:
    none = np.full((3, 1), np.nan)
    assert deviations(none, none).il1 == EMPTY
    constant = deviations(np.full((3, 1), 5.0), np.full((3, 1), 6.0))
    assert constant.il1s == CONSTANT and constant.il1 == pytest.approx(60)
    one = deviations(np.array([[2.0]]), np.array([[3.0]]))
    assert one.il1 == pytest.approx(50) and one.il1s == CONSTANT
    part = deviations(np.array([[1.0, np.nan], [3.0, 4.0]]), np.array([[1.0, 2.0], [np.nan, 4.0]]))
    assert part.il1 == 0 and part.il_variables == 0
    huge = deviations(np.array([[1e308], [-1e308]]), np.array([[-1e308], [1e308]]))
    assert huge.il1 == pytest.approx(400) and np.isfinite(huge.il1s)
