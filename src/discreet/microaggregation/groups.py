"""Groups of records that may overlap: one container, and the ways there and back.

A partition is an array of labels. Where groups are collected to choose from, they are `Groups`: a row of members for
each, its size and its SSE. `groups_of` and `labels_of` lead from one to the other, `incidence` to the matrix of a
set-partitioning problem.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microaggregation.problem import Floats, Labels

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Ints = NDArray[np.int32]
_LAST = np.iinfo(np.int32).max


class Groups(NamedTuple):
    """Groups as rows of members, rising and padded with −1; their sizes and what they cost (SSE, unless said
    otherwise)."""

    members: Ints
    sizes: Ints
    costs: Floats


def take(groups: Groups, rows: NDArray[np.generic]) -> Groups:
    """Those at the given rows, or where a mask is True."""
    return Groups(groups.members[rows], groups.sizes[rows], groups.costs[rows])


def joined(*several: Groups) -> Groups:
    """One after the other, as wide as the widest."""
    width = max(groups.members.shape[1] for groups in several)
    return Groups(
        np.concatenate([_widened(groups.members, width) for groups in several]),
        np.concatenate([groups.sizes for groups in several]),
        np.concatenate([groups.costs for groups in several]),
    )


def _widened(members: Ints, width: int) -> Ints:
    missing = width - members.shape[1]
    return members if missing == 0 else np.pad(members, ((0, 0), (0, missing)), constant_values=-1)


def reduced_costs(groups: Groups, multipliers: Floats) -> Floats:
    """What each group costs less the multipliers of its members."""
    out: Floats = groups.costs - np.append(multipliers, 0.0)[groups.members].sum(axis=1)
    return out


def normalized(members: Ints, width: int) -> Ints:
    """Every row sorted, with its padding of −1 at the end."""
    rows = np.full((len(members), width), _LAST, np.int32)
    rows[:, : members.shape[1]] = np.where(members < 0, _LAST, members)
    rows.sort(axis=1)
    rows[rows == _LAST] = -1
    return rows


def groups_of(labels: Labels, width: int) -> tuple[Ints, Ints]:
    """The groups of a partition as rows of members, and their sizes."""
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels).astype(np.int32)
    sizes = sizes[sizes > 0]
    members = np.full((sizes.size, width), -1, np.int32)
    members[np.arange(width) < sizes[:, None]] = order
    return members, sizes


def labels_of(members: Ints, n: int) -> Labels:
    """Labels of the partition whose groups are the rows of `members`; −1 where none holds a record."""
    labels = np.full(n, -1, np.int64)
    for g, row in enumerate(members):
        labels[row[row >= 0]] = g
    return labels


def incidence(groups: Groups, n: int) -> csc_matrix:
    """Records by groups: 1 where the group holds the record."""
    from scipy.sparse import csc_matrix

    start = np.concatenate([[0], np.cumsum(groups.sizes)])
    return csc_matrix(
        (np.ones(int(start[-1])), groups.members[groups.members >= 0], start), shape=(n, len(groups.sizes))
    )
