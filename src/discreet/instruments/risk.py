"""`risk`: a dataframe in, how exposed its records are out. Works on any file, protected or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.instruments.risk_result import Numbers, Risk, Sensitive
from discreet.measure.risk.frequencies import MISSING, Classes, Frequencies, classes, frequencies

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

Missing = Literal["value", "wildcard"]
Boxes = Literal["value", "set"]
Score = Literal["original", "ihsn"]
BOXES = get_args(Boxes)
MOST_BITS = 2**34


def risk(
    frame: Any,
    keys: Sequence[str],
    *,
    weight: str | None = None,
    household: str | None = None,
    sensitive: str | Sequence[str] | None = None,
    numeric: Sequence[str] | None = None,
    original: Any = None,
    missing: Missing = "value",
    boxes: Boxes = "value",
    alpha: float = 1.0,
    exact: bool = False,
    suda: Score | None = "original",
    max_risk: float = 0.01,
) -> Risk:
    """Measure how exposed the records of a file are to someone who knows their keys.

    | argument | |
    |---|---|
    | keys | columns an intruder may know |
    | weight | sampling weights, each 1 or more; without them the file is taken for the whole population |
    | household | the column that tells which records belong together |
    | sensitive | columns whose values the keys must not tell |
    | numeric | columns of numbers by which persons could be linked |
    | original | the frame before protection, row by row, for `numeric`; the frame itself unless given |
    | missing | a missing key is a "value" of its own, or a "wildcard" that is like any |
    | boxes | `[17, 39]`, `{a, b}` and `*` in a key are a "value" of their own, or the "set" of what they may be |
    | alpha | how much a match by a wildcard counts, from 0 to 1 |
    | exact | individual risk by the exact formula, not its usual approximation |
    | suda | how special uniques are scored, "original" or "ihsn"; None leaves them out |
    | max_risk | the largest acceptable share of expected finds, for `threshold` |
    """
    from discreet.frames import adopt

    table = adopt(frame)
    faults = Faults()
    faults.check(len(table) > 0, "there are no records to measure")
    _check_matches(missing, boxes, alpha, faults)
    faults.check(0 < max_risk <= 1, "max_risk must be a share above 0, up to 1")
    faults.check(original is None or numeric is not None, "an original is compared by numeric columns: name them")
    if suda is not None:
        _check_suda(suda, keys, faults)
    codes = _codes(table, keys, "key", faults)
    weights = None if weight is None else _weights(table, weight, faults)
    homes = None if household is None else _households(table, household, faults)
    secrets = [] if sensitive is None else [sensitive] if isinstance(sensitive, str) else list(sensitive)
    told = _sensitive(table, secrets, faults) if sensitive is not None else {}
    numbers = None if numeric is None else _numbers(table, numeric, original, faults)
    used = [*({weight} - {None}), *({household} - {None}), *secrets]
    both = sorted({str(name) for name in used} & set(keys)) if not isinstance(keys, str) else []
    faults.check(not both, f"named both as key and otherwise: {', '.join(both)}")
    faults.raise_if_any()
    assert codes is not None
    found = classes(codes)
    if suda is not None:
        _check_room(found, len(keys))
    if boxes == "value":
        counts = frequencies(codes, found, weights, missing=missing, alpha=alpha)
    else:
        counts = _overlapping(table, keys, found, weights, missing)
    return Risk(
        keys=tuple(keys),
        n=len(table),
        missing=missing,
        exact=exact,
        suda_score=suda,
        max_risk=max_risk,
        codes=codes,
        classes=found,
        boxes=boxes,
        counts=counts,
        weights=weights,
        household=homes,
        sensitive=told,
        numbers=numbers,
        original=frame,
    )


def _check_matches(missing: str, boxes: str, alpha: float, faults: Faults) -> None:
    """How keys are compared."""
    faults.check(missing in MISSING, f"unknown reading of missing keys: choose one of {', '.join(MISSING)}")
    faults.check(0 <= alpha <= 1, "alpha must be a number from 0 to 1")
    faults.check(boxes in BOXES, f"unknown reading of boxes: choose one of {', '.join(BOXES)}")
    faults.check(alpha == 1 or boxes == "value", "alpha is for boxes='value' only")
    faults.check(alpha == 1 or missing == "wildcard", "alpha is for missing='wildcard' only")


def _overlapping(table: Any, keys: Sequence[str], found: Classes, weights: Floats | None, missing: str) -> Frequencies:
    """f and F where boxes are sets: records that could be of the same person."""
    from discreet.instruments.risk_boxes import as_sets
    from discreet.measure.risk.overlaps import overlap_frequencies

    codes, sets = as_sets(table, keys, missing)
    return overlap_frequencies(codes, found, weights, sets)


def _check_suda(form: str, keys: Sequence[str], faults: Faults) -> None:
    from discreet.measure.risk.suda import MOST_KEYS, SCORES

    faults.check(form in SCORES, f"unknown score of SUDA: choose one of {', '.join(SCORES)}, or leave it out")
    faults.check(
        isinstance(keys, str) or len(keys) <= MOST_KEYS,
        f"SUDA looks at every set of keys, of {MOST_KEYS} keys at most: name fewer, or leave it out (suda=None)",
    )


def _check_room(found: Classes, keys: int) -> None:
    """SUDA keeps a bit for every set of keys and every unique record."""
    uniques = int((found.size == 1).sum())
    if uniques * 2**keys > MOST_BITS:
        raise InputError(
            f"SUDA by {keys} keys needs more than 2 GB for {uniques} unique records: name fewer keys, or leave it out "
            "(suda=None)"
        )


def _codes(table: Any, names: Sequence[str], what: str, faults: Faults) -> Codes | None:
    """The columns as numbers of their values, −1 where missing; None where something is wrong with them."""
    from discreet.frames import column_faults
    from discreet.frames.exact import entries

    wrong = column_faults(table, names, what=what)
    for fault in wrong:
        faults.add(fault)
    if wrong:
        return None
    out = np.empty((len(table), len(names)), np.int64)
    for j, name in enumerate(names):
        try:
            out[:, j] = entries(table, name).codes
        except InputError as error:
            faults.extend(error)
            wrong = list(error.faults)
    return None if wrong else out


def _weights(table: Any, name: str, faults: Faults) -> Floats | None:
    values = _quantities(table, [name], "weight", faults)
    if values is None:
        return None
    low = int((values < 1).sum())
    faults.check(
        low == 0,
        f"weight {name!r} is below 1 in {low} rows: a record stands for at least itself. Rescale or correct it",
    )
    return values[:, 0]


def _quantities(table: Any, names: Sequence[str], what: str, faults: Faults) -> Floats | None:
    """Numeric columns without missing values; None where something is wrong."""
    from discreet.frames import column_faults, numeric_array

    wrong = column_faults(table, names, numeric=True, what=what)
    for fault in wrong:
        faults.add(fault)
    if wrong:
        return None
    try:
        values = numeric_array(table, list(names))
    except InputError as error:
        faults.extend(error)
        return None
    absent = np.isnan(values).sum(axis=0)
    for name, rows in zip(names, absent.tolist()):
        faults.check(rows == 0, f"{what} {name!r} is missing in {rows} rows: fill them or leave the rows out")
    return values


def _households(table: Any, name: str, faults: Faults) -> Codes | None:
    found = _codes(table, [name], "household", faults)
    if found is None:
        return None
    lost = int((found < 0).sum())
    faults.check(lost == 0, f"household {name!r} is missing in {lost} rows: give each record one, if of its own")
    return found[:, 0]


def _sensitive(table: Any, names: Sequence[str], faults: Faults) -> dict[str, Sensitive]:
    from discreet.frames import is_numeric

    found = _codes(table, names, "sensitive column", faults)
    if found is None:
        return {}
    out = {}
    for j, name in enumerate(names):
        values = found[:, j]
        absent = bool((values < 0).any())  # one more value, without a place in an order
        out[name] = Sensitive(values + 1 if absent else values, is_numeric(table, name) and not absent)
    return out


def _numbers(table: Any, names: Sequence[str], original: Any, faults: Faults) -> Numbers | None:
    from discreet.frames import adopt

    published = _quantities(table, names, "numeric column", faults)
    before = published
    if original is not None:
        other = adopt(original)
        if not faults.check(len(other) == len(table), "the original has another number of rows than the file"):
            return None
        before = _quantities(other, names, "numeric column of the original", faults)
    if published is None or before is None:
        return None
    return Numbers(tuple(names), before, published, original is not None)
