from __future__ import annotations

import numpy as np
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.problem import standardize


def test_default_effort_beats_icsm_as_published() -> None:
    points = standardize(np.loadtxt(reference("tarragona.csv"), delimiter=",", skiprows=1))
    assert solve(points, 3).information_loss < 14.81
    assert solve(points, 3, effort="fast").information_loss < 16.93
