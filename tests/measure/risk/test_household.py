from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.risk.household import household_risk


def test_one_member_is_enough() -> None:
    risk = np.array([0.5, 0.5, 0.1, 1.0, 0.2])
    assert household_risk(risk, np.array([0, 0, 1, 2, 2])) == pytest.approx([0.75, 0.75, 0.1, 1.0, 1.0])


def test_tiny_risks_do_not_vanish() -> None:
    assert household_risk(np.full(2, 1e-18), np.zeros(2, np.int64)) == pytest.approx([2e-18, 2e-18], rel=1e-12)
