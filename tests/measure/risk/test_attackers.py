from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.risk.attackers import attackers
from discreet.measure.risk.frequencies import classes, frequencies


def test_three_attackers_by_hand() -> None:
    keys = np.array([[0], [0], [0], [1]])
    found = classes(keys)
    risks = attackers(found, *frequencies(keys, found, np.array([2.0, 2.0, 4.0, 10.0])))
    assert risks.prosecutor_highest == 1
    assert risks.prosecutor_average == pytest.approx(2 / 4)
    assert risks.journalist_highest == pytest.approx(1 / 8)
    assert risks.marketer == pytest.approx((3 / 8 + 1 / 10) / 4)
    assert risks.journalist_average == pytest.approx(max(2 / 18, risks.marketer))
