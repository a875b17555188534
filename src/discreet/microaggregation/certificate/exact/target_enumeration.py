"""Closing the gap: enumerate every group that a partition below a target could use, and search among them alone.

Multipliers λ, penalties w and root values r_i prove a bound B. In a partition with SSE below U a group rooted at i has

    rc(C) < U − B + min(0, r_i),

since all other groups together owe at least what B counts for them. So the partitions below U are exactly those made of
the enumerated groups, and an integer program over these decides: its optimum, where below U, is the optimum of the
whole problem; where there is none, U itself is a bound. U is chosen by the number of groups, not by the best known
partition: enumerating the whole gap may take millions of them.

Where many records are nearly the same, millions of groups among them cost next to nothing, and no gap is small enough
to list them. They have small multipliers. So only the groups rooted at the records R of largest multiplier are listed:
since a root is its group's member of largest λ, these are all groups that hold a record of R. Their least total excess

    min Σ_C (rc(C) − min(0, r_root(C)))·x_C   over x that hold every record of R once and no other twice

adds to B: the groups left out owe at least what B counts for them. Penalties of cuts on records of R alone are taken
out of rc and their right sides out of B, since there the groups listed are all that count. With that least excess, the
groups that hold no record of R have only the rest of U − B to spend, and are listed up to that.

Few groups of many records go to HiGHS (`set_partition`), to a stated absolute gap: a share of the tolerance at which a
partition counts as optimal. The value credited is lowered by the gap asked for and by a millionth of U − B, many times
what the solver's tolerance is worth. Everything larger goes to `tree`, which proves its own bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.microaggregation.certificate.cuts.cut import coefficients, index_cuts, penalties_of
from discreet.microaggregation.certificate.descent import descend
from discreet.microaggregation.certificate.exact.set_partition import SCALE, Partitioned, best_partition
from discreet.microaggregation.certificate.exact.tree import branch
from discreet.microaggregation.certificate.master.cut_master import CutMaster
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.progress import TOLERANCE, Kind, Progress, Proof
from discreet.microaggregation.certificate.space import Floats, Ints, groups_in
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.groups import groups_of, labels_of, normalized
from discreet.microaggregation.problem import sse
from discreet.microaggregation.search.annealing import Schedule, anneal, survey
from discreet.solvers.mip import Tuning, solve_mip

# A search from a `Progress` of its own, until the second argument says that the matter is settled.
Meanwhile = Callable[[Progress, Callable[[], bool]], None]

# A gap, or a part of it, decided: nothing is left; the bound rose; groups, nodes or time ran out.
Decision = Literal["closed", "raised", "exhausted", "undecided", "late"]

KIND: Kind = "target enumeration"
# What the solver's feasibility tolerance may be worth, as a share of the gap that it decides.
SOLVER_SHARE = 1e-6
# The integer program is solved to this share of the tolerance for optimality.
GAP_SHARE = 0.8
# An integer program of so few nodes was easy; no list of groups is larger than this.
EASY = 50
# Above so many records and up to so many groups HiGHS solves the integer program, else our own tree, whose nodes cost a
# tenth.
SMALL = 300
FEW = 4000
CHEAP = 10
MOST_GROUPS = 100_000
# Allowances tried to make the most of a budget.
SEARCH = 30
# Annealings of the records that a part of the groups leaves.
COMPLETIONS = 6
# No group has a reduced cost below this.
NOTHING = -1e300


class Enumerated(NamedTuple):
    """All groups of the partitions that cost less than `allowance` more than the bound; `excess` is by how much each
    group raises the bound on its own."""

    members: Ints
    sizes: Ints
    excess: Floats
    allowance: float


def enumerate_groups(master: CutMaster, allowance: float | Floats, executor: Executor, most: int) -> Enumerated | None:
    """Groups of reduced cost below `allowance` (of their root i) + min(0, r_i); None where over `most`."""
    owed = np.minimum(master.roots, 0.0)
    penalties = penalties_of(master.proof_cuts, master.proof_weights, master.n)
    # Rounding: what the bound was lowered by is far below this.
    margin = 1e-9 * np.maximum(allowance, 0.0) + 1e-12 * abs(master.value)
    found = sweep(
        master.space, master.multipliers, master.k, allowance + owed + margin,
        keep=0, max_columns=most, penalties=penalties, executor=executor, deadline=master.progress.deadline,
    )  # fmt: skip
    if found.overflow or len(found.sizes) > most or not found.complete.all():
        return None
    return Enumerated(found.members, found.sizes, found.reduced - owed[found.members[:, 0]], float(np.max(allowance)))


def within_few(master: CutMaster, executor: Executor) -> bool:
    """Whether so few groups are within the whole gap that one integer program decides."""
    return enumerate_groups(master, master.progress.sse - master.value, executor, FEW) is not None


def prove_partly(master: CutMaster, executor: Executor, most: int, nodes: int) -> None:
    """List the groups within the gap that hold records of large multipliers, and find what these must cost; then the
    others within what is left, and decide."""
    progress, n = master.progress, master.n
    order = np.argsort(-master.multipliers, kind="stable").astype(np.int32)
    gap = progress.sse - master.value
    found: Enumerated | None = None
    first, last = 1, n
    while first <= last and not progress.late:
        middle = (first + last) // 2
        some = enumerate_groups(master, _only(order[:middle], n, gap), executor, most)
        if some is None:
            last = middle - 1
        else:
            found, first = some, middle + 1
    if found is None or progress.late:
        return
    searched = first - 1
    spent = _least_excess(master, found, order[:searched], gap, nodes)
    if spent is None:
        return
    proven = min(master.value + spent, progress.sse)
    _credit(master, proven, proven, searched)
    allowance = progress.sse - master.value
    limits = np.full(n, allowance - spent)
    limits[order[:searched]] = allowance
    whole = enumerate_groups(master, limits, executor, most)
    if whole is not None:
        decide(master, whole, most, nodes, executor, parts=(searched, spent))


def _only(roots: Ints, n: int, allowance: float) -> Floats:
    limits = np.full(n, NOTHING)
    limits[roots] = allowance
    return limits


def _least_excess(master: CutMaster, found: Enumerated, region: Ints, gap: float, nodes: int) -> float | None:
    """What groups that hold all of the region's records must cost above the bound; a partition that begins with the
    best of them is offered on the way."""
    progress, n = master.progress, master.n
    within = np.zeros(n, np.bool_)
    within[region] = True
    inside = [t for t, cut in enumerate(master.proof_cuts) if within[list(cut.records)].all()]
    cuts = [master.proof_cuts[t] for t in inside]
    weights = master.proof_weights[inside]
    start, cut, value = coefficients(found.members, found.sizes, index_cuts(cuts, n))
    group = np.repeat(np.arange(len(found.sizes)), np.diff(start))
    costs = found.excess - np.bincount(group, weights=weights[cut] * value, minlength=len(found.sizes))
    freed = float(sum(w * c.rhs for w, c in zip(weights, cuts)))
    listed, place = np.nonzero(found.members >= 0)
    ones = np.ones(len(listed))
    matrix = sp.csc_matrix((ones, (found.members[listed, place], listed)), shape=(n, len(found.sizes)))
    unit = SCALE / gap
    progress.count(enumerated=len(found.sizes))
    progress.tell(KIND)
    left = progress.deadline.remaining
    solution = solve_mip(
        unit * costs, matrix, within.astype(np.float64), np.ones(n),
        node_limit=nodes, time_limit=left if np.isfinite(left) else None,
        tuning=Tuning(absolute_gap=SCALE * GAP_SHARE * TOLERANCE * progress.sse / gap, restarts=False),
    )  # fmt: skip
    progress.count(nodes=solution.nodes)
    if solution.x is not None:
        _complete(progress, found.members[solution.x > 0.5])
    if solution.status == "infeasible":
        return gap - SOLVER_SHARE * gap
    least = freed + solution.bound / unit - SOLVER_SHARE * gap
    return least if np.isfinite(least) and least > 0 else None


def _complete(progress: Progress, groups: Ints) -> None:
    """Offer the groups with a good partition of the records that they leave."""
    labels = labels_of(groups, len(progress.points))
    left = np.flatnonzero(labels < 0)
    if len(left) >= progress.k:
        land = survey(progress.points[left], progress.k)
        some = [descend(land, mdav(progress.points[left], progress.k))]
        for number in range(COMPLETIONS):
            schedule = Schedule(4000.0, hot=1.2, cold=0.01, alpha=0.5, chains=0.3, regroups=0.03)
            some.append(anneal(land, some[0], schedule, number)[0])
        labels[left] = len(groups) + min(some, key=lambda part: sse(progress.points[left], part))
    elif len(left):
        return
    progress.offer_partition(labels)


def prove(
    master: CutMaster, executor: Executor, *, budgets: tuple[int, ...], nodes: int, meanwhile: Meanwhile | None = None
) -> Decision:
    """Targets that grow with the budgets (numbers of groups): "closed", "late", "undecided" or "exhausted".

    As soon as the whole gap fits into the budget (for few records: the largest one), it is decided at once, from the
    best known partition, with the search `meanwhile` beside it.
    """
    progress = master.progress
    waiting = list(budgets)
    while waiting:
        budget = waiting.pop(0)
        most = max(budget, budgets[-1] if master.n <= SMALL else FEW)
        gap = progress.sse - master.value
        before = progress.counts.get("nodes", 0)
        whole = enumerate_groups(master, gap, executor, most)
        if whole is not None:
            return decide(master, whole, most, nodes, executor, meanwhile=meanwhile)
        status = attempt(master, executor, budget, nodes)
        if status != "raised":
            return status
        if progress.closed:
            return "closed"
        if progress.late:
            return "late"
        # As long as the integer programs are easy, so may be one over twice the groups.
        if not waiting and progress.counts.get("nodes", 0) - before <= EASY and budget < MOST_GROUPS:
            waiting.append(2 * budget)
    return "exhausted"


def attempt(master: CutMaster, executor: Executor, budget: int, nodes: int, share: float = 1.0) -> Decision:
    """Decide the largest target that about `budget` groups allow, in a part of the time left."""
    progress = master.progress
    gap = progress.sse - master.value
    allowance = min(gap, 1e-4 * abs(master.value))
    best: Enumerated | None = None
    beyond = np.inf  # the least allowance known to be too large
    # The largest allowance within the budget: up or down by factors, then between; and by the groups' own excess.
    for _ in range(SEARCH):
        if progress.late:
            break
        found = enumerate_groups(master, allowance, executor, 2 * budget)
        if found is None:
            beyond = allowance
        else:
            best = found
            if allowance >= gap or len(found.sizes) > budget:
                break
        if best is None:
            allowance = beyond / 4.0
        else:
            allowance = min(gap, 2.0 * best.allowance, np.sqrt(best.allowance * beyond))
    if best is None:
        return "late" if progress.late else "exhausted"
    return decide(master, best, budget, nodes, executor, share)


def decide(
    master: CutMaster,
    found: Enumerated,
    budget: int,
    nodes: int,
    executor: Executor,
    share: float = 1.0,
    meanwhile: Meanwhile | None = None,
    parts: tuple[int, float] | None = None,
) -> Decision:
    """Solve the integer program over the groups within the budget and draw the conclusion.

    `parts`: how many records' groups are listed up to the allowance, and what these spend of it.
    """
    progress, n = master.progress, master.n
    allowance = min(found.allowance, progress.sse - master.value)
    if len(found.sizes) > budget:
        allowance = min(allowance, float(np.partition(found.excess, budget)[budget]))
    use = found.excess <= allowance
    members, sizes = found.members[use], found.sizes[use]
    target = master.value + allowance
    progress.count(enumerated=len(sizes))
    progress.tell(KIND)
    if not _covers(members, n):
        _credit(master, target - SOLVER_SHARE * allowance, target, *(parts or ()))
        return "closed" if progress.closed else "raised"
    open_gap = GAP_SHARE * TOLERANCE * progress.sse
    # Among records that are nearly the same our tree loses its way.
    if parts is not None or (n > SMALL and len(sizes) <= FEW):
        task = _program(master, members, sizes, allowance, nodes, open_gap, share)
        if meanwhile is None:
            done = task()
        else:
            done = _beside(progress, executor, task, meanwhile)
        progress.count(nodes=done.nodes)
        if done.labels is not None:
            progress.offer_partition(done.labels)
        decided = done.decided
        proven = min(done.value - open_gap if decided else done.bound, target) - SOLVER_SHARE * allowance
        _credit(master, proven, target if decided else proven, *(parts or ()))
    else:
        decided = _branch(master, members, sizes, found.excess[use], target, open_gap, nodes, executor)
    if progress.closed:
        return "closed"
    return "raised" if decided else "late" if progress.late else "undecided"


def _branch(
    master: CutMaster,
    members: Ints,
    sizes: Ints,
    excess: Floats,
    target: float,
    open_gap: float,
    nodes: int,
    executor: Executor,
) -> bool:
    """Our own tree search (`tree`): what it proves counts even where nodes or time run out."""
    progress = master.progress
    done = branch(
        groups_in(master.space, members, sizes), master.n,
        excess=excess, cuts=master.proof_cuts, target=target, slack=open_gap,
        node_limit=CHEAP * nodes, deadline=progress.deadline, executor=executor,
    )  # fmt: skip
    progress.count(nodes=done.nodes)
    if done.labels is not None:
        progress.offer_partition(done.labels)
    decided = done.bound >= done.value - open_gap
    # Cut off, the search still shows that nothing is below the least bound among the branches left.
    _credit(master, min(done.bound, target), target if decided else done.bound)
    return decided


def _covers(members: Ints, n: int) -> bool:
    covered = np.zeros(n, np.bool_)
    covered[members[members >= 0]] = True
    return bool(covered.all())


def _program(
    master: CutMaster, members: Ints, sizes: Ints, allowance: float, nodes: int, open_gap: float, share: float
) -> Callable[[], Partitioned]:
    """The integer program over the given groups, from the best known partition where it is made of them."""
    progress = master.progress
    groups = groups_in(master.space, members, sizes)
    rows = {row.tobytes(): g for g, row in enumerate(normalized(members, members.shape[1]))}
    known = [rows.get(row.tobytes()) for row in groups_of(progress.labels, members.shape[1])[0]]
    start = None if None in known else np.array(known, np.int64)
    return partial(
        best_partition, groups, master.multipliers, allowance,
        start=start, nodes=nodes, time_limit=share * progress.deadline.remaining, tolerance=open_gap / allowance,
        # A known partition leaves little to be found.
        heuristics=0.0 if start is not None else None,
    )  # fmt: skip


def _beside(
    progress: Progress, executor: Executor, task: Callable[[], Partitioned], meanwhile: Meanwhile
) -> Partitioned:
    """Run the integer program beside, and the search `meanwhile` here, which counts where that is cut off."""
    running = executor.submit(task)
    search = progress.fork()
    try:
        meanwhile(search, lambda: running.done() and running.result().decided)
        done = running.result()
    except BaseException:
        progress.offer_partition(search.labels)
        raise
    if not done.decided:
        progress.offer_partition(search.labels)
        progress.count(**search.counts)
    return done


def _credit(
    master: CutMaster, value: float, target: float, searched: int | None = None, spent: float | None = None
) -> None:
    master.progress.offer_proof(
        Proof(
            value, KIND, master.multipliers, master.proof_cuts, master.proof_weights, master.roots,
            target=target, searched=searched, spent=spent,
        )
    )  # fmt: skip
