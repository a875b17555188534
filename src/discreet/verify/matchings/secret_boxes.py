"""Is each published box the least one over the originals it was made from, and so a function of them alone?

A box that is wider than it need be could say, by how wide it is, which matching was drawn. What the least box over some
values is depends on the kind of column, and one rule must hold for all rows of a column:

| rule | the least box over the values C |
|---|---|
| numbers | all values from the least to the greatest of C; everything, where C has missing values beside others |
| sets | C itself |
| closed | some family of sets that the two files do not show (an order of categories, a hierarchy): the box holds C, |
| | and no other published box of the column that holds C is without a part of it |

The last is what the first two have in common, and all that can be said of labels and of categories in an order: it is
accepted with a stated limit. Wildcards (code −1) widen no box, and a box over wildcards alone holds everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.verify.matchings.classes import unique_rows
from discreet.verify.matchings.reading import Integers, Reading

MOST_COMPARISONS = 1_000_000_000
MOST_BITS = 200_000_000
SEED = 7539


class Members(NamedTuple):
    """The originals each box was made from: those of row i stand from `ends[i]` on."""

    ends: Integers
    one: Integers


class Runs(NamedTuple):
    """The values a text holds, as runs of ranks: those of text t stand from `ends[t]` on."""

    ends: Integers
    low: Integers
    high: Integers


def members(matches: Integers, also_row: Integers, also: Integers) -> Members:
    n, width = matches.shape
    if also.size == 0:
        return Members(np.arange(n + 1) * width, matches.ravel())
    row = np.concatenate([np.repeat(np.arange(n), width), also_row])
    one = np.concatenate([matches.ravel(), also])
    order = np.argsort(row, kind="stable")
    return Members(np.searchsorted(row[order], np.arange(n + 1)).astype(np.int64), one[order])


def box_faults(
    readings: list[Reading], made: Members, names: Sequence[str], *, recoded: bool = False
) -> tuple[list[str], list[str]]:
    """What is wrong with the boxes, and what cannot be told about them.

    With `recoded`, a column may instead be recoded throughout: each of its values is published as one text, whoever
    has it, which tells nothing but the value.
    """
    faults: list[str] = []
    limits: list[str] = []
    outside = np.zeros(made.ends.size - 1, bool)
    for place, reading in enumerate(readings):
        name = f"column {names[place]!r}" if place < len(names) else f"quasi-identifier {place + 1}"
        ranks, size, runs = _ranked(reading)
        strayed, least, greatest, distinct = extent(ranks, size, made, reading.texts, runs)
        outside |= strayed
        if strayed.any():
            continue  # what is "least" has no meaning there
        low, high, held = text_extent(runs)
        shown = reading.texts
        box = (low[shown], high[shown], held[shown])
        if recoded and one_text_each(ranks, made, shown):
            continue
        wrong, trusted = _not_least(reading, (least, greatest, distinct), box, size)
        if trusted:
            wrong = not_closed(ranks, size, made, shown, runs)
            if wrong == 0:
                limits.append(
                    f"{name}: that boxes wider than their matches follow an order or a hierarchy, not the draw"
                )
            elif wrong < 0:
                limits.append(f"{name}: whether boxes are the least ones over their matches: there are too many")
        if wrong > 0:
            faults.append(f"{name}: {wrong} boxes are not the least ones over the originals they were made from")
        respelled = _respelled(runs, size, shown, distinct == 0)
        if respelled:
            faults.append(f"{name}: {respelled} boxes are spelled unlike others that hold the same originals")
    if outside.any():
        faults.insert(0, f"{int(outside.sum())} rows of the secret file name originals that are not in the row's box")
    return faults, limits


def one_text_each(ranks: Integers, made: Members, shown: Integers) -> bool:
    """Whether all rows that were made from an original with some value show the same text."""
    value, text = ranks[made.one], np.repeat(shown, np.diff(made.ends))
    order = np.lexsort((text, value))
    value, text = value[order], text[order]
    return not bool(((value[1:] == value[:-1]) & (text[1:] != text[:-1])).any())


def _ranked(reading: Reading) -> tuple[Integers, int, Runs]:
    """Codes and runs by rank among the codes that occur: what no original has makes no box wider."""
    used = np.flatnonzero(np.bincount(reading.codes[reading.codes >= 0]))  # codes are small
    ranks = np.where(reading.codes < 0, -1, np.searchsorted(used, reading.codes)).astype(np.int64)
    low = np.searchsorted(used, reading.run_low)
    high = np.searchsorted(used, reading.run_high, "right") - 1
    text = np.repeat(np.arange(reading.run_ends.size - 1), np.diff(reading.run_ends))
    kept = low <= high
    ends = np.searchsorted(text[kept], np.arange(reading.run_ends.size))
    return ranks, used.size, Runs(ends.astype(np.int64), low[kept].astype(np.int64), high[kept].astype(np.int64))


def _not_least(
    reading: Reading, made: tuple[Integers, Integers, Integers], box: tuple[Integers, Integers, Integers], size: int
) -> tuple[int, bool]:
    """How many boxes are not the least by the rule that fits best, and whether the rule is one we do not know."""
    least, greatest, distinct = made
    low, high, held = box
    wildcards = (distinct == 0) & (held == size)
    span = wildcards | ((held == high - low + 1) & (low == least) & (high == greatest))
    alike = wildcards | ((held == distinct) & (distinct > 0))
    # Missing, where it is a value, has the last rank; with other values it makes the box hold everything.
    absent = (greatest == size - 1) & (distinct > 1)
    span_or_all = np.where(absent, held == size, span)
    wrong = min(int((~rule).sum()) for rule in (span, span_or_all))
    # An end or an item that nobody has makes no difference to who fits, but could be a sign.
    loose = 0 if reading.attained is None else int((~reading.attained[reading.texts] & (distinct > 0)).sum())
    if reading.kind == "numbers" or loose:
        return max(wrong, loose) if reading.kind == "numbers" else loose, False
    if reading.kind != "sets":
        return 0, wrong > 0 and not bool(alike.all())
    return 0, not bool(alike.all())


def _respelled(runs: Runs, size: int, shown: Integers, wildcards: NDArray[np.bool_]) -> int:
    """How many rows show a text that is not the first of those that hold the same values.

    Missing values as wildcards alone are one text of their own, though it holds everything.
    """
    words = np.random.default_rng(SEED).integers(0, 2**64, (size, 2), np.uint64)
    sums = np.concatenate([np.zeros((1, 2), np.uint64), np.cumsum(words, axis=0, dtype=np.uint64)])
    text = np.repeat(np.arange(runs.ends.size - 1), np.diff(runs.ends))
    key = np.zeros((runs.ends.size - 1, 2), np.uint64)
    for side in range(2):
        np.add.at(key[:, side], text, sums[runs.high + 1, side] - sums[runs.low, side])
    same = unique_rows(key.view(np.int64))[1]
    group = 2 * same[shown] + wildcards
    first = np.full(2 * same.size + 2, runs.ends.size, np.int64)
    np.minimum.at(first, group, shown)
    return int((shown != first[group]).sum())


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def extent(
    ranks: Integers, size: int, made: Members, texts: Integers, runs: Runs
) -> tuple[NDArray[np.bool_], Integers, Integers, Integers]:
    """Per row: whether a member lies outside of the box; the least and greatest rank of members, and how many."""
    n = texts.shape[0]
    strayed, stamp = np.empty(n, np.bool_), np.empty(size, np.int64)
    least, greatest, distinct = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for rank in range(size):
        stamp[rank] = -1
    for i in range(n):
        strayed[i], least[i], greatest[i], distinct[i] = False, size, -1, 0
        for q in range(made.ends[i], made.ends[i + 1]):
            rank = ranks[made.one[q]]
            if rank < 0 or stamp[rank] == i:
                continue
            stamp[rank] = i
            distinct[i] += 1
            least[i], greatest[i] = min(least[i], rank), max(greatest[i], rank)
            inside = False
            for r in range(runs.ends[texts[i]], runs.ends[texts[i] + 1]):
                inside |= runs.low[r] <= rank <= runs.high[r]
            strayed[i] |= not inside
    return strayed, least, greatest, distinct


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def text_extent(runs: Runs) -> tuple[Integers, Integers, Integers]:
    """Per text: its least and greatest rank, and how many it holds."""
    t = runs.ends.shape[0] - 1
    low, high, held = np.empty(t, np.int64), np.empty(t, np.int64), np.empty(t, np.int64)
    for x in range(t):
        low[x], high[x], held[x] = -1, -2, 0
        for r in range(runs.ends[x], runs.ends[x + 1]):
            low[x] = runs.low[r] if held[x] == 0 else min(low[x], runs.low[r])
            high[x] = max(high[x], runs.high[r])
            held[x] += runs.high[r] - runs.low[r] + 1
    return low, high, held


def not_closed(ranks: Integers, size: int, made: Members, shown: Integers, runs: Runs) -> int:
    """How many boxes could be smaller: another text holds all members but not all of the box; −1: too many."""
    used, now = np.unique(shown, return_inverse=True)
    if used.size * max(size, 1) > MOST_BITS or used.size * shown.size > MOST_COMPARISONS:
        return -1
    holds = np.zeros((used.size, size), bool)
    for x, text in enumerate(used.tolist()):
        for r in range(runs.ends[text], runs.ends[text + 1]):
            holds[x, runs.low[r] : runs.high[r] + 1] = True
    return int(_not_closed(ranks, made, now.ravel().astype(np.int64), holds))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _not_closed(ranks: Integers, made: Members, now: Integers, holds: NDArray[np.bool_]) -> int:
    wrong = 0
    for i in range(now.shape[0]):
        known = False
        for q in range(made.ends[i], made.ends[i + 1]):
            known |= ranks[made.one[q]] >= 0
        loose = False
        for x in range(holds.shape[0]):
            if x == now[i] or loose:
                continue
            if not known:  # wildcards alone: the box holds everything
                loose = not holds[now[i]].all()
                continue
            inside = True
            for q in range(made.ends[i], made.ends[i + 1]):
                rank = ranks[made.one[q]]
                if rank >= 0 and not holds[x, rank]:
                    inside = False
                    break
            if inside:
                for rank in range(holds.shape[1]):
                    if holds[now[i], rank] and not holds[x, rank]:
                        loose = True
                        break
        wrong += loose
    return wrong
