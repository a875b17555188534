from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc

MONEY = ["income", "savings", "spending"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(3000, seed=1)[[*MONEY, "sex", "age"]]


def test_noise_has_the_size_that_was_asked_for(people: pd.DataFrame) -> None:
    found = dc.add_noise(people, MONEY, percent=20, random_state=1)
    e = found.data[MONEY] - people[MONEY]
    assert (e.std() / people[MONEY].std()).to_list() == pytest.approx([0.2] * 3, rel=0.05)
    assert found.data[["sex", "age"]].equals(people[["sex", "age"]])
    assert set(found.changed.values()) == {1.0}


def test_restored_correlated_noise_keeps_variances_and_correlations(people: pd.DataFrame) -> None:
    plain = dc.add_noise(people, MONEY, percent=80, random_state=1).data[MONEY]
    kept = dc.add_noise(people, MONEY, percent=80, correlated=True, restore=True, random_state=1).data[MONEY]
    before = people[MONEY]
    assert np.abs(kept.corr() - before.corr()).max().max() < 0.1 < np.abs(plain.corr() - before.corr()).max().max()
    assert (kept.std() / before.std()).to_list() == pytest.approx([1.0] * 3, rel=0.1)


def test_whole_numbers_stay_whole_where_asked_for(people: pd.DataFrame) -> None:
    assert dc.add_noise(people, ["income"], random_state=1).data["income"].dtype == float
    assert dc.add_noise(people, ["income"], round=True, random_state=1).data["income"].dtype == people["income"].dtype


def test_more_noise_is_found_less(people: pd.DataFrame) -> None:
    shares = [dc.add_noise(people, MONEY, percent=p, random_state=1) for p in (1, 10, 100)]
    linked = [found.linkage.strongest for found in shares]
    assert linked == sorted(linked, reverse=True) and linked[0] > 0.5 > 0.1 > linked[2]
    told = [found.intervals.together for found in shares]
    assert told == sorted(told, reverse=True) and told[0] == 1.0


def test_faults(people: pd.DataFrame) -> None:
    for settings, word in (
        ({"percent": 0}, "percent"),
        ({"percent": 1001}, "percent"),
        ({"columns": ["income"], "correlated": True}, "several columns"),
        ({"columns": ["spending"], "round": True}, "whole numbers"),
        ({"columns": ["sex"]}, "not numeric"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.add_noise(people, **{"columns": MONEY, **settings})
    holes = people[:4].astype({"income": float}).assign(income=[1.0, 2.0, None, None])
    with pytest.raises(dc.InputError, match="too few"):
        dc.add_noise(holes, MONEY, correlated=True)
