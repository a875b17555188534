"""A bound for files whose distances do not fit in a table: multipliers from blocks, priced against all records.

Any multipliers prove a bound (see `bound`), so they may come from anywhere. Here column generation runs on boxes of a
few hundred records, each with the records around it; a box's own records keep their multipliers. Near the edges these
may be too large, which pricing of every root finds out (`local_pricing`). The negative groups join a pool, what they
lack is taken from their members, and the pool says how far others may rise (`multipliers`); then all is priced again:
in quick passes at first, which leave roots of many candidates undecided, then in ones that decide more and more of
them.

Two things keep the bound valid at every moment. The multipliers ν_v = S_{k−1}(v)/2k of `neighbor_bound` leave no group
negative. And pricing goes by falling λ: if it ends after some roots, the records that were not reached get min(λ, ν).
Groups rooted at a record that was reached only lose worth, and all others have multipliers of at most ν.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.descent import descend
from discreet.microaggregation.certificate.large.box_tree import Tree, grow, least_shares, ordered
from discreet.microaggregation.certificate.large.local_pricing import BEST, Wanted, price_local
from discreet.microaggregation.certificate.large.multipliers import least_reduced, lifted, repaired, with_sse
from discreet.microaggregation.certificate.master.column_generation import LARGE, generate
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.pricing.search import no_penalties
from discreet.microaggregation.certificate.progress import Kind, Progress, Proof
from discreet.microaggregation.certificate.space import Floats, Ints, measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.groups import Groups, groups_of, joined
from discreet.microaggregation.problem import Labels, renumber, sse
from discreet.microaggregation.search.annealing import survey
from discreet.scale import ordered_map, worker_count, workers
from discreet.work import Deadline, Reporter

KIND: Kind = "column generation by blocks"
# Quick passes end when what they find takes less than this share off the bound.
READY = 0.01


class Blocking(NamedTuple):
    """How much is done for a large file.

    | field | what it says |
    |---|---|
    | core, halo | records of a block, and around it |
    | rounds | quick passes of pricing and lifting, at most |
    | share | of the time, for the blocks |
    | quick | candidates up to which a quick pass decides a root |
    | passes | that follow and decide more |
    | widest | candidates up to which these decide a root; it grows as long as there is time |
    | largest | candidates that may be left when thinned |
    | node_limit | branches a root and size, a tenth of it for large groups |
    | columns | groups a record that the pool of lifting holds |
    """

    core: int = 250
    halo: int = 250
    rounds: int = 12
    share: float = 0.35
    quick: int = 250
    passes: int = 3
    widest: int = 1000
    largest: int = 1500
    node_limit: int = 20_000
    columns: int = 15


class Pass(NamedTuple):
    """A pass of pricing: negative groups, values of the roots, multipliers as far as they hold, and completeness.

    `guess` is what the bound would be if no groups were negative but those found.
    """

    members: Ints
    sizes: Ints
    roots: Floats
    multipliers: Floats
    guess: float
    whole: bool


def bound_by_blocks(progress: Progress, blocking: Blocking, seed: int) -> bool:
    """Offer the bound of multipliers from blocks, then of better ones; False where the deadline came first."""
    points, k, n = progress.points, progress.k, len(progress.points)
    random = np.random.default_rng([seed, n])
    tree = grow(points, k)
    # No group is negative with these, as said above.
    safe = tree.near_sum[:, k - 1] / (2 * k)
    pool = with_sse(points, *groups_of(progress.labels, min(2 * k - 1, n)))
    progress.tell(KIND)
    with workers(None) as threads:
        multipliers, pool = block_multipliers(progress, tree, safe, pool, blocking, threads)
        center, best, width = multipliers, -np.inf, 0.2
        half, quick, left = 0.5 * progress.deadline.remaining, blocking.rounds, blocking.passes
        widest = blocking.quick if quick > 0 else blocking.widest
        while True:
            before = progress.deadline.elapsed
            found = price_all(progress, tree, multipliers, safe, blocking, widest, threads)
            took = progress.deadline.elapsed - before
            bound = lower_bound(found.multipliers, found.roots, k, dimension=points.shape[1], best=progress.sse)
            progress.offer_proof(Proof(bound, KIND, found.multipliers, roots=found.roots))
            progress.count(rounds=1)
            progress.tell(KIND)
            if progress.late or not found.whole:
                return False
            pool = joined(pool, with_sse(points, found.members, found.sizes))
            if found.guess > best:
                center, best = multipliers, found.guess
            else:
                width *= 0.5
            if quick > 0:
                quick -= 1
            else:
                left -= 1
                if left == 0:
                    return True
            center = repaired(center, pool)
            pool = least_reduced(pool, center, blocking.columns * n)
            box = width * (np.abs(center) + np.abs(center).mean())
            multipliers = lifted(center, pool, _halves(points, 2 * blocking.core, random), box, progress.deadline)
            # Passes that decide more roots take longer: only with multipliers that are good already.
            if quick > 0 and (best > (1 - READY) * multipliers.sum() or progress.deadline.remaining < half):
                quick = 0
            if quick == 0 and widest < blocking.widest:
                widest = blocking.widest
            elif quick == 0:
                left_over = progress.deadline.remaining
                widest = min(widest * (4 if left_over > 8 * took else 2 if left_over > 3 * took else 1), n)


def block_multipliers(
    progress: Progress, tree: Tree, safe: Floats, pool: Groups, blocking: Blocking, threads: Executor
) -> tuple[Floats, Groups]:
    """Multipliers of every block's own records; `safe` ones where there was no time. Their groups join the pool."""
    out = safe.copy()
    known = [pool]
    remaining = progress.deadline.remaining
    deadline = Deadline(None if remaining == np.inf else blocking.share * remaining)
    blocks = list(_blocks(tree, blocking))

    def arguments() -> Iterator[tuple[object, ...]]:
        for done, (core, around) in enumerate(blocks):
            if deadline.passed or progress.late:
                return
            records = np.concatenate([core, around])
            # What is left is shared out evenly: a block that is cut off has multipliers too, if not so good ones.
            fair = deadline.remaining * worker_count(threads) / (len(blocks) - done)
            yield (progress.points[records], progress.k, records, len(core), blocking.columns, fair)

    for records, found, members, sizes in ordered_map(threads, _one_block, arguments(), ahead=worker_count(threads)):
        out[records[: len(found)]] = found
        known.append(with_sse(progress.points, members, sizes))
        progress.count(blocks=1)
    return out, joined(*known)


