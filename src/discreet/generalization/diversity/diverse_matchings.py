"""Matches with l distinct values of a sensitive attribute in sight of everyone, whatever the draw.

A person's candidates are the k published records whose boxes cover it; record i shows the sensitive value of its
origin, which depends on the draw. So the matchings are fixed here, not by the draw: D_0 = identity, D_1 … D_{k−1},
all permutations. If D_t is drawn, record i shows the value of D_t(i), and person p has the candidates D_u⁻¹(p),
u = 0 … k − 1, which show the values of D_t(D_u⁻¹(p)): at least l distinct ones are due for every p and t. The draw then
only chooses t, so each of a person's candidates is still the true one with probability 1/k. A missing value (−1) counts
as none, for whoever shows it shows nothing.

The start is that of `reassign`, without regard to values. Then, in each round, all records give up the same D_s, and
blocks of them are assigned anew, so D_s stays a permutation and the other matchings stay as they are. What a pair
(record i, person j) of the new D_s does is:

- for draws t ≠ s: j sees the value of D_t(i) beside those of its other candidates, which do not change;
- for the draw s: record i shows the value of j to all others it covers. Each person q names guards among its
  candidates, as many as it takes to see l values; a guard must go on showing q a value that counts.

Both are conditions on single pairs. While some (p, t) fall short they are penalties, which rise from round to round;
once all is well they are forbidden pairs, and as the old D_s meets them, the loss never rises again. Where penalties do
not get there, or l is more than half of k, rounds also start from closed blocks (`closed_blocks.py`).
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.errors import InfeasibleError
from discreet.generalization.blockwise import by_block, partition_of
from discreet.generalization.boxes import gcp
from discreet.generalization.diversity.closed_blocks import closed_matchings, shortfalls
from discreet.generalization.domain import Codes, Domain, Integers, Tables
from discreet.generalization.matching.iterations import match_blocks
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.generalization.partition import kd_blocks
from discreet.generalization.reassignment import (
    BLOCK,
    OUTLIERS,
    chunks,
    default_rounds,
    exchange,
    outliers_meet,
    random_members,
)
from discreet.generalization.travel import call
from discreet.kernels.randoms import below
from discreet.scale import ordered_map, workers
from discreet.solvers.assignment import FORBIDDEN
from discreet.work import Deadline, Reporter

Small = NDArray[np.int32]
Roles = NDArray[np.int8]

FIRST_PENALTY, LAST_PENALTY = 2.0**17, 2.0**22
"""What a shortfall costs at first and at last, in units of which a box that covers everything has 2²⁴."""

RISE = 0.3
"""The share of the rounds over which penalties rise."""

PATIENCE = 60
"""How many more rounds may go by, beyond the number asked for, until nobody falls short."""

GUARD, HOPE = 1, 2


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def name_guards(
    matchings: Integers, inverse: Integers, values: Small, s: int, l: int, random: NDArray[np.uint64]
) -> tuple[Roles, Small]:
    """For the draw s: the role of each person's candidates, and the values they show."""
    k, n = matchings.shape
    role, shown = np.zeros((n, k), np.int8), np.empty((n, k), np.int32)
    found = np.zeros(l + 1, np.int64)
    for q in range(n):
        for u in range(k):
            shown[q, u] = values[matchings[s, inverse[u, q]]]
        found[0] = shown[q, s]
        distinct, spare = int(shown[q, s] >= 0), -1
        start = below(random, k)
        for step in range(k):
            u = (start + step) % k
            if u == s or distinct == l:
                continue
            new = shown[q, u] >= 0
            for r in range(distinct):
                new &= found[r] != shown[q, u]
            if new:
                found[distinct] = shown[q, u]
                distinct += 1
                role[q, u] = GUARD
            else:
                spare = u
        if distinct < l:
            for u in range(k):
                role[q, u] = 0
            if spare >= 0:
                role[q, spare] = HOPE
    return role, shown


