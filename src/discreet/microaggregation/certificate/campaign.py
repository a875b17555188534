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
from discreet.microaggregation.certificate.partitioning import Listed
from discreet.microaggregation.certificate.plunging import plunge
from discreet.microaggregation.certificate.proof import (
    SMALL,
    attempt,
    decide,
    enumerate_groups,
    prove,
    prove_partly,
    within_few,
)
from discreet.microaggregation.certificate.space import Ints, group_costs, measure
from discreet.microaggregation.certificate.standing import Standing
from discreet.microaggregation.certificate.starts import start_partitions
from discreet.microaggregation.certificate.windows import EARLY, LATE, Limits, improve_windows, reach, solve_window
from discreet.microaggregation.problem import Labels
from discreet.scale import ordered_map, workers

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.facade import Work

# Of one annealing: large files get fewer a record.
MOST_PROPOSALS = 4e6
# Rounds of cuts that close less of the gap than this end the first turn of cuts, once it had this part of the time.
COARSE = 0.01
CUTTING = 0.1
# Few records: when a turn of cuts ends, and up to how many groups within the gap are decided then.
TURNS = ((0.05, 1500), (0.02, 8000), (0.01, 12_000), (0.0, 20_000))
PARTLY = 10_000
# Dives: groups a record and cuts (those of most weight) to choose from.
PLUNGES = ((5, 100), (10, 200))


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
        # Nearest neighbors, which have none, may prove as much: with ties, or where pricing was cut off.
        proven = standing.proof.multipliers
        multipliers = relaxed.multipliers if proven is None else proven
        reduced = columns.reduced(multipliers)
        first: Ints = np.sort(np.argsort(reduced, kind="stable")[: 8 * n]).astype(np.int32)
        master = CutMaster(space, columns, standing, first, multipliers)
        master.add(np.array(columns.rows_of(standing.labels), np.int32))
        if n <= SMALL and work.budgets:
            _small(master, threads, work, branches)
            return not standing.late
        # Three groups a record over everything.
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
            if not work.budgets:
                continue
            master.center(threads, node_limit=branches)
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

        def windows(search: Standing, settled: Callable[[], bool]) -> None:
            improve_windows(
                master, threads, seed=seed + 2, rounds=work.windows, patience=20, limits=LATE,
                standing=search, settled=settled,
            )  # fmt: skip

        prove(master, threads, budgets=work.budgets, nodes=work.nodes, meanwhile=windows)
    return not standing.late


def _small(master: CutMaster, pool: Executor, work: Work, branches: int) -> None:
    """Few records: cuts as long as they do much, dives, and the decision as soon as few groups are within the gap."""
    standing = master.standing
    before = master.columns.count
    reached = -np.inf
    for turn, (coarse, most) in enumerate(TURNS):
        cut_rounds(master, pool, rounds=work.cut_rounds, coarse=coarse, node_limit=branches)
        if standing.closed or standing.late:
            break
        master.center(pool, node_limit=branches)
        whole = enumerate_groups(master, standing.sse - master.value, pool, most)
        # Dives, which cost little among few groups; from the same relaxation the same dives would come.
        worthwhile = whole is None or 2 * len(whole.sizes) < most
        if worthwhile and master.value > reached + COARSE * (standing.sse - master.value):
            _plunge(master, pool)
            reached = master.value
            whole = enumerate_groups(master, standing.sse - master.value, pool, most)
        status = ""
        if whole is not None:
            status = decide(master, whole, most, work.nodes, pool)
        elif turn:
            # A part of the gap: where the optimum is in it, that is the end.
            status = attempt(master, pool, most, work.nodes)
        if status in ("closed", "late"):
            break
    standing.count(columns=master.columns.count - before)
    if not (standing.closed or standing.late):
        prove_partly(master, pool, PARTLY, work.nodes)
    if not (standing.closed or standing.late):
        prove(master, pool, budgets=work.budgets, nodes=work.nodes)


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


def _plunge(master: CutMaster, pool: Executor) -> None:
    """Dives beside one another, over the groups of least reduced cost and those of the master: without these, which
    come from partitions, there may be none at all where the relaxation is weak."""
    standing, n = master.standing, master.n
    within = reach(master, pool)
    gap = standing.sse - standing.proof.value
    order = np.argsort(within.reduced, kind="stable")
    order = order[within.reduced[order] <= gap]
    rows = master.rows
    own = master.columns.members[rows[master.columns.reduced(master.multipliers)[rows] <= gap]]
    heavy = np.argsort(-master.proof_weights, kind="stable")
    tasks = []
    for dense, most in PLUNGES:
        members = np.unique(np.vstack([own, within.groups.members[order[: dense * n]]]), axis=0)
        sizes = np.count_nonzero(members >= 0, axis=1).astype(np.int32)
        groups = Listed(members, sizes, group_costs(master.space.distance, members, sizes))
        cuts = tuple(master.proof_cuts[t] for t in np.sort(heavy[:most]))
        tasks.append((groups, cuts, n, standing.sse, standing.deadline))
    for labels in ordered_map(pool, plunge, tasks):
        if labels is not None:
            standing.offer_partition(labels)
            master.columns.add_partition(labels)
