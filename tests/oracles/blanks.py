"""Slow, obvious twins of the check of blanks: 0 is a key that is missing or left blank, and all blanks look alike."""

from __future__ import annotations

import itertools

import numpy as np


def chosen(d: int, m: int | None) -> list[tuple[int, ...]]:
    return list(itertools.combinations(range(d), d if m is None else min(m, d)))


def fewest_shown(published: np.ndarray, m: int | None) -> list[int]:
    """Per row the fewest rows that show the same on any of the sets of keys."""
    sets = chosen(published.shape[1], m)
    return [
        min(sum(tuple(other[list(s)]) == tuple(row[list(s)]) for other in published) for s in sets) for row in published
    ]


def fewest_fits(original: np.ndarray, published: np.ndarray, m: int | None) -> list[int]:
    """Per published row the fewest originals that it fits on any of the sets of keys."""
    sets = chosen(published.shape[1], m)
    return [min(sum(all(row[j] in (0, other[j]) for j in s) for other in original) for s in sets) for row in published]


def fewest_found(original: np.ndarray, published: np.ndarray) -> list[int]:
    """Per original the published rows that fit it."""
    return [sum(all(row[j] in (0, value) for j, value in enumerate(one)) for row in published) for one in original]


def least(original: np.ndarray, weights: np.ndarray, k: int, semantics: str, m: int | None) -> int | None:
    """The least weighted number of blanks of any release, over all of them; None where there is none."""
    n, d = original.shape
    best = None
    for bits in itertools.product((False, True), repeat=n * d):
        blank = np.array(bits).reshape(n, d) & (original != 0)
        cost = int(blank.sum(axis=0) @ weights)
        if best is not None and cost >= best:
            continue
        published = np.where(blank, 0, original)
        sharers = fewest_shown(published, m) if semantics == "class" else fewest_fits(original, published, m)
        if min(sharers) >= k:
            best = cost
    return best
