"""Microaggregation with sampling weights, within strata, and of several sets of columns."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.uneven import losses, published

import discreet as dc

MONEY = ["income", "spending"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    frame = dc.datasets.survey(150, seed=4)[["region", "sex", *MONEY, "savings"]]
    half = np.where(np.arange(150) % 2, "a", "b")
    return frame.assign(w=np.random.default_rng(1).lognormal(3, 1, 150).round(2), half=half)


def test_weighted_means_and_loss(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 4, columns=MONEY, weight="w", effort="fast")
    values, weights = people[MONEY].to_numpy(float), people["w"].to_numpy()
    exact = np.array(published(values, weights, result.labels.tolist(), 4), float)
    np.testing.assert_allclose(result.data[MONEY], exact, rtol=1e-12)
    sse, sst = losses(values, weights, result.labels.tolist(), 4)
    assert result.sse == pytest.approx(sse, rel=1e-9) and result.sst == pytest.approx(sst, rel=1e-9)
    assert result.information_loss == pytest.approx(100 * sse / sst, rel=1e-9)
    verdict = result.verify()
    assert verdict.safe and verdict.figures["information_loss"] == pytest.approx(result.information_loss, rel=1e-9)
    for name in MONEY:
        assert (result.data[name] * weights).sum() == pytest.approx((people[name] * weights).sum(), rel=1e-12)
    assert np.bincount(result.labels).min() >= 4
    assert result.data["w"].equals(people["w"]) and json.loads(json.dumps(result.to_dict()))["weight"] == "w"


def test_weights_make_it_better_than_ignoring_them(people: pd.DataFrame) -> None:
    values, weights = people[MONEY].to_numpy(float), people["w"].to_numpy()
    for method in ("auto", "mdav"):
        with_them = dc.microaggregate(people, 4, columns=MONEY, weight="w", method=method)
        without = dc.microaggregate(people, 4, columns=MONEY, method=method)
        assert with_them.sse < losses(values, weights, without.labels.tolist(), 4)[0]


def test_equal_weights_change_nothing(people: pd.DataFrame) -> None:
    plain = dc.microaggregate(people, 4, columns=MONEY, effort="fast")
    equal = dc.microaggregate(people.assign(w=7.5), 4, columns=MONEY, weight="w", effort="fast")
    assert (plain.labels == equal.labels).all() and plain.data[MONEY].equals(equal.data[MONEY])
    assert plain.information_loss == equal.information_loss and equal.verify().safe


def test_the_weight_and_strata_are_not_among_the_columns_by_default(people: pd.DataFrame) -> None:
    frame = people.assign(code=np.arange(150) % 3)
    result = dc.microaggregate(frame, 3, weight="w", by="code", method="mdav")
    assert result.columns == ("income", "spending", "savings")
    assert result.data[["w", "code"]].equals(frame[["w", "code"]])


@pytest.mark.parametrize("kind", [lambda frame: frame, pl.from_pandas])
@pytest.mark.parametrize("by", ["region", ["half", "sex"]])
def test_groups_stay_within_strata(people: pd.DataFrame, kind: object, by: object) -> None:
    result = dc.microaggregate(kind(people), 3, columns=MONEY, by=by, effort="fast")
    columns = [by] if isinstance(by, str) else by
    strata = people.groupby(columns).ngroup()
    assert strata.groupby(result.labels).nunique().max() == 1
    data = result.data if isinstance(result.data, pd.DataFrame) else result.data.to_pandas()
    assert data.groupby([*columns, *MONEY]).size().min() >= 3
    means = people[MONEY].groupby(result.labels).transform("mean")
    np.testing.assert_allclose(data[MONEY], means, rtol=1e-12)
    assert result.verify().safe and result.claim()["by"] == tuple(columns)
    together = dc.microaggregate(people, 3, columns=MONEY, effort="fast")
    assert together.information_loss < result.information_loss and together.sst == result.sst


def test_small_strata_are_an_error_that_counts_them(people: pd.DataFrame) -> None:
    frame = people.assign(s=np.where(np.arange(150) < 2, "rare", np.where(np.arange(150) < 5, "few", "many")))
    with pytest.raises(dc.InputError, match=r"2 of 3 strata have fewer than k = 4 records \(5 in all\)") as caught:
        dc.microaggregate(frame, 4, columns=MONEY, by="s")
    assert "rare" not in str(caught.value)
    missing = people.assign(s=people["sex"].where(people.index % 5 > 0))
    assert dc.microaggregate(missing, 4, columns=MONEY, by="s", method="mdav").verify().safe


def test_several_sets_of_columns(people: pd.DataFrame) -> None:
    sets = [["income", "spending"], ["savings"]]
    result = dc.microaggregate(people, 3, columns=sets, effort="fast")
    alone = [dc.microaggregate(people, 3, columns=names, effort="fast") for names in sets]
    assert result.labels.shape == (150, 2) and result.sets == (("income", "spending"), ("savings",))
    for j, (names, one) in enumerate(zip(sets, alone)):
        assert (result.labels[:, j] == one.labels).all() and result.data[names].equals(one.data[names])
    assert result.sse == pytest.approx(sum(one.sse for one in alone))
    assert result.information_loss == pytest.approx(100 * result.sse / result.sst)
    verdict = result.verify()
    assert not verdict.safe and "all 2 sets" in verdict.failures[0]
    accepted = dc.microaggregate(people, 3, columns=sets, effort="fast", accept=["savings"])
    assert accepted.verify().safe and "2 sets of columns" in accepted.title()
    assert json.loads(json.dumps(accepted.to_dict()))["sets"] == sets


def test_all_at_once_and_several_k(people: pd.DataFrame) -> None:
    frame = people.copy()
    frame["income"] = frame["income"].astype(float).where(frame.index % 37 > 0)
    asked = {"columns": [MONEY, ["savings"]], "weight": "w", "by": "sex", "missing": "known", "accept": ["savings"]}
    together = dc.microaggregate(frame, [3, 6], effort="fast", **asked)
    for k, result in zip((3, 6), together):
        alone = dc.microaggregate(frame, k, effort="fast", **asked)
        assert (result.labels == alone.labels).all() and result.data.equals(alone.data)
        assert result.verify().safe and result.filled + result.blanked > 0
        assert "weighted by w" in result.summary() and "within sex" in result.summary()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"weight": "nope"}, "nope"),
        ({"weight": "region"}, "not numeric"),
        ({"weight": "income"}, "both protected and weight"),
        ({"weight": 3}, "name of a column"),
        ({"weight": "zero"}, "not positive in 2 records"),
        ({"weight": "gap"}, "missing in 1 records"),
        ({"weight": "wild"}, "factor"),
        ({"by": "income"}, "both protected and stratum"),
        ({"by": "nope"}, "nope"),
        ({"by": "w", "weight": "w"}, "both stratum and weight"),
        ({"columns": [["income"], "savings"]}, "not both"),
        ({"columns": [["income"], ["income", "savings"]]}, "more than one set"),
        ({"columns": [["income"], []]}, "empty"),
        ({"weight": "w", "certify": True}, "certificate"),
        ({"by": "sex", "certify": True}, "certificate"),
        ({"columns": [["income"], ["savings"]], "certify": True}, "certificate"),
        ({"accept": ["income"]}, "both accepted"),
    ],
)
def test_what_cannot_be(people: pd.DataFrame, asked: dict[str, object], words: str) -> None:
    frame = people.assign(
        zero=people["w"].where(people.index > 1, 0.0),
        gap=people["w"].where(people.index != 3),
        wild=people["w"].where(people.index != 3, 1e-300),
    )
    with pytest.raises(dc.InputError, match=words):
        dc.microaggregate(frame, 3, **{"columns": MONEY, **asked})


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 3), st.booleans(), st.booleans(), st.booleans())
def test_any_release_is_what_it_claims(seed: int, k: int, weighted: bool, strata: bool, gaps: bool) -> None:
    """Random files: the independent check confirms each, and the loss is that of the definition."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2 * k, 16))
    values = rng.integers(0, 6, (n, 2)).astype(float)
    if gaps:
        values[rng.random((n, 2)) < 0.25] = np.nan
        values[:k] = 1.0
    weights = rng.integers(1, 5, n).astype(float)
    frame = pd.DataFrame({"x": values[:, 0], "y": values[:, 1], "w": weights, "s": np.arange(n) % 2 if strata else 0})
    asked = {"weight": "w"} if weighted else {}
    result = dc.microaggregate(frame, k, columns=["x", "y"], missing="known", by="s", method="mdav", **asked)
    assert result.verify().safe
    sse, _ = losses(values, weights if weighted else np.ones(n), result.labels.tolist(), k)
    assert result.sse == pytest.approx(sse, rel=1e-9, abs=1e-9)
    shown = published(values, weights if weighted else np.ones(n), result.labels.tolist(), k)
    np.testing.assert_allclose(result.data[["x", "y"]].to_numpy(float), np.array(shown, float), rtol=1e-12, atol=1e-12)
    assert result.data.groupby(["s", "x", "y"], dropna=False).size().min() >= k
