"""Coarser versions are found by their counts, as an exhaustive search finds them."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.units import coarsening
from discreet.release.units.coarsening import coarsen, find_mapping


def exists(view: Table, base: Table) -> bool:
    """By trying every choice of variables and every map of categories."""
    k = len(view.names)
    for axes in permutations(range(len(base.names)), k):
        drop = tuple(a for a in range(len(base.names)) if a not in axes)
        kept = base.dense().sum(axis=drop)
        kept = kept.transpose([sorted(axes).index(a) for a in axes])
        every = [product(range(view.shape[i]), repeat=kept.shape[i]) for i in range(k)]
        for maps in product(*every):
            if (coarsen(kept, maps, view.shape) == view.dense()).all():
                return True
    return False


def check(view: Table, base: Table) -> bool:
    found = find_mapping(view, base)
    if found is None:
        return False
    axes = [base.names.index(found[name][0]) for name in view.names]
    assert len(set(axes)) == len(axes)
    drop = tuple(a for a in range(len(base.names)) if a not in axes)
    kept = base.dense().sum(axis=drop).transpose([sorted(axes).index(a) for a in axes])
    assert (coarsen(kept, [found[name][1] for name in view.names], view.shape) == view.dense()).all()
    return True


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.lists(st.integers(0, 4), min_size=4, max_size=4))
def test_agrees_with_an_exhaustive_search(base: list[int], view: list[int]) -> None:
    large = Table.from_array(np.array(base).reshape(3, 2))
    small = Table.from_array(np.array(view).reshape(2, 2))
    assert check(small, large) == exists(small, large)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=24, max_size=24),
    st.permutations(range(3)),
    st.lists(st.integers(0, 1), min_size=4, max_size=4),
    st.integers(1, 3),
)
def test_finds_what_was_made_coarser(counts: list[int], axes: list[int], merged: list[int], kept: int) -> None:
    base = Table.from_array(np.array(counts).reshape(2, 3, 4), names=("a", "b", "c"))
    joined = coarsen(base.dense(), [range(2), range(3), merged], (2, 3, 2))
    view = joined.transpose(axes)
    view = view.sum(axis=tuple(range(kept, 3)))
    assert check(Table.from_array(view), base)


def test_equal_names_come_first() -> None:
    base = Table(("a", "b"), (("x", "y"), ("x", "y")), np.array([[2, 2], [2, 2]]))
    view = Table(("b",), (("y", "x"),), np.array([4, 4]))
    assert find_mapping(view, base) == {"b": ("b", (1, 0))}


def test_others_are_none() -> None:
    base = Table.from_array(np.array([[3, 1], [2, 5]]))
    assert find_mapping(Table.from_array(np.array([4, 6])), base) is None
    assert find_mapping(Table.from_array(np.array([[[3, 1], [2, 5]]])), base) is None
    assert find_mapping(Table.from_array(np.array([4, 8])), base) is None


def test_a_search_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coarsening, "MOST_STEPS", 20)
    base = Table.from_array(np.arange(1, 21))
    with pytest.raises(InputError, match="alike"):
        find_mapping(Table.from_array(np.array([100, 109, 1])), base)
