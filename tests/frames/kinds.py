"""Frames of each kind, for tests that run on all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

KINDS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "pandas": lambda columns: pd.DataFrame(dict(columns)),
    "polars": lambda columns: pl.DataFrame(dict(columns)),
    "pyarrow": lambda columns: pa.table(dict(columns)),
}


def as_lists(frame: Any) -> dict[str, list[Any]]:
    """The frame's columns as lists, None where a value is missing."""
    if isinstance(frame, pd.DataFrame):
        return {
            str(name): [None if pd.isna(value) else value for value in frame[name].tolist()] for name in frame.columns
        }
    if isinstance(frame, pl.DataFrame):
        return frame.to_dict(as_series=False)
    return frame.to_pydict()
