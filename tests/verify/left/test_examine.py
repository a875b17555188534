"""The check as a whole: files that give people away are refused by name, ordinary columns are not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.results import Verdict
from discreet.verify import verify
from discreet.verify.left import candidates, sample
from tests.verify.left.made import generated_survey

KEYS = ["age", "sex", "region"]
ORDINARY = ["dwelling", "education", "employment", "hours", "income", "spending", "savings", "illness"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    people = generated_survey()
    people["number"] = np.random.default_rng(2).permutation(len(people))
    return people


@pytest.fixture(scope="module")
def release(people: pd.DataFrame) -> Any:
    return dc.generalize(people, k=5, quasi_identifiers=KEYS, random_state=3, check=False)


def judged(original: pd.DataFrame, release: Any, columns: list[str], **changes: Any) -> Verdict:
    """The verdict on a release with some of its columns; what is not published is still in the original."""
    return verify(original, release.data[columns], **{**release.claim(), "secret": None, **changes})


@pytest.fixture(scope="module")
def whole(people: pd.DataFrame, release: Any) -> Verdict:
    return judged(people, release, list(people))


TOLD = {
    "person": "has a value of its own in nearly every row",
    "number": "has a value of its own in nearly every row",
    "household": "groups rows",
    "household_income": "groups rows",
    "weight": "is one to one with region",
    "noisy_weight": "tells region",
    "born": "tells age",
    "year_of_birth": "is one to one with age",
    "sex_code": "is one to one with sex",
}


@pytest.mark.parametrize("name", TOLD)
def test_what_gives_people_away_is_refused(people: pd.DataFrame, release: Any, name: str) -> None:
    verdict = judged(people, release, [*KEYS, *ORDINARY, name])
    assert verdict.outcome == "unsafe" and verdict.exit_code == 1
    assert [failure for failure in verdict.failures if failure.startswith(f"column {name} {TOLD[name]}")]
    assert len(verdict.failures) == 1 and any("--drop" in advice for advice in verdict.advice)
    taken = judged(people, release, [*KEYS, *ORDINARY, name], accept=[name])
    assert taken.safe and any(limit.startswith(f"accepted by name: column {name}") for limit in taken.limits)


def test_ordinary_columns_pass(people: pd.DataFrame, release: Any) -> None:
    verdict = judged(people, release, [*KEYS, *ORDINARY])
    assert verdict.safe, verdict.summary()
    assert release.verify().outcome == "unsafe"


def test_the_figures_are_those_that_were_measured(whole: Verdict) -> None:
    """Persons found if a column were known, and narrowed down by what it tells: the definitions' own figures."""
    assert whole.figures["if_known: income"] == 1268 and whole.figures["if_known: hours"] == 1013
    few = {
        failure.split()[1]: int(found[1]) for failure in whole.failures if (found := re.search(r"down, (\d+)", failure))
    }
    assert few["weight"] == pytest.approx(139, abs=30) and few["year_of_birth"] == pytest.approx(1074, abs=30)
    assert 0.2 < float(whole.figures["found"]) < 0.5


def test_households_of_three_and_more_fit_once(people: pd.DataFrame, release: Any) -> None:
    verdict = judged(people, release, [*KEYS, "household"])
    said = re.search(r"of (\d+) persons in groups, (\d+) are", verdict.failures[0])
    assert said and int(said[1]) == int(said[2]) == int((people.groupby("household").age.transform("size") > 1).sum())


def test_a_dropped_household_that_another_column_repeats(people: pd.DataFrame, release: Any) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    spelled = [letters[h % 26] + letters[h // 26 % 26] + letters[h // 676 % 26] for h in people.household * 7919]
    names = dict(zip(people.person, spelled))
    original = people.assign(z=spelled)
    data = release.data.assign(z=release.data.person.map(names))
    verdict = verify(original, data[[*KEYS, "z"]], **{**release.claim(), "secret": None})
    assert [failure for failure in verdict.failures if failure.startswith("column z groups rows")]


def test_every_guarantee_with_an_original_is_examined(people: pd.DataFrame) -> None:
    shown = people[["age", "income", "household", "year_of_birth", "illness"]]
    result = dc.microaggregate(shown, 3, columns=["age", "income"], method="mdav")
    verdict = result.verify()
    assert verdict.outcome == "unsafe" and "column household groups rows" in " ".join(verdict.failures)
    assert "column year_of_birth is one to one with age" in " ".join(verdict.failures)
    classes = verify(shown, result.data, k=3, quasi_identifiers=["age", "income"], guarantee="classes")
    assert verdict.failures == classes.failures
    assert verify(None, result.data, k=3, quasi_identifiers=["age", "income"]).safe


def test_two_columns_that_tell_together_are_accepted_by_either() -> None:
    rng = np.random.default_rng(0)
    asked, age = rng.integers(1950, 2025, 600), rng.integers(18, 90, 600)
    frame = pd.DataFrame({"age": age, "asked": asked, "born": asked - age})
    result = dc.microaggregate(frame, 3, columns=["age"], method="mdav")
    assert result.verify().failures[0].startswith("columns asked, born together tell age")
    for name in ("asked", "born"):
        verdict = dc.microaggregate(frame, 3, columns=["age"], method="mdav", accept=[name]).verify()
        assert verdict.safe and any("together tell age" in limit for limit in verdict.limits)


def test_names_with_braces_are_no_places_for_others() -> None:
    frame = pd.DataFrame({"{}": np.arange(60) % 30, "id{": np.arange(60), "x": [0.5, 1.5] * 30})
    result = dc.microaggregate(frame, 3, columns=["{}"], method="mdav")
    assert "column id{ has a value" in result.verify().failures[0]


def test_large_files_are_examined_in_part(people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (candidates, sample):
        monkeypatch.setattr(module, "MOST_PERSONS", 600)
    monkeypatch.setattr(candidates, "FEWER_PERSONS", 300)
    result = dc.generalize(people, k=5, quasi_identifiers=KEYS, random_state=3, check=False)
    verdict = judged(people, result, list(people))
    for name, words in TOLD.items():
        assert any(words in failure and name in failure for failure in verdict.failures), name
    assert verdict.figures["if_known: income"] == pytest.approx(1268, abs=120)
    assert any("taken at random" in limit for limit in verdict.limits)
    assert judged(people, result, [*KEYS, *ORDINARY]).safe


@pytest.mark.parametrize("seed", range(25))
def test_tiny_random_files_are_not_refused_by_luck(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 11))
    frame = pd.DataFrame(
        {
            "age": rng.integers(0, 5, n),
            "town": rng.choice(list("ab"), n),
            "a": rng.integers(0, 4, n),
            "b": rng.choice(list("xyz"), n),
            "c": rng.random(n).round(2),
        }
    )
    result = dc.generalize(frame, k=2, quasi_identifiers=["age", "town"], random_state=1, check=False)
    assert not [failure for failure in result.verify().failures if failure.startswith("column")]
