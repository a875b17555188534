"""The greatest probability that one person is at one row, with all assignments that fit equally likely.

An assignment is a perfect matching of the compatibility graph. Pairs that lie in none are dropped; what is left falls
into components, which are independent. A component in which everybody fits everywhere gives 1/size; one with few
states is counted exactly (`likelihood_exact.py`). In the others belief propagation (the Bethe approximation of the
permanent: B. Huang, T. Jebara 2009; M. Chertkov et al. 2010) names the pairs that are most likely, and a walk over
perfect matchings (`likelihood_sample.py`) estimates them.

Classes with the same neighbors are merged first: they are interchangeable, whatever their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.verify.matchings.classes import unique_rows
from discreet.verify.matchings.flow import Graph, k_flow, strong_components
from discreet.verify.matchings.likelihood_exact import largest_share, states
from discreet.verify.matchings.likelihood_sample import Component, shares

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_STATES = 1 << 18
EXACT_WORK = 20_000_000
"""States times people a row may take, in all components together."""

MOVES = 4_000_000
"""Moves of the walk, in all components together: a second or two, most of it waiting for memory where n is large."""

WATCHED = 8
ROUNDS = 25
SEED = 20150323


@dataclass(frozen=True)
class Likelihood:
    """The greatest probability of a pair, its standard error (0 where it is exact), and how it was found."""

    probability: float
    error: float
    method: str


class _Merged(NamedTuple):
    """Pairs of classes that lie in some perfect matching, by class of rows; flow of one perfect matching along them."""

    row: Integers
    person: Integers
    flow: Integers
    rows: Integers
    people: Integers
    row_part: Integers
    person_part: Integers
    parts: int


def largest_probability(g: Graph, *, exact_work: int = EXACT_WORK, moves: int = MOVES) -> Likelihood | None:
    """The greatest probability over all pairs of a graph that has a perfect matching; None where it was not found.

    `g` must be the whole compatibility graph: a part of it has other assignments.
    """
    merged = _merge(g)
    best, open_parts = _counted(merged, exact_work)
    if open_parts.size == 0:
        return Likelihood(best, 0.0, "exact")
    found = _estimated(merged, open_parts, moves)
    if found is None:
        return None
    value, error = found
    return Likelihood(max(best, value), error, "estimated by a walk over perfect matchings")


def _merge(g: Graph) -> _Merged:
    flow, _ = k_flow(g, 1)
    component = strong_components(g, flow)
    b = g.boxes.size
    kept = component[g.box] == component[b + g.original]
    row, person, units = g.box[kept].astype(np.int64), g.original[kept].astype(np.int64), flow[kept].astype(np.int64)
    row_class = _twins(row, person, b, g.originals.size)
    person_class = _twins(person, row, g.originals.size, b)
    o = int(person_class.max()) + 1
    pairs, inverse = np.unique(row_class[row] * o + person_class[person], return_inverse=True)
    parts, part = np.unique(component, return_inverse=True)
    return _Merged(
        pairs // o,
        pairs % o,
        np.bincount(inverse, units, pairs.size).astype(np.int64),
        np.bincount(row_class, g.boxes).astype(np.int64),
        np.bincount(person_class, g.originals).astype(np.int64),
        _of_class(row_class, part[:b]),
        _of_class(person_class, part[b:]),
        parts.size,
    )


def _twins(one: Integers, other: Integers, ones: int, others: int) -> Integers:
    """A number for each node of one side, the same for nodes with the same neighbors (by two sums of random words)."""
    rng = np.random.default_rng(SEED)
    key = np.zeros((ones, 2), np.uint64)
    for side in range(2):
        np.add.at(key[:, side], one, rng.integers(0, 2**64, others, np.uint64)[other])
    return unique_rows(key.view(np.int64))[1]


def _of_class(number: Integers, part: Integers) -> Integers:
    out = np.empty(int(number.max()) + 1, np.int64)
    out[number] = part
    return out


def _counted(m: _Merged, work: int) -> tuple[float, Integers]:
    """The greatest probability in the components that can be counted, and the numbers of the others."""
    pairs = np.bincount(m.row_part[m.row], minlength=m.parts)
    row_classes = np.bincount(m.row_part, minlength=m.parts)
    person_classes = np.bincount(m.person_part, minlength=m.parts)
    size = np.bincount(m.row_part, m.rows, m.parts)
    complete = pairs == row_classes * person_classes
    best = float((1 / size[complete]).max(initial=0.0))
    rest = np.flatnonzero(~complete)
    if rest.size == 0:
        return best, rest
    by_row = np.argsort(m.row_part, kind="stable")
    by_person = np.argsort(m.person_part, kind="stable")
    by_pair = np.argsort(m.row_part[m.row], kind="stable")
    cut = np.arange(m.parts + 1)
    best_counted, done = _count_all(
        m,
        rest,
        (by_row, np.searchsorted(m.row_part[by_row], cut)),
        (by_person, np.searchsorted(m.person_part[by_person], cut)),
        (by_pair, np.searchsorted(m.row_part[m.row][by_pair], cut)),
        work,
    )
    return max(best, best_counted), rest[~done]


Sorted = tuple[Integers, Integers]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _count_all(
    m: _Merged, rest: Integers, rows: Sorted, people: Sorted, pairs: Sorted, work: int
) -> tuple[float, NDArray[np.bool_]]:
    """Count one component after another, the side with fewer states as the one to be taken, until the work is done."""
    best, done = 0.0, np.zeros(rest.shape[0], np.bool_)
    place = np.empty(max(m.rows.shape[0], m.people.shape[0]), np.int64)
    for t in range(rest.shape[0]):
        c = rest[t]
        taking = rows[0][rows[1][c] : rows[1][c + 1]]
        taken = people[0][people[1][c] : people[1][c + 1]]
        inside = pairs[0][pairs[1][c] : pairs[1][c + 1]]
        turned = states(m.rows[taking], MOST_STATES) < states(m.people[taken], MOST_STATES)
        if turned:
            taking, taken = taken, taking
        take_size = m.people[taking] if turned else m.rows[taking]
        give_size = m.rows[taken] if turned else m.people[taken]
        count = states(give_size, MOST_STATES)
        cost = count * (3 * inside.shape[0] // taking.shape[0] + give_size.shape[0])
        if count == MOST_STATES or cost > work:
            continue
        work -= cost
        ends = np.zeros(taking.shape[0] + 1, np.int64)
        for q in range(taking.shape[0]):
            place[taking[q]] = q
        for e in inside:
            ends[place[m.person[e] if turned else m.row[e]] + 1] += 1
        for q in range(taking.shape[0]):
            ends[q + 1] += ends[q]
        other, at = np.empty(inside.shape[0], np.int64), ends.copy()
        one = np.empty(inside.shape[0], np.int64)
        for x in range(inside.shape[0]):
            one[x] = place[m.person[inside[x]] if turned else m.row[inside[x]]]
        for q in range(taken.shape[0]):
            place[taken[q]] = q
        for x in range(inside.shape[0]):
            other[at[one[x]]] = place[m.row[inside[x]] if turned else m.person[inside[x]]]
            at[one[x]] += 1
        share = largest_share(ends, other, take_size, give_size)
        best, done[t] = max(best, share), share >= 0
    return best, done


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def beliefs(m: _Merged, rounds: int) -> Floats:
    """Belief propagation: the approximate probability that one row of a class has one person of another.

    Messages x from rows to people and y back: x_ij = 1/(Σ_j' y_j'i − y_ji), likewise y; p = xy/(1 + xy).
    """
    e = m.row.shape[0]
    x, y = np.ones(e), np.ones(e)
    for _ in range(rounds):
        into = np.zeros(m.rows.shape[0])
        for q in range(e):
            into[m.row[q]] += m.people[m.person[q]] * y[q]
        for q in range(e):
            x[q] = 1 / max(into[m.row[q]] - y[q], 1e-12)
        into = np.zeros(m.people.shape[0])
        for q in range(e):
            into[m.person[q]] += m.rows[m.row[q]] * x[q]
        for q in range(e):
            y[q] = 1 / max(into[m.person[q]] - x[q], 1e-12)
    return x * y / (1 + x * y)


def _estimated(m: _Merged, open_parts: Integers, moves: int) -> tuple[float, float] | None:
    """The greatest estimate over the pairs that belief propagation names, and its standard error."""
    belief = np.where(np.isin(m.row_part[m.row], open_parts), beliefs(m, ROUNDS), -1.0)
    watched = np.argsort(-belief, kind="stable")[: min(WATCHED, int((belief >= 0).sum()))]
    parts = np.unique(m.row_part[m.row[watched]])
    estimates = []
    for part in parts.tolist():
        here = watched[m.row_part[m.row[watched]] == part]
        estimates.append(_walked(m, part, here, moves // parts.size))
    known = [found for found in estimates if found is not None]
    return max(known) if len(known) == len(estimates) else None


def _walked(m: _Merged, part: int, watched: Integers, moves: int) -> tuple[float, float] | None:
    rows, people = np.flatnonzero(m.row_part == part), np.flatnonzero(m.person_part == part)
    inside = np.flatnonzero(m.row_part[m.row] == part)  # in the order of rows
    row_place, person_place = np.zeros(m.rows.size, np.int64), np.zeros(m.people.size, np.int64)
    row_place[rows], person_place[people] = np.arange(rows.size), np.arange(people.size)
    row, person = row_place[m.row[inside]], person_place[m.person[inside]]
    ends = np.searchsorted(row, np.arange(rows.size + 1)).astype(np.int64)
    sums = np.cumsum(m.people[people][person])
    upto = sums - np.append(0, sums)[ends[row]]
    first = np.append(0, np.cumsum(m.people[people])).astype(np.int64)
    # The flow as a matching of members: pairs by class of rows give rows in order, sorted by person the people.
    units = m.flow[inside]
    unit_person = np.repeat(person, units)
    row_of = np.argsort(unit_person, kind="stable").astype(np.int64)
    c = Component(
        ends,
        person,
        upto.astype(np.int64),
        first,
        np.repeat(np.arange(rows.size), m.rows[rows]),
        np.repeat(np.arange(people.size), m.people[people]),
        row_of,
    )
    _, share, error, steps = shares(
        c,
        row_place[m.row[watched]],
        person_place[m.person[watched]],
        m.rows[m.row[watched]],
        m.people[m.person[watched]],
        SEED,
        moves,
    )
    if steps == 0:
        return None
    # A pair that never changed has no spread: three in the number of steps that began with its person.
    return share, float(max(error, min(1.0, 3 * row_of.size / steps)) if error == 0 else error)
