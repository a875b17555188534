from __future__ import annotations

import pandas as pd

import discreet as dc
from discreet.instruments.perturbed.pages import LIMITS, settings


def test_every_method_says_what_it_leaves_open() -> None:
    frame = pd.DataFrame({"a": range(40), "b": [i * 7 % 40 for i in range(40)], "c": ["x", "y"] * 20})
    found = [
        dc.rank_swap(frame, ["a"], random_state=1),
        dc.add_noise(frame, ["a"], random_state=1),
        dc.add_noise(frame, ["a", "b"], correlated=True, random_state=1),
        dc.pram(frame, ["c"], random_state=1),
        dc.swap_records(frame, ["c"], random_state=1),
    ]
    assert {result.method for result in found} == set(LIMITS)
    for result in found:
        titles = [section.title for section in result.sections()]
        assert titles == ["Who is found again", "Column by column", "What this does not give"]
        assert LIMITS[result.method] in result.sections()[-1].text
        assert "fixed seed" in result.sections()[-1].text
    assert settings(found[2]) == "percent 10.0, correlated"
