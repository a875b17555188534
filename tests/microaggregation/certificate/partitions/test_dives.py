"""Dives end in partitions, better ones than they began with."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.partitions.dives import dives, reheat
from discreet.microaggregation.certificate.progress import Progress, Proof
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, sse
from discreet.microaggregation.search.annealing import survey
from discreet.scale import workers
from discreet.work import Deadline, Reporter


@pytest.mark.parametrize("k", [3, 5])
def test_dives_end_in_partitions_that_improve_on_a_poor_one(k: int) -> None:
    points = np.random.default_rng(k).standard_normal((80, 3))
    start = mdav(points, k)
    progress = Progress(points, k, start, Deadline(None), Reporter(None))
    columns = Columns(measure(points, k), 2 * k - 1)
    columns.add_partition(start)
    progress.offer_proof(Proof(0.1, "test", np.full(80, progress.sse / 80)))
    land = survey(points, k)
    with workers(None) as pool:
        dives(columns, progress, land, 2, pool)
        dived = progress.sse
        reheat(columns, progress, land, 0, 2, pool)
    check_partition(progress.labels, 80, k)
    assert progress.counts["dives"] == 2
    assert progress.sse <= dived < sse(points, start)
