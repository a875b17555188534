"""Numbers that follow from overlapping means, against the null space of all sets that are known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.verify.matchings.reading import Reading
from discreet.verify.units.solved import solved


def readings(sets: list[list[int]], persons: int) -> list[Reading]:
    """One attribute in which every person has a value of their own, and a box lists those it holds."""
    runs = np.array([person for one in sets for person in one], np.int64)
    ends = np.cumsum([0, *(len(one) for one in sets)])
    return [Reading(np.arange(persons), np.arange(len(sets)), ends, runs, runs, "sets")]


def brute(sets: list[list[int]], persons: int, k: int) -> int:
    """Persons at whom every solution of the homogeneous equations is zero."""
    known = [one for one in sets if len(one) == k]
    if not known:
        return 0
    left = np.zeros((len(known), persons))
    for row, one in enumerate(known):
        left[row, one] = 1
    _, values, right = np.linalg.svd(left)
    null = right[int((values > 1e-9).sum()) :]
    seen = left.any(axis=0)
    return int((seen & (np.abs(null) < 1e-9).all(axis=0)).sum())


@given(st.data())
def test_the_null_space_says_the_same(data: st.DataObject) -> None:
    persons, k = data.draw(st.integers(3, 9)), data.draw(st.integers(2, 3))
    one = st.lists(st.integers(0, persons - 1), min_size=k, max_size=min(persons, k + 1), unique=True).map(sorted)
    sets = data.draw(st.lists(one, min_size=1, max_size=9))
    assert solved(readings(sets, persons), k) == brute(sets, persons, k)


def ring(n: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Persons in a circle, each published with the next one."""
    names = [chr(97 + i) for i in range(n)]
    x = [10 * i * i + 7 for i in range(n)]
    before = pd.DataFrame({"q": names, "x": x, "s": [str(i % 2) for i in range(n)]})
    boxes = ["{" + ", ".join(sorted((names[i], names[(i + 1) % n]))) + "}" for i in range(n)]
    means = [(x[i] + x[(i + 1) % n]) / 2 for i in range(n)]
    order = [*range(1, n, 2), *range(0, n, 2)]
    return before, pd.DataFrame({"q": boxes, "x": means, "s": before["s"]}).iloc[order].reset_index(drop=True)


@pytest.mark.parametrize(("n", "count"), [(5, 5), (6, 0), (7, 7)])
def test_a_ring_of_pairs(n: int, count: int) -> None:
    before, after = ring(n)
    verdict = dc.verify(before, after, k=2, quasi_identifiers=["q"], numeric=["x"], guarantee="matchings")
    assert verdict.safe, verdict.summary()
    assert verdict.figures.get("solved", 0) == count
    assert any("are equations" in words for words in verdict.limits)
    assert any(words.startswith(f"x of {count} persons") for words in verdict.limits) == (count > 0)


def test_classes_are_no_equations() -> None:
    before = pd.DataFrame({"q": list("aabb"), "x": [1, 3, 5, 9]})
    after = pd.DataFrame({"q": list("aabb"), "x": [2, 2, 7, 7]})
    verdict = dc.verify(before, after, k=2, quasi_identifiers=["q"], numeric=["x"], guarantee="classes")
    assert verdict.safe and not any("equations" in words for words in verdict.limits)
