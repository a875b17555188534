"""What is proposed keeps to what is allowed, by proof; what does not is said, with what would."""

from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.comparison.recommend import keeps, suitable
from discreet.instruments.comparison.trials import Roles

KEYS = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(120, seed=2)[[*KEYS, "income", "savings"]]


def test_the_least_loss_that_keeps_to_the_risk(people: pd.DataFrame) -> None:
    found = dc.recommend(people[KEYS], keys=KEYS, most_risk=0.25, time_limit=20)
    assert found.met and found.k == 4 and found.instrument == "generalize"
    assert found.chosen.guaranteed == 0.25 >= found.chosen.risk
    proven = [entry for entry in found.comparison.entries if keeps(entry, 0.25, None)]
    assert found.chosen.loss == min(entry.loss for entry in proven)
    assert found.result.verify().safe
    namespace = {"dc": dc, "frame": people[KEYS]}
    assert eval(found.call, namespace).k == 4  # what it says can be done
    assert {entry.instrument for entry in found.comparison.entries} == {
        "generalization",
        "local suppression",
        "protection",
    }


def test_the_largest_k_that_keeps_to_the_loss(people: pd.DataFrame) -> None:
    found = dc.recommend(people[["income", "savings"]], numeric=["income", "savings"], most_loss=0.15, time_limit=20)
    assert found.instrument == "microaggregate"
    fits = [entry for entry in found.comparison.entries if entry.loss <= 0.15]
    assert found.k == max(entry.k for entry in fits)
    assert any("largest k" in words for words in found.reasons)


def test_a_left_column_that_tells_stands_in_the_way(people: pd.DataFrame) -> None:
    named = people[["income"]].assign(code=[f"x{i}" for i in range(len(people))])
    found = dc.recommend(named, numeric=["income"], most_risk=0.34)
    assert not found.met and any("does not confirm" in words for words in found.reasons)
    left_out = dc.recommend(named, numeric=["income"], identifiers=["code"], most_risk=0.34)
    assert left_out.met and any("Leave code out" in words for words in left_out.reasons)


def test_guessed_roles_are_said_to_be_guesses(people: pd.DataFrame) -> None:
    found = dc.recommend(people, most_risk=0.34, time_limit=20)
    assert found.guessed and found.instrument == "protect"
    assert set(found.roles.keys) | set(found.roles.numeric) == set(people.columns)
    assert "guessed" in found.reasons[0]
    assert eval(found.call, {"dc": dc, "frame": people}).k == 3


def test_what_suits_the_roles() -> None:
    names = lambda roles: {trial.instrument for trial in suitable(roles)}  # noqa: E731
    assert names(Roles(keys=("a",))) == {"generalize", "suppress-locally", "protect"}
    assert names(Roles(numeric=("x",), weight="w")) == {"microaggregate"}
    assert names(Roles(keys=("a",), numeric=("x",))) == {"protect"}
    assert names(Roles(keys=("a",), household="h")) == {"protect"}
    assert names(Roles(keys=("a",), weight="w")) == {"protect"}


def test_faults(people: pd.DataFrame) -> None:
    for given, words in (
        ({}, "most_risk"),
        ({"most_risk": 0}, "above 0"),
        ({"most_risk": 2.0, "most_loss": -1}, "most_loss"),
        ({"most_risk": 0.5, "keys": ["hat"]}, "hat"),
        ({"most_risk": 0.001, "keys": KEYS}, "there are 120 records"),
        ({"most_risk": 0.5, "random_state": -1}, "random_state"),
    ):
        with pytest.raises(dc.InputError, match=words):
            dc.recommend(people, **given)
    with pytest.raises(dc.InputError, match="nothing that an intruder may know"):
        dc.recommend(pd.DataFrame({"id": [f"x{i}" for i in range(30)]}), most_risk=0.5)
