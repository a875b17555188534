"""How exposed records are, as a result: figures by hand, subsets of keys, words, and the file per record."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc

FRAME = pd.DataFrame(
    {
        "sex": ["f", "f", "f", "m", "m", None],
        "age": [30, 30, 41, 41, 41, 30],
        "w": [10.0, 20.0, 5.0, 4.0, 6.0, 8.0],
        "home": ["a", "a", "b", "b", "c", "c"],
        "ill": ["x", "y", "x", "x", "x", "y"],
        "income": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    }
)
KEYS = ["sex", "age"]


def test_figures_by_hand() -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"])
    assert found.f.tolist() == [2, 2, 1, 2, 2, 1]
    assert found.F.tolist() == [30, 30, 5, 10, 10, 8]
    p = np.array([1 / 5, 1 / 8])
    single = p / (1 - p) * np.log(1 / p)
    assert found.risk[[2, 5]] == pytest.approx(single)
    assert found.household_risk is not None
    assert found.household_risk[[0, 1]] == pytest.approx(1 - (1 - found.risk[0]) ** 2)
    assert found.uniques == 2 and found.below(3) == 6
    assert found.expected == pytest.approx(found.risk.sum())
    assert found.diversity["ill"]["distinct"] == 1
    assert found.linkage == (1.0, 1.0)
    assert found.subsets().by_size.tolist() == [3, 6]
    assert found.subsets(k=2, largest=1).exposed.tolist() == [False] * 5 + [True]


def test_many_keys_without_suda() -> None:
    frame = pd.DataFrame({f"c{j}": [1, 2, 1] for j in range(20)})
    found = dc.risk(frame, list(frame), suda=None)
    assert found.suda is None and found.contributions() == {}
    assert found.to_frame().columns.tolist() == ["f", "F", "risk"]
    assert "suda" not in found.to_dict()


def test_whoever_knows_some_of_the_keys() -> None:
    found = dc.risk(FRAME, KEYS)
    assert found.subsets().by_size.tolist() == [3, 6]
    assert found.subsets(k=2, largest=1).exposed.tolist() == [False] * 5 + [True]
    for wrong in ({"k": 0}, {"largest": 1.5}):
        with pytest.raises(dc.InputError, match="whole numbers"):
            found.subsets(**wrong)


def test_words_are_those_of_the_figures() -> None:
    found = dc.risk(FRAME, KEYS)
    facts = dict(found.facts())
    assert facts["unique"] == "2 of 6 (33.33 %), counted" and facts["fewer than 3"] == "6 of 6 (100 %), counted"
    assert facts["expected finds"].startswith("4 (66.67 %), counted, the file taken")
    assert "with households" not in facts and "linked by numbers" not in facts
    assert "like any other" in dict(dc.risk(FRAME, KEYS, missing="wildcard").facts())["keys"]


def test_whole_frequencies_are_integers_and_shares_are_not() -> None:
    assert dc.risk(FRAME, KEYS).to_frame()["f"].dtype.kind == "i"
    assert dc.risk(FRAME, KEYS, missing="wildcard", alpha=0.5).to_frame()["f"].dtype.kind == "f"


def test_parts_of_keys_in_the_scores_are_shares() -> None:
    parts = dc.risk(FRAME, KEYS).contributions()
    assert list(parts) == KEYS and all(0 < part <= 1 for part in parts.values())
    assert sum(parts.values()) >= 1, "who is unique by two keys together is so by each of them"
