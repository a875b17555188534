"""Slow, obvious twins of freeform generalization: costs by definition, optima and flows by exhaustion."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from discreet.generalization.domain import INTERVAL, MEAN, SET, Attribute, Domain


def ncp(attribute: Attribute, codes: Sequence[int], share: bool = False) -> float:
    """The penalty of covering these codes, straight from the definition (without weight)."""
    if attribute.kind == MEAN:
        return lost_variance([attribute.position[code] for code in codes])
    known = sorted({code for code in codes if code >= 0})
    if not known:
        return 0.0
    size = attribute.size
    if attribute.kind == INTERVAL:
        places = [attribute.position[code] for code in known]
        numbers = [x for x in places if not np.isnan(x)]
        if not numbers:
            return 0.0
        return 1.0 if len(numbers) < len(places) else max(numbers) - min(numbers)
    if attribute.kind == SET:
        covered = len(known)
    else:
        names = {attribute.hierarchy.leaves[code] for code in known}
        covered = min(len(c) for c in attribute.hierarchy.coverage().values() if names <= set(c))
    if covered == 1:
        return 0.0
    return covered / size if share else (covered - 1) / (size - 1)


def lost_variance(places: Sequence[float]) -> float:
    """What the mean of a set loses: the variance of its known numbers, and the share of gaps in a mixed set."""
    known = [x for x in places if not np.isnan(x)]
    if not known:
        return 0.0
    return float(np.mean([(x - np.mean(known)) ** 2 for x in known])) + 1.0 - len(known) / len(places)


def loss(domain: Domain, matches: Sequence[Sequence[int]], share: bool = False) -> float:
    """GCP by definition."""
    weights = np.array([a.weight for a in domain.attributes])
    weights = weights / weights.mean()
    total = sum(
        weights[a] * ncp(attribute, [int(domain.codes[j, a]) for j in row], share)
        for row in matches
        for a, attribute in enumerate(domain.attributes)
    )
    return float(total) / domain.codes.size


def least_loss(domain: Domain, k: int) -> float:
    """The optimum by dynamic programming over records: the state is how often each may still be covered."""
    n = domain.n
    states = {(k,) * n: 0.0}
    for i in range(n):
        options = [
            ((i, *others), loss(domain, [(i, *others)]) * domain.codes.size)
            for others in itertools.combinations([j for j in range(n) if j != i], k - 1)
        ]
        following: dict[tuple[int, ...], float] = {}
        for left, cost in states.items():
            for chosen, extra in options:
                if all(left[j] > 0 for j in chosen):
                    rest = tuple(x - (j in chosen) for j, x in enumerate(left))
                    if max(rest) <= n - 1 - i and cost + extra < following.get(rest, np.inf):
                        following[rest] = cost + extra
        states = following
    return min(states.values()) / domain.codes.size


def least_loss_of_classes(domain: Domain, k: int) -> float:
    """The optimum over all partitions into classes of k or more, by trying the class of the first record left."""

    def least(left: tuple[int, ...]) -> float:
        if not left:
            return 0.0
        found = np.inf
        for size in range(k, len(left) + 1):
            for others in itertools.combinations(left[1:], size - 1):
                rest = tuple(j for j in left if j != left[0] and j not in others)
                if not rest or len(rest) >= k:
                    own = size * loss(domain, [(left[0], *others)]) * domain.codes.shape[1]
                    found = min(found, own * domain.n + least(rest))
        return found

    return least(tuple(range(domain.n))) / domain.codes.size


def has_regular_subgraph(compatible: np.ndarray, k: int) -> bool:
    """Whether k disjoint perfect matchings exist, by augmenting paths for single units."""
    n = compatible.shape[0]
    used = np.zeros((n, n), bool)
    supply, demand = [k] * n, [k] * n

    def augment(i: int, seen: set[int]) -> bool:
        for j in range(n):
            if not compatible[i, j] or used[i, j] or j in seen:
                continue
            seen.add(j)
            if demand[j] > 0:
                demand[j] -= 1
                used[i, j] = True
                return True
            for other in range(n):
                if used[other, j] and other != i:
                    used[other, j] = False
                    if augment(other, seen):
                        used[i, j] = True
                        return True
                    used[other, j] = True
        return False

    for i in range(n):
        while supply[i] > 0:
            if not augment(i, set()):
                return False
            supply[i] -= 1
    return True


def edges_in_matchings(compatible: np.ndarray) -> np.ndarray:
    """Pairs that lie in some perfect matching, by trying all permutations."""
    n = compatible.shape[0]
    found = np.zeros((n, n), bool)
    for permutation in itertools.permutations(range(n)):
        if all(compatible[i, j] for i, j in enumerate(permutation)):
            found[np.arange(n), list(permutation)] = True
    return found


def is_regular(matches: np.ndarray, k: int) -> bool:
    """Each record covers itself and k − 1 others, and is covered k times."""
    n = matches.shape[0]
    return (
        matches.shape == (n, k)
        and all(len(set(row)) == k and i in row for i, row in enumerate(matches.tolist()))
        and (np.bincount(matches.ravel(), minlength=n) == k).all()
    )
