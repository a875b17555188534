"""Cuts on any number of rows, by annealing over multipliers modulo a small number.

For rows Σ_C q_wC·x_C ≤ h_w with whole q and h (or equalities) and whole numbers 0 ≤ a_w < b, the Chvátal-Gomory cut
Σ_C ⌊a·q_C/b⌋·x_C ≤ ⌊a·h/b⌋ is violated by

    (r − Σ_C x_C·(a·q_C mod b) − Σ_w a_w·s_w) / b,      r = a·h mod b,   s_w the slack of row w

(Caprara, Fischetti and Letchford 2000, for the maximally violated ones). So the search keeps r = b − 1 and looks for an
a under which few fractional groups have a remainder. It starts from one record's row alone (violation 0) and changes
one or two rows at a time, near those it already has. Over the records' rows this gives cuts of rank 1; over cuts as
well, cuts of higher rank.
"""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import unchecked
from discreet.kernels.xorshift import Random
from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.cuts.rank_one import Support, choose, separate_rank_one, separate_triples
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.scale import ordered_map

Longs = NDArray[np.int64]

DIVISORS = (2, 3, 4, 5)
STEPS = 1000


class System(NamedTuple):
    """Rows over the fractional groups: their groups with coefficients, each group's rows, right sides, slacks."""

    start: Ints
    group: Ints
    coefficient: Ints
    group_start: Ints
    row: Ints
    weight: Floats
    rhs: Ints
    slack: Floats


def system_of(matrix: Ints, weight: Floats, rhs: Ints, slack: Floats) -> System:
    """From a dense matrix of whole numbers, rows by groups."""
    row, group = np.nonzero(matrix)
    start = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=1))])
    by_group = np.argsort(group, kind="stable")
    group_start = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=0))])
    return System(
        start.astype(np.int32),
        group.astype(np.int32),
        matrix[row, group].astype(np.int32),
        group_start.astype(np.int32),
        row[by_group].astype(np.int32),
        np.ascontiguousarray(weight),
        np.ascontiguousarray(rhs, np.int32),
        np.ascontiguousarray(slack),
    )


def separate_modular(
    support: Support, known: Collection[Cut], most: int, least: float, executor: Executor | None = None
) -> list[Cut]:
    """Violated cuts of rank 1, at best one for every fractional record and divisor."""
    n = support.start.size - 1
    matrix = np.zeros((n, support.weight.size), np.int32)
    group, place = np.nonzero(support.members >= 0)
    matrix[support.members[group, place], group] = 1
    system = system_of(matrix, support.weight, np.ones(n, np.int32), np.zeros(n))
    found: dict[Cut, float] = {}
    tasks = [(system, n, divisor, STEPS, least) for divisor in DIVISORS]
    for divisor, (violation, numerators) in zip(DIVISORS, ordered_map(executor, anneal_multipliers, tasks)):
        for row, v in zip(numerators, violation):
            if v > least:
                records = np.flatnonzero(row)
                found[Cut(tuple(records.tolist()), tuple(row[records].tolist()), divisor)] = float(v)
    ranked = sorted(found, key=lambda cut: (-found[cut], cut))
    return choose(ranked, known, n, most, 4)


def separate(
    support: Support,
    known: Collection[Cut],
    least: float,
    executor: Executor | None = None,
    *,
    triples: int,
    others: int,
    enough: int,
) -> list[Cut]:
    """Violated cuts, the cheapest kind first: the next kind is looked for only where there are not `enough`."""
    cuts = separate_triples(support, known, triples, least)
    for more in (separate_rank_one, separate_modular):
        if len(cuts) < enough:
            cuts += more(support, {*known, *cuts}, others, least, executor)
    return cuts


class Remainders(NamedTuple):
    """The system modulo b: remainders of 0 .. b²−1 from a list (dividing is what the loop would spend its time on), of
    the coefficients and of the right sides."""

    of: Ints
    coefficient: Ints
    rhs: Ints


