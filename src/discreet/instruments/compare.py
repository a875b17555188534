"""Results side by side: what each one loses, what it proves, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.errors import InputError
from discreet.results import Result

COLUMNS = (
    "method",
    "status",
    "k",
    "n",
    "information_loss",
    "gcp",
    "lower_bound",
    "gap",
    "cells",
    "sharp_cells",
    "seconds",
)


def compare(results: Sequence[Result]) -> Any:
    """A dataframe with one row per result, of the same instrument, and the figures they share as columns."""
    from discreet.frames import from_arrays

    if not results:
        raise InputError("compare needs at least one result")
    kinds = {type(result).__name__ for result in results}
    if len(kinds) > 1:
        raise InputError(f"only results of one instrument can be compared, not {' and '.join(sorted(kinds))}")
    figures = [result.to_dict() for result in results]
    names = [name for name in COLUMNS if any(figure.get(name) is not None for figure in figures)]
    return from_arrays({name: [figure.get(name) for figure in figures] for name in names})
