"""What a record can be widened to, and what that costs: the only place that knows the loss.

A box on an attribute is the least thing that covers the values it must cover: an interval of numbers or of ordered
categories, a set of categories, or a node of a hierarchy. Its normalized certainty penalty (NCP) is

    interval   (high − low) / range
    set        (m − 1) / (|A| − 1)         m distinct values out of |A|
    hierarchy  (leaves − 1) / (|A| − 1)    leaves below the node out of |A|

and 0 where nothing was widened. With `ncp="share"` sets and hierarchies cost m / |A| instead (still 0 for one value).

A number may be published as the mean of a set instead of a box. What that loses is the variance within the set,

    mean       Σ (x_j − x̄)² / m           over the m known values, x in standard deviations of the whole column
               + share of the gaps        where some of the set, but not all, are gaps: they blur or blank the mean

so that its mean over all rows is the share of the column's variance that is lost.

GCP is the mean of weight × NCP (or variance) over all cells, the weights scaled to mean 1.

Missing values, by a stated policy:

    "value"     a value of its own. A box that holds it and a number covers the whole attribute (NCP 1).
    "wildcard"  lies in every box and widens none: for an intruder who may know any value there, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults
from discreet.generalization.hierarchy import Hierarchy
from discreet.solvers.assignment import GREATEST

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Integers = NDArray[np.int64]

INTERVAL, SET, TREE, MEAN = 0, 1, 2, 3
WILDCARD = -1
NCP = ("distinct", "share")

FINEST = 1 << 12
"""The least number of units that one attribute's whole range has in the assignment problems, however far outliers lie.