class Trial(NamedTuple):
    """The multipliers at a moment, and what a step is about to change.

    | field | what it is |
    |---|---|
    | a | by row: its multiplier |
    | held, where | the rows with a > 0, and by row its place among them, or −1 |
    | rest | by group: the remainder of a·q |
    | undo | the groups changed in a step, with what they had |
    | pair, shift | the two rows of a step, and by how much their multipliers rise |
    | random | the state of the random numbers |
    """

    a: Ints
    held: Ints
    where: Ints
    rest: Ints
    undo: Ints
    pair: Longs
    shift: Longs
    random: Random


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def anneal_multipliers(system: System, seeds: int, divisor: int, steps: int, least: float) -> tuple[Floats, Ints]:
    """From each of the first `seeds` rows (right side 1, slack 0): the most violated cut met, and its violation."""
    rows = system.rhs.size
    b = divisor
    modulo = _remainders(system, b)
    heat = np.empty(steps)
    for step in range(steps):
        heat[step] = 0.3 * (0.02 ** (step / steps))
    starts = 0
    longest = 0
    for i in range(rows):
        if i < seeds and system.start[i + 1] > system.start[i]:
            starts += 1
        longest = max(longest, system.start[i + 1] - system.start[i])
    violation = np.zeros(starts)
    best = np.zeros((starts, rows), np.int32)
    trial = Trial(
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.full(rows, -1, np.int32),
        np.zeros(system.weight.size, np.int32),
        np.empty((2 * longest, 2), np.int32),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.full(1, 88172645463325252, np.uint64),
    )
    at = -1
    for i in range(seeds):
        if system.start[i + 1] == system.start[i]:
            continue
        at += 1
        loss = 0.0
        for e in range(system.start[i], system.start[i + 1]):
            g = system.group[e]
            trial.rest[g] = modulo.of[(b - 1) * modulo.coefficient[e]]
            loss += system.weight[g] * trial.rest[g]
        trial.a[i] = b - 1
        trial.held[0], trial.where[i] = i, 0
        count: int = np.int64(1)  # type: ignore[assignment]  # not a literal: numba would compile the steps twice
        top = 0.0
        for step in range(steps):
            if not _choose_pair(system, modulo, b, trial, count):
                continue
            change, changed = _shift_pair(system, modulo, trial)
            if change > 0.0:
                chance = (trial.random[0] >> np.uint64(32)) * (1.0 / 4294967296.0)
                if change > 16.0 * heat[step] or chance >= np.exp(-change / heat[step]):
                    while changed > 0:
                        changed -= 1
                        trial.rest[trial.undo[changed, 0]] = trial.undo[changed, 1]
                    continue
            loss += change
            count = _list_pair(modulo, trial, count)
            if (b - 1 - loss) / b > top + 1e-7:
                top = (b - 1 - loss) / b
                if top > least:
                    violation[at] = top
                    for w in range(rows):
                        best[at, w] = trial.a[w]
        for g in range(trial.rest.size):
            trial.rest[g] = 0
        for q in range(count):
            trial.a[trial.held[q]] = 0
            trial.where[trial.held[q]] = -1
    return violation, best


@unchecked
def _remainders(system: System, b: int) -> Remainders:
    of = np.empty(b * b, np.int32)
    for q in range(b * b):
        of[q] = q % b
    coefficient = np.empty(system.coefficient.size, np.int32)
    for e in range(coefficient.size):
        coefficient[e] = system.coefficient[e] % b
    rhs = np.empty(system.rhs.size, np.int32)
    for w in range(rhs.size):
        rhs[w] = system.rhs[w] % b
    return Remainders(of, coefficient, rhs)


@unchecked
def _choose_pair(system: System, modulo: Remainders, b: int, trial: Trial, count: int) -> bool:
    """A row that shares a group with the present ones, another that shares one with that row, and shifts of both that
    keep a·h mod b; False where there are none."""
    pair, shift = trial.pair, trial.shift
    for which in range(2):
        state = _next(trial.random)
        w = trial.held[_below(state, np.uint64(0), count)] if which == 0 else pair[0]
        degree = system.start[w + 1] - system.start[w]
        g = system.group[system.start[w] + _below(state, np.uint64(21), degree)]
        width = system.group_start[g + 1] - system.group_start[g]
        pair[which] = system.row[system.group_start[g] + _below(state, np.uint64(42), width)]
    shift[0] = 1 + _below(_next(trial.random), np.uint64(0), b - 1)
    shift[1] = 0
    owed = modulo.of[shift[0] * modulo.rhs[pair[0]]]
    if owed == 0:
        return True
    if pair[0] == pair[1]:
        return False
    for d in range(1, b):
        if modulo.of[owed + d * modulo.rhs[pair[1]]] == 0:
            shift[1] = d
            return True
    return False


@unchecked
def _shift_pair(system: System, modulo: Remainders, trial: Trial) -> tuple[float, int]:
    """Bring the groups' remainders up to date: what that changes the loss by, and how many groups are to be restored if
    it is undone."""
    change = 0.0
    changed = 0
    for which in range(2):
        w, d = trial.pair[which], trial.shift[which]
        if d > 0:
            change += system.slack[w] * (modulo.of[trial.a[w] + d] - trial.a[w])
            for e in range(system.start[w], system.start[w + 1]):
                g = system.group[e]
                old = trial.rest[g]
                new = modulo.of[old + d * modulo.coefficient[e]]
                change += system.weight[g] * (new - old)
                trial.undo[changed, 0], trial.undo[changed, 1] = g, old
                changed += 1
                trial.rest[g] = new
    return change, changed


@unchecked
def _list_pair(modulo: Remainders, trial: Trial, count: int) -> int:
    """Change the multipliers themselves and the list of those above zero; how many there are then."""
    a, held, where = trial.a, trial.held, trial.where
    for which in range(2):
        w, d = trial.pair[which], trial.shift[which]
        if d == 0:
            continue
        a[w] = modulo.of[a[w] + d]
        if a[w] == 0 and where[w] >= 0:
            count -= 1
            held[where[w]] = held[count]
            where[held[count]] = where[w]
            where[w] = -1
        elif a[w] > 0 and where[w] < 0:
            held[count], where[w] = w, count
            count += 1
    return count


@unchecked
def _next(random: Random) -> np.uint64:
    """xorshift64: the next state, whose bits are the random numbers."""
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return x


@unchecked
def _below(state: np.uint64, skipped: np.uint64, count: int) -> int:
    """A whole number below `count`, from 21 bits of the state after those skipped."""
    bits = (state >> skipped) & np.uint64(0x1FFFFF)
    return np.int64((bits * np.uint64(count)) >> np.uint64(21))  # type: ignore[return-value]
