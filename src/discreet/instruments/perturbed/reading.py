"""What the perturbative instruments read of a frame and check before they begin, every fault at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.work import SEED_FAULT, is_seed

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


class Reading:
    """A frame, and what is wrong with what is asked of it."""

    def __init__(self, frame: Any, random_state: int | None) -> None:
        from discreet.frames import adopt

        self.table = adopt(frame)
        self.faults = Faults()
        self.faults.check(len(self.table) > 1, "there are fewer than two records: nothing can be exchanged or hidden")
        self.faults.check(is_seed(random_state), SEED_FAULT)
        self._parts: dict[str, str] = {}

    def names(self, given: Any, part: str, *, numeric: bool = False, may_be_none: bool = True) -> tuple[str, ...]:
        """Columns by name; those that are perturbed have no other part."""
        from discreet.frames import column_faults

        listed = (given,) if isinstance(given, str) and part != "column" else given
        if (listed is None or not len(listed)) and may_be_none:
            return ()
        wrong = column_faults(self.table, () if listed is None else listed, numeric=numeric, what=part)
        for fault in wrong:
            self.faults.add(fault)
        found = () if wrong or listed is None else tuple(listed)
        for name in found:
            before = self._parts.setdefault(name, part)
            both = before != part and "column" in (before, part)
            self.faults.check(not both, f"both perturbed and {part}: {listing([name])}; choose one")
        return found

    def columns(self, given: Any, *, numeric: bool = False) -> tuple[str, ...]:
        """The columns to perturb; they must be named."""
        return self.names(given, "column", numeric=numeric, may_be_none=False)

    def share(self, value: Any, name: str, low: float, high: float, *, above: bool = True) -> float:
        """A number between two others, `low` itself only without `above`."""
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else np.nan
        inside = (low < number if above else low <= number) and number <= high
        words = f"above {low:g} and up to {high:g}" if above else f"from {low:g} to {high:g}"
        self.faults.check(bool(inside), f"{name} must be a number {words}")
        return number

    def numbers(self, names: Sequence[str]) -> Floats:
        """Numeric columns as floats, NaN where missing; those that do not vary are a fault."""
        from discreet.frames import numeric_array

        if not names:
            return np.zeros((len(self.table), 0))
        try:
            values = numeric_array(self.table, names)
        except InputError as error:
            self.faults.extend(error)
            return np.zeros((len(self.table), 0))
        flat = []
        for j, name in enumerate(names):
            known = values[~np.isnan(values[:, j]), j]
            if known.size < 2 or known.min() == known.max():
                flat.append(name)
        self.faults.check(not flat, f"columns whose values are all the same cannot be perturbed: {listing(flat)}")
        return values

    def codes(self, names: Sequence[str]) -> dict[str, Codes]:
        """Columns as numbers of their values, −1 where missing."""
        from discreet.frames.exact import entries

        found = {}
        for name in names:
            try:
                found[name] = entries(self.table, name, categories=False).codes
            except InputError as error:
                self.faults.extend(error)
        return found


def one_spelling(table: Any, names: Sequence[str]) -> Any:
    """The frame with one spelling per value in these columns: a spelling must not tell whose value it was."""
    from discreet.frames import respell
    from discreet.frames.exact import entries

    return respell(table, {name: entries(table, name) for name in names})
