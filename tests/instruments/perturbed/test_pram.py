from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    frame = dc.datasets.survey(20_000, seed=1)[["region", "dwelling", "sex", "education", "age"]]
    frame.loc[::50, "dwelling"] = None
    return frame


def test_counts_are_kept_in_expectation_and_missing_is_a_category(people: pd.DataFrame) -> None:
    found = dc.pram(people, ["region", "dwelling"], stay=0.6, random_state=1)
    for name in ("region", "dwelling"):
        before, after = (frame[name].fillna("").value_counts(normalize=True) for frame in (people, found.data))
        assert before.to_dict() == pytest.approx(after.to_dict(), abs=0.01)
        shares = people[name].fillna("").value_counts(normalize=True)
        assert found.changed[name] == pytest.approx(0.4 * (1 - (shares**2).sum()), rel=0.05)
    assert (found.data["dwelling"].isna() & people["dwelling"].notna()).any()
    assert found.data[["sex", "education", "age"]].equals(people[["sex", "education", "age"]])


def test_a_published_value_is_true_as_often_as_is_said(people: pd.DataFrame) -> None:
    found = dc.pram(people, ["sex"], stay=0.5, random_state=1)
    true = (found.data["sex"] == people["sex"]).groupby(found.data["sex"]).mean()
    assert true.max() == pytest.approx(found.detail["most_believed"], abs=0.02)


def test_together_only_combinations_that_occur_are_published(people: pd.DataFrame) -> None:
    occurring = set(map(tuple, people[["education", "age"]].to_numpy()))
    joint = dc.pram(people, ["education", "age"], together=True, random_state=1).data
    apart = dc.pram(people, ["education", "age"], random_state=1).data
    assert set(map(tuple, joint[["education", "age"]].to_numpy())) <= occurring
    assert not set(map(tuple, apart[["education", "age"]].to_numpy())) <= occurring


def test_strata_keep_their_own_counts(people: pd.DataFrame) -> None:
    one = people.assign(region=np.where(people["sex"] == "f", "north", people["region"]))
    found = dc.pram(one, ["region"], stay=0.0, by="sex", random_state=1).data
    assert (found["region"][one["sex"] == "f"] == "north").all()


SEXES = {"f": {"f": 0.7, "m": 0.3}, "m": {"f": 0.1, "m": 0.9}}


def test_a_matrix_of_ones_own_is_checked_and_repaired_where_asked_for(people: pd.DataFrame) -> None:
    with pytest.raises(dc.InputError, match="not invariant"):
        dc.pram(people, ["sex"], matrix={"sex": SEXES})
    found = dc.pram(people, ["sex"], matrix={"sex": SEXES}, repair=True, random_state=1)
    share = (people["sex"] == "f").mean()
    assert (found.data["sex"] == "f").mean() == pytest.approx(share, abs=0.02)
    stays = share / (1 - share) * 0.3
    good = {"f": {"f": 0.7, "m": 0.3}, "m": {"f": stays, "m": 1 - stays}}
    kept = dc.pram(people, ["sex"], matrix={"sex": good}, random_state=1)
    rows = people["sex"] == "f"
    assert (kept.data["sex"][rows] == "f").mean() == pytest.approx(0.7, abs=0.02)
    assert kept.detail["most_believed"] == pytest.approx(max(0.7, 1 - stays))


def test_wrong_matrices_are_refused(people: pd.DataFrame) -> None:
    for matrix, word in (
        ({"f": {"f": 0.5}, "m": {"m": 1.0}}, "sum to 1"),
        ({"f": {"f": 1.0}}, "misses 1 value"),
        ({"f": {"f": 0.5, "x": 0.5}, "m": {"m": 1.0}}, "does not have"),
        ({"f": {"f": 1.5, "m": -0.5}, "m": {"m": 1.0}}, "no probabilities"),
        (3, "must be value"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.pram(people, ["sex"], matrix={"sex": matrix})
    for settings, word in (
        ({"matrix": {"age": SEXES}}, "not perturbed"),
        ({"matrix": {"sex": SEXES}, "together": True}, "choose one"),
        ({"matrix": {"sex": SEXES}, "by": "region"}, "choose one"),
        ({"repair": True}, "none was given"),
        ({"stay": 1.0}, "changes nothing"),
        ({"stay": -0.1}, "stay"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.pram(people, ["sex"], **settings)


def test_spellings_tell_nothing() -> None:
    """A number that one record spells its own way would show where its value went, or that it stayed."""
    frame = pd.DataFrame({"code": ["1", "1", "01", "2", "2", "2.0"] * 40})
    found = dc.pram(frame, ["code"], stay=0.5, random_state=1)
    assert set(found.data["code"]) == {"1", "2"}
