from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc

KEYS = ["sex", "age", "education"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(3000, seed=1)


def moved(before: pd.DataFrame, after: pd.DataFrame) -> pd.Series:
    return (before["region"] != after["region"]).groupby(before["household"]).max()


def test_households_move_as_one_to_those_of_their_profile(people: pd.DataFrame) -> None:
    found = dc.swap_records(people, ["region"], household="household", profile=["sex"], random_state=1)
    after = found.data
    assert after.drop(columns="region").equals(people.drop(columns="region"))
    assert (after.groupby("household")["region"].nunique() == 1).all()
    assert moved(people, after).sum() == found.detail["moved"]
    homes = people.groupby("household").agg(region=("region", "first"), sexes=("sex", lambda s: tuple(sorted(s))))
    homes["after"] = after.groupby("household")["region"].first()
    for _, kind in homes.groupby("sexes"):
        assert sorted(kind["region"]) == sorted(kind["after"])  # households of a kind are where they were, as a whole
    assert found.detail["moved"] == pytest.approx(0.05 * len(homes), abs=2)


def test_those_at_risk_are_moved_first(people: pd.DataFrame) -> None:
    found = dc.swap_records(
        people, ["region"], household="household", keys=["sex", "education"], k=5, percent=0.1, random_state=1
    )
    size = people.groupby(["region", "sex", "education"])["person"].transform("size")
    risky = (size < 5).groupby(people["household"]).max()
    assert found.detail["at_risk"] == risky.sum() > 0
    assert found.detail["at_risk_unmoved"] == (risky & ~moved(people, found.data)).sum() == 0
    assert found.known == ("sex", "education")


def test_what_finds_nobody_is_told() -> None:
    frame = pd.DataFrame({"home": [1, 1, 2, 3], "region": ["a", "a", "b", "c"], "sex": ["f", "m", "f", "m"]})
    found = dc.swap_records(frame, ["region"], household="home", keys=["sex"], k=2, percent=100, random_state=1)
    assert found.detail["at_risk_unmoved"] == 1  # no other household of two
    assert "found nobody" in found.summary()
    assert found.data["region"].tolist() == ["a", "a", "c", "b"]


def test_without_households_records_are_exchanged(people: pd.DataFrame) -> None:
    found = dc.swap_records(people, ["region", "dwelling"], percent=20, random_state=1)
    both = [tuple(row) for row in people[["region", "dwelling"]].to_numpy()]
    now = [tuple(row) for row in found.data[["region", "dwelling"]].to_numpy()]
    assert sorted(both) == sorted(now)
    assert np.mean([a != b for a, b in zip(both, now)]) == pytest.approx(0.2, abs=0.001)


def test_faults(people: pd.DataFrame) -> None:
    for settings, word in (
        ({"columns": ["sex"], "household": "household"}, "differ in sex"),
        ({"household": "hat"}, "hat"),
        ({"keys": ["region"]}, "beside what is exchanged"),
        ({"keys": ["hat"]}, "hat"),
        ({"k": 1, "keys": ["sex"]}, "k must"),
        ({"percent": 0}, "percent"),
        ({"known": ["region"]}, "left as they are"),
        ({"profile": ["region"]}, "both perturbed and profile"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.swap_records(people, **{"columns": ["region"], **settings})
    with pytest.raises(dc.InputError, match="nobody to swap with"):
        dc.swap_records(people.assign(region="a"), ["region"])
    with pytest.raises(dc.InputError, match="missing in 1 rows"):
        dc.swap_records(
            people.astype({"household": float}).assign(household=[None, *range(2999)]),
            ["region"],
            household="household",
        )
