"""Random small domains for the tests of this room."""

from __future__ import annotations

import numpy as np

from discreet.generalization import domain as domains
from discreet.generalization.domain import Domain
from discreet.generalization.hierarchy import from_mapping

TREE = from_mapping({"*": {"left": ["a", "b", "c"], "right": {"near": ["d", "e"], "far": ["f"]}}})


def random_domain(n: int, seed: int, *, missing: bool = False, ncp: str = "distinct", weights: bool = False) -> Domain:
    """A numeric, an ordered, a categorical and a hierarchical attribute; with `missing`, holes of both kinds."""
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0.5, 2.0, 5) if weights else np.ones(5)
    numbers = rng.integers(0, 12, n).astype(float)
    other = np.round(rng.normal(size=n), 1)
    shades = rng.integers(0, 4, n)
    kinds = rng.integers(0, 5, n)
    leaves = rng.integers(0, len(TREE.leaves), n)
    if missing:
        numbers[rng.random(n) < 0.2] = np.nan
        other[rng.random(n) < 0.2] = np.nan
        shades = np.where(rng.random(n) < 0.2, -1, shades)
        kinds = np.where(rng.random(n) < 0.2, -1, kinds)
        leaves = np.where(rng.random(n) < 0.2, -1, leaves)
    return domains.domain(
        [
            domains.numeric("number", numbers, missing="value", weight=weight[0]),
            domains.numeric("other", other, missing="wildcard", weight=weight[1]),
            domains.ordered("shade", shades, 4, weight=weight[2]),
            domains.categorical("kind", kinds, 5, weight=weight[3]),
            domains.hierarchical("leaf", leaves, TREE, weight=weight[4]),
        ],
        ncp=ncp,
    )


def joint_domain(n: int, seed: int, *, missing: bool = False, weights: bool = False, keys: int = 5) -> Domain:
    """The first `keys` attributes of `random_domain`, a skewed and a discrete number published as means."""
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0.5, 2.0, 2) if weights else np.ones(2)
    skewed, counted = np.exp(rng.normal(size=n)), rng.integers(0, 4, n).astype(float)
    if missing:
        skewed[rng.random(n) < 0.3] = np.nan
        counted[rng.random(n) < 0.3] = np.nan
    known = random_domain(n, seed, missing=missing, weights=weights).attributes[:keys]
    return domains.domain(
        [domains.mean("skewed", skewed, weight=weight[0]), *known, domains.mean("counted", counted, weight=weight[1])]
    )
