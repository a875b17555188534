"""Lower bounds on GCP: what no release with k disjoint perfect matchings can get below.

Every published record covers k originals and every original lies in k published boxes. With one price p_j on each
original, for any prices at all (Lagrange),

    n·d·GCP  ≥  Σ_i min_{S ∋ i, |S| = k} [ cost(box of S) + Σ_{j in S} p_j ]  −  k Σ_j p_j .

With prices 0 this is the cheapest box that holds a record and k − 1 others. Raising the price of originals that too
many cheapest boxes want, and lowering that of those too few want, raises the bound (subgradient steps of Polyak's
length, toward the loss of the release at hand). Equal originals share a price. Beyond MOST_TUPLES distinct records the
bound is the one with prices 0, record by record as far as time allows (`nearest_records.py`). For k = 2 the minimum is
over single partners and the best prices are the duals of an assignment problem, so the bound can be tight.

Numbers that are published as means add to the price of record j a part that depends on i (`distinct.py`). The bound
holds for classes of k and more, too.

All arithmetic is in float64, each record's minimum is lowered by a margin far above rounding, and a search cut short
returns its open bound: the result is valid whatever was cut.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.bound.cheapest_box import SAFETY, Offer, Work, cheapest, join_cost, make_work
from discreet.generalization.bound.distinct import Distinct, Numbers, apart, distinct
from discreet.generalization.bound.nearest_records import cheapest_boxes, least_sums, leaves_of, nearest
from discreet.generalization.bound.pair_bound import pair_bound
from discreet.generalization.boxes import Block, Scratch, block_of, fill_exact, scratch
from discreet.generalization.domain import Codes, Domain, Floats, Integers, Tables
from discreet.generalization.travel import call
from discreet.kernels import inner
from discreet.kernels.least import insert_copies
from discreet.kernels.sorting import stable_order
from discreet.scale import ordered_map, workers
from discreet.work import Deadline, Reporter

MOST_TUPLES = 30_000
TIGHT = 1e-4
LOW_PRICED = 300
MOST_STEPS = 400
DEFAULT_SECONDS = 60.0


class Tuples(NamedTuple):
    """Distinct records, their number, and for each a list of near ones: all within `radius` of it."""

    codes: Codes
    copies: Integers
    ends: Integers
    near: NDArray[np.int32]
    radius: Floats
    numbers: Numbers


def lower_bound(
    domain: Domain,
    k: int,
    gcp: float,
    *,
    time_limit: float | None,
    prices: Floats | None = None,
    executor: Executor | None = None,
    report: Reporter | None = None,
) -> tuple[float, str]:
    """A valid lower bound on GCP and which one it is. Without a time limit the search takes about a minute.

    `prices`, one per record, are used for k = 2, where those of an optimal assignment are the best there are.
    """
    deadline = Deadline(DEFAULT_SECONDS if time_limit is None else time_limit)
    say = report or Reporter(None)
    say("bound", None)
    records = distinct(domain, k)
    copies = records.copies
    weighted = copies.astype(np.float64)
    given = None if prices is None else np.bincount(records.which, weights=prices) / weighted
    with workers(executor) as pool:
        if k == 2 and given is not None:
            proven = pair_bound(records, given, pool)
            if proven >= (1.0 - TIGHT) * gcp:
                return min(proven, gcp), "assignment duals"
        if deadline.remaining <= 0:
            return 0.0, "none in the time given"
        best, kind = box_bound(records, k, pool, deadline, search=copies.size > MOST_TUPLES)
        tuples = None
        if copies.size <= MOST_TUPLES:
            tuples = neighborhoods(records, k, gcp, pool, deadline)
        if tuples is None:
            return min(best, gcp), kind
        search = Search(records.boxes.tables, tuples, k)
        prices = np.zeros(copies.size)
        direction = np.zeros(copies.size)
        step, stale = 1.0, 0
        for number in range(MOST_STEPS):
            if deadline.passed:
                break
            lower, wanted = search.evaluate(prices, pool, deadline)
            total = float((weighted * lower).sum() - (k - 1) * (weighted * prices).sum())
            value = total / domain.codes.size
            if value > best + 1e-9:
                best, stale = value, 0
                kind = "cheapest boxes" if number == 0 else "Lagrangian"
            else:
                stale += 1
                if stale >= 6:
                    step, stale = 0.6 * step, 0
            say("bound", None, bound=min(best, gcp), gap=100.0 * (1.0 - best / gcp) if gcp > 0 else 0.0)
            surplus = wanted - (k - 1) * weighted
            norm = float((surplus**2 / weighted).sum())
            if norm == 0 or step < 1e-3 or gcp - best <= 1e-9 * gcp:
                break
            direction = 0.7 * surplus / weighted + 0.3 * direction
            prices = prices + step * max(gcp * domain.codes.size - total, 0.0) / norm * direction
    return min(best, gcp), kind


def box_bound(records: Distinct, k: int, pool: Executor, deadline: Deadline, *, search: bool) -> tuple[float, str]:
    """Each record by itself: the distance to its (k − 1)-th nearest or, with `search`, its cheapest box.

    Records the deadline leaves over count with what is known of them, at the least nothing.
    """
    t = records.boxes.tables
    _, leaves = leaves_of(records)
    spans = np.unique(np.linspace(0, leaves.ends.size - 1, 1 + min(leaves.ends.size - 1, 512)).astype(np.int64))
    pieces = [(int(a), int(b)) for a, b in pairwise(spans)]
    known = np.zeros(records.copies.size)
    kernels: list[Callable[..., Floats]] = [nearest]
    kernels += [least_sums] if records.numbers.gap.size else []
    kernels += [cheapest_boxes] if search else []
    done = []
    for kernel in kernels:
        extra = () if kernel is nearest else (known,)
        work = ((kernel, t, leaves, a, b, k, *extra) for a, b in pieces if not deadline.passed)
        done.append(0)
        for (a, b), found in zip(pieces, ordered_map(pool, call, work)):
            known[leaves.ends[a] : leaves.ends[b]] = found
            done[-1] += 1
    kind = "cheapest boxes" if search else "neighbor distances"
    if done[0] < len(pieces):
        kind = f"neighbor distances for {100 * done[0] // len(pieces)} % of the records"
    elif done[-1] < len(pieces) and search:
        kind = f"cheapest boxes for {100 * done[-1] // len(pieces)} % of the records, neighbor distances for others"
    total = float((leaves.copies * np.maximum(known - SAFETY, 0.0)).sum())
    return total / records.cells, kind


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def near_ones(
    t: Tables, codes: Codes, copies: Integers, numbers: Numbers, first: int, last: int, k: int, least_radius: float
) -> tuple[Integers, NDArray[np.int32], Floats]:
    """For tuples first … last−1 all within a radius, doubled until they stand for 2k records, nearest first."""
    m = codes.shape[0]
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    places = block.places.T.copy()
    counts, radius = np.empty(last - first, np.int64), np.empty(last - first)
    found = np.empty(1 << 14, np.int32)
    used = 0
    distance = np.empty(m)
    for i in range(first, last):
        fill_exact(t, s, block, codes[i : i + 1], 1, block.exact)
        for j in range(m):
            distance[j] = join_cost(block.exact, places[j]) + apart(numbers, i, j)
        r = least_radius
        while True:
            records = 0
            for j in range(m):
                if distance[j] <= r:
                    records += copies[j]
            if records >= 2 * k or records == copies.sum():
                break
            r *= 2.0
        inside = np.flatnonzero(distance <= r)
        inside = inside[stable_order(distance[inside])]
        while used + inside.size > found.shape[0]:
            wider = np.empty(2 * found.shape[0], np.int32)
            wider[:used] = found[:used]
            found = wider
        found[used : used + inside.size] = inside
        used += inside.size
        counts[i - first] = inside.size
        radius[i - first] = np.inf if inside.size == m else r
    return counts, found[:used].copy(), radius


def neighborhoods(records: Distinct, k: int, gcp: float, pool: Executor, deadline: Deadline) -> Tuples | None:
    """The lists of near tuples, None where the deadline comes first."""
    least_radius = 3.0 * gcp * records.domain.d + 0.1
    t, codes, copies, numbers = records.boxes.tables, records.codes, records.copies, records.numbers
    m = copies.size
    step = max(1, min(256, m // 8))
    counts: list[Integers] = []
    found: list[NDArray[np.int32]] = []
    radius: list[Floats] = []
    work = ((near_ones, t, codes, copies, numbers, a, min(a + step, m), k, least_radius) for a in range(0, m, step))
    for c, f, r in ordered_map(pool, call, work):
        counts.append(c)
        found.append(f)
        radius.append(r)
        if deadline.passed:
            return None
    ends = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
    return Tuples(codes, copies, ends, np.concatenate(found), np.concatenate(radius), numbers)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def search_range(
    t: Tables,
    u: Tuples,
    prices: Floats,
    low_priced: Integers,
    floor: float,
    chosen: Integers,
    first: int,
    last: int,
    node_limit: int,
) -> tuple[Floats, Integers, int]:
    """Lower bound of the cheapest priced set for tuples first … last−1, the sets found, and the nodes searched.

    Tuples outside a list are farther than its radius and, unless among `low_priced`, cost at least `floor`. Where a
    set with one of them could still win, the search runs over all tuples. `mine` are prices as a tuple sees them.
    """
    codes, copies = u.codes, u.copies
    m, q = codes.shape[0], chosen.shape[1]
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    mine = prices.copy()
    offer = Offer(codes, block.places.T.copy(), copies, mine)
    w = make_work(2 * q + 4, m, q, codes.shape[1], block.values.shape[0])
    lower, sets = np.empty(last - first), chosen[first:last].copy()
    listed = np.empty(m, np.int64)
    marked = np.full(m, -1, np.int64)
    nodes = 0
    half = np.empty(max(q - 1, 0))
    for i in range(first, last):
        count = 0
        for p in range(u.ends[i], u.ends[i + 1]):
            c = u.near[p]
            marked[c] = i
            if copies[c] > (c == i):
                listed[count] = c
                count += 1
        if u.radius[i] < np.inf:
            for c in low_priced:
                if marked[c] != i:
                    listed[count] = c
                    count += 1
        _see(u.numbers, prices, i, listed[:count], mine)
        _see(u.numbers, prices, i, sets[i - first], mine)
        target = _known(t, s, block, w, offer, i, sets[i - first], listed[:count]) + 1e-9
        if u.radius[i] < np.inf:
            held = 0
            w.members[0] = codes[i]
            fill_exact(t, s, block, w.members, 1, w.table[0])
            share = 0.5 / max(q - 1, 1)
            for p in range(count):
                c = listed[p]
                extra = join_cost(w.table[0], offer.places[c])
                held = insert_copies(half, held, mine[c] + share * extra, copies[c] - (c == i))
            held = insert_copies(half, held, floor + share * u.radius[i], q)
            outside = floor + (0.5 if q > 1 else 1.0) * u.radius[i]
            for r in range(q - 1):
                outside += half[r]
            if outside < target:
                count = 0
                for c in range(m):
                    if copies[c] > (c == i):
                        listed[count] = c
                        count += 1
                _see(u.numbers, prices, i, listed[:count], mine)
        _, bound, visited = cheapest(t, s, block, w, offer, i, listed[:count], target, node_limit, sets[i - first])
        lower[i - first] = bound - SAFETY
        nodes += visited
    return lower, sets, nodes


@inner
def _see(numbers: Numbers, prices: Floats, own: int, seen: Integers, mine: Floats) -> None:
    """Prices of the tuples in `seen` (−1: none) as tuple `own` sees them."""
    for c in seen:
        if c >= 0:
            mine[c] = prices[c] + apart(numbers, own, c)


@inner
def _known(
    t: Tables, s: Scratch, block: Block, w: Work, offer: Offer, own: int, chosen: Integers, listed: Integers
) -> float:
    """The value of the set known from before; at first a greedy one, which `chosen` receives."""
    q, places, prices = chosen.shape[0], offer.places, offer.prices
    w.members[0] = offer.tuples[own]
    total = 0.0
    greedy = q > 0 and chosen[0] < 0
    taken = np.zeros(listed.shape[0] if greedy else 0, np.int64)
    for r in range(q):
        fill_exact(t, s, block, w.members, r + 1, w.table[0])
        if greedy:
            best, least = -1, np.inf
            for p in range(listed.shape[0]):
                c = listed[p]
                if offer.copies[c] - (c == own) - taken[p] > 0:
                    worth = join_cost(w.table[0], places[c]) + prices[c]
                    if worth < least:
                        best, least = p, worth
            taken[best] += 1
            chosen[r] = listed[best]
        c = chosen[r]
        total += join_cost(w.table[0], places[c]) + prices[c]
        w.members[r + 1] = offer.tuples[c]
    return total


class Search:
    """Evaluates the bound for given prices, keeping each tuple's last set as the start of the next search."""

    def __init__(self, tables: Tables, tuples: Tuples, k: int, node_limit: int = 20_000) -> None:
        self.tables, self.tuples, self.k = tables, tuples, k
        self.node_limit = node_limit
        self.chosen = np.full((tuples.copies.size, k - 1), -1, np.int64)
        self.nodes = 0

    def evaluate(self, prices: Floats, pool: Executor, deadline: Deadline) -> tuple[Floats, Floats]:
        """For each tuple a lower bound of its cheapest priced set, and how often each tuple is wanted by the sets."""
        u = self.tuples
        m = u.copies.size
        cheap = min(m - 1, LOW_PRICED)
        order = np.argpartition(prices, cheap)
        low_priced, floor = order[:cheap].astype(np.int64), float(prices[order[cheap]])
        step = max(1, min(64, m // 16))
        starts = range(0, m, step)
        # After the deadline nothing is searched: the open bound of the first node is valid, if weak.
        work = (
            (search_range, self.tables, u, prices, low_priced, floor, self.chosen, a, min(a + step, m), limit)
            for a in starts
            for limit in (-1 if deadline.passed else self.node_limit,)
        )
        lower = np.empty(m)
        for a, (bound, sets, nodes) in zip(starts, ordered_map(pool, call, work)):
            lower[a : a + bound.size] = bound
            self.chosen[a : a + bound.size] = sets
            self.nodes += nodes
        wanted = np.bincount(
            self.chosen.ravel(), weights=np.repeat(u.copies, self.k - 1).astype(np.float64), minlength=m
        )
        return lower, wanted.astype(np.float64)
