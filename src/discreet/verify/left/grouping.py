"""Columns that group rows: ids of households, or of persons with several rows, and whatever is as good as one.

Values shared by 2 to 20 rows show who belongs together, if they are more than an accident. They are where at least
one in ten rows shares one so (others may live alone, or come once), and

- the column is named as an id or a household, or
- its numbers (or the numbers of its codes) leave fewer of their range unused than chance explains, as numbering does,
  or
- its numbers are shared by half of the rows though far from all others, and not because they are round, or
- it holds codes of one length whose letters and digits follow no pattern, as hashed numbers are, or
- some other column of the original is the same within groups and not between neighboring values: an income of a whole
  household is as good as its number, while a band of incomes follows from the income.

Then an intruder who knows who belongs together looks for groups rather than persons: a published group of equally
many rows is a candidate if the members fit its rows one to one. Fewer than k candidates are a failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.candidates import Candidates
from discreet.verify.left.chance import divergence, few_unused, surprising
from discreet.verify.left.identifier import FEW_ROWS, is_called_id, numbers_in, tokens, whole_steps
from discreet.verify.left.values import Values
from discreet.verify.readers.column import Column
from discreet.verify.values.meaning import missing, texts

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST = 20
SOME = 0.1
HASH = 6
AGREEMENT = 0.95
NEAR, SHARED, ROUND = 5.0, 0.2, 0.4
WORDS = frozenset(
    ["household", "hh", "hhid", "hid", "family", "fam", "couple", "dwellingid", "haushalt", "menage", "hogar", "foyer"]
)


def groups_rows(values: Values, column: Column, others: Iterable[Values]) -> bool:
    """Whether equal values of a column show which rows belong together."""
    counts = np.bincount(values.codes[values.known], minlength=values.size) if values.known.any() else np.zeros(1, int)
    shared = (counts >= 2) & (counts <= LARGEST)
    if values.kind == "dates" or counts[shared].sum() < SOME * values.known.sum() or not shared.any():
        return False
    if is_called_group(values.name):
        return bool(2 * counts[shared].sum() >= values.known.sum() or counts.max() <= LARGEST)
    if _numbered(values, column, counts) or _apart(values, counts) or _is_hashed(column):
        return True
    return values.places is not None and any(_agree(values, shared, other) for other in others)


def is_called_group(name: str) -> bool:
    """Whether a column is named as an id or a household."""
    return is_called_id(name) or tokens(name)[-1:] in ([word] for word in WORDS)


def _is_hashed(column: Column) -> bool:
    """Whether texts of one length have letters and digits in ever other places."""
    gone = missing(column, numeric=False).tolist()
    held = np.bincount(column.codes, minlength=column.size).tolist()
    written = [text for text, away, rows in zip(texts(column), gone, held) if rows and not away]
    if len(written) < FEW_ROWS or len({len(text) for text in written}) != 1 or len(written[0]) < HASH:
        return False
    patterns = {re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "0", text)) for text in written}
    return len(patterns) > max(4.0, min(0.25 * len(written), 16.0))


def _numbered(values: Values, column: Column, counts: Integers) -> bool:
    """Whether the values are numbers given one after another: hardly any in their range is unused."""
    if values.places is None:
        gone = missing(column, numeric=False).tolist()
        places = numbers_in([text for text, away in zip(texts(column), gone) if not away])
    else:
        places = values.places[values.known]
    steps = None if places is None else whole_steps(places)
    if steps is None or not counts.max() <= LARGEST:
        return False
    room = int(steps.max()) + 1
    return surprising(few_unused(int(values.known.sum()), np.unique(steps).size, room))


def _apart(values: Values, counts: Integers) -> bool:
    """Whether numbers far from all others are shared by several rows: of drawn ones at most one in five would be.

    A number is far from the others if there is none within 5 steps. Were λ rows drawn per step, it would have no
    other in 10 steps with probability exp(−10·λ) and a row shared it with probability λ/2: seldom both. Round
    numbers, which people like to give, are shared for that reason: most of those shared must not be round.
    """
    places = None if values.places is None else values.places[values.known]
    steps = None if places is None else whole_steps(places)
    if places is None or steps is None or counts.max() > LARGEST:
        return False
    distinct, first, times = np.unique(steps, return_index=True, return_counts=True)
    gaps = np.concatenate([[np.inf], np.diff(distinct), [np.inf]])
    far = np.minimum(gaps[:-1], gaps[1:]) > NEAR
    shared = far & (times > 1)
    if 2 * times[shared].sum() < steps.size:
        return False
    round_ones = float((np.mod(places[first[shared]], 5.0) == 0.0).mean())
    return round_ones <= ROUND and surprising(far.sum() * divergence(shared.sum() / far.sum(), SHARED), 20)


def _agree(values: Values, shared: NDArray[np.bool_], other: Values) -> bool:
    """Whether another column is the same within groups, but not between those of neighboring values.

    Members of a group are compared with one of it, and groups with the next ones, by one row of each.
    """
    if other.size < 2 or other.size > 0.9 * other.codes.size:
        return False
    within = shared[values.codes] & values.known & other.known
    rows = np.flatnonzero(within)
    assert values.places is not None
    order = rows[np.lexsort((rows, values.places[rows]))]
    group, value = values.codes[order], other.codes[order]
    same_group = group[1:] == group[:-1]
    equal = value[1:] == value[:-1]
    compared, between = int(same_group.sum()), int((~same_group).sum())
    if not compared or not between:
        return False
    agree = float(equal[same_group].mean())
    apart = float((equal[~same_group].sum() + 1.0) / (between + 1.0))
    frequent = float(np.bincount(value).max()) / value.size
    chance = max(apart, frequent)
    return agree >= AGREEMENT and chance <= 0.75 and surprising(compared * divergence(agree, chance), 20)


def too_few_groups(candidates: Candidates, before: Integers, after: Integers, k: int) -> tuple[int, int]:
    """Persons in groups with fewer than k candidates, and persons in groups looked at.

    `before` and `after` number the group of each original and of each published row, −1 for none. All persons of a
    group are among those whose candidates are listed, or none.
    """
    size_before, size_after = (np.bincount(g[g >= 0], minlength=1) for g in (before, after))
    home = before[candidates.persons[candidates.person]]
    there = after[candidates.row]
    size = np.append(size_before, 0)[home]
    fits = (home >= 0) & (there >= 0) & (size >= 2) & (size <= LARGEST)
    fits &= size == np.append(size_after, 0)[there]
    home, there = home[fits], there[fits]
    member, row = candidates.person[fits], candidates.row[fits]
    order = np.lexsort((row, member, there, home))
    home, there, member, row = home[order], there[order], member[order], row[order]
    begins = np.flatnonzero(np.diff(home, prepend=-1) | np.diff(there, prepend=-1)) if home.size else home
    ends = np.append(begins[1:], home.size)
    looked = np.unique(before[candidates.persons])
    looked = looked[(looked >= 0)]
    looked = looked[(size_before[looked] >= 2) & (size_before[looked] <= LARGEST)]
    found = np.zeros(size_before.size, np.int64)
    # Few of the members have candidates in most groups: those are out at once.
    members = np.add.reduceat(np.diff(member, prepend=-1) != 0, begins) if begins.size else begins
    possible = np.flatnonzero(ends - begins >= size_before[home[begins]]) if begins.size else begins
    for q in possible[members[possible] >= size_before[home[begins[possible]]]].tolist() if begins.size else ():
        group = int(home[begins[q]])
        if found[group] < k:
            part = slice(begins[q], ends[q])
            found[group] += _one_to_one(member[part], row[part], int(size_before[group]))
    short = looked[found[looked] < k]
    return int(size_before[short].sum()), int(size_before[looked].sum())


def _one_to_one(member: Integers, row: Integers, size: int) -> bool:
    """Whether all members of a group fit rows of another one to one: a matching by augmenting paths."""
    fits: dict[int, list[int]] = {}
    for one, where in zip(member.tolist(), row.tolist()):
        fits.setdefault(one, []).append(where)
    taken: dict[int, int] = {}

    def place(one: int, seen: set[int]) -> bool:
        for where in fits[one]:
            if where not in seen:
                seen.add(where)
                if where not in taken or place(taken[where], seen):
                    taken[where] = one
                    return True
        return False

    return len(fits) == size and all(place(one, set()) for one in fits)
