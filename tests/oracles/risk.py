"""Measures of risk, slow and by their definitions: loops over records and sets of keys."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np


def agree(a: np.ndarray, b: np.ndarray, missing: str) -> bool:
    """Whether two rows of keys agree; −1 is missing."""
    return all(x == y or (missing == "wildcard" and -1 in (x, y)) for x, y in zip(a.tolist(), b.tolist()))


def frequencies(keys: np.ndarray, weights: np.ndarray, missing: str, alpha: float) -> tuple[list[float], list[float]]:
    """f and F of every record."""
    f, F = [], []
    for row in keys:
        found = total = 0.0
        for other, weight in zip(keys, weights):
            if not agree(row, other, missing):
                continue
            by_wildcard = missing == "wildcard" and -1 in other and not (row == other).all()
            factor = alpha if by_wildcard else 1.0
            found += factor
            total += factor * weight
        f.append(found)
        F.append(total)
    return f, F


def individual(f: int, F: float) -> float:
    """E(1/F | f) by its series in exact rationals, until what is left is below 1e-18 of it."""
    p = Fraction(f) / Fraction(F)
    q = 1 - p
    total = term = Fraction(1)
    j = 0
    while term * f > total * p * Fraction(1, 10**18) * max(1, f):
        term = term * q * (j + 1) / (f + 1 + j)
        term = Fraction(int(term * 10**40), 10**40)  # enough digits, and numbers stay short
        total += term
        j += 1
    return float(p / f * total)


def individual_by_steps(f: int, F: float) -> float:
    """The same from r_1 = (p/q) ln(1/p) upwards, with three hundred digits: what cancels does not matter."""
    with localcontext() as context:
        context.prec = 300
        p = Decimal(f) / Decimal(F)
        q = 1 - p
        r = p / q * (1 / p).ln()
        for k in range(2, f + 1):
            r = p / q * (Decimal(1) / (k - 1) - r)
        return float(r)


def sizes(keys: np.ndarray, chosen: tuple[int, ...]) -> list[int]:
    """How many records share each record's values of the chosen keys."""
    rows = [tuple(row) for row in keys[:, chosen].tolist()]
    return [rows.count(row) for row in rows]


def minimal_uniques(keys: np.ndarray) -> list[set[tuple[int, ...]]]:
    """Per record its minimal sample uniques."""
    n, d = keys.shape
    unique: list[set[tuple[int, ...]]] = [set() for _ in range(n)]
    for s in range(1, d + 1):
        for chosen in combinations(range(d), s):
            for i, size in enumerate(sizes(keys, chosen)):
                if size == 1 and not any(set(less) < set(chosen) for less in unique[i]):
                    unique[i].add(chosen)
    return unique


def suda_score(found: set[tuple[int, ...]], d: int) -> int:
    return sum(factorial(d - len(chosen)) for chosen in found)


def small_on_subsets(keys: np.ndarray, k: int, largest: int) -> tuple[list[int], list[bool]]:
    """Per size the pairs of record and set in classes below k, and per record whether there is one."""
    n, d = keys.shape
    by_size, exposed = [], [False] * n
    for s in range(1, largest + 1):
        pairs = 0
        for chosen in combinations(range(d), s):
            for i, size in enumerate(sizes(keys, chosen)):
                pairs += size < k
                exposed[i] = exposed[i] or size < k
        by_size.append(pairs)
    return by_size, exposed


def diversity(counts: list[int], c: float) -> tuple[int, float, int]:
    """Distinct, entropy and recursive l of a class with these counts of sensitive values."""
    down = sorted(counts, reverse=True)
    shares = [count / sum(down) for count in down]
    entropy = float(np.exp(-sum(share * np.log(share) for share in shares)))
    recursive = max((level for level in range(1, len(down) + 1) if down[0] < c * sum(down[level - 1 :])), default=0)
    return len(down), entropy, recursive


def linked(original: np.ndarray, published: np.ndarray) -> list[float]:
    """Per person the chance that the nearest published record is the own one; ties are shared."""
    spread = original.std(axis=0, ddof=1)
    varied = np.ptp(original, axis=0) > 0
    x, y = original[:, varied] / spread[varied], published[:, varied] / spread[varied]
    out = []
    for i, row in enumerate(x):
        away = np.sqrt(((y - row) ** 2).sum(axis=1))
        near = away <= away.min() * (1 + 1e-9)
        out.append(1.0 / near.sum() if near[i] else 0.0)
    return out


def overlapping(rows: list[list[set[int]]], weights: np.ndarray) -> tuple[list[int], list[float]]:
    """f and F of every record where its keys are sets, given member by member."""
    meets = [[all(x & y for x, y in zip(a, b)) for b in rows] for a in rows]
    return [sum(row) for row in meets], [float(np.array(row) @ weights) for row in meets]
