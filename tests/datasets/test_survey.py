from __future__ import annotations

import numpy as np
import pytest

import discreet as dc
from discreet.datasets.survey import survey_arrays


def test_the_same_seed_gives_the_same_people() -> None:
    a, b, c = (
        dc.datasets.survey(500, seed=4),
        dc.datasets.survey(500, seed=4),
        dc.datasets.survey(500, seed=5),
    )
    assert a.equals(b) and not a.equals(c)
    assert len(a) == 500


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_any_size(n: int) -> None:
    assert {len(column) for column in survey_arrays(n, 0).values()} == {n}


def test_it_hangs_together() -> None:
    frame = dc.datasets.survey(20_000, seed=0)
    assert frame["household_income"].equals(frame.groupby("household")["income"].transform("sum"))
    assert (frame.groupby("household")["region"].nunique() == 1).all()
    assert frame.groupby("household").size().between(1, 6).all()
    assert frame["age"].between(0, 99).all()
    assert (frame.loc[frame["employment"] == "employed", "hours"] > 0).all()
    assert (frame.loc[frame["age"] < 15, "income"] == 0).all()
    assert frame["income"].skew() > 2
    assert np.corrcoef(frame["income"], frame["spending"])[0, 1] > 0.5
    assert frame["person"].str.startswith("0").all() and frame["person"].is_unique
    assert frame["illness"].nunique() == 5


def test_faults() -> None:
    with pytest.raises(dc.InputError, match="1 to 10000000"):
        dc.datasets.survey(0)
    with pytest.raises(dc.InputError, match="seed"):
        dc.datasets.survey(10, seed=-1)
