"""A proposal in words: the reasons, the call, and what would be possible where nothing keeps to what is allowed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.comparison.recommendation import Recommendation
from discreet.instruments.comparison.trials import Roles, Trial

KEYS = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(120, seed=2)[[*KEYS, "income", "savings"]]


def test_where_nothing_keeps_to_both_it_says_what_would(people: pd.DataFrame) -> None:
    found = dc.recommend(
        people[["income", "savings"]], numeric=["income", "savings"], most_risk=0.1, most_loss=0.12, time_limit=20
    )
    assert not found.met and found.result is None and found.call is None and found.k is None
    assert {entry.k for entry in found.comparison.entries} == {3, 5, 10}
    words = " ".join(found.reasons)
    assert "loses least" in words and "Within that loss the largest k is" in words
    assert found.title() == "Nothing that was tried keeps to what is allowed"
    never = dc.recommend(people[["income"]], numeric=["income"], most_risk=0.3, most_loss=1e-9, time_limit=20)
    assert any("fewer columns" in words for words in never.reasons)


def test_words_figures_and_page(people: pd.DataFrame, tmp_path: Path) -> None:
    found = dc.recommend(people[["income", "savings"]], numeric=["income", "savings"], most_risk=0.34)
    assert "What was tried:" in found.summary() and found.call in found.summary()
    figures = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert figures["met"] and figures["recommended"]["k"] == 3 and len(figures["results"]) == 2
    assert list(found.to_frame()["name"]) == list(found.comparison.names)
    page = found.report(tmp_path / "r.html").read_text()
    assert found.reasons[1].split(",")[0] in page and "<svg" in page


@pytest.mark.parametrize(
    ("trial", "roles", "call"),
    [
        (
            Trial("microaggregate", "mdav"),
            Roles(numeric=("income",), weight="savings"),
            "dc.microaggregate(frame, k=3, columns=['income'], method='mdav', weight='savings')",
        ),
        (
            Trial("suppress-locally", "cover"),
            Roles(keys=("age",), accept=("income",)),
            "dc.suppress_locally(frame, k=3, keys=['age'], semantics='cover', accept=['income'])",
        ),
        (
            Trial("protect", "classes"),
            Roles(keys=("age", "sex"), identifiers=("income",)),
            "dc.protect(frame, k=3, keys=['age', 'sex'], identifiers=['income'], guarantee='classes', "
            "leave=['region', 'savings'])",
        ),
    ],
)
def test_the_call_says_what_was_tried(people: pd.DataFrame, trial: Trial, roles: Roles, call: str) -> None:
    result = dc.microaggregate(people, 3, columns=["income"], method="mdav", accept=["savings", *KEYS])
    found = dc.compare([result])
    best = replace(found.entries[0], figures={**found.entries[0].figures, "k": 3})
    best = replace(best, measured=replace(best.measured, guaranteed=1 / 3))
    told = Recommendation.of(found, [trial], roles, best, (0.4, None), guessed=False)
    assert told.call == call and told.met and told.title() == f"Recommended: {trial.instrument}, {trial.method}, k = 3"
    none = Recommendation.of(found, [trial], roles, None, (0.4, None), guessed=True)
    assert not none.met and none.call is None and "These roles are guessed" in none.reasons[0]
