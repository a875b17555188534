"""The roles of columns beside quasi-identifiers: what is published as means, what numbers units, what must be gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.errors import Faults
from discreet.verify.readers import Table, shown_list

RARE = ("error", "merge", "suppress", "unlink")


@dataclass(frozen=True)
class Roles:
    """`numeric` and `weight` are published as means, `household` and `person` as fresh ids, `identifiers` not at all.

    `rare` says what was done with units of a size that fewer than k have.
    """

    numeric: tuple[str, ...] = ()
    weight: str | None = None
    household: str | None = None
    person: str | None = None
    rare: str = "error"
    identifiers: tuple[str, ...] = ()

    @property
    def means(self) -> tuple[str, ...]:
        return self.numeric if self.weight is None else (*self.numeric, self.weight)

    @property
    def unit(self) -> str | None:
        """The column whose values number the units."""
        return self.household if self.household is not None else self.person

    @property
    def unit_words(self) -> tuple[str, str]:
        """What a unit is called: one and several."""
        return ("household", "households") if self.household is not None else ("person", "persons")

    @property
    def special(self) -> tuple[str, ...]:
        """The published columns that are not judged like columns that leave as they are."""
        return (*self.means, *(() if self.unit is None else (self.unit,)))

    @property
    def named(self) -> tuple[str, ...]:
        return (*self.special, *self.identifiers)


def one_name(given: Any, what: str, faults: Faults) -> str | None:
    """The name of one column, or None."""
    if given is None or (isinstance(given, str) and given):
        return given
    faults.add(f"{what} must be the name of one column")
    return None


def check_roles(
    before: Table | None,
    after: Table,
    roles: Roles,
    others: Mapping[str, Sequence[str]],
    faults: Faults,
) -> None:
    """Every column has one role and stands where it must; `others` are the roles that are named elsewhere."""
    faults.check(roles.rare in RARE, f"unknown way with rare sizes: choose one of {', '.join(RARE)}")
    if roles.rare != "error" and roles.unit is None:
        faults.add("rare is about sizes of units: name the household or the person")
    if roles.household is not None and roles.person is not None:
        faults.add("the guarantee counts households or persons: name one of household and person, and drop the other")
    held = Counter([*roles.named, *(name for names in others.values() for name in names)])
    twice = [name for name, count in held.items() if count > 1]
    faults.check(not twice, f"columns with more than one role: {shown_list(twice)}")
    for which, table, wanted in (
        ("original", before, roles.named),
        ("published data", after, roles.special),
    ):
        if table is not None:
            present = set(table.names)
            absent = [name for name in wanted if name not in present]
            faults.check(not absent, f"the {which} has no column named {shown_list(absent)}")
