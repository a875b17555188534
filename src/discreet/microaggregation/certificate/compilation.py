"""Small problems that need the kernels of one step of a method: where nothing is compiled yet, each has its process."""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.problem import Floats

N, K = 60, 3


def _points() -> Floats:
    return np.random.default_rng(0).standard_normal((N, 3))


def compile_start() -> None:
    """MDAV, and what every method does with labels."""
    from discreet.microaggregation.constructions.mdav import mdav
    from discreet.microaggregation.problem import renumber, sse

    sse(_points(), renumber(mdav(_points(), K)))


def compile_annealing() -> None:
    """Annealing and local search, from groups of neighbors in the file."""
    from discreet.microaggregation.search.annealing import Schedule, anneal, survey

    anneal(survey(_points(), K), np.arange(N) // K, Schedule(1.0), 0)


def compile_pricing() -> None:
    """The groups of least reduced cost."""
    from discreet.microaggregation.certificate.pricing.sweep import sweep
    from discreet.microaggregation.certificate.space import measure

    sweep(measure(_points(), K), np.ones(N), K, 0.0)


def compile_master() -> None:
    """The interior point of the master, and all cuts of a point between two partitions."""
    from discreet.microaggregation.certificate.cuts.cut import coefficients, index_cuts
    from discreet.microaggregation.certificate.cuts.modular import separate
    from discreet.microaggregation.certificate.cuts.rank_one import support_of
    from discreet.microaggregation.certificate.master.column_generation import spread
    from discreet.microaggregation.certificate.master.columns import Columns
    from discreet.microaggregation.certificate.master.interior_point import solve_master
    from discreet.microaggregation.certificate.space import measure

    points, labels = _points(), np.arange(N) // K
    columns = Columns(measure(points, K), 2 * K - 1)
    for shift in range(K):
        columns.add_partition(np.roll(labels, shift))
    solve_master(columns.subset(np.arange(columns.count)), spread(points, labels), np.ones(N), tolerance=1e-3)
    support = support_of(columns.members, columns.sizes, np.full(columns.count, 1 / K), N)
    cuts = separate(support, set(), 0.003, triples=1, others=100, enough=10**6)
    coefficients(columns.members, columns.sizes, index_cuts(cuts, N))