def _one_block(
    points: Floats, k: int, records: Labels, core: int, columns_each: int, seconds: float
) -> tuple[Labels, Floats, Ints, Ints]:
    """Multipliers of the first `core` records, and the groups of least reduced cost."""
    width = min(2 * k - 1, len(points))
    labels = np.zeros(len(points), np.int64)
    if len(points) >= 2 * k:
        labels = renumber(descend(survey(points, k), mdav(points, k, threads=1)))
    if len(points) < 2 * k or sse(points, labels) == 0.0:
        return records, np.zeros(core), np.zeros((0, width), np.int32), np.zeros(0, np.int32)
    progress = Progress(points, k, labels, Deadline(None if seconds == np.inf else seconds), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, width)
    columns.add_partition(labels)
    with ThreadPoolExecutor(1) as alone:
        found = generate(space, columns, progress, alone, exact=False)
    order = np.argsort(columns.reduced(found.multipliers), kind="stable")[: columns_each * core]
    members = columns.members[order]
    members = np.where(members >= 0, records[members], -1).astype(np.int32)
    return records, found.multipliers[:core], members, columns.sizes[order]


def _halves(points: Floats, size: int, random: np.random.Generator) -> Iterator[Labels]:
    """Blocks of at most `size` records, halved along random directions: other borders every time."""
    waiting = [np.arange(len(points))]
    while waiting:
        block = waiting.pop()
        if len(block) <= size:
            yield block
            continue
        inside = points[block]
        direction = random.standard_normal(points.shape[1]) * np.ptp(inside, axis=0)
        order = np.argpartition(inside @ direction, len(block) // 2)
        waiting += [np.sort(block[order[: len(block) // 2]]), np.sort(block[order[len(block) // 2 :]])]


def _blocks(tree: Tree, blocking: Blocking) -> Iterator[tuple[Labels, Labels]]:
    """The records of every box of at most `core`, and those nearest to the box outside it."""
    from discreet.solvers.neighbours import search_tree

    search = search_tree(tree.points)
    waiting = [0]
    while waiting:
        x = waiting.pop()
        if tree.left[x] >= 0 and tree.end[x] - tree.begin[x] > blocking.core:
            waiting += [int(tree.right[x]), int(tree.left[x])]
            continue
        core = np.sort(tree.record[tree.begin[x] : tree.end[x]]).astype(np.int64)
        yield core, _around(search, tree.points, core, blocking.halo)


def _around(search: object, points: Floats, core: Labels, halo: int) -> Labels:
    """The `halo` records outside a block that are nearest to any of its records."""
    if halo == 0:
        return np.zeros(0, np.int64)
    near = min(len(points), 16)
    distances, found = search.query(points[core], k=near, workers=1)  # type: ignore[attr-defined]
    outside = ~np.isin(found, core)
    record, distance = found[outside], distances[outside]
    order = np.lexsort((record, distance))
    first = np.sort(np.unique(record[order], return_index=True)[1])[:halo]
    return np.sort(record[order][first]).astype(np.int64)


def price_all(
    progress: Progress,
    tree: Tree,
    multipliers: Floats,
    safe: Floats,
    blocking: Blocking,
    widest: int,
    executor: Executor,
) -> Pass:
    """Price every root; where the deadline ends it, the records that were not reached get what is safe."""
    n, k = len(multipliers), progress.k
    at = ordered(tree, multipliers)
    order = at.order
    most = min(2 * k - 1, n)
    small = k < LARGE
    wanted = Wanted(
        least=k,
        most=most,
        keep=2,
        node_limit=blocking.node_limit if small else blocking.node_limit // 10,
        widest=widest,
        largest=min(widest, blocking.largest),
    )
    # Where candidates are too many, a few of every size are listed.
    cuts = no_penalties(max(wanted.largest, BEST * (most - k + 1)) + 2)
    pieces = _pieces(n, 32 if small else 4)

    def arguments() -> Iterator[tuple[object, ...]]:
        floors, fresh = np.zeros((0, 0)), 0
        for first, last in pieces:
            if progress.late:
                return
            if first >= fresh:
                # Least values over later records only: made anew from time to time, since they rise.
                floors, fresh = least_shares(at, first, k, most), first + max(1, n // 64)
            yield at, floors, first, last, wanted, cuts

    results = list(ordered_map(executor, price_local, arguments(), ahead=4))
    reached = pieces[len(results) - 1][1] if results else 0
    roots, least = np.zeros(n), np.zeros(n)
    members, sizes = np.zeros((0, most), np.int32), np.zeros(0, np.int32)
    if results:
        roots[order[:reached]] = np.concatenate([r.roots for r in results])
        members, sizes = np.concatenate([r.members for r in results]), np.concatenate([r.sizes for r in results])
        np.minimum.at(least, members[:, 0], np.concatenate([r.reduced for r in results]))
    held = multipliers.copy()
    rest = order[reached:]
    held[rest] = np.minimum(held[rest], safe[rest])
    progress.count(branches=sum(int(r.nodes) for r in results))
    guess = float(multipliers.sum() + np.sort(least)[: n // k].sum())
    return Pass(members, sizes, roots, held, guess, reached == n)


def _pieces(n: int, step: int) -> list[tuple[int, int]]:
    return [(a, min(n, a + step)) for a in range(0, n, step)]
