"""Perturbative methods and attacks on them, slow and by their definitions: loops over records."""

from __future__ import annotations

import numpy as np


def swapped_ranks(n: int, reach: int, words: np.ndarray) -> list[int]:
    """Moore's swap rank by rank, the pool as a list that is kept in the order of the fast one."""
    gets, done, pool = list(range(n)), set(), []
    for rank in range(n):
        pool += [other for other in range(1, n) if (rank == 0 or other > rank - 1 + reach) and other <= rank + reach]
        if rank in done:
            continue
        if rank in pool:
            pool[pool.index(rank)] = pool[-1]
            pool.pop()
        if not pool:
            continue
        place = int(words[rank]) % len(pool)
        other = pool[place]
        pool[place] = pool[-1]
        pool.pop()
        gets[rank], gets[other] = other, rank
        done |= {rank, other}
    return gets


def two_stage(matrix: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """There by the matrix, back by Bayes' rule, entry by entry."""
    m = len(shares)
    out = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            reached = sum(shares[l] * matrix[l, j] for l in range(m))
            for k in range(m):
                if reached > 0:
                    out[i, k] += matrix[i, j] * shares[k] * matrix[k, j] / reached
    return out


def category_linked(original: np.ndarray, published: np.ndarray, blocks: np.ndarray) -> list[float]:
    """Per person the probability that a guess among the most alike records of the block is right."""
    out = []
    for i, row in enumerate(original):
        apart = {r: int((row != other).sum()) for r, other in enumerate(published) if blocks[r] == blocks[i]}
        nearest = [r for r, gap in apart.items() if gap == min(apart.values())]
        out.append(1 / len(nearest) if i in nearest else 0.0)
    return out


def window_linked(original: np.ndarray, published: np.ndarray, reach: list[int]) -> list[float]:
    """Per person 1 / number of records some ranks of which are within reach of some of the person's, by column."""
    out = []
    for row in original:
        fits = 0
        for other in published:
            near = True
            for j, far in enumerate(reach):
                ranks = sorted(original[:, j])
                mine = [r for r, value in enumerate(ranks) if value == row[j]]
                theirs = [r for r, value in enumerate(ranks) if value == other[j]]
                near = near and any(abs(a - b) <= far for a in mine for b in theirs)
            fits += near
        out.append(1 / fits)
    return out


def profiles(household: list[int], members: list[int]) -> dict[int, tuple[int, ...]]:
    """Per household the sorted codes of its members."""
    return {home: tuple(sorted(m for h, m in zip(household, members) if h == home)) for home in set(household)}
