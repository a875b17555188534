"""Small problems that need the kernels of one step of a method: where nothing is compiled yet, each has its process."""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.problem import Floats
from discreet.work import Deadline, Reporter

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


def compile_column_generation() -> None:
    """Pricing, the master and all cuts; no annealing."""
    from discreet.microaggregation.certificate.master.column_generation import generate
    from discreet.microaggregation.certificate.master.columns import Columns
    from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
    from discreet.microaggregation.certificate.progress import Progress
    from discreet.microaggregation.certificate.space import measure
    from discreet.scale import workers

    points = _points()
    progress = Progress(points, K, np.arange(N) // K, Deadline(None), Reporter(None))
    space = measure(points, K)
    columns = Columns(space, 2 * K - 1)
    columns.add_partition(progress.labels)
    with workers(None) as executor:
        generate(space, columns, progress, executor)
        multipliers = progress.proof.multipliers
        assert multipliers is not None
        master = CutMaster(space, columns, progress, np.arange(columns.count, dtype=np.int32), multipliers)
        cut_rounds(master, executor)