class Sight(NamedTuple):
    """What people see around each row i that gives up the person j = D_s(i).

    `labels[i, t]`: the value of D_t(i). `beside[i, t, u]`: of j, the value of D_t(D_u⁻¹(j)). Of each q = D_u(i) that i
    covers, `role[i, u]`: the role of i for q, and `shown[i, u]`: what q sees in draw s.
    """

    labels: Small
    beside: Small
    role: Roles
    shown: Small


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def penalties(sight: Sight, s: int, l: int, kinds: int, ends: Integers, each: int) -> Small:
    """What each pair of each block adds to its cost, block after block, row after row."""
    labels, beside, role, shown = sight.labels, sight.beside, sight.role, sight.shown
    k = labels.shape[1]
    total = 0
    for b in range(ends.shape[0] - 1):
        total += (ends[b + 1] - ends[b]) ** 2
    out = np.zeros(total, np.int32)
    stamp, turn = np.zeros(kinds + 1, np.int64), 0  # the last place is that of −1, which is never new
    most = np.int32(each if each == FORBIDDEN else 4 * each)
    base = 0
    for b in range(ends.shape[0] - 1):
        low, size = ends[b], ends[b + 1] - ends[b]
        for c in range(size):
            for t in range(k):
                if t == s:
                    continue
                turn += 1
                distinct = 0
                stamp[-1] = turn
                for u in range(k):
                    if u != s and stamp[beside[low + c, t, u]] != turn:
                        stamp[beside[low + c, t, u]] = turn
                        distinct += 1
                if distinct < l:
                    for i in range(size):
                        if stamp[labels[low + i, t]] == turn:
                            out[base + i * size + c] = min(np.int32(out[base + i * size + c] + each), most)
        for i in range(size):
            row = base + i * size
            for u in range(k):
                if u == s or role[low + i, u] == 0:
                    continue
                turn += 1
                # Beside an own value one more is enough for l = 2; without one, each guard shows what it shows.
                strict = role[low + i, u] == GUARD and (l > 2 or labels[low + i, u] < 0)
                if not strict:
                    stamp[-1] = turn
                if role[low + i, u] == GUARD:
                    stamp[labels[low + i, s if strict else u]] = turn
                else:
                    for r in range(k):
                        stamp[shown[low + i, u, r]] = turn
                for c in range(size):
                    if (stamp[labels[low + c, s]] == turn) != strict:
                        out[row + c] = min(np.int32(out[row + c] + each), most)
        base += size * size
    return out


def exchange_diverse(
    t: Tables,
    ids: Integers,
    codes: Codes,
    prices: Small,
    ends: Integers,
    sight: Sight,
    s: int,
    l: int,
    kinds: int,
    each: int,
) -> tuple[Integers, Small]:
    """For every row its new D_s, and the new price of the person it gave up."""
    extra = penalties(sight, s, l, kinds, ends, each)
    return exchange(t, ids, codes, prices, np.full(len(ids), s), ends, extra)


