"""`method="auto"`: which method suits the number of records and columns, k and the effort asked for."""

from __future__ import annotations

from discreet.microaggregation.mdav import mdav
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats


def run(points: Floats, k: int, call: Call) -> Outcome:
    return run_mdav(points, k, call)


def run_mdav(points: Floats, k: int, call: Call) -> Outcome:
    return Outcome(mdav(points, k), "mdav")
