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
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.cuts import Support, choose
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut

DIVISORS = (2, 3, 4, 5)
STEPS = 3000


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


def separate_modular(support: Support, known: Collection[Cut], most: int, least: float) -> list[Cut]:
    """Violated cuts of rank 1, at best one for every fractional record and divisor."""
    n = support.start.size - 1
    matrix = np.zeros((n, support.weight.size), np.int32)
    group, place = np.nonzero(support.members >= 0)
    matrix[support.members[group, place], group] = 1
    system = system_of(matrix, support.weight, np.ones(n, np.int32), np.zeros(n))
    found: dict[Cut, float] = {}
    for divisor in DIVISORS:
        violation, numerators = anneal_multipliers(system, n, divisor, STEPS, least)
        for row, v in zip(numerators, violation):
            if v > least:
                records = np.flatnonzero(row)
                found[Cut(tuple(records.tolist()), tuple(row[records].tolist()), divisor)] = float(v)
    ranked = sorted(found, key=lambda cut: (-found[cut], cut))
    return choose(ranked, known, n, most, 4)


@njit(cache=True, nogil=True)
def anneal_multipliers(system: System, seeds: int, divisor: int, steps: int, least: float) -> tuple[Floats, Ints]:
    """From each of the first `seeds` rows (right side 1, slack 0): the most violated cut met, and its violation."""
    rows = system.rhs.size
    b = divisor
    starts = 0
    for i in range(seeds):
        if system.start[i + 1] > system.start[i]:
            starts += 1
    violation = np.zeros(starts)
    best = np.zeros((starts, rows), np.int32)
    a = np.zeros(rows, np.int32)
    held = np.zeros(rows, np.int32)  # rows with a > 0, and where they are listed
    where = np.full(rows, -1, np.int32)
    rest = np.zeros(system.weight.size, np.int32)
    state = np.uint64(88172645463325252)
    pair = np.zeros(2, np.int64)
    shift = np.zeros(2, np.int64)
    at = -1
    for i in range(seeds):
        if system.start[i + 1] == system.start[i]:
            continue
        at += 1
        loss = 0.0
        for e in range(system.start[i], system.start[i + 1]):
            g = system.group[e]
            rest[g] = (b - 1) * system.coefficient[e] % b
            loss += system.weight[g] * rest[g]
        a[i] = b - 1
        held[0], where[i], count = i, 0, 1
        top = 0.0
        for step in range(steps):
            heat = 0.3 * (0.02 ** (step / steps))
            # A row that shares a group with the present ones, and another that shares one with that row.
            for which in range(2):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                draw = state >> np.uint64(8)
                w = held[np.int64(draw % np.uint64(count))] if which == 0 else pair[0]
                draw //= np.uint64(1021)
                degree = system.start[w + 1] - system.start[w]
                g = system.group[system.start[w] + np.int64(draw % np.uint64(degree))]
                draw //= np.uint64(1021)
                width = system.group_start[g + 1] - system.group_start[g]
                pair[which] = system.row[system.group_start[g] + np.int64(draw % np.uint64(width))]
            u, v = pair[0], pair[1]
            shift[0] = 1 + np.int64((state >> np.uint64(20)) % np.uint64(b - 1))
            shift[1] = 0
            owed = shift[0] * system.rhs[u] % b
            if owed != 0:
                if u == v:
                    continue
                for d in range(1, b):
                    if (owed + d * system.rhs[v]) % b == 0:
                        shift[1] = d
                        break
                if shift[1] == 0:
                    continue
            change = 0.0
            for which in range(2):
                w, d = pair[which], shift[which]
                if d > 0:
                    change += system.slack[w] * ((a[w] + d) % b - a[w])
                    for e in range(system.start[w], system.start[w + 1]):
                        g = system.group[e]
                        new = (rest[g] + d * system.coefficient[e]) % b
                        change += system.weight[g] * (new - rest[g])
                        rest[g] = new
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            chance = (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            if change > 0.0 and chance >= np.exp(-change / heat):
                for which in range(2):
                    w, d = pair[which], shift[which]
                    if d > 0:
                        for e in range(system.start[w], system.start[w + 1]):
                            g = system.group[e]
                            rest[g] = (rest[g] + (b - d) * system.coefficient[e]) % b
                continue
            loss += change
            for which in range(2):
                w, d = pair[which], shift[which]
                if d == 0:
                    continue
                a[w] = (a[w] + d) % b
                if a[w] == 0 and where[w] >= 0:
                    count -= 1
                    held[where[w]] = held[count]
                    where[held[count]] = where[w]
                    where[w] = -1
                elif a[w] > 0 and where[w] < 0:
                    held[count], where[w] = w, count
                    count += 1
            if (b - 1 - loss) / b > top + 1e-7:
                top = (b - 1 - loss) / b
                if top > least:
                    violation[at] = top
                    for w in range(rows):
                        best[at, w] = a[w]
        for g in range(rest.size):
            rest[g] = 0
        for q in range(count):
            a[held[q]] = 0
            where[held[q]] = -1
    return violation, best