def improve_diverse(
    domain: Domain,
    matchings: Integers,
    values: Small,
    l: int,
    *,
    rounds: int,
    seed: int,
    pool: Executor,
    deadline: Deadline,
    report: Reporter,
    block: int = 256,
) -> tuple[int, int]:
    """Improve `matchings` in place; the rounds done, and how many (person, draw) still fall short."""
    k, n = matchings.shape
    kinds = int(values.max()) + 1
    inverse = np.argsort(matchings, axis=1)
    everyone, slots = np.arange(n), np.arange(k)
    price = np.zeros(n, np.int32)
    random = np.array([seed], np.uint64)
    short = shortfalls(matchings, inverse, values, l)
    done = 0
    while (done < rounds or (short and done < rounds + PATIENCE)) and not deadline.passed:
        report("reassign", min(done / rounds, 1.0) if rounds else None)
        s = 1 + done % (k - 1)
        rise = min(done / (RISE * rounds + 1), 1.0)
        each = int(FORBIDDEN) if short == 0 else int(FIRST_PENALTY * (LAST_PENALTY / FIRST_PENALTY) ** rise)
        member = np.empty(n, np.int64)
        random_members(np.ascontiguousarray(matchings.T), random, member)
        order, ends = kd_blocks(domain.tables, domain.codes[member], everyone, block, block // 4, random)
        if done % OUTLIERS == 0:
            order, ends = outliers_meet(domain, np.ascontiguousarray(matchings.T), (order, ends), block)
        role, shown = name_guards(matchings, inverse, values, s, l, random)
        spans = chunks(ends, k)
        work = (
            (
                exchange_diverse,
                domain.tables,
                ids,
                domain.codes[ids],
                price[ids],
                ends[a : b + 1] - ends[a],
                Sight(
                    values[ids],
                    values[matchings[:, inverse[:, ids[:, s]]]].transpose(2, 0, 1).copy(),
                    role[ids, slots],
                    shown[ids],
                ),
                s,
                l,
                kinds,
                each,
            )
            for a, b in spans
            for ids in (np.ascontiguousarray(matchings[:, order[ends[a] : ends[b]]].T),)
        )
        results = list(ordered_map(pool, call, work))
        for (a, b), (taken, new_price) in zip(spans, results):
            rows = order[ends[a] : ends[b]]
            price[matchings[s, rows]] = new_price
            matchings[s, rows] = taken
        inverse[s, matchings[s]] = everyone
        if short:
            short = shortfalls(matchings, inverse, values, l)
        done += 1
    return done, short


def run(call: Call) -> Outcome:
    """Matches and matchings in which every draw shows each person at least `l` values. Options: those of `reassign`."""
    (domain, k, values, l, _), deadline = call.problem, call.deadline
    assert values is not None
    _check_frequencies(np.bincount(values[values >= 0]), domain.n, k, l)
    asked = call.options.get("rounds")
    rounds = default_rounds(domain.n, k) if asked is None else int(asked)
    with workers(call.executor) as pool:
        partition = partition_of(call, "reassign")
        matches, complete = by_block(call, pool, partition, match_blocks, "hungarian")
        matchings, start, done, short = np.ascontiguousarray(matches.T), "hungarian", 0, 1
        if complete:
            done, short = _rounds(call, pool, matchings, rounds)
        loss = np.inf if short else gcp(domain.tables, domain.codes, np.ascontiguousarray(matchings.T))
        if short or (2 * l > k and not deadline.passed):  # with many values due, either start may be the better one
            closed = closed_matchings(domain, k, values, l, deadline, call.report)
            if closed is None and short:
                raise InfeasibleError(
                    f"no arrangement with k = {k} matches each and {l} distinct values of the sensitive column was "
                    "found: one value is too frequent. Raise k or lower l"
                )
            if closed is not None:
                other = _identity_first(closed)
                done_there, _ = _rounds(call, pool, other, rounds)
                if gcp(domain.tables, domain.codes, np.ascontiguousarray(other.T)) < loss:
                    matchings, start, done = other, "closed blocks", done_there
    found = Matches(np.ascontiguousarray(matchings.T), matchings=matchings)
    limited = done < rounds and deadline.passed
    return Outcome(found, "reassign", "time limit" if limited else "complete", {"l": l, "start": start, "rounds": done})


def _rounds(call: Call, pool: Executor, matchings: Integers, rounds: int) -> tuple[int, int]:
    assert call.problem.values is not None
    return improve_diverse(
        call.problem.domain,
        matchings,
        call.problem.values.astype(np.int32),
        call.problem.l,
        rounds=rounds,
        seed=call.seed,
        pool=pool,
        deadline=call.deadline,
        report=call.report,
        block=int(call.options.get("block_size") or BLOCK),
    )


def _identity_first(matchings: Integers) -> Integers:
    """The same matchings with the published records renamed, so that the first is the identity."""
    first = matchings[0]
    out = np.empty_like(matchings)
    out[:, first] = matchings
    return out


def _check_frequencies(counts: Integers, n: int, k: int, l: int) -> None:
    """Whoever sees l values sees one of them, or none, at most k − l + 1 times, and each record is seen by k people."""
    absent = n - int(counts.sum())
    few = (counts > 0).sum() < l or k * (int(counts.max(initial=0)) + absent) > (k - l + 1) * n
    if few or k * absent > (k - l) * n:
        raise InfeasibleError(
            f"with k = {k} matches each, {l} distinct values of the sensitive column cannot be kept up: there are too "
            "few values, or one is too frequent" + (", or too many are missing" if absent else "") + ". Raise k or "
            "lower l"
        )
