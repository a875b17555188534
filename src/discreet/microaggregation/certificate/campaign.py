"""The stages of a certificate: starts, column generation, dives, cuts and windows in turn, target enumeration."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING

import numpy as np

from discreet.microaggregation.annealing import survey
from discreet.microaggregation.certificate.columns import Columns
from discreet.microaggregation.certificate.cutting import CutMaster, cut_rounds
from discreet.microaggregation.certificate.diving import dives, reheat
from discreet.microaggregation.certificate.generation import LARGE, generate
from discreet.microaggregation.certificate.proof import SMALL, attempt, prove, within_few
from discreet.microaggregation.certificate.space import Ints, measure
from discreet.microaggregation.certificate.standing import Standing
from discreet.microaggregation.certificate.starts import start_partitions
from discreet.microaggregation.certificate.windows import EARLY, LATE, Limits, improve_windows, reach, solve_window
from discreet.microaggregation.problem import Labels
from discreet.scale import workers

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.facade import Work

# Of one annealing: large files get fewer a record.
MOST_PROPOSALS = 4e6
# Rounds of cuts that close less of the gap than this end the first turn of cuts, once it had this part of the time.
COARSE = 0.01
CUTTING = 0.1


def campaign(standing: Standing, work: Work, seed: int, executor: Executor | None) -> bool:
    """Run the stages until the gap is closed or the work is done; False where the deadline came first."""
    points, k = standing.points, standing.k
    n = len(points)
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, n))
    columns.add_partition(standing.labels)
    with workers(None) as threads:
        standing.tell("starts")
        for labels in start_partitions(
            points, k, descents=work.descents, annealings=work.annealings,
            proposals=min(work.proposals, MOST_PROPOSALS / n), seed=seed,
            deadline=standing.deadline, pool=executor or threads,
        ):  # fmt: skip
            columns.add_partition(labels)
            standing.offer_partition(labels)
        standing.count(starts=work.descents + work.annealings)
        if standing.late:
            return False
        branches = work.branches if k < LARGE else work.branches_large
        relaxed = generate(space, columns, standing, threads, node_limit=branches)
        standing.count(columns=columns.count)
        land = survey(points, k)
        if work.dives and not (standing.closed or standing.late):
            dives(columns, standing, land, work.dives, threads)
            reheat(columns, standing, land, seed, 2 * work.dives, threads)
        # Cuts need exact pricing many times over: not where once was too much.
        hopeless = k >= LARGE and not relaxed.converged
        if standing.late or standing.closed or hopeless or work.cut_rounds == 0:
            return not standing.late
        multipliers = standing.proof.multipliers
        assert multipliers is not None
        reduced = columns.reduced(multipliers)
        first: Ints = np.sort(np.argsort(reduced, kind="stable")[: 8 * n]).astype(np.int32)
        master = CutMaster(space, columns, standing, first, multipliers)
        master.add(np.array(columns.rows_of(standing.labels), np.int32))
        # Three groups a record over everything; small files have time for more nodes.
        if n <= SMALL:
            whole = Limits(n, 1.0, dense=3, nodes=work.nodes // 10)
        else:
            whole = Limits(n, 1.0, dense=3, nodes=work.nodes // 40, share=0.2, restarts=True)
        left = standing.deadline.remaining
        until = standing.deadline.elapsed + CUTTING * left if np.isfinite(left) else 0.0
        # The first cuts do most; before the last ones, better partitions pay more.
        for coarse in (COARSE, 0.0):
            status = cut_rounds(
                master, threads, rounds=work.cut_rounds, coarse=coarse, until=until, node_limit=branches
            )
            if standing.closed or standing.late or status == "late":
                return not standing.late
            if not work.budgets or n <= SMALL:
                continue
            master.center(threads)
            if coarse:
                _everywhere(master, threads, whole, work)
                if within_few(master, threads):
                    break
                improve_windows(master, threads, seed=seed, rounds=work.windows, patience=3, limits=EARLY)
            if within_few(master, threads):
                break
            if not coarse:
                attempt(master, threads, work.budgets[0], work.nodes)
            improve_windows(master, threads, seed=seed + 1, rounds=work.windows, patience=6, limits=LATE)
        standing.count(columns=columns.count - standing.counts["columns"])
        if standing.closed or standing.late or not work.budgets:
            return not standing.late
        if n <= SMALL:
            master.center(threads)
            improve_windows(master, threads, seed=seed, rounds=1, patience=1, limits=whole)

        def windows(search: Standing, settled: Callable[[], bool]) -> None:
            improve_windows(
                master, threads, seed=seed + 2, rounds=work.windows, patience=20, limits=LATE,
                standing=search, settled=settled,
            )  # fmt: skip

        beside = windows if n > SMALL else None
        prove(master, threads, budgets=work.budgets, nodes=work.nodes, meanwhile=beside)
    return not standing.late


def _everywhere(master: CutMaster, pool: Executor, limits: Limits, work: Work) -> None:
    """Programs over all records beside one another, since each may find nothing in its time: over many groups, from the
    best partition; over few, which raises the bound too; where that finds nothing, over fewer than the first."""
    standing = master.standing
    within = reach(master, pool)
    known, before = standing.labels.copy(), standing.sse

    def begin(limits: Limits) -> Future[tuple[Labels, int]]:
        return pool.submit(solve_window, within, np.arange(master.n), known, standing.fork(), limits)

    running = [begin(limits)]
    attempt(master, pool, work.budgets[0], work.nodes, 2 * limits.share)
    if standing.sse == before:
        running.append(begin(limits._replace(dense=limits.dense - 1, restarts=False)))
    for program in running:
        labels, _ = program.result()
        standing.offer_partition(labels)
        master.columns.add_partition(labels)
    standing.count(windows=len(running))
