"""Names of columns among the arguments of `verify`: one list, several sets, strata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.errors import Faults
from discreet.verify.readers import Table, shown_list


def names_of(given: Any, what: str, faults: Faults) -> tuple[str, ...]:
    """A list of names, each once."""
    if isinstance(given, str | bytes):
        faults.add(f"{what} must be a list of names, not one text")
        return ()
    try:
        names = tuple(dict.fromkeys(given))
    except TypeError:
        faults.add(f"{what} must be a list of names")
        return ()
    if not all(isinstance(name, str) for name in names):
        faults.add(f"{what} must be a list of names, and some are not text")
        return ()
    return tuple(str(name) for name in names)


def sets_of(given: Any, faults: Faults) -> tuple[tuple[str, ...], ...] | None:
    """Several sets of quasi-identifiers, where lists of names are given; None where not."""
    if given is None or isinstance(given, str | bytes) or not isinstance(given, Sequence):
        return None
    if not any(isinstance(one, Sequence) and not isinstance(one, str | bytes) for one in given):
        return None
    sets = tuple(names_of(one, "each set of quasi-identifiers", faults) for one in given)
    named = [name for names in sets for name in names]
    faults.check(all(sets), "a set of quasi-identifiers is empty")
    faults.check(len(set(named)) == len(named), "a column is in more than one set of quasi-identifiers")
    return sets if len(sets) > 1 else None


def check_strata(
    before: Table | None, after: Table, faults: Faults, named: Sequence[str], strata: Sequence[str]
) -> None:
    """Columns of strata are there, and are not examined."""
    for which, table in (("original", before), ("published data", after)):
        absent = [] if table is None else [name for name in strata if name not in set(table.names)]
        faults.check(not absent, f"the {which} has no column named {shown_list(absent)} (by)")
    both = [name for name in strata if name in set(named)]
    faults.check(not both, f"both examined and by: {shown_list(both)}; choose one")
