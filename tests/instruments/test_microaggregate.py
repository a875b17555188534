"""Microaggregation of dataframes: the contract of the result, whatever the kind of frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.bounds import least_sse

import discreet as dc
from discreet.microaggregation.certificate import Certificate
from discreet.microaggregation.certificate.neighbor_bound import neighbor_bound
from discreet.microaggregation.methods import Call
from discreet.work import Deadline

MONEY = ["income", "spending", "savings"]
KINDS: dict[str, Callable[[pd.DataFrame], object]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(120, seed=2).drop(columns=["person", "household", "household_income"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_kind_comes_back(people: pd.DataFrame, kind: str) -> None:
    frame = KINDS[kind](people)
    result = dc.microaggregate(frame, 4, columns=MONEY, method="mdav")
    assert type(result.data) is type(frame)
    published = result.data if kind == "pandas" else result.data.to_pandas()
    pd.testing.assert_frame_equal(
        published.drop(columns=MONEY), people.drop(columns=MONEY), check_dtype=False, check_index_type=False
    )
    means = people[MONEY].groupby(result.labels).transform("mean")
    np.testing.assert_allclose(published[MONEY], means, rtol=1e-12, atol=1e-9)
    assert published.groupby(MONEY).size().min() >= 4
    assert result.verify().safe


def test_index_and_order_are_kept(people: pd.DataFrame) -> None:
    odd = people.set_index(pd.Index(np.random.default_rng(0).permutation(len(people)) * 7, name="key"))
    result = dc.microaggregate(odd, 3, columns=MONEY)
    pd.testing.assert_index_equal(result.data.index, odd.index)
    pd.testing.assert_frame_equal(odd, people.set_index(odd.index))  # what came in is untouched


def test_columns_default_to_the_numeric_ones(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 3, method="mdav")
    assert result.columns == ("age", "hours", "income", "spending", "savings")


def test_integers(people: pd.DataFrame) -> None:
    plain = dc.microaggregate(people, 3, columns=MONEY)
    assert plain.data["income"].dtype == np.float64
    rounded = dc.microaggregate(people, 3, columns=MONEY, round=True)
    assert rounded.data["income"].dtype == people["income"].dtype
    np.testing.assert_array_equal(rounded.data["income"], np.rint(plain.data["income"]))
    np.testing.assert_array_equal(rounded.data["spending"], plain.data["spending"])
    assert rounded.verify().safe
    plain = dc.microaggregate(people, 1, columns=MONEY, allow_unprotected=True)
    assert plain.data["income"].dtype == people["income"].dtype


@pytest.mark.parametrize("k", [1, 2, 7, 119, 120])
def test_any_k(people: pd.DataFrame, k: int) -> None:
    result = dc.microaggregate(people, k, columns=MONEY, allow_unprotected=k == 1)
    sizes = np.bincount(result.labels)
    assert sizes.min() >= k and sizes.max() <= max(2 * k - 1, 1)
    assert result.verify().safe


@pytest.mark.parametrize("k", [1, [3, 1]])
def test_nobody_is_unprotected_by_accident(people: pd.DataFrame, k: object) -> None:
    with pytest.raises(dc.InputError, match=r"k = 1 protects nobody.*allow_unprotected"):
        dc.microaggregate(people, k, columns=MONEY)
    allowed = dc.microaggregate(people, 1, columns=MONEY, allow_unprotected=True)
    assert any("hides nobody" in limit for limit in allowed.verify().limits)


def test_awkward_data() -> None:
    same = pd.DataFrame({"x": np.ones(50), "y": np.full(50, 3)})
    result = dc.microaggregate(same, 4)
    assert result.information_loss == 0.0 and result.verify().safe
    mixed = pd.DataFrame({"x": np.repeat([1.0, 2.0, 3.0], 10), "constant": 7.0})
    assert dc.microaggregate(mixed, 5).information_loss == pytest.approx(0.0, abs=1e-12)
    huge = pd.DataFrame({"x": np.array([1e300, -1e300, 1e299, 5e299] * 5), "y": np.arange(20.0) * 1e-300})
    assert np.isfinite(dc.microaggregate(huge, 3).information_loss)


def test_missing_values(people: pd.DataFrame) -> None:
    frame = people.copy()
    frame["income"] = frame["income"].astype(float)
    frame.loc[[3, 50, 70, 71], "income"] = np.nan
    frame.loc[[3, 90], "spending"] = np.nan
    with pytest.raises(dc.InputError, match=r"5 records.*income \(4\), spending \(2\).*suppress"):
        dc.microaggregate(frame, 3, columns=MONEY)
    result = dc.microaggregate(frame, 5, columns=MONEY, missing="suppress")
    gone = result.data[MONEY].isna()
    assert gone.all(axis=1).sum() == 5 == gone.any(axis=1).sum() == result.suppressed
    assert result.verify().safe
    with pytest.raises(dc.InputError, match="only 5 records"):
        dc.microaggregate(frame, 6, columns=MONEY, missing="suppress")


@pytest.mark.parametrize("scale", ["sd", "range", "none"])
def test_scales(people: pd.DataFrame, scale: str) -> None:
    from discreet.measure import information_loss

    result = dc.microaggregate(people, 3, columns=MONEY, scale=scale)
    before, after = people[MONEY].to_numpy(float), result.data[MONEY].to_numpy(float)
    assert result.information_loss == pytest.approx(information_loss(before, after, scale), rel=1e-9)


def test_wide_tables_keep_their_distances() -> None:
    from discreet.microaggregation.problem import compact

    points = np.random.default_rng(1).normal(size=(5, 400))
    small = compact(points)
    assert small.shape == (5, 5)
    between = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (points, small)]
    np.testing.assert_allclose(*between, atol=1e-9)
    assert compact(points[:, :40]) is not None and compact(points[:, :40]).shape == (5, 40)
    frame = pd.DataFrame(points, columns=[f"c{j}" for j in range(400)])
    result = dc.microaggregate(frame, 2)
    means = frame.groupby(result.labels).transform("mean")
    np.testing.assert_allclose(result.data, means, atol=1e-12)
    scaled = (frame - frame.mean()) / frame.std()
    assert result.sse == pytest.approx(
        float(((scaled - scaled.groupby(result.labels).transform("mean")) ** 2).sum().sum())
    )


def test_every_fault_is_named_at_once(people: pd.DataFrame) -> None:
    with pytest.raises(dc.InputError) as caught:
        dc.microaggregate(
            people,
            0,
            columns=["income", "income", "sex", "nope"],
            scale="log",
            missing="x",
            random_state=-1,
            method="magic",
            effort="heroic",
            time_limit=-2,
        )
    text = str(caught.value)
    for word in ("k must", "income", "sex", "nope", "log", "missing", "random_state", "magic", "heroic", "time_limit"):
        assert word in text
    assert len(caught.value.faults) == 10


def test_one_and_two_threads_agree_to_the_last_bit(people: pd.DataFrame) -> None:
    frames = []
    for threads in (1, 2):
        with ThreadPoolExecutor(threads) as pool:
            frames.append(dc.microaggregate(people, 3, columns=MONEY, executor=pool, random_state=5).data)
    assert frames[0].equals(frames[1])


def test_what_a_result_tells(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 3, columns=MONEY, certify=True)
    assert "information loss" in result.summary()
    assert "<table" in result._repr_html_()
    figures = json.loads(json.dumps(result.to_dict()))
    assert figures["information_loss"] == result.information_loss == 100 * result.sse / result.sst
    assert result.gap == pytest.approx(100 * (result.information_loss - result.lower_bound) / result.information_loss)
    assert all(result.plot(kind).axes for kind in (None, "sizes", "correlations", "convergence"))
    with pytest.raises(AttributeError):
        result.k = 4
    table = dc.compare([result, dc.microaggregate(people, 5, columns=MONEY)])
    assert list(table["k"]) == [3, 5]


@settings(max_examples=150)
@given(st.integers(2, 3), st.integers(2, 8), st.integers(1, 2), st.integers(0, 10_000), st.booleans())
def test_the_neighbor_bound_never_exceeds_the_optimum(k: int, n: int, d: int, seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    if n < k:
        return
    best = least_sse(points, k)
    assert neighbor_bound(points, k) <= best + 1e-12 * (1 + best)


def test_the_neighbor_bound_is_sharp_for_twins() -> None:
    """Pairs far apart, k = 2: every record's nearest is its partner, so bound and optimum agree."""
    points = np.array([[0.0], [1.0], [100.0], [102.0]])
    assert neighbor_bound(points, 2) == pytest.approx(0.5 + 2.0)


