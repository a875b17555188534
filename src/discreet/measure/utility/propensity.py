"""Can the two files be told apart? The mean squared error of propensity scores, pMSE.

Records of both files are put together and a model learns which file each is from. With p_i what it gives record i
for the published file, N records in all and c the share of published ones,

    pMSE = Σ (p_i − c)² / N        from 0 (nobody can tell) to c (1 − c) (everybody can)

Two models: logistic regression on all columns, squares and products of numbers; and a tree, which also sees that values
are repeated or rounded, where the regression sees nothing. The ratio is to what is expected where records are dealt to
the two files at random, so that there is nothing to tell: c (1 − c)(m − 1)/N for a regression with m parameters (scores
differ from c by c (1 − c) xᵀb, and b has the variance (c (1 − c) XᵀX)⁻¹), and for the tree the mean of five such deals.
About 1, or less, is as good as it gets. Woo, Reiter, Oganian and Karr (2009). Snoke, Raab, Nowok, Dibben and Slavković
(2018) compare with data that a correct model draws, which is (1 − c) times that: for files of one size their ratio of a
regression is twice ours.

A range or set is read by a draw from it, blanks are a value of their own. At most 10,000 records of each file are
drawn, and of categories the 20 most frequent count, the others together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.measure.utility.absent import Absent, Figure
from discreet.measure.utility.columns import MISSING, Categories, Codes, Column, Floats, Numbers, take

ROWS, LEAST_ROWS = 10_000, 20
LEVELS = 20
SQUARED = 10
LEAF = 50
DRAWS = 5
FEW = Absent(f"not defined: fewer than {LEAST_ROWS} records in one of the files")
SAME = Absent("not defined: all columns are constant")


class Propensity(NamedTuple):
    """pMSE and its ratio to what chance gives, by both models; `rows` of each file were looked at."""

    logistic: Figure
    logistic_ratio: Figure
    tree: Figure
    tree_ratio: Figure
    rows: tuple[int, int]


def propensity(original: Sequence[Column], published: Sequence[Column], *, seed: int) -> Propensity:
    """Of two files, whatever the order of their rows."""
    n, m = original[0].missing.size, published[0].missing.size
    rows = min(n, ROWS), min(m, ROWS)
    if min(rows) < LEAST_ROWS:
        return Propensity(FEW, FEW, FEW, FEW, rows)
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(seed)
    chosen = [np.sort(rng.choice(size, some, replace=False)) for size, some in zip((n, m), rows)]
    parts = [_features(take(old, chosen[0]), take(new, chosen[1]), rng) for old, new in zip(original, published)]
    numbers = np.concatenate([np.empty((sum(rows), 0)), *(part[0] for part in parts)], axis=1)
    levels = np.concatenate([np.empty((sum(rows), 0)), *(part[1] for part in parts)], axis=1)
    label = np.repeat([0, 1], rows)
    with threadpool_limits(limits=1):  # sums in one order, whatever the number of cores
        logistic = _logistic(_squared(numbers), levels, label)
        tree = _tree(np.concatenate([numbers, levels], axis=1), label, rng)
    return Propensity(*logistic, *tree, rows)


def pmse(scores: Floats, share: float) -> float:
    """Σ (p − c)² / N."""
    return float(((scores - share) ** 2).mean())


def null_pmse(parameters: int, share: float, n: int) -> float:
    """What is expected of a regression with so many parameters where nothing can be told."""
    return share * (1 - share) * (parameters - 1) / n


def _logistic(numbers: Floats, levels: Floats, label: Codes) -> tuple[Figure, Figure]:
    from sklearn.linear_model import LogisticRegression

    features = np.concatenate([numbers, levels], axis=1)
    features = _standard(features[:, np.ptp(features, axis=0) > 0])
    share = float(label.mean())
    parameters = int(np.linalg.matrix_rank(features)) + 1 if features.size else 1
    if parameters == 1:
        return 0.0, SAME
    model = LogisticRegression(C=1e4, max_iter=300).fit(features, label)
    found = pmse(model.predict_proba(features)[:, 1], share)
    return found, found / null_pmse(parameters, share, label.size)


def _tree(features: Floats, label: Codes, rng: np.random.Generator) -> tuple[Figure, Figure]:
    """In the sample; the least leaf keeps a tree from learning single records.

    By ranks, which trees see as they see values: single precision, which they have, cannot tell these apart.
    """
    from sklearn.tree import DecisionTreeClassifier

    if not features.size:
        return 0.0, SAME
    ranks = [np.unique(column, return_inverse=True)[1] for column in features.T]
    features = np.stack(ranks, axis=1).astype(np.float32)
    leaf = min(LEAF, label.size // 10)
    share = float(label.mean())

    def fitted(truth: Codes) -> float:
        model = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(features, truth)
        return pmse(model.predict_proba(features)[:, 1], share)

    found = fitted(label)
    chance = float(np.mean([fitted(rng.permutation(label)) for _ in range(DRAWS)]))
    return found, found / chance if chance > 0 else Absent("not defined: no tree can be grown")


def _standard(features: Floats) -> Floats:
    unit = np.abs(features).max(axis=0, initial=0.0)
    scaled = features / np.where(unit > 0, unit, 1.0)
    deviation = scaled.std(axis=0)
    return (scaled - scaled.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def _squared(numbers: Floats) -> Floats:
    """Numbers with their squares and products, those of the first ten."""
    numbers = _standard(numbers)
    first = numbers[:, :SQUARED]
    i, j = np.triu_indices(first.shape[1])
    return np.concatenate([numbers, first[:, i] * first[:, j]], axis=1)


def _features(original: Column, published: Column, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A column of both files, one below the other: as numbers, and as marks of levels and blanks."""
    if isinstance(original, Numbers) and isinstance(published, Numbers):
        values = np.concatenate([_drawn_numbers(column, rng) for column in (original, published)])
        unknown = np.isnan(values)
        known = values[~unknown]
        values[unknown] = np.median(known) if known.size else 0.0
        marks = unknown[:, None].astype(np.float64)
        return values[:, None], marks[:, : int(unknown.any() and not unknown.all())]
    assert isinstance(original, Categories) and isinstance(published, Categories)
    values = np.concatenate([_drawn_categories(column, rng) for column in (original, published)])
    found, times = np.unique(values, return_counts=True)
    frequent = found[np.argsort(-times, kind="stable")][:LEVELS]
    # The last level needs no mark where these are all there are.
    frequent = frequent[:-1] if found.size <= LEVELS else frequent
    return np.empty((values.size, 0)), (values[:, None] == frequent).astype(np.float64)


def _drawn_numbers(column: Numbers, rng: np.random.Generator) -> Floats:
    out = np.where(column.known, column.low, np.nan)
    wide = column.known & (column.high > column.low)
    part = rng.random(int(wide.sum()))
    out[wide] = column.low[wide] * (1 - part) + column.high[wide] * part
    return out


def _drawn_categories(column: Categories, rng: np.random.Generator) -> Codes:
    out = np.full(column.codes.shape, MISSING, np.int64)
    known = column.codes >= 0
    code = column.codes[known]
    step = (rng.random(code.size) * column.width[code]).astype(np.int64)
    out[known] = column.member[column.first[code] + step]
    return out
