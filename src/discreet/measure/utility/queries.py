"""Error of random range-count queries: "how many are between 30 and 45 and live in one of these regions?"

Each query draws one or two columns; of numbers a range, of categories a set of values. Its answer c is counted in the
original. The published file answers c' = Σ w · P(entry fits), entries being independent and uniform over their ranges
and sets; anything, and a blank that was not one in the original, is distributed as the known entries of its column. As
in Xiao and Tao (2006) and LeFevre et al. (2006) the error is

    |c − c'| / max(c, 0.5 % of all, one record)

Ends of ranges lie between values of the original, at most 32 parts of equal weight to a column; categories are drawn
in at most 32 bundles. So all queries on two columns are sums over one table of 32 × 32 counts, made once for a pair
of columns; of more than 40 pairs of columns 40 are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, Codes, Column, Floats, Marks, Numbers

PARTS = 32
MOST_PAIRS = 40
LEAST_SHARE = 0.005
_DENSE = 1 << 22


class Binned(NamedTuple):
    """A column of one file in parts: the kind of every entry, and how each kind is spread over the parts."""

    kind: Codes
    spread: Floats
    ordered: bool


def query_errors(
    original: Sequence[Column],
    published: Sequence[Column],
    before: Floats,
    after: Floats,
    *,
    queries: int,
    seed: int,
) -> Floats:
    """The relative error of every query, with the weights of the records in both files."""
    rng = np.random.default_rng(seed)
    pairs = np.array(list(combinations(range(len(original)), 2)), np.int64).reshape(-1, 2)
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.sort(rng.choice(len(pairs), MOST_PAIRS, replace=False))]
    binned = [binned_pair(old, new, before, after, rng) for old, new in zip(original, published)]
    tables: dict[tuple[int, int], tuple[Floats, Floats]] = {}
    least = max(LEAST_SHARE * float(before.sum()), float(before.mean()))
    out = np.empty(queries)
    for number in range(queries):
        if len(pairs) and rng.random() < 0.5:
            a, b = pairs[rng.integers(len(pairs))].tolist()
        else:
            a = b = int(rng.integers(len(original)))
        if (a, b) not in tables:
            both = [(binned[a][side], binned[b][side], (before, after)[side]) for side in (0, 1)]
            tables[a, b] = joint_table(*both[0]), joint_table(*both[1])
        chosen = _draw(binned[a][0], rng)
        other = _draw(binned[b][0], rng) if b != a else np.ones(binned[b][0].spread.shape[1])
        count, answer = (float(chosen @ table @ other) for table in tables[a, b])
        out[number] = abs(count - answer) / max(count, least)
    return out


def _draw(column: Binned, rng: np.random.Generator) -> Floats:
    """A query on a column: 1 for the parts that fit."""
    parts = column.spread.shape[1]
    fits = np.zeros(parts)
    if column.ordered:
        low, high = np.sort(rng.integers(0, parts, 2))
        fits[low : high + 1] = 1.0
    else:
        fits[rng.permutation(parts)[: rng.integers(1, parts + 1)]] = 1.0
    return fits


def joint_table(one: Binned, two: Binned, weights: Floats) -> Floats:
    """The expected weight of every pair of parts; of a column with itself only the margin, in the first column."""
    if one is two:
        margin = np.bincount(one.kind, weights=weights, minlength=len(one.spread)) @ one.spread
        return np.pad(margin[:, None], ((0, 0), (0, one.spread.shape[1] - 1)))
    rows, columns = len(one.spread), len(two.spread)
    if rows * columns <= _DENSE:
        joint = np.bincount(one.kind * columns + two.kind, weights=weights, minlength=rows * columns)
        return one.spread.T @ (joint.reshape(rows, columns) @ two.spread)
    from scipy.sparse import coo_matrix

    sparse = coo_matrix((weights, (one.kind, two.kind)), shape=(rows, columns)).tocsr()
    return np.asarray(one.spread.T @ (sparse @ two.spread))


def binned_pair(
    original: Column, published: Column, before: Floats, after: Floats, rng: np.random.Generator
) -> tuple[Binned, Binned]:
    """A column of both files in the same parts, which the original tells."""
    if isinstance(original, Numbers) and isinstance(published, Numbers):
        inner = _cuts(original, before)
        kinds = [_of_numbers(column, inner) for column in (original, published)]
    else:
        assert isinstance(original, Categories) and isinstance(published, Categories)
        parts = max(min(original.size, PARTS), 1)
        part = rng.permutation(original.size) % parts if original.size else np.empty(0, np.int64)
        kinds = [_of_categories(column, part, parts) for column in (original, published)]
    ordered = isinstance(original, Numbers)
    old = Binned(kinds[0][0], _with_blanks(*kinds[0], before, 0.0), ordered)
    lost = _share(published.missing, after)
    excess = max(1 - _share(original.missing, before) / lost, 0.0) if lost > 0 else 0.0
    return old, Binned(kinds[1][0], _with_blanks(*kinds[1], after, excess), ordered)


def _share(marked: Marks, weights: Floats) -> float:
    return float(weights[marked].sum() / weights.sum())


def _cuts(original: Numbers, weights: Floats) -> Floats:
    """Where parts meet: midway between neighboring values of the original, about equal weight between two cuts."""
    known = original.known
    values, inverse = np.unique(original.low[known], return_inverse=True)
    if values.size < 2:
        return np.empty(0)
    share = np.cumsum(np.bincount(inverse, weights=weights[known], minlength=values.size))
    wanted = np.arange(1, PARTS) / PARTS * share[-1]
    last = np.unique(np.minimum(np.searchsorted(share, wanted), values.size - 2))
    last = np.arange(values.size - 1) if values.size <= PARTS else last
    return values[last] / 2 + values[last + 1] / 2


def _of_numbers(column: Numbers, inner: Floats) -> tuple[Codes, Floats]:
    """Kinds: every part for plain numbers, every distinct range, then anything and blank."""
    parts = inner.size + 1
    wide = column.known & (column.high > column.low)
    ends = np.stack([column.low[wide], column.high[wide]], axis=1)
    distinct, of = np.unique(ends, axis=0, return_inverse=True) if ends.size else (np.empty((0, 2)), np.empty(0, int))
    low, high = distinct[:, :1], distinct[:, 1:]
    edges = np.concatenate([[-np.inf], inner, [np.inf]])
    common = np.minimum(high, edges[1:]) - np.maximum(low, edges[:-1])
    spread = np.maximum(common / (high - low), 0.0) if distinct.size else np.empty((0, parts))
    kind = np.searchsorted(inner, column.low, side="right").astype(np.int64)
    kind[wide] = parts + of.ravel()
    kind[column.anything], kind[column.missing] = parts + len(distinct), parts + len(distinct) + 1
    return kind, np.concatenate([np.eye(parts), spread])


def _of_categories(column: Categories, part: Codes, parts: int) -> tuple[Codes, Floats]:
    """Kinds: every part for plain values, what fits no query, every set of several, then anything and blank.

    What the original does not have fits no query, and neither does a missing value in a set.
    """
    width, member = column.width, column.member
    single = np.flatnonzero(width == 1)
    value = member[column.first[single]]
    of_set = np.empty(width.size, np.int64)
    inside = (value != MISSING) & (value < part.size)
    of_set[single[inside]], of_set[single[~inside]] = part[value[inside]], parts
    several = np.flatnonzero(width != 1)
    of_set[several] = parts + 1 + np.arange(several.size)
    spread = np.concatenate([np.eye(parts), np.zeros((1 + several.size, parts))])
    owner = np.repeat(of_set, width)
    named = (owner > parts) & (member != MISSING) & (member < part.size)
    np.add.at(spread, (owner[named], part[member[named]]), 1 / np.repeat(width, width)[named])
    kind = np.where(column.codes == ANYTHING, len(spread), len(spread) + 1)
    known = column.codes >= 0
    kind[known] = of_set[column.codes[known]]
    return kind, spread


def _with_blanks(kind: Codes, spread: Floats, weights: Floats, excess: float) -> Floats:
    """The spreads with those of anything and blank: as the known entries, blanks by the part that was not missing."""
    total = np.bincount(kind, weights=weights, minlength=len(spread) + 2)[: len(spread)] @ spread
    guess = total / total.sum() if total.sum() > 0 else np.full(spread.shape[1], 1 / spread.shape[1])
    return np.concatenate([spread, guess[None], excess * guess[None]])
