"""`utility`: an original and what was published of it in, what the published file is still good for out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from discreet.errors import Faults, InputError, at_least
from discreet.instruments.measured.columns import Pair, read_pairs
from discreet.instruments.measured.formula import Formula, designs, parse
from discreet.instruments.measured.utility_parts import Pairing, Weights
from discreet.instruments.measured.utility_result import Utility
from discreet.measure.utility.columns import Floats
from discreet.measure.utility.pairing import ORDERS, same_order

Rows = Literal["auto", "same", "shuffled"]
ROWS = get_args(Rows)


def utility(
    original: Any,
    published: Any,
    *,
    columns: Sequence[str] | None = None,
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    regression: str | None = None,
    categorical: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    rows: Rows = "auto",
    queries: int = 1000,
    random_state: int = 0,
) -> Utility:
    """Measure what a published file is still good for, beside its original. Works on any file, ours or a peer's.

    | argument | |
    |---|---|
    | columns | what is compared; all columns that both files have, unless given |
    | weight | sampling weights; taken from the published file where it has them |
    | by | columns whose values are the domains of totals and cross-tabulations |
    | regression | one whose coefficients are compared, as in "income ~ age + C(sex)" |
    | categorical | columns that hold categories though they look like numbers |
    | hierarchies | per column the hierarchy whose labels were published, as for `generalize` |
    | rows | both files are in the "same" order of rows, or the published one is "shuffled"; "auto" finds out |
    | queries | how many range-count queries are drawn |
    | random_state | the seed of what is drawn: queries, records for models, orders that the rows are compared with |
    """
    from discreet.frames import adopt

    before, after = adopt(original), adopt(published)
    faults = Faults()
    faults.check(len(before) > 0, "the original has no records")
    faults.check(len(after) > 0, "the published file has no records")
    faults.check(rows in ROWS, f"unknown order of rows: choose one of {', '.join(ROWS)}")
    faults.check(at_least(queries, 1), "queries must be a whole number, 1 or more")
    faults.check(at_least(random_state, 0), "random_state must be a whole number, 0 or more")
    faults.check(
        rows != "same" or len(before) == len(after),
        f"the files have {len(before)} and {len(after)} rows: they are not row by row the same persons",
    )
    domains = [by] if isinstance(by, str) else list(by or ())
    formula = _formula(regression, faults)
    chosen, lost = _chosen(before, after, columns, weight, faults)
    others = [*domains, *(formula.columns if formula is not None else ()), *categorical, *(hierarchies or {})]
    others = _known(before, after, others, faults)
    faults.check(weight is None or weight not in others, f"{weight!r} is named both as weight and otherwise")
    faults.raise_if_any()
    found, unreadable = _read(before, after, [*chosen, *others], columns is None, set(others), categorical, hierarchies)
    pairs = [found[name] for name in chosen if name in found]
    if not pairs:
        raise InputError("no column can be compared: name columns that both files have")
    pairing = _pairing(pairs, len(before), len(after), rows, int(random_state))
    result = Utility(
        n=len(before),
        published_rows=len(after),
        pairs=tuple(pairs),
        pairing=pairing,
        weight=weight,
        weights=_weights(before, after, weight, pairing),
        by=tuple(found[name] for name in dict.fromkeys(domains)),
        formula=formula,
        designs=None if formula is None else designs(formula, found),
        queries=int(queries),
        random_state=int(random_state),
        left_out=(*lost, *unreadable),
        original=original,
    )
    _ = result.domains  # too many of them are refused here, and not in the middle of a report
    return result


def _formula(text: str | None, faults: Faults) -> Formula | None:
    try:
        return None if text is None else parse(text)
    except InputError as error:
        faults.extend(error)
        return None


def _chosen(
    before: Any, after: Any, columns: Sequence[str] | None, weight: str | None, faults: Faults
) -> tuple[list[str], list[str]]:
    """The columns to compare, and those that only one of the files has."""
    from discreet.frames import column_faults

    if columns is not None:
        for table, where in ((before, "original"), (after, "published")):
            for fault in column_faults(table, columns, what=f"{where} column"):
                faults.add(fault)
        faults.check(weight is None or weight not in columns, f"{weight!r} is named both as weight and otherwise")
        return ([] if isinstance(columns, str) else list(columns)), []
    both = set(before.columns) & set(after.columns)
    chosen = [name for name in before.columns if name in both and name != weight]
    faults.check(bool(chosen), "the files have no column of the same name")
    return chosen, [name for name in (*before.columns, *after.columns) if name not in both]


def _known(before: Any, after: Any, names: Sequence[str], faults: Faults) -> list[str]:
    """Names without repetition; those that are not in both files are noted."""
    from discreet.frames.dataframes import did_you_mean

    for name in dict.fromkeys(names):
        for table, where in ((before, "original"), (after, "published file")):
            if name not in table.columns:
                faults.add(f"column {name!r} is not in the {where}{did_you_mean(name, table.columns)}")
    return list(dict.fromkeys(names))


def _read(
    before: Any,
    after: Any,
    names: Sequence[str],
    lenient: bool,
    needed: set[str],
    categorical: Sequence[str],
    hierarchies: Mapping[str, Any] | None,
) -> tuple[dict[str, Pair], list[str]]:
    """The columns by name; what cannot be read is left out, where nobody named it, else it is an error."""
    found: dict[str, Pair] = {}
    lost: list[str] = []
    faults = Faults()
    for name in dict.fromkeys(names):
        try:
            (found[name],) = read_pairs(before, after, [name], categorical=categorical, hierarchies=hierarchies)
        except InputError as error:
            if lenient and name not in needed:
                lost.append(name)
            else:
                faults.extend(error)
    faults.raise_if_any()
    return found, lost


def _pairing(pairs: Sequence[Pair], n: int, m: int, rows: Rows, seed: int) -> Pairing:
    if rows == "shuffled":
        return Pairing(False, "the published file was said to be shuffled")
    if n != m:
        return Pairing(False, f"the files have {n} and {m} rows")
    if rows == "same":
        return Pairing(True, "both files were said to be in the same order")
    if same_order([pair.before for pair in pairs], [pair.after for pair in pairs], seed):
        return Pairing(True, f"none of {ORDERS} random orders fits as well")
    return Pairing(False, f"of {ORDERS} random orders some fit as well as the one that stands")


def _weights(before: Any, after: Any, name: str | None, pairing: Pairing) -> Weights:
    if name is None:
        return Weights(np.ones(len(before)), np.ones(len(after)))
    faults = Faults()
    old = _column(before, name, "original", faults)
    if name in after.columns:
        new = _column(after, name, "published file", faults)
    else:
        new = old
        faults.check(
            pairing.same, f"weight {name!r} is not in the published file, and its rows are in another order: add it"
        )
    faults.raise_if_any()
    assert old is not None and new is not None
    return Weights(old, new)


def _column(table: Any, name: str, where: str, faults: Faults) -> Floats | None:
    """Weights: numbers, none missing or below 0, not all 0."""
    from discreet.frames import column_faults, numeric_array

    wrong = column_faults(table, [name], numeric=True, what=f"weight of the {where}")
    for fault in wrong:
        faults.add(fault)
    if wrong:
        return None
    try:
        values = numeric_array(table, [name])[:, 0]
    except InputError as error:
        faults.extend(error)
        return None
    bad = int((~(values >= 0)).sum())
    faults.check(bad == 0, f"weight {name!r} of the {where} is missing or below 0 in {bad} rows: correct them")
    with np.errstate(over="ignore"):
        total = values.sum()
    faults.check(bad > 0 or total > 0, f"weight {name!r} of the {where} is 0 in all rows")
    faults.check(bad > 0 or total < np.inf, f"the weights {name!r} of the {where} are too large to be added up")
    return values
