"""A dataframe in, the same with blanks out: figures, faults, kinds of frames, and the check."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from references import reference

import discreet as dc

KEYS = ["a", "b", "c"]


def people(n: int = 150, seed: int = 1, values: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: rng.integers(0, values, n) for name in KEYS})
    return frame.assign(c=[f"v{v}" for v in frame["c"]], income=rng.normal(size=n).round(3))


def sharers(frame: pd.DataFrame) -> pd.Series:
    return frame[KEYS].astype(object).where(frame[KEYS].notna(), "blank").groupby(KEYS)["a"].transform("size")


def test_every_combination_is_shared_and_the_rest_is_as_it_was() -> None:
    frame = people()
    result = dc.suppress_locally(frame, 3, keys=KEYS)
    data = result.data
    assert sharers(data).min() >= 3
    blank = data[KEYS].isna().to_numpy()
    assert blank.sum() == result.suppressed == sum(result.by_column.values()) == result.cost
    assert (result.blank == blank).all()
    assert ((data[KEYS] == frame[KEYS]).to_numpy() | blank).all()
    assert data["income"].equals(frame["income"])
    assert data.index.equals(frame.index)
    assert result.lower_bound <= result.cost
    assert result.gap == pytest.approx(100 * (result.cost - result.lower_bound) / result.cost)
    assert result.verify().safe
    told = result.to_dict()
    assert {"suppressed", "by_column", "lower_bound", "gap", "k", "n", "method", "status", "seconds", "seed"} <= set(
        told
    )


def test_it_is_the_same_each_time() -> None:
    frame = people()
    first, second = (dc.suppress_locally(frame, 3, keys=KEYS, random_state=5).data for _ in range(2))
    assert first.equals(second)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_the_same_kind_comes_back(kind: Any) -> None:
    frame = kind(people())
    result = dc.suppress_locally(frame, 4, keys=KEYS)
    assert type(result.data) is type(frame)
    reference_blank = dc.suppress_locally(people(), 4, keys=KEYS).blank
    assert (result.blank == reference_blank).all()


def test_cover_is_cheaper_and_exact() -> None:
    frame = people()
    cover = dc.suppress_locally(frame, 3, keys=KEYS, semantics="cover")
    assert cover.status == "optimal"
    assert cover.gap == 0
    assert cover.cost <= dc.suppress_locally(frame, 3, keys=KEYS).cost
    assert cover.verify().safe


@pytest.mark.parametrize("semantics", ["class", "cover"])
def test_combinations_of_some_keys(semantics: Any) -> None:
    frame = people(300, values=7)
    all_keys = dc.suppress_locally(frame, 3, keys=KEYS, semantics=semantics)
    pairs = dc.suppress_locally(frame, 3, keys=KEYS, semantics=semantics, combinations=2)
    assert 0 < pairs.suppressed < all_keys.suppressed
    assert pairs.lower_bound <= pairs.cost
    assert "of any 2 keys" in pairs.summary()
    assert pairs.verify().safe
    whole = dc.suppress_locally(frame, 3, keys=KEYS, semantics=semantics, combinations=3)
    assert whole.combinations is None
    assert whole.data.equals(all_keys.data)
    if semantics == "class":
        for two in (["a", "b"], ["a", "c"], ["b", "c"]):
            shown = pairs.data[two].astype(object).where(pairs.data[two].notna(), "blank")
            assert shown.groupby(two).size().min() >= 3


def test_a_greater_importance_means_fewer_blanks() -> None:
    frame = people(300)
    even = dc.suppress_locally(frame, 5, keys=KEYS)
    dear = dc.suppress_locally(frame, 5, keys=KEYS, importance={"a": 20})
    assert dear.by_column["a"] < even.by_column["a"]
    assert dear.cost == 20 * dear.by_column["a"] + dear.by_column["b"] + dear.by_column["c"]
    assert dear.lower_bound <= dear.cost
    assert "a 20, b 1, c 1" in dear.summary()
    half = dc.suppress_locally(frame, 5, keys=KEYS, importance={"a": 10, "b": 0.5, "c": 0.5})
    assert half.cost == pytest.approx(dear.cost / 2)
    assert half.lower_bound == pytest.approx(dear.lower_bound / 2)


def test_missing_keys_are_blank_and_cost_nothing() -> None:
    frame = people()
    frame.loc[::7, "c"] = None
    frame.loc[::11, "a"] = np.nan
    missing = int(frame[KEYS].isna().sum().sum())
    for semantics in ("class", "cover"):
        result = dc.suppress_locally(frame, 3, keys=KEYS, semantics=semantics)
        assert result.missing == missing
        assert int(result.data[KEYS].isna().sum().sum()) == missing + result.suppressed
        assert f"{missing} keys were missing before" in result.summary()
        assert result.verify().figures["blanked"] == result.suppressed


def test_shuffled_rows_go_together() -> None:
    frame = people()
    result = dc.suppress_locally(frame, 3, keys=KEYS, shuffle=True, random_state=1)
    assert result.shuffled
    assert (result.data["income"].to_numpy() == frame["income"].to_numpy()[result.order]).all()
    back = result.data.iloc[np.argsort(result.order)].reset_index(drop=True)
    assert back.equals(dc.suppress_locally(frame, 3, keys=KEYS, random_state=1).data)
    assert result.to_dict()["secret_draw"] is False
    secret = dc.suppress_locally(frame, 3, keys=KEYS, shuffle=True)
    assert secret.to_dict()["secret_draw"] is True
    assert (secret.order != result.order).any()


def test_one_spelling_for_equal_keys() -> None:
    frame = pd.DataFrame({"a": ["1.5", "1.50", "1.5 ", "2", "2", "NA"], "b": list("xxxxxx")})
    result = dc.suppress_locally(frame, 2, keys=["a", "b"])
    assert result.verify().safe
    assert set(result.data["a"].dropna()) <= {"1.5", "2"}


def test_without_a_certificate_nothing_is_claimed() -> None:
    result = dc.suppress_locally(people(), 3, keys=KEYS, certify=False)
    assert result.certificate is None
    assert result.lower_bound is None
    assert result.gap is None
    assert result.to_dict()["lower_bound"] is None


def test_left_columns_that_tell_are_refused_and_accepted_by_name() -> None:
    frame = people().assign(code=[f"id{i}" for i in range(150)])
    with pytest.raises(dc.UnsafeReleaseError, match="column code has a value of its own"):
        dc.suppress_locally(frame, 3, keys=KEYS)
    result = dc.suppress_locally(frame, 3, keys=KEYS, accept=["code"])
    assert result.verify().safe
    assert result.claim()["accept"] == ("code",)


def test_a_file_without_a_problem_stays_as_it_is() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2]})
    result = dc.suppress_locally(frame, 2, keys=["a"])
    assert result.suppressed == 0
    assert result.gap == 0
    assert result.status == "optimal"
    assert result.data.equals(frame)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"keys": ["a", "hat"]}, "hat"),
        ({"keys": []}, "no key was chosen"),
        ({"keys": "a"}, "list of names"),
        ({"keys": ["a", "a"]}, "named twice"),
        ({"k": 1}, "2 or more"),
        ({"k": 2.5}, "2 or more"),
        ({"k": 151}, "larger than the number of records"),
        ({"importance": {"hat": 1}}, "hat"),
        ({"importance": {"a": 0}}, "positive"),
        ({"semantics": "wildcard"}, "class, cover"),
        ({"combinations": 0}, "combinations"),
        ({"accept": ["hat"]}, "hat"),
        ({"random_state": -1}, "random_state"),
        ({"time_limit": -1}, "time_limit"),
    ],
)
def test_faults(given: dict[str, Any], words: str) -> None:
    with pytest.raises(dc.InputError, match=words):
        dc.suppress_locally(people(), **{"k": 3, "keys": KEYS, **given})


def test_all_faults_at_once() -> None:
    with pytest.raises(dc.InputError) as error:
        dc.suppress_locally(people(), 1, keys=["hat"], importance={"a": -1}, semantics="x", random_state=-1)
    assert len(error.value.faults) >= 4


def test_the_survey_data_of_the_prototypes() -> None:
    frame = pd.read_csv(reference("testdata.csv"))
    keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
    cover = dc.suppress_locally(frame[keys], 3, keys=keys, semantics="cover")
    assert cover.suppressed == 283
    assert cover.verify().figures["found_in_fewer"] == 151
    classes = dc.suppress_locally(frame[keys], 3, keys=keys)
    assert 353 <= classes.lower_bound <= 357 <= classes.suppressed
    assert classes.shuffled
    kept = dc.suppress_locally(frame[keys], 3, keys=keys, shuffle=False, check=False)
    limits = " ".join(kept.verify().failures)
    assert "blanks of water" in limits, "households stand together, and tell what is blank in one of them"
