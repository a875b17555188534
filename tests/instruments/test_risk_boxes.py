from __future__ import annotations

import numpy as np
import pandas as pd

import discreet as dc


def test_a_generalized_file_is_read_as_it_stands() -> None:
    people = dc.datasets.survey(60, seed=1)[["age", "sex", "region"]]
    release = dc.generalize(people, 3, quasi_identifiers=["age", "sex"], random_state=1, rounds=1).data
    found = dc.risk(release, ["age", "sex"])
    expected = release.groupby(["age", "sex"])["region"].transform("size")
    assert found.f.tolist() == expected.tolist()


def test_boxes_as_sets() -> None:
    frame = pd.DataFrame(
        {
            "age": ["[20, 30]", "25", "[31, 40]", "*", "[30, 31]", None],
            "sex": ["f", "{f, m}", "m", "m", "{f, m}", "f"],
            "w": [1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
        }
    )
    assert dc.risk(frame, ["age", "sex"]).f.tolist() == [1] * 6
    found = dc.risk(frame, ["age", "sex"], weight="w", boxes="set")
    assert found.f.tolist() == [3, 3, 3, 4, 4, 1]
    assert found.F.tolist() == [19, 11, 28, 30, 29, 32]
    assert "set of what it may be" in found.summary()
    assert dc.risk(frame, ["age", "sex"], missing="wildcard", boxes="set").f.tolist() == [4, 4, 3, 4, 5, 4]


def test_dates_and_quoted_categories_as_sets() -> None:
    frame = pd.DataFrame(
        {"day": ["[1950-01-03, 1952-04-30]", "1951-12-31", "1953-01-01"], "town": ['{"a, b", c}', "a, b", "c"]}
    )
    assert dc.risk(frame, ["day"], boxes="set").f.tolist() == [2, 2, 1]
    assert dc.risk(frame, ["town"], boxes="set").f.tolist() == [3, 2, 2]


def test_a_released_file_as_sets_has_k_or_more() -> None:
    people = dc.datasets.survey(60, seed=1)[["age", "sex", "region"]]
    release = dc.generalize(people, 3, quasi_identifiers=["age", "sex"], random_state=1, rounds=1).data
    found = dc.risk(release, ["age", "sex"], boxes="set")
    assert found.f.min() >= 3, "k boxes hold each person, so they meet one another"


def test_two_ways_to_a_wildcard() -> None:
    """Joins by patterns of missing keys, and all pairs of rows as sets: the same counts."""
    frame = dc.datasets.survey(400, seed=2)[["region", "sex", "age", "education"]].astype(object)
    frame = frame.mask(np.random.default_rng(0).random(frame.shape) < 0.15)
    keys = list(frame)
    joined, paired = (dc.risk(frame, keys, missing="wildcard", boxes=boxes).f for boxes in ("value", "set"))
    assert joined.tolist() == paired.tolist()
    assert joined.max() > dc.risk(frame, keys).f.max()