At most n / r² records of a column are r standard deviations away from its mean, so few costs are beyond what whole
numbers hold at that fineness; `fill_row` cuts these off.
"""


@dataclass(frozen=True)
class Attribute:
    """One quasi-identifier: the code of each record (−1 for a wildcard) and how codes combine.

    `position` holds, for an interval, the place of each code in [0, 1], ascending; NaN in the last place stands for
    "missing as a value". For a mean it holds standard deviations from the column's mean, NaN in the last place for a
    gap. `hierarchy` numbers the leaves as the codes do.
    """

    name: str
    kind: int
    codes: Codes
    size: int
    position: Floats | None = None
    hierarchy: Hierarchy | None = None
    weight: float = 1.0


def numeric(name: str, values: NDArray[np.generic], *, missing: str = "value", weight: float = 1.0) -> Attribute:
    """An attribute of float64 numbers; NaN is missing. For numbers with more digits use `graded`."""
    numbers = np.asarray(values, np.float64)
    absent = np.isnan(numbers)
    distinct, inverse = np.unique(numbers[~absent], return_inverse=True)
    codes = np.full(numbers.shape, WILDCARD, np.int64)
    codes[~absent] = inverse
    span = float(distinct[-1] - distinct[0]) if distinct.size else 0.0
    position = (distinct - distinct[0]) / span if span > 0 else np.zeros(distinct.size)
    return graded(name, codes, position, missing=missing, weight=weight)


def graded(
    name: str, codes: NDArray[np.integer], position: Floats, *, missing: str = "value", weight: float = 1.0
) -> Attribute:
    """An attribute of ascending values with a place each in [0, 1]: codes are places in `position`, −1 is missing.

    Codes tell values apart, however close they lie; places are for costs only, and may be rounded.
    """
    out = np.asarray(codes, np.int32).copy()
    absent = out < 0
    if missing == "value" and absent.any():
        out[absent] = position.size
        position = np.append(position, np.nan)
    return Attribute(name, INTERVAL, out, position.size, position, weight=weight)


def ordered(name: str, codes: NDArray[np.integer], size: int, *, weight: float = 1.0) -> Attribute:
    """Categories that stand in an order: codes 0 … size−1 in that order, −1 for a wildcard."""
    position = np.arange(size) / max(size - 1, 1)
    return Attribute(name, INTERVAL, np.asarray(codes, np.int32), size, position, weight=weight)


def categorical(name: str, codes: NDArray[np.integer], size: int, *, weight: float = 1.0) -> Attribute:
    """Categories without order: codes 0 … size−1, −1 for a wildcard."""
    return Attribute(name, SET, np.asarray(codes, np.int32), size, weight=weight)


def hierarchical(name: str, codes: NDArray[np.integer], hierarchy: Hierarchy, *, weight: float = 1.0) -> Attribute:
    """Categories that are the leaves of a hierarchy: codes are positions in `hierarchy.leaves`."""
    size = len(hierarchy.leaves)
    return Attribute(name, TREE, np.asarray(codes, np.int32), size, hierarchy=hierarchy, weight=weight)


def mean(name: str, values: NDArray[np.generic], *, weight: float = 1.0) -> Attribute:
    """Numbers that are published as means of sets; NaN is a gap. Codes are ranks of the distinct known values."""
    numbers = np.asarray(values, np.float64)
    absent = np.isnan(numbers)
    distinct, inverse = np.unique(numbers[~absent], return_inverse=True)
    codes = np.full(numbers.shape, distinct.size, np.int32)
    codes[~absent] = inverse
    position = distinct
    if np.isfinite(distinct).all():
        position = np.zeros(distinct.size)
        span = distinct[-1] / 2 - distinct[0] / 2 if distinct.size else 0.0
        if span > 0:
            position, times = (distinct / 2 - distinct[0] / 2) / span, np.bincount(inverse)
            position -= np.average(position, weights=times)
            position /= np.sqrt(np.average(position**2, weights=times))
    if absent.any():
        position = np.append(position, np.nan)
    return Attribute(name, MEAN, codes, position.size, position, weight=weight)


class Tables(NamedTuple):
    """The costs of all attributes as flat arrays, for the kernels. Costs include the attribute's weight.

    Values of attribute a stand at `start[a]` … `start[a + 1]`; nodes of all hierarchies in one numbering. Squared
    differences of a mean's positions are costs. `scale` turns costs into the whole numbers of the assignment problems:
    a box that is all-wide has at most 2²⁴ units, and so have the two most distant numbers, unless they are too far
    apart for `FINEST`.
    """

    kind: Integers
    start: Integers
    whole: Floats
    unit: Floats
    base: Floats
    position: Floats
    leaf: Integers
    left: Integers
    right: Integers
    parent: Integers
    node_cost: Floats
    scale: float


@dataclass(frozen=True)
class Domain:
    """The quasi-identifiers of n records: their codes and the tables of costs."""

    attributes: tuple[Attribute, ...]
    codes: Codes
    tables: Tables = field(repr=False)

    @property
    def n(self) -> int:
        return self.codes.shape[0]

    @property
    def d(self) -> int:
        return self.codes.shape[1]


def domain(attributes: Sequence[Attribute], *, ncp: str = "distinct") -> Domain:
    """Put attributes together; raises one InputError with every fault."""
    _check(attributes, ncp)
    codes = np.ascontiguousarray(np.stack([a.codes for a in attributes], axis=1), np.int32)
    return Domain(tuple(attributes), codes, cost_tables(attributes, ncp=ncp))


def cost_tables(attributes: Sequence[Attribute], *, ncp: str = "distinct") -> Tables:
    """What widening costs, for attributes whose codes need not be those of the same records."""
    weights = np.array([a.weight for a in attributes], np.float64)
    return _tables(attributes, weights * (len(attributes) / weights.sum()), ncp)


def alone(whole: Domain, a: int) -> Domain:
    """One attribute of a domain, at the cost that it has with weight 1."""
    t, weight = whole.tables, whole.tables.whole[a]
    values = slice(t.start[a], t.start[a + 1])
    tables = t._replace(
        kind=t.kind[a : a + 1],
        start=np.array([0, t.start[a + 1] - t.start[a]], np.int64),
        whole=np.ones(1),
        unit=t.unit[a : a + 1] / weight,
        base=t.base[a : a + 1] / weight,
        position=t.position[values] / (np.sqrt(weight) if t.kind[a] == MEAN else weight),
        leaf=t.leaf[values],
        node_cost=t.node_cost / weight,
    )
    return Domain(whole.attributes[a : a + 1], np.ascontiguousarray(whole.codes[:, a : a + 1]), tables)


def boxes_of(whole: Domain) -> Domain:
    """The attributes of a domain that are published as boxes, with the costs they have there.

    Where there are none, one attribute that is the same for all and costs nothing.
    """
    chosen = np.flatnonzero(whole.tables.kind != MEAN)
    if chosen.size == whole.d:
        return whole
    attributes = [whole.attributes[a] for a in chosen] or [categorical("", np.zeros(whole.n, np.int32), 1)]
    weights = whole.tables.whole[chosen] if chosen.size else np.ones(1)
    ncp = "share" if (whole.tables.base == 0).all() else "distinct"
    codes = np.ascontiguousarray(np.stack([a.codes for a in attributes], axis=1), np.int32)
    return Domain(tuple(attributes), codes, _tables(attributes, weights, ncp))


def _check(attributes: Sequence[Attribute], ncp: str) -> None:
    faults = Faults()
    faults.check(ncp in NCP, f"ncp must be one of {', '.join(NCP)}")
    faults.check(len(attributes) > 0, "give at least one quasi-identifier")
    for a in attributes:
        faults.check(
            bool(np.isfinite(a.weight) and a.weight > 0),
            f"quasi-identifier {a.name!r}: the weight must be a positive number",
        )
        if a.position is not None:
            known = a.position[:-1] if a.size and np.isnan(a.position[-1]) else a.position
            faults.check(
                bool(np.isfinite(known).all()),
                f"quasi-identifier {a.name!r} holds infinite numbers: replace or remove them",
            )
        if a.codes.size and (a.codes.max() >= a.size or a.codes.min() < WILDCARD):
            faults.add(f"quasi-identifier {a.name!r}: codes must lie between 0 and the number of values")
        elif a.kind == MEAN:
            faults.check(
                not (a.codes < 0).any(), f"column {a.name!r} is published as means: a gap is a value of its own there"
            )
    faults.check(len({a.codes.shape for a in attributes}) <= 1, "quasi-identifiers differ in length")
    faults.raise_if_any()


def _tables(attributes: Sequence[Attribute], weights: Floats, ncp: str) -> Tables:
    d = len(attributes)
    sizes = np.array([a.size for a in attributes], np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    unit, base = np.zeros(d), np.zeros(d)
    position, leaf = np.zeros(start[-1]), np.full(start[-1], -1, np.int64)
    left, right, parent = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    cost = [np.zeros(0)]
    nodes = 0
    for a, attribute in enumerate(attributes):
        values = slice(start[a], start[a + 1])
        size, weight = attribute.size, weights[a]
        unit[a] = weight / size if ncp == "share" and size else weight / max(size - 1, 1)
        base[a] = 0.0 if ncp == "share" else -unit[a]
        if attribute.kind == INTERVAL:
            assert attribute.position is not None
            position[values] = attribute.position * weight
        elif attribute.kind == MEAN:
            assert attribute.position is not None
            position[values] = attribute.position * np.sqrt(weight)
        elif attribute.kind == TREE:
            tree = attribute.hierarchy
            assert tree is not None
            leaves = tree.right - tree.left + 1
            leaf[values] = tree.leaf_node + nodes
            left.append(tree.left)
            right.append(tree.right)
            parent.append(np.where(tree.parent < 0, -1, tree.parent + nodes))
            cost.append(np.where(leaves > 1, unit[a] * leaves + base[a], 0.0))
            nodes += tree.left.size
    most = _most(attributes, weights)
    return Tables(
        np.array([a.kind for a in attributes], np.int64),
        start,
        weights,
        unit,
        base,
        position,
        leaf,
        np.concatenate(left),
        np.concatenate(right),
        np.concatenate(parent),
        np.concatenate(cost),
        max(GREATEST / most, float(FINEST)),
    )


def _most(attributes: Sequence[Attribute], weights: Floats) -> float:
    """What one more record can add to a set at the most: whole ranges, and the halves of the most distant numbers."""
    most = float(weights.sum())
    for attribute, weight in zip(attributes, weights):
        if attribute.kind == MEAN:
            assert attribute.position is not None
            known = attribute.position[~np.isnan(attribute.position)]
            most += float(weight) * (float(np.ptp(known)) / 2) ** 2 if known.size else 0.0
    return most
