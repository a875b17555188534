"""What a microaggregation is told about its records beside their numbers: sets of columns, strata, sampling weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

Names = Sequence[str]

# A mean in which the weight of one record is a rounding error of another's is no mean of both.
LARGEST_RATIO = 1e15


def column_sets(columns: Any, faults: Faults) -> tuple[Names | None, ...]:
    """The columns to protect together, set by set: one set of names, or several; (None,) where they are not named."""
    if columns is None or isinstance(columns, str):
        return (columns,)
    given = list(columns)
    lists = [isinstance(one, Sequence) and not isinstance(one, str) for one in given]
    if not any(lists):
        return (given,)
    if not faults.check(all(lists), "columns must be names, or lists of names, and not both"):
        return ()
    faults.check(all(len(one) for one in given), "a set of columns is empty: leave it out")
    named = [name for one in given for name in dict.fromkeys(one)]
    twice = [name for name in dict.fromkeys(named) if named.count(name) > 1]
    faults.check(not twice, f"in more than one set of columns: {listing(twice)}; choose one")
    return tuple(list(one) for one in given)


def names_of(given: Any) -> tuple[str, ...]:
    """One name or several."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    return () if given is None else tuple(given) if several else (given,)


def read_strata(table: Any, by: tuple[str, ...], faults: Faults) -> Labels | None:
    """A number for the stratum of each record; None where there are none. A missing value is a stratum of its own."""
    from discreet.frames import column_faults
    from discreet.frames.exact import folded

    wrong = column_faults(table, by, what="stratum") if by else []
    for fault in wrong:
        faults.add(fault)
    if not by or wrong:
        return None
    strata = np.zeros(len(table), np.int64)
    for name in by:
        try:
            codes = np.unique(folded(table, name), return_inverse=True)[1]
        except InputError as error:
            faults.extend(error)
            return None
        strata = np.unique(strata * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return np.asarray(strata.reshape(-1), np.int64)


def read_weights(table: Any, weight: str | None, faults: Faults) -> Floats | None:
    """Sampling weights; None where there are none, or where all are equal."""
    from discreet.frames import numeric_array

    if weight is None:
        return None
    if not faults.check(isinstance(weight, str), "weight must be the name of a column of sampling weights"):
        return None
    try:
        values = numeric_array(table, [weight])[:, 0]
    except InputError as error:
        faults.extend(error)
        return None
    gaps, low = int(np.isnan(values).sum()), int((values <= 0).sum())
    sound = faults.check(gaps == 0, f"the weight {weight!r} is missing in {gaps} records: fill them in")
    sound &= faults.check(
        low == 0, f"the weight {weight!r} is not positive in {low} records: a record that stands for nobody has no mean"
    )
    if sound and len(values):
        spread = float(values.max()) / LARGEST_RATIO <= float(values.min())
        sound &= faults.check(
            spread, f"the weights {weight!r} differ by more than a factor of {LARGEST_RATIO:.0e}: correct them"
        )
    return values if sound and len(values) and values.min() < values.max() else None


def check_parts(
    sets: Sequence[Names | None], by: tuple[str, ...], weight: str | None, accept: Names, faults: Faults
) -> None:
    """Note columns that have two parts to play."""
    protected = {name for one in sets if one is not None and not isinstance(one, str) for name in one}
    for what, names in (("stratum", by), ("weight", names_of(weight))):
        both = [name for name in names if name in protected]
        faults.check(not both, f"both protected and {what}: {listing(both)}; choose one")
    both = [name for name in names_of(weight) if name in by]
    faults.check(not both, f"both stratum and weight: {listing(both)}; choose one")
    if len(sets) == 1:
        both = [name for name in accept if name in protected]
        faults.check(not both, f"both accepted as they are and protected: {listing(both)}; choose one")
