"""The check of a release whose units are households, or persons with several rows: k disjoint matchings of units.

From the two files alone, as for single persons (`matchings/check.py`): the graph joins original and published units
that fit (`graph.py`). Numbers of units by size must agree, for a size shows.

With a sensitive column and l: a person's candidates are the rows that it may take in a candidate unit of its own; they
carry at least l distinct known values. The candidate units may be listed in part; what is found there holds in all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.verify.matchings.check import MOST_EDGES, MOST_LIKELIHOOD_EDGES, with_likelihood
from discreet.verify.matchings.classes import NO_CAP
from discreet.verify.matchings.flow import Graph, candidates, k_flow, strong_components
from discreet.verify.matchings.likelihood import largest_probability
from discreet.verify.matchings.reading import Reading
from discreet.verify.units.graph import Sides, Texts, assignable, list_edges, sides, texts_of
from discreet.verify.units.settle import Settled
from discreet.verify.units.unit import Units

GUARANTEE = "matchings"
MOST_LIKELIHOOD_UNITS = 20_000

Integers = NDArray[np.int64]
Figures = dict[str, float | int | str]


def verify_units(
    readings: Sequence[Reading],
    settled: Settled,
    *,
    k: int,
    words: tuple[str, str],
    sensitive_codes: Integers | None = None,
    l: int | None = None,
    likelihood: bool = True,
) -> Verdict:
    """Judge a release from the readings of its quasi-identifiers and its units, which `words` name (one, several)."""
    assert settled.units is not None
    one, several = words
    found = sides(readings, settled.units, settled.flexible)
    count = settled.units[0].count
    figures: Figures = {several: count, "n": settled.before.rows}
    if found.failures:
        advice = (f"publish every {one} once, with as many rows as it has",)
        return Verdict("unsafe", GUARANTEE, k, found.failures, advice, figures)
    proven = [f"{k} candidates each: every {one} lies in {k} disjoint perfect matchings of {several}"]
    limits: tuple[str, ...] = ()
    if settled.units[0].loose.size:
        proven.append(f"so does every row that belongs to no {one}, among those")
    if sensitive_codes is not None and l is not None:
        figures["l"] = l
        proven.append(f"the rows that a person may be, in any candidate {one}, carry {l} distinct sensitive values")
        limits = (f"the {l} sensitive values of a person's candidates need not be equally likely",)
    texts = texts_of(readings)
    failures: list[str] = []
    for cap in (4 * k + 40, NO_CAP):
        g, whole = list_edges(found, texts, cap, MOST_EDGES)
        if g is None:
            advice = ("check a release with narrower boxes",)
            return Verdict("cannot tell", GUARANTEE, k, ("the graph is too large for this machine",), advice, figures)
        flow, short = k_flow(g, k)
        figures["edges"] = g.original.size
        failures = _failures(g, k, short, several)
        if not failures:
            component = strong_components(g, flow)
            figures["fewest_candidates"] = int(candidates(g, flow, component).min())
            few = 0
            if sensitive_codes is not None and l is not None:
                few = _short_of_l(found, settled.units, texts, (g, flow, component), sensitive_codes, l)
            if few == 0:
                verdict = Verdict("safe", GUARANTEE, k, (), (), figures, tuple(proven), limits)
                if not likelihood:
                    return verdict
                probability = None
                if count <= MOST_LIKELIHOOD_UNITS:
                    full = g if whole else list_edges(found, texts, NO_CAP, MOST_LIKELIHOOD_EDGES)[0]
                    probability = None if full is None else largest_probability(full)
                return with_likelihood(verdict, probability, k, one, f"published {one}")
            failures = [f"{few} people have candidates with fewer than {l} distinct sensitive values"]
        if whole:
            break
    advice = ("publish wider boxes: run the method again and change nothing by hand",)
    return Verdict("unsafe", GUARANTEE, k, tuple(failures), advice, figures)


def _failures(g: Graph, k: int, short: int, several: str) -> list[str]:
    if short == 0:
        return []
    total = int(g.originals.sum())
    holding = np.zeros(g.originals.size, np.int64)
    np.add.at(holding, g.original, g.boxes[g.box])
    bare = int(g.originals[holding < k].sum())
    failures = [f"there are no {k} disjoint perfect matchings of {several}: {short} of {total * k} matches are missing"]
    if bare:
        failures.append(f"{bare} {several} (or rows that belong to none) fit fewer than {k} published ones")
    return failures


def _short_of_l(
    found: Sides,
    units: tuple[Units, Units],
    texts: Texts,
    solved: tuple[Graph, Integers, Integers],
    codes: Integers,
    l: int,
) -> int:
    """How many persons see fewer than l known values in the rows that they may be. Code −1 is a missing value."""
    g, flow, component = solved
    shown = _values_shown(found, units[1], codes)
    few, first_box = 0, 0
    seen: dict[tuple[int, int], set[int]] = {}
    full: set[int] = set()
    for block in found.blocks:
        published = block.published
        for v in range(published.many.size):
            box = first_box + v
            for q in range(int(g.ends[box]), int(g.ends[box + 1])):
                kind = int(g.original[q])
                if kind in full or not (flow[q] > 0 or component[box] == component[g.boxes.size + kind]):
                    continue
                group = next(x for x in block.groups if x.first <= kind < x.first + x.kinds.many.size)
                people = group.kinds.values[kind - group.first]
                fits = placeable(published.values[v], people, texts)
                for member in range(people.shape[0]):
                    values = seen.setdefault((kind, member), set())
                    for row in np.flatnonzero(fits[:, member]).tolist():
                        values |= shown[box][row]
                if all(len(seen[kind, member]) >= l for member in range(people.shape[0])):
                    full.add(kind)
        first_box += published.many.size
    for group in found.groups:
        for at, count in enumerate(group.kinds.many.tolist()):
            people = range(group.kinds.values.shape[1])
            few += count * sum(len(seen.get((group.first + at, member), ())) < l for member in people)
    return few


def _values_shown(found: Sides, after: Units, codes: Integers) -> list[list[set[int]]]:
    """Per kind of published unit and per row of it, in the kind's order, the known sensitive values that it carries.

    Rows that look alike within a unit may be told apart by no one: they carry what all of them carry.
    """
    shown: list[list[set[int]]] = []
    of = found.published_of
    row_kind: dict[int, list[int]] = {}
    for unit, kind in enumerate(of.tolist()):
        row_kind.setdefault(kind, []).append(unit)
    first = 0
    for block in found.blocks:
        for v in range(block.published.many.size):
            texts = [tuple(line) for line in block.published.values[v].tolist()]
            places: dict[tuple[int, ...], set[int]] = {text: set() for text in texts}
            for unit in row_kind[first + v]:
                rows = after.rows[after.ends[unit] : after.ends[unit + 1]] if unit < after.count else None
                held = after.loose[unit - after.count : unit - after.count + 1] if rows is None else rows
                for row in held.tolist():
                    if codes[row] >= 0:
                        places[tuple(found.texts[row].tolist())].add(int(codes[row]))
            shown.append([places[text] for text in texts])
        first += block.published.many.size
    return shown


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def placeable(rows: Integers, people: Integers, texts: Texts) -> NDArray[np.bool_]:
    """Per row and person of two units, whether the person may take the row in an assignment of all rows."""
    many, size = rows.shape[0], people.shape[0]
    out = np.zeros((many, size), np.bool_)
    zero = np.zeros(1, np.int64)
    for r in range(many):
        for m in range(size):
            others = np.empty((1, many - 1, rows.shape[1]), np.int64)
            left = np.empty((1, size - 1, rows.shape[1]), np.int64)
            alone = np.empty((1, 1, rows.shape[1]), np.int64)
            one = np.empty((1, 1, rows.shape[1]), np.int64)
            alone[0, 0], one[0, 0] = rows[r], people[m]
            at = 0
            for q in range(many):
                if q != r:
                    others[0, at] = rows[q]
                    at += 1
            at = 0
            for q in range(size):
                if q != m:
                    left[0, at] = people[q]
                    at += 1
            out[r, m] = assignable(alone, one, texts, zero, zero)[0] and assignable(others, left, texts, zero, zero)[0]
    return out
