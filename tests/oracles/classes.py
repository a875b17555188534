"""Slow, obvious twins of classes and of global recoding: costs by definition, optima by trying everything."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np

from discreet.generalization import domain as domains
from discreet.generalization.domain import Domain
from discreet.generalization.recoding.levels import Levels
from oracles.generalization import loss
from oracles.generalization_domains import TREE


def joint_domain(n: int, seed: int, *, gaps: bool = False, keys: bool = True, spread: float = 1.0) -> Domain:
    """Two means (one of them skewed) and, with `keys`, a number, a category, a leaf; weights differ."""
    rng = np.random.default_rng(seed)
    first, second = np.round(rng.lognormal(0, spread, n), 2), rng.integers(0, 5, n).astype(float)
    if gaps:
        first[rng.random(n) < 0.25] = np.nan
        second[rng.random(n) < 0.25] = np.nan
    attributes = [domains.mean("first", first, weight=1.5), domains.mean("second", second, weight=0.7)]
    if keys:
        number = rng.integers(0, 9, n).astype(float)
        if gaps:
            number[rng.random(n) < 0.2] = np.nan
        attributes += [
            domains.numeric("number", number, weight=1.2),
            domains.categorical("kind", rng.integers(0, 4, n), 4),
            domains.hierarchical("leaf", rng.integers(0, len(TREE.leaves), n), TREE, weight=0.6),
        ]
    return domains.domain(attributes)


def set_cost(domain: Domain, members: Sequence[int]) -> float:
    """What a set of records costs per record, straight from the definitions."""
    return loss(domain, [members]) * domain.codes.size


def class_loss(domain: Domain, labels: np.ndarray) -> float:
    """The mean cost per cell of a partition."""
    groups = [np.flatnonzero(labels == g) for g in np.unique(labels)]
    return sum(len(g) * set_cost(domain, g) for g in groups) / domain.codes.size


def holds(labels: np.ndarray, k: int, values: np.ndarray | None = None, l: int = 1) -> bool:
    """Whether every class has k records and l distinct known values."""
    groups = [np.flatnonzero(labels == g) for g in np.unique(labels)]
    return all(len(g) >= k and (l <= 1 or len(set(values[g].tolist()) - {-1}) >= l) for g in groups)


def least_class_loss(domain: Domain, k: int, values: np.ndarray | None = None, l: int = 1) -> float:
    """The optimum over all partitions, by dynamic programming over sets of records."""
    n = domain.n

    @cache
    def best(left: int) -> float:
        members = [i for i in range(n) if left >> i & 1]
        if not members:
            return 0.0
        found = np.inf
        for size in range(k, len(members) + 1):
            for others in itertools.combinations(members[1:], size - 1):
                group = [members[0], *others]
                if l > 1 and len({int(values[i]) for i in group} - {-1}) < l:
                    continue
                rest = best(left & ~sum(1 << i for i in group))
                if rest < np.inf:
                    found = min(found, size * set_cost(domain, group) + rest)
        return found

    return best((1 << n) - 1) / domain.codes.size


def node_labels(codes: np.ndarray, levels: Sequence[Levels], node: Sequence[int]) -> np.ndarray:
    """The classes at a node of the lattice, from the definition."""
    groups = np.stack([own.groups[h][codes[:, c]] for c, (own, h) in enumerate(zip(levels, node))], axis=1)
    return np.unique(groups, axis=0, return_inverse=True)[1].ravel()


def lattice(levels: Sequence[Levels]) -> list[tuple[int, ...]]:
    """Every node, from the least levels up."""
    return list(itertools.product(*(range(own.least, len(own.loss)) for own in levels)))


def node_loss(levels: Sequence[Levels], node: Sequence[int]) -> float:
    return sum(own.loss[h] for own, h in zip(levels, node)) / len(levels)
