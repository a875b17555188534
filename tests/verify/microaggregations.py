"""Microaggregations made by hand, without any method of ours."""

from __future__ import annotations

import numpy as np
import pandas as pd


def release(k: int = 3, n: int = 30, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A small original and its microaggregation by consecutive groups, made here by hand."""
    rng = np.random.default_rng(seed)
    original = pd.DataFrame(
        {"code": [f"{i % 7:03d}" for i in range(n)], "x": rng.normal(size=n), "y": rng.integers(0, 99, n)}
    )
    group = np.minimum(np.arange(n) // k, n // k - 1)
    published = original.copy()
    for name in ("x", "y"):
        published[name] = original.groupby(group)[name].transform("mean")
    return original, published


def gaps() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Groups of five and k = 3: one with two gaps in x, filled; one with three, blank; made by hand."""
    original, _ = release(k=5)
    original.loc[[0, 3, 10, 11, 14], "x"] = np.nan
    group = np.arange(30) // 5
    published = original.copy()
    for name in ("x", "y"):
        published[name] = original.groupby(group)[name].transform("mean")
    published.loc[10:14, "x"] = np.nan
    return original, published
