"""One intruder for every kind of release: the share of persons who are rightly linked, by the same attacks. Counted.

The intruder knows the values of every person on the same columns, and how each release was made. A cell of a release is
a set: a range covers an interval, braces or a label some categories, a blank anything, a plain value itself. Where all
cells of a column cover the true values (widened, blanked, unchanged) a record that does not cover is ruled out; on
other columns (averaged, swapped, noisy) it is only farther away. From a person to a record, and from a record to a
person:

    candidates   one of those that are not ruled out is picked: right with probability 1/candidates
    distance     of these the nearest is picked, ties shared:  Σ_j E(x_j − Y_j)² / s_j²  over numbers, Y_j uniform on
                 the cell, plus  Σ_j 2 P(Y_j ≠ x_j) / P(two persons differ on j)  over categories
    rank         the same with ranks in place of numbers that are not covered (Muralidhar, Domingo-Ferrer 2016)

So two persons drawn at random are 2 apart on every column. Where a record is that of each of t persons with the same
probability, as with t matchings of which one is drawn in secret, a right link is expected over that draw too.

No attack finds more than 1/k of the persons in a release in which k records are the same on these columns, or are one
of k disjoint matchings. Proof: a guess T_i for person i is right with probability Σ_{r ∈ T_i} P(r is i's)/|T_i|. With
matchings P <= 1/k for every r. With classes of m >= k the same records T_i holds all of a class or nothing, so m·P(…)
<= 1; from a record to a person, the m records of a class share one guess T and have different persons: Σ <= 1, mean
<= 1/m.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.measure.risk.scene import Cells, Persons, Records, Scales, Scene, Truth, ranked, set_scene
from discreet.measure.utility.columns import Column

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

# Squared distances that differ by less than this share are the same.
SAME = 2e-9
# Pairs of a person and a record that an attack looks at in one direction: beyond, only a sample of them attacks.
MOST_PAIRS = 200_000_000


class Linked(NamedTuple):
    """The expected share of right links by each attack, in its better direction, and how many persons attacked."""

    by_attack: dict[str, float]
    persons: int

    @property
    def strongest(self) -> str:
        return max(self.by_attack, key=lambda name: self.by_attack[name])

    @property
    def share(self) -> float:
        return self.by_attack[self.strongest]


class Owners(NamedTuple):
    """Class a of those who seek has what is theirs in the classes `of[start[a]] … of[start[a + 1] − 1]`, one of `draws`
    for each of its members."""

    start: Codes
    of: Codes
    draws: int


class Distinct(NamedTuple):
    """Rows that are the same: the class of each, and the first row and size of each class."""

    of: Codes
    first: Codes
    size: Codes


def linked(
    original: Sequence[Column],
    published: Sequence[Column],
    truth: Truth,
    *,
    seed: int = 0,
    threads: int = 1,
    most_pairs: int = MOST_PAIRS,
) -> Linked:
    """Shares of right links between a person's columns and a release's, by each attack that applies."""
    scene = set_scene(original, published, truth)
    known = _distinct(scene.persons.value, scene.persons.code)
    shown = _distinct(scene.records.low, scene.records.high, scene.records.cell)
    here, there = _rows(scene, known.first, shown.first), _owners(truth.records, known, shown)
    back = _owners(truth.persons, shown, known)
    some = _sample(len(known.size), len(shown.size), most_pairs, seed)
    others = _sample(len(shown.size), len(known.size), most_pairs, seed)

    def attack(scene: Scene) -> tuple[float, float]:
        """By candidates and by distance, each in the better of the two directions."""
        forth = _shares(scene, there, some, known.size, shown.size, False, threads)
        home = _shares(scene, back, others, shown.size, known.size, True, threads)
        return max(forth[0], home[0]), max(forth[1], home[1])

    fit, near = attack(here)
    found = {"candidates": fit, "distance": near}
    if not scene.scales.number_covers.all():
        found["rank"] = attack(_rows(ranked(scene), known.first, shown.first))[1]
    return Linked(found, int(known.size[some].sum()))


def _distinct(*parts: NDArray[Any]) -> Distinct:
    """Rows that are the same in all parts."""
    rows = np.concatenate([np.ascontiguousarray(part).view(np.int64) for part in parts], axis=1)
    if rows.shape[1] == 0:
        return Distinct(np.zeros(len(rows), np.int64), np.zeros(1, np.int64), np.array([len(rows)]))
    _, first, of, size = np.unique(rows, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return Distinct(of.ravel(), first, size)


def _owners(mine: Codes, seekers: Distinct, targets: Distinct) -> Owners:
    """Per class of those who seek the classes of what is theirs, over all members and draws."""
    person, draw = np.nonzero(mine >= 0)
    home = seekers.of[person]
    order = np.argsort(home, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(home, minlength=len(seekers.size)))])
    return Owners(start, targets.of[mine[person, draw]][order], mine.shape[1])


def _rows(scene: Scene, persons: Codes, records: Codes) -> Scene:
    """The scene with some of the persons and of the records."""
    known: list[Any] = [part[persons] for part in scene.persons]
    shown: list[Any] = [part[records] for part in scene.records]
    return scene._replace(persons=Persons(*known), records=Records(*shown))


def _sample(count: int, against: int, most_pairs: int, seed: int) -> Codes:
    """All, or as many as there is time for, drawn by the seed: the same whatever the release."""
    many = max(1, most_pairs // max(against, 1))
    if many >= count:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).permutation(count)[:many])


def _shares(
    scene: Scene, owners: Owners, some: Codes, members: Codes, size: Codes, back: bool, threads: int
) -> tuple[float, float]:
    """The mean chances of those who attack, by candidates and by distance; with `back` these are the records.

    Members of a class know the same and pick the same, so a class attacks once, and its chance is the mean of theirs:
    with a sample too, no class of m records that are the same has more than 1/m.
    """
    fit, near = np.zeros(len(some)), np.zeros(len(some))
    trials = members[some] * float(owners.draws)

    def run(part: Codes) -> None:
        mark = np.zeros(len(size), np.int64)
        _attack(*scene, owners, some, size.astype(np.float64), mark, back, part, fit, near)

    parts = np.array_split(np.arange(len(some)), max(1, min(threads, len(some))))
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run, parts))
    else:
        run(np.arange(len(some)))
    weight = members[some]
    found = [float(np.average(chance / trials, weights=weight)) if len(some) else 0.0 for chance in (fit, near)]
    return found[0], found[1]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _attack(
    persons: Persons,
    records: Records,
    cells: Cells,
    scales: Scales,
    owners: Owners,
    some: Codes,
    size: Floats,
    mark: Codes,
    back: bool,
    part: Codes,
    fit: Floats,
    near: Floats,
) -> None:
    """For each class that attacks, its right picks among the candidates, and among the nearest, over their number.

    Pairs are compared in place: handing ten arrays to a function for every pair takes ten times as long.
    """
    value, place, code = persons.value, persons.place, persons.code
    low, high, middle, spread, cell = records.low, records.high, records.place, records.spread, records.cell
    single, row, bits, miss = cells.single, cells.row, cells.bits, cells.miss
    unit, rarity, numbers, sets = scales.number, scales.category, scales.number_covers, scales.category_covers
    start, own = owners.start, owners.of
    for turn in part:
        a = some[turn]
        for place_of in range(start[a], start[a + 1]):
            mark[own[place_of]] += 1
        many, best, tied, right, hit = 0.0, np.inf, 0.0, 0, 0
        for b in range(size.size):
            i, q = (b, a) if back else (a, b)
            fits, total = True, 0.0
            for j in range(sets.size):
                at, x = cell[q, j], code[i, j]
                inside = single[at] == x or single[at] == -2
                if single[at] == -1:
                    inside = (bits[row[at], x >> 6] >> np.uint64(x & 63)) & np.uint64(1) != 0
                if sets[j] and not inside:
                    fits = False
                    break
                total += rarity[j] * (miss[at] if inside else 1.0)
            if not fits:
                continue
            for j in range(numbers.size):
                if numbers[j] and low[q, j] != -np.inf and not (low[q, j] <= value[i, j] <= high[q, j]):
                    fits = False
                    break
            if not fits:
                continue
            many += size[b]
            mine = mark[b]
            right += mine
            enough = best * (1.0 + SAME)
            for j in range(unit.size):
                if total > enough:
                    break
                away = place[i, j] - middle[q, j]
                if away == away:  # a missing number is nowhere
                    total += (away * away + spread[q, j]) * unit[j]
            if total < best * (1.0 - SAME):
                best, tied, hit = total, size[b], mine
            elif total <= enough:
                tied += size[b]
                hit += mine
        if many > 0:
            fit[turn] = right / many
            near[turn] = hit / tied
        for place_of in range(start[a], start[a + 1]):
            mark[own[place_of]] = 0
