"""`generalize` with hierarchies of values and * begins with the classes of local suppression, and loses no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.generalization import domain as domains
from discreet.generalization.hierarchy import from_rows
from discreet.instruments.local_suppression import start
from discreet.instruments.local_suppression.start import class_matches, rings
from discreet.work import Deadline, Reporter

KEYS = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    return pd.DataFrame({name: rng.choice(list("uvwx"), 240, p=[0.6, 0.2, 0.1, 0.1]) for name in KEYS})


def trees(frame: pd.DataFrame) -> dict[str, Any]:
    return {name: [(value, "*") for value in sorted(set(frame[name]))] for name in KEYS}


@pytest.mark.parametrize("importance", [None, {"a": 3, "d": 0.5}])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_never_worse_than_the_classes(people: pd.DataFrame, k: int, importance: Any) -> None:
    classes = dc.suppress_locally(people, k, keys=KEYS, importance=importance, random_state=1)
    found = dc.generalize(
        people, k, quasi_identifiers=KEYS, hierarchies=trees(people), importance=importance, random_state=1
    )
    weights = np.array([(importance or {}).get(name, 1.0) for name in KEYS])
    lost = found.gcp * found.n * len(KEYS) * weights.mean()
    assert lost <= classes.cost + 1e-9


def test_rounds_begin_with_the_classes(people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rounds and with bad blocks the classes themselves come out."""
    asked: dict[str, Any] = {"quasi_identifiers": KEYS, "hierarchies": trees(people), "random_state": 1}
    options: dict[str, Any] = {"rounds": 0, "partition": "lexicographic", "partition_size": 4}
    with_start = dc.generalize(people, 4, **asked, **options)
    monkeypatch.setattr(start, "class_matches", lambda *_: None)
    without = dc.generalize(people, 4, **asked, **options)
    assert with_start.gcp < without.gcp
    classes = dc.suppress_locally(people, 4, keys=KEYS, random_state=1)
    assert with_start.gcp * 240 * 4 <= classes.cost + 1e-9


@given(st.integers(2, 4), st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=4, max_size=20))
def test_rings_are_k_matchings_within_classes(k: int, rows: list[tuple[int, int]]) -> None:
    codes = np.array(rows, np.int64)
    published = np.full_like(codes, -1)
    matches = rings(published, codes, k)
    assert (matches[:, 0] == np.arange(len(codes))).all()
    assert all(len(set(row)) == k for row in matches.tolist())
    assert (np.bincount(matches.ravel(), minlength=len(codes)) == k).all()
    own = (
        rings(np.stack([codes[:, 0] * 0, codes[:, 0]], axis=1), codes, k)
        if min(np.bincount(codes[:, 0])) >= k
        else None
    )
    if own is not None:
        assert (codes[own][:, :, 0] == codes[:, :1]).all()


def test_other_attributes_have_no_such_start() -> None:
    codes = np.array([0, 0, 1, 1])
    flat = domains.hierarchical("a", codes, from_rows([("x", "*"), ("y", "*")]))
    deep = domains.hierarchical("a", np.arange(4), from_rows([(c, d, "*") for c, d in zip("wxyz", "aabb")]))
    gap = domains.hierarchical("a", np.array([0, 0, 1, -1]), from_rows([("x", "*"), ("y", "*")]))
    asked = (2, Deadline(None), Reporter(None), 0)
    assert class_matches(domains.domain([flat]), *asked) is not None
    for other in (deep, gap, domains.categorical("a", codes, 2)):
        assert class_matches(domains.domain([flat, other]), *asked) is None
