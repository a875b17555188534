"""The figures of a risk as JSON and as tables: each says where it comes from, none quotes the data."""

from __future__ import annotations

import json

import pandas as pd

import discreet as dc
from discreet.instruments.risk_figures import figures, sections

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


def test_every_figure_says_where_it_comes_from() -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"]).to_dict()
    settings = {"instrument", "version", "n", "keys", "missing", "boxes", "exact", "weighted", "max_risk", "basis"}
    assert set(found) - settings == set(found["basis"])
    assert all(
        text.startswith(("counted", "estimated by", "prosecutor counted", "scores counted"))
        for text in found["basis"].values()
    )


def test_figures_are_those_of_the_result() -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"])
    told = json.loads(json.dumps(figures(found), allow_nan=False))
    assert told["below"] == {str(k): found.below(k) for k in (2, 3, 5, 10)}
    assert told["expected"] == found.expected and told["highest_risk"] == found.risk.max()
    assert told["household_expected"] == found.household_risk.sum()
    assert told["linkage"] == {"by_distance": 1.0, "by_rank": 1.0, "against": "itself"}
    assert told["subsets"]["by_size"] == {"1": 3, "2": 6} and told["subsets"]["records"] == 6
    plain = figures(dc.risk(FRAME, KEYS, suda=None))
    assert not {"suda", "population", "diversity", "linkage", "household_expected"} & set(plain)


def test_tables_are_confidential_and_there_where_asked_for() -> None:
    full = dc.risk(FRAME, KEYS, weight="w", sensitive="ill", numeric=["income"])
    heads = [
        "Records that share",
        "Three attackers",
        "Who knows only",
        "Special uniques",
        "What the keys",
        "What the n",
    ]
    told = sections(full)
    assert [any(one.title.startswith(head) for one in told) for head in heads] == [True] * 6
    assert all(one.confidential for one in told[:6])
    few = sections(dc.risk(FRAME, KEYS, suda=None))
    assert not any(one.title.startswith(head) for one in few for head in heads[3:])
    alike = told[0]
    assert [row[1] for row in alike.rows] == [full.below(k) for k in (2, 3, 5, 10)]


def test_what_is_to_be_protected_first_is_said() -> None:
    words = sections(dc.risk(FRAME, KEYS, max_risk=0.9))[0].text
    assert "are within 90 % of the records as they are" in words
    words = sections(dc.risk(FRAME, KEYS, max_risk=0.55))[0].text
    assert "are to be protected first, to have 55 % at most" in words
