from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verify.microaggregations import release

import discreet as dc
from discreet.verify.groups import classes
from discreet.verify.readers import open_table

values = st.one_of(st.none(), st.floats(allow_nan=True, width=16), st.sampled_from([0.0, -0.0, 1.0, 2.0]))
texts = st.one_of(st.none(), st.text(max_size=2))


@given(st.lists(st.tuples(values, texts, st.integers(-2, 2)), min_size=1, max_size=30))
def test_classes_agree_with_counting_tuples(rows: list[tuple[float | None, str | None, int]]) -> None:
    table = open_table(
        pa.table({f"c{j}": pa.array([row[j] for row in rows], from_pandas=False) for j in range(3)}), "data"
    )
    found = classes([table.column(f"c{j}") for j in range(3)])

    def bits(value: object) -> object:
        return value.hex() if isinstance(value, float) else value

    keys = [tuple(bits(value) for value in row) for row in rows]
    counts = Counter(keys)
    assert [int(found.sizes[c]) for c in found.of_row] == [counts[key] for key in keys]
    assert sorted(found.sizes) == sorted(counts.values())


def test_a_correct_release_is_safe() -> None:
    original, published = release()
    verdict = dc.verify(original, published, k=3)
    assert verdict.safe and verdict.guarantee == "microaggregation" and bool(verdict)
    assert verdict.figures["smallest"] == 3 and verdict.figures["columns"] == "x, y"
    assert verdict.exit_code == 0


@pytest.mark.parametrize("convert", [pl.from_pandas, pa.Table.from_pandas])
def test_any_kind_of_frame(convert: Callable[[pd.DataFrame], object]) -> None:
    original, published = release()
    assert dc.verify(convert(original), convert(published), k=3)


def test_a_larger_claim_is_unsafe() -> None:
    original, published = release()
    verdict = dc.verify(original, published, k=4)
    assert verdict.outcome == "unsafe" and verdict.exit_code == 1
    assert "30 rows are in 10 classes of fewer than 4 rows" in verdict.failures[0]
    assert verdict.advice


def test_one_value_changed_is_found() -> None:
    original, published = release()
    published.loc[7, "x"] += 1e-6
    assert "classes of fewer than 3" in dc.verify(original, published, k=3).failures[0]


def test_changes_elsewhere_are_found() -> None:
    original, published = release()
    swapped = published.copy()
    swapped["code"] = np.roll(swapped["code"].to_numpy(), 3)
    verdict = dc.verify(original, swapped, k=3, quasi_identifiers=["x", "y"])
    assert any("column code" in failure and "30 rows" in failure for failure in verdict.failures)
    assert not dc.verify(original, published.iloc[:-3], k=3, quasi_identifiers=["x", "y"])


def test_suppressed_records() -> None:
    original, published = release()
    original.loc[:2, "x"] = np.nan
    published.loc[:2, ["x", "y"]] = np.nan
    assert dc.verify(original, published, k=3, quasi_identifiers=["x", "y"])
    partly = published.copy()
    partly.loc[:2, "y"] = 5.0
    verdict = dc.verify(original, partly, k=3, quasi_identifiers=["x", "y"])
    assert "not their class's mean" in verdict.failures[0]
    partly.loc[:2, "y"] = original.loc[:2, "y"].mean()
    assert dc.verify(original, partly, k=3, quasi_identifiers=["x", "y"])


def test_classes_within_strata() -> None:
    original, published = release()
    within = np.repeat(["a", "b"], 15)
    across = np.tile(["a", "b"], 15)
    for strata, safe in ((within, True), (across, False)):
        frames = [frame.assign(s=strata) for frame in (original, published)]
        asked = {"k": 3, "quasi_identifiers": ["x", "y"], "guarantee": "microaggregation"}
        assert dc.verify(*frames, **asked)
        assert dc.verify(*frames, by="s", **asked).safe == safe == dc.verify(*frames, by=["s"], **asked).safe


def test_no_value_is_quoted() -> None:
    original, published = release()
    original["x"] = original["x"] + 123456.0
    verdict = dc.verify(original, published, k=9)
    assert "123" not in verdict.summary()


def test_the_original_may_be_absent() -> None:
    _, published = release()
    assert dc.verify(None, published, k=3, quasi_identifiers=["x", "y"]).guarantee == "classes"
    with pytest.raises(dc.InputError, match="name the columns"):
        dc.verify(None, published, k=3)


def test_all_faults_at_once() -> None:
    original, published = release()
    with pytest.raises(dc.InputError) as caught:
        dc.verify(original, published, k=0, quasi_identifiers=["nope"], guarantee="magic")
    assert len(caught.value.faults) == 4


@given(st.integers(1, 4), st.integers(0, 1000))
def test_classes_verdict_equals_groupby(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.integers(0, 3, 20), "b": rng.choice(["u", "v"], 20)})
    verdict = dc.verify(None, frame, k=k, quasi_identifiers=["a", "b"])
    assert verdict.safe == (frame.groupby(["a", "b"]).size().min() >= k)


def test_missing_values_as_wildcards() -> None:
    people = dc.datasets.survey(60, seed=1)[["age", "sex", "region"]]
    people.loc[::9, "region"] = None
    names = ["age", "sex", "region"]
    release = dc.generalize(people, k=3, quasi_identifiers=names, missing="wildcard", random_state=0).data
    assert dc.verify(people, release, k=3, quasi_identifiers=names, missing="wildcard")
    with pytest.raises(dc.InputError, match="wildcard"):
        dc.verify(people, release, k=3, quasi_identifiers=names, missing="guess")
