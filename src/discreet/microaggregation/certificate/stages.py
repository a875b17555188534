"""The stages of a certificate: starts, column generation, dives, cuts and windows in turn, target enumeration."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future

import numpy as np

from discreet.microaggregation.certificate.efforts import Work
from discreet.microaggregation.certificate.exact.target_enumeration import (
    SMALL,
    Decision,
    attempt,
    decide,
    enumerate_groups,
    prove,
    prove_partly,
    within_few,
)
from discreet.microaggregation.certificate.master.column_generation import LARGE, generate
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
from discreet.microaggregation.certificate.partitions.dives import dives, reheat
from discreet.microaggregation.certificate.partitions.plunges import plunge
from discreet.microaggregation.certificate.partitions.starts import start_partitions
from discreet.microaggregation.certificate.partitions.windows import (
    EARLY,
    LATE,
    Limits,
    improve_windows,
    reach,
    solve_window,
)
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import Ints, groups_in, measure
from discreet.microaggregation.problem import Labels
from discreet.microaggregation.search.annealing import survey
from discreet.scale import ordered_map, workers

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


def run_stages(progress: Progress, work: Work, seed: int, executor: Executor | None) -> bool:
    """Run the stages until the gap is closed or the work is done; False where the deadline came first."""
    points, k = progress.points, progress.k
    n = len(points)
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, n))
    columns.add_partition(progress.labels)
    with workers(None) as threads:
        progress.tell("starts")
        for labels in start_partitions(
            points, k, descents=work.descents, annealings=work.annealings,
            proposals=min(work.proposals, MOST_PROPOSALS / n), seed=seed,
            deadline=progress.deadline, executor=executor or threads,
        ):  # fmt: skip
            columns.add_partition(labels)
            progress.offer_partition(labels)
        progress.count(starts=work.descents + work.annealings)
        if progress.late:
            return False
        branches = work.branches if k < LARGE else work.branches_large
        relaxed = generate(space, columns, progress, threads, node_limit=branches)
        progress.count(columns=columns.count)
        land = survey(points, k)
        if work.dives and not (progress.closed or progress.late):
            dives(columns, progress, land, work.dives, threads)
            reheat(columns, progress, land, seed, 2 * work.dives, threads)
        # Cuts need exact pricing many times over: not where once was too much.
        hopeless = k >= LARGE and not relaxed.converged
        if progress.late or progress.closed or hopeless or work.cut_rounds == 0:
            return not progress.late
        # Nearest neighbors, which have none, may prove as much: with ties, or where pricing was cut off.
        proven = progress.proof.multipliers
        multipliers = relaxed.multipliers if proven is None else proven
        reduced = columns.reduced(multipliers)
        first: Ints = np.sort(np.argsort(reduced, kind="stable")[: 8 * n]).astype(np.int32)
        master = CutMaster(space, columns, progress, first, multipliers)
        master.add(np.array(columns.rows_of(progress.labels), np.int32))
        if n <= SMALL and work.budgets:
            _small(master, threads, work, branches)
            return not progress.late
        # Three groups a record over everything.
        whole = Limits(n, 1.0, dense=3, nodes=work.nodes // 40, share=0.2, restarts=True)
        left = progress.deadline.remaining
        until = progress.deadline.elapsed + CUTTING * left if np.isfinite(left) else 0.0
        # The first cuts do most; before the last ones, better partitions pay more.
        for coarse in (COARSE, 0.0):
            status = cut_rounds(
                master, threads, rounds=work.cut_rounds, coarse=coarse, until=until, node_limit=branches
            )
            if progress.closed or progress.late or status == "late":
                return not progress.late
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
        progress.count(columns=columns.count - progress.counts["columns"])
        if progress.closed or progress.late or not work.budgets:
            return not progress.late

        def windows(search: Progress, settled: Callable[[], bool]) -> None:
            improve_windows(
                master, threads, seed=seed + 2, rounds=work.windows, patience=20, limits=LATE,
                progress=search, settled=settled,
            )  # fmt: skip

        prove(master, threads, budgets=work.budgets, nodes=work.nodes, meanwhile=windows)
    return not progress.late


def _small(master: CutMaster, executor: Executor, work: Work, branches: int) -> None:
    """Few records: cuts as long as they do much, dives, and the decision as soon as few groups are within the gap."""
    progress = master.progress
    before = master.columns.count
    reached = -np.inf
    for turn, (coarse, most) in enumerate(TURNS):
        cut_rounds(master, executor, rounds=work.cut_rounds, coarse=coarse, node_limit=branches)
        if progress.closed or progress.late:
            break
        master.center(executor, node_limit=branches)
        whole = enumerate_groups(master, progress.sse - master.value, executor, most)
        # Dives, which cost little among few groups; from the same relaxation the same dives would come.
        worthwhile = whole is None or 2 * len(whole.sizes) < most
        if worthwhile and master.value > reached + COARSE * (progress.sse - master.value):
            _plunge(master, executor)
            reached = master.value
            whole = enumerate_groups(master, progress.sse - master.value, executor, most)
        status: Decision | None = None
        if whole is not None:
            status = decide(master, whole, most, work.nodes, executor)
        elif turn:
            # A part of the gap: where the optimum is in it, that is the end.
            status = attempt(master, executor, most, work.nodes)
        if status in ("closed", "late"):
            break
    progress.count(columns=master.columns.count - before)
    if not (progress.closed or progress.late):
        prove_partly(master, executor, PARTLY, work.nodes)
    if not (progress.closed or progress.late):
        prove(master, executor, budgets=work.budgets, nodes=work.nodes)


def _everywhere(master: CutMaster, executor: Executor, limits: Limits, work: Work) -> None:
    """Programs over all records beside one another, since each may find nothing in its time: over many groups, from the
    best partition; over few, which raises the bound too; where that finds nothing, over fewer than the first."""
    progress = master.progress
    within = reach(master, executor)
    known, before = progress.labels.copy(), progress.sse

    def begin(limits: Limits) -> Future[tuple[Labels, int]]:
        return executor.submit(solve_window, within, np.arange(master.n), known, progress.fork(), limits)

    running = [begin(limits)]
    attempt(master, executor, work.budgets[0], work.nodes, 2 * limits.share)
    if progress.sse == before:
        running.append(begin(limits._replace(dense=limits.dense - 1, restarts=False)))
    for program in running:
        labels, _ = program.result()
        progress.offer_partition(labels)
        master.columns.add_partition(labels)
    progress.count(windows=len(running))


def _plunge(master: CutMaster, executor: Executor) -> None:
    """Dives beside one another, over the groups of least reduced cost and those of the master: without these, which
    come from partitions, there may be none at all where the relaxation is weak."""
    progress, n = master.progress, master.n
    within = reach(master, executor)
    gap = progress.sse - progress.proof.value
    order = np.argsort(within.reduced, kind="stable")
    order = order[within.reduced[order] <= gap]
    rows = master.rows
    own = master.columns.members[rows[master.columns.reduced(master.multipliers)[rows] <= gap]]
    heavy = np.argsort(-master.proof_weights, kind="stable")
    tasks = []
    for dense, most in PLUNGES:
        members = np.unique(np.vstack([own, within.groups.members[order[: dense * n]]]), axis=0)
        sizes = np.count_nonzero(members >= 0, axis=1).astype(np.int32)
        groups = groups_in(master.space, members, sizes)
        cuts = tuple(master.proof_cuts[t] for t in np.sort(heavy[:most]))
        tasks.append((groups, cuts, n, progress.sse, progress.deadline))
    for labels in ordered_map(executor, plunge, tasks):
        if labels is not None:
            progress.offer_partition(labels)
            master.columns.add_partition(labels)
