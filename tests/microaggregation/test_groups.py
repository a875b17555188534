"""Groups and labels, there and back."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation.groups import (
    Groups,
    groups_of,
    incidence,
    joined,
    labels_of,
    normalized,
    reduced_costs,
    take,
)
from discreet.microaggregation.problem import renumber


def drawn(n: int, seed: int) -> tuple[np.ndarray, Groups]:
    random = np.random.default_rng(seed)
    labels = renumber(random.integers(0, 4, n))
    members, sizes = groups_of(labels, n)
    return labels, Groups(members, sizes, random.random(len(sizes)))


@given(st.integers(1, 20), st.integers(0, 2**31))
def test_a_partition_comes_back(n: int, seed: int) -> None:
    labels, groups = drawn(n, seed)
    assert {frozenset(row[:size].tolist()) for row, size in zip(groups.members, groups.sizes)} == oracle.as_groups(
        labels
    )
    assert (
        groups.members[:, 1:][groups.members[:, 1:] >= 0] > groups.members[:, :-1][groups.members[:, 1:] >= 0]
    ).all()
    assert (labels_of(groups.members, n) == labels).all()
    matrix = incidence(groups, n).toarray()
    assert matrix.shape == (n, len(groups.sizes))
    assert (matrix == (labels[:, None] == np.arange(len(groups.sizes)))).all()


@given(st.integers(2, 20), st.integers(0, 2**31))
def test_some_and_all_of_them(n: int, seed: int) -> None:
    labels, groups = drawn(n, seed)
    first = np.arange(len(groups.sizes)) == 0
    apart = take(groups, first), take(groups, ~first)
    narrow = apart[0]._replace(members=apart[0].members[:, : apart[0].sizes[0]])
    for one, other in zip(joined(narrow, apart[1]), groups):
        assert (one == other).all()
        assert one.dtype == other.dtype
    assert (labels_of(apart[0].members, n) == np.where(labels == 0, 0, -1)).all()
    multipliers = np.random.default_rng(seed + 1).random(n)
    expected = groups.costs - np.bincount(labels, multipliers)
    np.testing.assert_allclose(reduced_costs(groups, multipliers), expected, atol=1e-12)


def test_rows_are_sorted_with_their_padding_last() -> None:
    assert normalized(np.array([[5, -1, 2]], np.int32), 4).tolist() == [[2, 5, -1, -1]]
