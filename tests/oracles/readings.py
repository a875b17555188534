"""Readings of quasi-identifiers made by hand, without the checker's reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.verify.matchings.reading import Reading


def intervals(values: Sequence[int], boxes: Sequence[tuple[int, int]]) -> Reading:
    """Small whole numbers, None for a wildcard; each box from its least to its greatest number."""
    texts = sorted(set(boxes))
    ends = np.array(texts, np.int64)
    return Reading(
        _codes(values),
        np.array([texts.index(box) for box in boxes], np.int64),
        np.arange(len(texts) + 1),
        ends[:, 0].copy(),
        ends[:, 1].copy(),
        "numbers",
    )


def sets(values: Sequence[int], boxes: Sequence[frozenset[int]], kind: str = "sets") -> Reading:
    """Categories numbered from 0, None for a wildcard; each box the categories it holds."""
    texts = sorted(set(boxes), key=sorted)
    runs = [(x, x) for text in texts for x in sorted(text)]
    flat = np.array(runs, np.int64).reshape(-1, 2)
    ends = np.append(0, np.cumsum([len(text) for text in texts]))
    places = np.array([texts.index(box) for box in boxes], np.int64)
    return Reading(_codes(values), places, ends, flat[:, 0].copy(), flat[:, 1].copy(), kind)


def _codes(values: Sequence[int | None]) -> np.ndarray:
    return np.array([-1 if x is None else x for x in values], np.int64)
