"""All tables that look alike by what is public, one per row: whether one more answer would be unsafe for one of them.

Tables that get the same answer look alike once it is given, and the spread of a cell among those that look alike is its
sharp width. Nothing here looks at the true table but to see which tables agree with what was told of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from discreet.release.additive import Public
from discreet.release.engine import Ints
from discreet.release.offers.partial import Partial
from discreet.release.policy import Policy


def margins_of(tables: Ints, shape: tuple[int, ...], margin: int) -> Ints:
    """The counts of a margin of each table, one row per table."""
    apart = tuple(axis + 1 for axis in range(len(shape)) if not margin >> axis & 1)
    return np.asarray(tables.reshape(-1, *shape).sum(axis=apart)).reshape(len(tables), -1)


def agreeing(tables: Ints, public: Public, partials: Iterable[Partial]) -> Ints:
    """Those tables of which the same would be told in part as of the true one."""
    for partial in partials:
        low, high = partial.boxes(public.margin(partial.mask), public.most)
        counts = margins_of(tables, public.shape, partial.mask)
        tables = tables[((counts >= low) & (counts <= high)).all(axis=1)]
    return tables


def groups_of(answers: Ints) -> Ints:
    """For each table the number of its group: those with the same row of `answers`."""
    return np.unique(answers, axis=0, return_inverse=True)[1].reshape(-1)


def split_groups(group: Ints, counts: Ints) -> Ints:
    """The groups that are left when one more count is told."""
    return groups_of(np.stack([group, counts], axis=1))


def some_unsafe(tables: Ints, group: Ints, policy: Policy) -> bool:
    """Whether the rule is broken for one of the tables, each with those of its group alone to hide among."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    if policy.min_tables > 1 and np.diff(starts, append=len(tables)).min() < policy.min_tables:
        return True
    ordered = tables[order]
    width = np.maximum.reduceat(ordered, starts) - np.minimum.reduceat(ordered, starts)
    sensitive = (ordered >= 1) & (ordered <= policy.c)
    return bool((sensitive & (width < policy.w)[group[order]]).any())
