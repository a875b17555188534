"""Transition probabilities from a file: a row per value, its first cell the value, and a column per published one."""

from __future__ import annotations

import os

from discreet.errors import Faults, InputError, shown


def read_matrix(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """The matrix as value → published value → probability."""
    from discreet.frames import adopt, read, text_array

    table = adopt(read(path).frame)
    faults = Faults()
    names, place = list(table.columns), shown(os.fspath(path))
    if len(names) < 2:
        raise InputError(f"the matrix {place} must have a column of values and one for each published value")
    values = ["" if value is None else str(value) for value in text_array(table, names[0])]
    faults.check(len(set(values)) == len(values), f"the matrix {place} lists a value twice")
    out: dict[str, dict[str, float]] = {value: {} for value in values}
    odd = 0
    for name in names[1:]:
        for value, text in zip(values, text_array(table, name)):
            try:
                out[value][name] = float(text or 0.0)
            except ValueError:
                odd += 1
    faults.check(odd == 0, f"the matrix {place} has {odd} entries that are no numbers")
    faults.raise_if_any()
    return out
