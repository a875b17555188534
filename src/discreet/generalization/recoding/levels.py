"""The levels of detail at which a whole column can be published, and what each loses.

A level puts the values of a column into groups, one of which stands for each of its values; the groups of a level are
unions of those of the level below, and level 0 has every value by itself.

    hierarchy   level h: the widest node above a value with at most h steps down to its deepest leaf
    numbers     bands of 1/2^m of the range, each twice as wide as those of the level below; ordered categories likewise
    means       bands of about 1/2^m of the records
    categories  the value, or any
    missing     a group of its own below the top level

The loss of a level is what `domain.py` says of boxes (of means: the share of variance within groups), as a mean over
the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from discreet.errors import Faults
from discreet.generalization.domain import INTERVAL, MEAN, SET, TREE, Attribute, Domain, Floats, Integers
from discreet.generalization.hierarchy import Hierarchy

MOST_BANDS = 64
"""Bands of the finest level of numbers above the numbers themselves."""


@dataclass(frozen=True)
class Levels:
    """`groups[h, value]`: the group of a value at level h, numbered from 0; `loss[h]` rises with the level.

    Nothing below level `least` is published.
    """

    groups: Integers = field(repr=False)
    loss: Floats
    least: int = 0


def levels_of(domain: Domain, least: Mapping[str, int] | None = None) -> list[Levels]:
    """The levels of every attribute; `least` names those with a least level."""
    wanted = least or {}
    faults = Faults()
    out = []
    for a, attribute in enumerate(domain.attributes):
        faults.check(
            bool((attribute.codes >= 0).all()),
            f"column {attribute.name!r} has gaps that stand for any value, which no level of a whole column can: "
            'treat them as a value of their own, missing="value", or recode locally',
        )
        groups = _nested(attribute)
        lowest = int(wanted.get(attribute.name, 0))
        faults.check(
            0 <= lowest < len(groups),
            f"the least level of {attribute.name!r} must be a whole number from 0 to {len(groups) - 1}",
        )
        out.append((a, groups, lowest))
    faults.raise_if_any()
    return [Levels(groups, _losses(domain, a, groups), lowest) for a, groups, lowest in out]


def _nested(attribute: Attribute) -> Integers:
    """The groups of every level, without levels that change nothing."""
    size = attribute.size
    rows = [np.arange(size)]
    if attribute.kind == TREE:
        assert attribute.hierarchy is not None
        rows += _climbed(attribute.hierarchy)
    elif attribute.kind != SET:
        rows += _bands(attribute)
    rows.append(np.zeros(size, np.int64))
    kept = [rows[0]]
    for row in rows[1:]:
        groups = np.unique(row, return_inverse=True)[1]
        if groups.max(initial=-1) < kept[-1].max(initial=-1):
            kept.append(groups)
    return np.stack(kept).astype(np.int64)


def _climbed(tree: Hierarchy) -> list[Integers]:
    """The node that stands for each leaf, level by level."""
    height = np.zeros(tree.parent.size, np.int64)
    for node in range(tree.parent.size - 1, 0, -1):  # parents come before children
        height[tree.parent[node]] = max(height[tree.parent[node]], height[node] + 1)
    rows, at = [], tree.leaf_node.copy()
    for level in range(1, int(height.max(initial=0)) + 1):
        above = tree.parent[at]
        climbs = (above >= 0) & (height[above] <= level)
        at = np.where(climbs, above, at)
        rows.append(at.copy())
    return rows


def _bands(attribute: Attribute) -> list[Integers]:
    """Bands ever twice as wide, and the gap by itself."""
    place = attribute.position
    assert place is not None
    known = ~np.isnan(place)
    if attribute.kind == MEAN:  # the share of known records below the middle of a value's own
        times = np.bincount(attribute.codes, minlength=place.size)[known]
        share = np.zeros(place.size)
        share[known] = (np.cumsum(times) - times / 2) / max(1, times.sum())
        place = share
    rows, bands = [], MOST_BANDS
    while bands >= 1:
        band = np.minimum(np.floor(np.where(known, place, 0.0) * bands), bands - 1)
        rows.append(np.where(known, band, -1.0).astype(np.int64))
        bands //= 2
    return rows


def _losses(domain: Domain, a: int, groups: Integers) -> Floats:
    """The loss of every level of attribute `a`, weighted as in the domain's loss."""
    return np.maximum.accumulate([_loss(domain, a, row) for row in groups])  # rounding may not make it fall


def _loss(domain: Domain, a: int, groups: Integers) -> float:
    t, attribute = domain.tables, domain.attributes[a]
    count, times = int(groups.max(initial=-1)) + 1, np.bincount(attribute.codes, minlength=attribute.size)
    records = np.bincount(groups, times, count)
    members = np.bincount(groups, minlength=count)
    if attribute.kind in (SET, TREE):
        each = np.where(members > 1, t.unit[a] * members + t.base[a], 0.0)
        return float((each * records).sum() / domain.n)
    assert attribute.position is not None
    known = ~np.isnan(attribute.position)
    place = np.where(known, attribute.position, 0.0)
    mixed = np.bincount(groups, known, count) % members != 0
    if attribute.kind == INTERVAL:
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, groups[known], place[known])
        np.maximum.at(high, groups[known], place[known])
        each = np.where(mixed, 1.0, np.where(high > low, high - low, 0.0))
        return float((each * records).sum() * t.whole[a] / domain.n)
    weight = np.where(known, times, 0)
    numbers = np.maximum(np.bincount(groups, weight, count), 1)
    mean = np.bincount(groups, weight * place, count) / numbers
    squares = np.bincount(groups, weight * (place - mean[groups]) ** 2, count)
    each = squares / numbers + np.where(mixed, 1 - numbers / np.maximum(records, 1), 0.0)
    return float((each * records).sum() * t.whole[a] / domain.n)