SEVERAL = [3, 4, 5, 10]


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "fdm"},
        {"method": "mst"},
        {"method": "npn-mhm"},
        {"method": "mdav"},
        {"effort": "fast"},
        {"random_state": 3},
        {"method": "ils", "iterations": 3, "random_state": 3},
        {"method": "mdav", "certify": True},
    ],
    ids=repr,
)
def test_a_list_of_k_gives_what_separate_calls_give(people: pd.DataFrame, asked: dict[str, object]) -> None:
    together = dc.microaggregate(people, SEVERAL, columns=MONEY, **asked)
    assert [result.k for result in together] == SEVERAL
    for k, result in zip(SEVERAL, together):
        alone = dc.microaggregate(people, k, columns=MONEY, **asked)
        assert (result.labels == alone.labels).all()
        pd.testing.assert_frame_equal(result.data, alone.data)
        same = {name: value for name, value in result.to_dict().items() if name != "seconds"}
        assert same == {name: value for name, value in alone.to_dict().items() if name != "seconds"}


@pytest.mark.parametrize("given", [(3, 4), range(3, 5), np.array([3, 4], np.uint8), pd.Series([3, 4]), [4, 3, 4], [3]])
def test_any_list_of_k_in_its_order(people: pd.DataFrame, given: object) -> None:
    together = dc.microaggregate(people, given, columns=MONEY, method="mdav")
    assert isinstance(together, tuple)
    assert [result.k for result in together] == [int(k) for k in given]
    assert list(dc.compare(together)["k"]) == [int(k) for k in given]


