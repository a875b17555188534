"""Closing the gap: enumerate every group that a partition below a target could use, and search among them alone.

Multipliers λ, penalties w and root values r_i prove a bound B. In a partition with SSE below U a group rooted at i has

    rc(C) < U − B + min(0, r_i),

since all other groups together owe at least what B counts for them. So the partitions below U are exactly those made of
the enumerated groups, and an integer program over these decides: its optimum, where below U, is the optimum of the
whole problem; where there is none, U itself is a bound. U is chosen by the number of groups, not by the best known
partition: enumerating the whole gap may take millions of them.

Few groups, or few records, go to HiGHS (`partitioning`), to a stated absolute gap: a share of the tolerance at which a
partition counts as optimal. The value credited is lowered by the gap asked for and by a millionth of U − B, many times
what the solver's tolerance is worth. Everything larger goes to `branching`, which proves its own bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.branching import branch
from discreet.microaggregation.certificate.columns import groups_of, normalized
from discreet.microaggregation.certificate.cuts import penalties_of
from discreet.microaggregation.certificate.cutting import CutMaster
from discreet.microaggregation.certificate.partitioning import Listed, Partitioned, best_partition
from discreet.microaggregation.certificate.space import Floats, Ints, group_costs
from discreet.microaggregation.certificate.standing import TOLERANCE, Proof, Standing
from discreet.microaggregation.certificate.sweep import sweep

# A search from a standing of its own, until the second argument says that the matter is settled.
Meanwhile = Callable[[Standing, Callable[[], bool]], None]

KIND = "target enumeration"
# What the solver's feasibility tolerance may be worth, as a share of the gap that it decides.
SOLVER_SHARE = 1e-6
# The integer program is solved to this share of the tolerance for optimality.
GAP_SHARE = 0.8
# An integer program of so few nodes was easy; no pool is larger than this.
EASY = 50
# Up to so many records or groups HiGHS solves the integer program, beyond our own tree, whose nodes cost a tenth.
SMALL = 300
FEW = 4000
CHEAP = 10
MOST_GROUPS = 100_000


class Enumerated(NamedTuple):
    """Groups that a partition below a target may use; `excess` is by how much each raises the bound on its own."""

    members: Ints
    sizes: Ints
    excess: Floats


def enumerate_groups(master: CutMaster, room: float, pool: Executor, most: int) -> Enumerated | None:
    """Groups of reduced cost below `room` + min(0, r_i); None where there are more than `most`."""
    owed = np.minimum(master.roots, 0.0)
    penalties = penalties_of(master.proof_cuts, master.proof_weights, master.n)
    # Rounding: what the bound was lowered by is far below this.
    margin = 1e-9 * max(room, 0.0) + 1e-12 * abs(master.value)
    found = sweep(
        master.space, master.multipliers, master.k, room + owed + margin,
        keep=0, max_columns=most, penalties=penalties, pool=pool, deadline=master.standing.deadline,
    )  # fmt: skip
    if found.overflow or len(found.sizes) > most or not found.complete.all():
        return None
    return Enumerated(found.members, found.sizes, found.reduced - owed[found.members[:, 0]])


def within_few(master: CutMaster, pool: Executor) -> bool:
    """Whether so few groups are within the whole gap that one integer program decides."""
    return enumerate_groups(master, master.standing.sse - master.value, pool, FEW) is not None


def prove(
    master: CutMaster, pool: Executor, *, budgets: tuple[int, ...], nodes: int, meanwhile: Meanwhile | None = None
) -> str:
    """Targets that grow with the budgets (numbers of groups): "closed", "late", "undecided" or "exhausted".

    As soon as the whole gap fits into the budget (for few records: the largest one), it is decided at once, from the
    best known partition, with the search `meanwhile` beside it.
    """
    standing = master.standing
    waiting = list(budgets)
    while waiting:
        budget = waiting.pop(0)
        most = max(budget, budgets[-1] if master.n <= SMALL else FEW)
        gap = standing.sse - master.value
        before = standing.counts.get("nodes", 0)
        whole = enumerate_groups(master, gap, pool, most)
        if whole is not None:
            return decide(master, whole, most, gap, nodes, pool, meanwhile=meanwhile)
        status = attempt(master, pool, budget, nodes)
        if status != "raised":
            return status
        if standing.closed:
            return "closed"
        if standing.late:
            return "late"
        # As long as the integer programs are easy, so may be one over twice the groups.
        if not waiting and standing.counts.get("nodes", 0) - before <= EASY and budget < MOST_GROUPS:
            waiting.append(2 * budget)
    return "exhausted"


def attempt(master: CutMaster, pool: Executor, budget: int, nodes: int, share: float = 1.0) -> str:
    """Decide the largest target that about `budget` groups allow, in a part of the time left."""
    standing = master.standing
    gap = standing.sse - master.value
    room = min(gap, 1e-4 * abs(master.value))
    best: Enumerated | None = None
    # The largest room that stays within the budget: up by factors, then by the groups' own excess.
    while not standing.late:
        found = enumerate_groups(master, room, pool, 2 * budget)
        if found is None:
            if best is not None or room < 1e-9 * abs(master.value):
                break
            room /= 4.0
            continue
        best = found
        if room >= gap or len(found.sizes) > budget:
            break
        room = min(gap, 2.0 * room)
    if best is None:
        return "late" if standing.late else "exhausted"
    return decide(master, best, budget, min(room, gap), nodes, pool, share)


def decide(
    master: CutMaster,
    found: Enumerated,
    budget: int,
    room: float,
    nodes: int,
    pool: Executor,
    share: float = 1.0,
    meanwhile: Meanwhile | None = None,
) -> str:
    """Solve the integer program over the groups within the budget and draw the conclusion."""
    standing, n = master.standing, master.n
    if len(found.sizes) > budget:
        room = min(room, float(np.partition(found.excess, budget)[budget]))
    use = found.excess <= room
    members, sizes = found.members[use], found.sizes[use]
    target = master.value + room
    standing.count(enumerated=len(sizes))
    standing.tell(KIND)
    if not _covers(members, n):
        _credit(master, target - SOLVER_SHARE * room, target)
        return "raised"
    open_gap = GAP_SHARE * TOLERANCE * standing.sse
    if n > SMALL and len(sizes) <= FEW:
        task = _program(master, members, sizes, room, nodes, open_gap, share)
        if meanwhile is None:
            done = task()
        else:
            done = _beside(standing, pool, task, meanwhile)
        standing.count(nodes=done.nodes)
        if done.labels is not None:
            standing.offer_partition(done.labels)
        decided = done.decided
        proven = min(done.value - open_gap if decided else done.bound, target) - SOLVER_SHARE * room
        _credit(master, proven, target if decided else proven)
    else:
        decided = _branch(master, members, sizes, target, open_gap, nodes, pool)
    if standing.closed:
        return "closed"
    return "raised" if decided else "late" if standing.late else "undecided"


def _branch(
    master: CutMaster, members: Ints, sizes: Ints, target: float, open_gap: float, nodes: int, pool: Executor
) -> bool:
    """Our own tree search (`branching`): what it proves counts even where nodes or time run out."""
    standing = master.standing
    done = branch(
        members, sizes, group_costs(master.space.distance, members, sizes), master.n,
        cuts=master.proof_cuts, target=target, slack=open_gap,
        node_limit=CHEAP * nodes, deadline=standing.deadline, pool=pool,
    )  # fmt: skip
    standing.count(nodes=done.nodes)
    if done.labels is not None:
        standing.offer_partition(done.labels)
    decided = done.bound >= done.value - open_gap
    # Cut off, the search still shows that nothing is below the least bound among the branches left.
    _credit(master, min(done.bound, target), target if decided else done.bound)
    return decided


def _covers(members: Ints, n: int) -> bool:
    covered = np.zeros(n, np.bool_)
    covered[members[members >= 0]] = True
    return bool(covered.all())


def _program(
    master: CutMaster, members: Ints, sizes: Ints, room: float, nodes: int, open_gap: float, share: float
) -> Callable[[], Partitioned]:
    """The integer program over the given groups, from the best known partition where it is made of them."""
    standing = master.standing
    groups = Listed(members, sizes, group_costs(master.space.distance, members, sizes))
    rows = {row.tobytes(): g for g, row in enumerate(normalized(members, members.shape[1]))}
    known = [rows.get(row.tobytes()) for row in groups_of(standing.labels, members.shape[1])[0]]
    start = None if None in known else np.array(known, np.int64)
    return partial(
        best_partition, groups, master.multipliers, room,
        start=start, nodes=nodes, time_limit=share * standing.deadline.remaining, tolerance=open_gap / room,
        # A known partition leaves little to be found.
        heuristics=0.0 if start is not None else None,
    )  # fmt: skip


def _beside(standing: Standing, pool: Executor, task: Callable[[], Partitioned], meanwhile: Meanwhile) -> Partitioned:
    """Run the integer program in the pool, and the search `meanwhile` here, which counts where that is cut off."""
    running = pool.submit(task)
    search = standing.fork()
    try:
        meanwhile(search, lambda: running.done() and running.result().decided)
        done = running.result()
    except BaseException:
        standing.offer_partition(search.labels)
        raise
    if not done.decided:
        standing.offer_partition(search.labels)
        standing.count(**search.counts)
    return done


def _credit(master: CutMaster, value: float, target: float) -> None:
    master.standing.offer_proof(
        Proof(value, KIND, master.multipliers, master.proof_cuts, master.proof_weights, master.roots, target=target)
    )
