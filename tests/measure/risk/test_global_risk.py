from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.risk.global_risk import threshold


@given(st.lists(st.sampled_from([0.01, 0.02, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=30), st.floats(0.005, 1))
def test_cutting_all_above_it_is_enough_and_none_higher_is(risks: list[float], most: float) -> None:
    risk = np.array(risks)
    limit = most * len(risk)
    levels = sorted(set(risks) - {max(risks)}, reverse=True)
    enough = [level for level in levels if np.minimum(risk, level).sum() < limit * (1 - 1e-12)]
    found = threshold(risk, most)
    close = any(abs(np.minimum(risk, level).sum() - limit) < 1e-9 for level in [*levels, max(risks)])
    if not close:
        assert found == (None if risk.sum() < limit or not enough else enough[0])