@pytest.mark.parametrize("given", [[], [3, 0], [3, 2.5], [3, True], ["3"], [[3]], {3, 4}, {3: 4}, [3, 121], "3,4"])
def test_a_list_of_k_that_cannot_be(people: pd.DataFrame, given: object) -> None:
    with pytest.raises(dc.InputError, match=r"whole number|at least one|larger than the number of records \(120\)"):
        dc.microaggregate(people, given, columns=MONEY, method="mdav")


def test_what_does_not_depend_on_k_is_done_once(people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading, scaling, the tour, the tree, the path and neighbor lists of one length: counted."""
    counted: dict[str, int] = {}

    def count(place: str) -> None:
        module, _, name = place.rpartition(".")
        original = getattr(import_module(module), name)

        def counting(*arguments: object) -> object:
            counted[name] = counted.get(name, 0) + 1
            return original(*arguments)

        monkeypatch.setattr(place, counting)

    room = "discreet.microaggregation"
    for place in ("fdm.short_tour", "orderings.nearest_point_next", "spanning_tree.spanning_tree"):
        count(f"{room}.constructions.{place}")
    count(f"{room}.search.annealing.nearest")
    count(f"{room}.problem.standardize")
    count("discreet.frames.numeric_array")
    for asked in ({"method": "fdm"}, {"method": "npn-mhm"}, {"method": "mst"}, {"effort": "fast"}):
        dc.microaggregate(people, [3, 4, 5, 8], columns=MONEY, **asked)
    work = ("short_tour", "nearest_point_next", "spanning_tree", "nearest")
    assert {name: counted[name] for name in work} == dict.fromkeys(work, 1)
    assert counted["standardize"] == counted["numeric_array"] == 4


def test_several_k_share_the_time(people: pd.DataFrame) -> None:
    together = dc.microaggregate(people, SEVERAL, columns=MONEY, effort="best", time_limit=0)
    assert {result.status for result in together} == {"time limit"}
    for k, result in zip(SEVERAL, together):
        assert np.bincount(result.labels).min() >= k and result.verify().safe


@pytest.mark.parametrize(("closes", "entered"), [(True, 1), (False, 2)])
def test_the_proof_of_the_search_is_not_made_again(
    closes: bool, entered: int, people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`best` certifies inside the search: where that closes the gap it is the certificate, else the stronger counts."""
    home = import_module("discreet.microaggregation.certificate.certify")
    prove = home.prove
    made: list[Certificate] = []

    def counting(call: Call, labels: object) -> Certificate:
        found = prove(replace(call, deadline=Deadline(None if closes else 0)), labels)
        found = replace(found, lower_bound=found.lower_bound * (0.5 if made else 1))
        made.append(found)
        return found

    monkeypatch.setattr(home, "prove", counting)
    result = dc.microaggregate(people[:40], 3, columns=MONEY, effort="best", certify=True)
    assert len(made) == entered
    assert result.status == ("optimal" if closes else "complete")
    assert result.bound == made[0].bound
    assert result.certificate is not None and result.verify().safe
    assert result.lower_bound == pytest.approx(100 * made[0].lower_bound / result.sst, rel=1e-6)
