"""What groups of records with weights and gaps lose, by the definition, with loops over records and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np


def published(values: np.ndarray, weights: np.ndarray, labels: Sequence[int], k: int) -> list[list[Fraction | None]]:
    """Per record and column the exact weighted mean of what is known in its group; None where fewer than k are."""
    out = []
    for own in labels:
        row: list[Fraction | None] = []
        for j in range(values.shape[1]):
            known = [i for i, label in enumerate(labels) if label == own and not np.isnan(values[i, j])]
            if len(known) < k:
                row.append(None)
                continue
            total = sum((Fraction(weights[i]) for i in known), Fraction(0))
            row.append(sum((Fraction(weights[i]) * Fraction(values[i, j]) for i in known), Fraction(0)) / total)
        out.append(row)
    return out


def losses(values: np.ndarray, weights: np.ndarray, labels: Sequence[int], k: int) -> tuple[float, float]:
    """SSE and SST in weighted standard deviations, weights with a mean of 1."""
    n = len(values)
    share = [Fraction(w) * n / sum(map(Fraction, weights.tolist())) for w in weights.tolist()]
    shown = published(values, weights, labels, k)
    sse = sst = Fraction(0)
    for j in range(values.shape[1]):
        known = [i for i in range(n) if not np.isnan(values[i, j])]
        if not known:
            continue
        x = {i: Fraction(values[i, j]) for i in known}
        weight = sum((share[i] for i in known), Fraction(0))
        mean = sum((share[i] * x[i] for i in known), Fraction(0)) / weight
        variance = sum((share[i] * (x[i] - mean) ** 2 for i in known), Fraction(0)) / weight
        if variance == 0:
            continue
        unit = variance * Fraction(len(known), len(known) - 1)
        for i in known:
            y = shown[i][j]
            sse += share[i] * (x[i] - (mean if y is None else y)) ** 2 / unit
            sst += share[i] * (x[i] - mean) ** 2 / unit
    return float(sse), float(sst)


def partitions(n: int, k: int) -> Iterator[list[int]]:
    """The labels of all partitions of n records into groups of at least k."""

    def extend(labels: list[int], sizes: list[int]) -> Iterator[list[int]]:
        if len(labels) == n:
            if min(sizes) >= k:
                yield list(labels)
            return
        for group in range(len(sizes) + 1):
            grown = [*sizes, 0] if group == len(sizes) else list(sizes)
            grown[group] += 1
            if sum(max(k - size, 0) for size in grown) <= n - len(labels) - 1:
                yield from extend([*labels, group], grown)

    yield from extend([], [])
