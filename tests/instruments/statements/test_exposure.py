"""A measurement in plain language: it protects nobody, and says where its figure comes from."""

from __future__ import annotations

import discreet as dc
from discreet.instruments.statements.exposure import statement


def test_a_measurement() -> None:
    frame = dc.datasets.survey(60, seed=1)
    found = statement(dc.risk(frame, keys=["sex", "region"]))
    assert "the columns sex, region of a person" in found.done[0] and "counted" in found.done[1]
    assert "protects nobody" in found.against_whom[0]
    weighted = statement(dc.risk(frame.assign(w=3.0), keys=["sex", "region"], weight="w"))
    assert "estimated by" in weighted.done[1]
