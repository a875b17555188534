from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc

MONEY = ["income", "savings", "spending"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(600, seed=1).drop(columns=["person", "household", "household_income"])


def test_columns_keep_their_values_and_the_others_their_rows(people: pd.DataFrame) -> None:
    frame = people.set_index(np.arange(600) * 3)
    found = dc.rank_swap(frame, MONEY, random_state=1)
    assert type(found.data) is pd.DataFrame and found.data.index.equals(frame.index)
    assert list(found.data.dtypes) == list(frame.dtypes)
    for name in frame.columns:
        if name in MONEY:
            assert sorted(found.data[name]) == sorted(frame[name])
            assert (found.data[name] != frame[name]).mean() == pytest.approx(found.changed[name])
        else:
            assert found.data[name].equals(frame[name])


def test_percent_is_no_fraction(people: pd.DataFrame) -> None:
    """A peer takes 1, 5 and 10 percent for one and the same: everything is then exchanged with everything."""
    frame = pd.DataFrame({"x": people["spending"].unique()})
    ranks, n = frame["x"].rank(), len(frame)
    moved = [(dc.rank_swap(frame, ["x"], percent=p, random_state=1).data["x"].rank() - ranks).abs() for p in (1, 5, 10)]
    assert [float(far.max()) <= p * n / 100 for far, p in zip(moved, (1, 5, 10))] == [True] * 3
    assert moved[0].mean() < moved[1].mean() < moved[2].mean()
    assert dc.rank_swap(frame, ["x"], percent=5, random_state=1).data["x"].rank().corr(ranks) > 0.99


def test_a_known_seed_takes_everything_back(people: pd.DataFrame) -> None:
    """Why the draw is secret unless a seed is asked for: who knows it needs only the published file."""
    from discreet.perturbation.randoms import Randoms
    from discreet.perturbation.rank_swap import reach_of, swapped_ranks

    frame = people[["spending"]].drop_duplicates().reset_index(drop=True)
    published = dc.rank_swap(frame, ["spending"], random_state=4).data["spending"].to_numpy()
    words = Randoms.of(4).words("swaps of spending in stratum 0", len(frame))
    gets = swapped_ranks(len(frame), reach_of(5.0, len(frame)), words)
    ranks = published.argsort().argsort()
    undone = np.sort(published)[gets[ranks]]
    assert (undone == frame["spending"]).all()
    assert dc.rank_swap(frame, ["spending"]).secret_draw
    assert not dc.rank_swap(frame, ["spending"]).data.equals(dc.rank_swap(frame, ["spending"]).data)


def test_strata_and_gaps_stay_where_they_are(people: pd.DataFrame) -> None:
    frame = people.astype({"income": float})
    frame.loc[::9, "income"] = np.nan
    found = dc.rank_swap(frame, ["income"], by="sex", random_state=1).data
    assert (found["income"].isna() == frame["income"].isna()).all()
    for sex in ("f", "m"):
        rows = frame["sex"] == sex
        assert sorted(found["income"][rows].dropna()) == sorted(frame["income"][rows].dropna())


def test_the_windows_of_known_percent_are_counted_unless_there_are_strata(people: pd.DataFrame) -> None:
    found = dc.rank_swap(people, MONEY, random_state=1)
    assert found.linkage.by_window is not None and found.linkage.by_window > 1 / 600
    assert found.linkage.strongest == max(found.linkage.by_window, found.linkage.by_rank, found.linkage.by_distance)
    assert dc.rank_swap(people, MONEY, by="sex", random_state=1).linkage.by_window is None
    assert dc.rank_swap(people, MONEY, known=["sex"], random_state=1).linkage.strongest > found.linkage.strongest


def test_faults_are_named_at_once(people: pd.DataFrame) -> None:
    frame = people.assign(flat=1)
    with pytest.raises(dc.InputError) as error:
        dc.rank_swap(frame, ["hat", "sex"], percent=0, by="region", random_state=-1)
    assert all(word in str(error.value) for word in ("'hat'", "not numeric", "percent", "random_state"))
    for settings, word in (
        ({"columns": ["flat"]}, "all the same"),
        ({"columns": []}, "no column"),
        ({"columns": "income"}, "list of names"),
        ({"columns": ["income"], "percent": 101}, "percent"),
        ({"columns": ["income"], "percent": True}, "percent"),
        ({"columns": ["income"], "by": "income"}, "both perturbed and stratum"),
        ({"columns": ["income"], "known": ["income"]}, "both perturbed and known"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.rank_swap(frame, **settings)
    with pytest.raises(dc.InputError, match="fewer than two"):
        dc.rank_swap(frame[:1], ["income"])
