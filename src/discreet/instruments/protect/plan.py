"""What is to be done with a file, once roles and columns are checked: everything before the search begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing, shown
from discreet.generalization import domain as domains
from discreet.generalization.domain import Attribute
from discreet.instruments.protect.amounts import Amount, read_amount
from discreet.instruments.protect.recipe import Recipe
from discreet.instruments.protect.roles import check_roles
from discreet.instruments.quasi_identifiers import Reading, Treatment, read

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """The columns as the search takes them: boxes, amounts, units, and the sensitive values that are to differ."""

    table: Any = field(repr=False)
    recipe: Recipe
    reading: Reading | None = field(repr=False)
    amounts: dict[str, Amount] = field(repr=False)
    unit: Integers | None = field(repr=False)
    values: Integers | None = field(repr=False)

    @property
    def n(self) -> int:
        return len(self.table)

    @property
    def attributes(self) -> list[Attribute]:
        """What the search knows of every record: keys, then numbers, then the weight."""
        boxes = [] if self.reading is None else list(self.reading.domain.attributes)
        importance = self.recipe.importance
        return boxes + [
            domains.mean(name, amount.floats, weight=float(importance.get(name, 1.0)))
            for name, amount in self.amounts.items()
        ]

    @property
    def shared(self) -> frozenset[str]:
        """The columns whose value is one and the same within every unit; none where there are no units."""
        if self.unit is None:
            return frozenset()
        order = np.argsort(self.unit, kind="stable")
        inside = self.unit[order][1:] == self.unit[order][:-1]
        found = set()
        for attribute in self.attributes:
            codes = attribute.codes[order]
            if not (inside & (codes[1:] != codes[:-1])).any():
                found.add(attribute.name)
        return frozenset(found)

    @property
    def sizes(self) -> dict[int, int]:
        """How many units there are of each size."""
        if self.unit is None:
            return {}
        size, count = np.unique(np.bincount(self.unit), return_counts=True)
        return {int(s): int(c) for s, c in zip(size, count)}


def prepare(table: Any, recipe: Recipe) -> Plan:
    """The plan of a release; one error with everything that is wrong."""
    faults = Faults()
    check_roles(table, recipe, faults)
    n, k = len(table), recipe.k
    faults.check(n > 0, "the data has no records")
    present = set(table.columns)
    amounts = {}
    for name in recipe.means:
        found = read_amount(table, name, recipe.missing["numbers"], faults) if name in present else None
        if found is not None:
            amounts[name] = found
    unit = None if recipe.unit not in present else _units(table, str(recipe.unit), faults)
    if n and unit is None:
        faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    values = None
    if recipe.l is not None and recipe.sensitive[0] in present:
        from discreet.frames.exact import folded

        values = folded(table, recipe.sensitive[0])
    _check_demands(recipe, faults)
    _check_columns(recipe, faults)
    reading = _read(table, [name for name in recipe.boxes if name in present], recipe, faults)
    return Plan(table, recipe, reading, amounts, unit, values)


def _check_demands(recipe: Recipe, faults: Faults) -> None:
    """What cannot be had together."""
    unit = "household" if recipe.household is not None else "person"
    faults.check(
        recipe.unit is None or recipe.l in (None, 1),
        f"l = {recipe.l} is not available with {unit}s as units: leave l out, or name the number of the {unit} among "
        "the identifiers",
    )
    if recipe.recoding != "global":
        return
    faults.check(
        recipe.unit is None,
        f'global recoding of {unit}s is not available: use recoding "local", or name the id among the identifiers',
    )
    faults.check(
        recipe.missing["keys"] != "wildcard",
        'global recoding has no wildcards: take missing keys for a value of their own, missing = "value" '
        '([missing] keys = "value")',
    )


def _check_columns(recipe: Recipe, faults: Faults) -> None:
    """Entries about columns name columns of the right role."""
    boxes, treated = set(recipe.boxes), {*recipe.boxes, *recipe.means}
    for what in ("hierarchies", "caps", "levels", "categorical", "ordered"):
        stray = [name for name in getattr(recipe, what) if name not in boxes]
        faults.check(not stray, f"{what} names columns that are not published as boxes: {listing(stray)}")
    stray = [name for name in recipe.importance if name not in treated]
    faults.check(not stray, f"importance names columns that are neither keys nor numbers: {listing(stray)}")


def _read(table: Any, boxes: list[str], recipe: Recipe, faults: Faults) -> Reading | None:
    """The columns that are published as boxes."""
    inside = set(boxes)
    treatment = Treatment(
        hierarchies=_of(recipe.trees, inside),
        categorical=[name for name in recipe.categorical if name in inside],
        ordered=_of(recipe.ordered, inside),
        importance=_of(recipe.importance, inside),
        ncp="distinct",
        missing=recipe.missing["keys"],
        sensitive=None,
        numeric=[name for name in recipe.numeric if name in inside and name not in recipe.trees],
        caps=_of(recipe.caps, inside),
        levels=_of(recipe.levels, inside),
    )
    if not boxes:
        faults.raise_if_any()
        return None
    return read(table, boxes, treatment, faults)


def _of(entries: Any, columns: set[str]) -> dict[str, Any]:
    return {name: value for name, value in entries.items() if name in columns}


def _units(table: Any, name: str, faults: Faults) -> Integers | None:
    """The number of each row's unit, from 0."""
    from discreet.frames.exact import entries

    try:
        codes = entries(table, name, categories=True).codes
    except InputError as error:
        faults.extend(error)
        return None
    absent = int((codes < 0).sum())
    if not faults.check(
        absent == 0,
        f"column {shown(name)!r} is empty in {absent} rows: give these rows ids of their own",
    ):
        return None
    return np.unique(codes, return_inverse=True)[1].astype(np.int64).ravel()


def split(attributes: Sequence[Attribute], shared: frozenset[str]) -> tuple[list[Attribute], list[Attribute]]:
    """The attributes of members, and those that their unit has once."""
    members = [one for one in attributes if one.name not in shared]
    return members, [one for one in attributes if one.name in shared]
