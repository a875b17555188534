"""Quasi-identifiers of a dataframe as codes, with every fault reported at once, and boxes back to text."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, whole
from discreet.frames.tabular.hierarchies import read_rows
from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs
from discreet.generalization.domain import Attribute, Domain
from discreet.generalization.hierarchy import Hierarchy, from_mapping, from_rows
from discreet.generalization.spelling import spell
from discreet.instruments.key_column import KeyColumn, Wishes

if TYPE_CHECKING:
    from discreet.frames.exact import Entries

Texts = NDArray[np.object_]
Integers = NDArray[np.int64]

MISSING = ("error", "value", "wildcard")


@dataclass(frozen=True)
class Reading:
    """The quasi-identifiers as a domain, how each code is spelled, and which columns are widened to ranges (`numbers`:
    of numbers or moments).

    `entries` are the columns by exact value; those in `recoded` are capped or brought to a least level, and published
    anew throughout. `sensitive` numbers the values of the sensitive column, the same for what a reader would
    take for the same, −1 where it is missing.
    """

    names: list[str]
    domain: Domain
    entries: dict[str, Entries] = field(repr=False)
    labels: dict[str, list[str | None]] = field(repr=False)
    numbers: frozenset[str]
    hierarchies: dict[str, Hierarchy] = field(repr=False)
    sensitive: Integers | None = field(repr=False)
    recoded: frozenset[str] = frozenset()
    caps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def spell(self, cover: Integers) -> tuple[dict[str, Texts], dict[str, int]]:
        """Per column that is widened somewhere its published texts; per column how many values were widened."""
        texts, widened = {}, {}
        for name in self.names:
            column, widened[name] = self.spell_column(name, cover)
            if widened[name] or name in self.recoded or (self.domain.codes[:, self.names.index(name)] < 0).any():
                texts[name] = column
        return texts, widened

    def spell_column(self, name: str, cover: Integers) -> tuple[Texts, int]:
        """A column's published texts, and how many of them are of widened values."""
        place = self.names.index(name)
        column, wide = spell(self.domain, place, self.labels[name], cover, numbers=name in self.numbers)
        if name in self.recoded:
            known = {*self.entries[name].texts, None}
            wide = sum(text not in known for text in column.tolist())
        return column, wide

    def losses(self, cover: Integers) -> dict[str, float]:
        """Mean NCP of each column."""
        out = {}
        for place, name in enumerate(self.names):
            alone = domains.alone(self.domain, place)
            out[name] = float(costs(alone.tables, alone.codes, cover).mean())
        return out

    def plain(self, rows: Integers, widened: Collection[str]) -> dict[str, Entries]:
        """The columns outside `widened` by value, for these rows: what is equal there is published in one spelling."""
        return {
            name: replace(column, codes=column.codes[rows])
            for name, column in self.entries.items()
            if name not in widened
        }

    def sensitive_codes(self) -> Integers:
        """0, 1, … for the values of the sensitive column, −1 where it is missing: a gap is no value that differs."""
        assert self.sensitive is not None
        known = self.sensitive >= 0
        codes = np.full(known.size, -1, np.int64)
        codes[known] = np.unique(self.sensitive[known], return_inverse=True)[1]
        return codes


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """How the quasi-identifiers are read, and what widening them costs.

    | field | |
    |---|---|
    | hierarchies | per column labels that it may be widened to |
    | categorical | numeric columns that are really categories |
    | ordered | columns of categories that stand in an order, with their values from first to last |
    | importance | how much a column's loss counts |
    | ncp | how loss is counted |
    | missing | what a missing value is |
    | sensitive | the column whose values are to differ, if there is one |
    | numeric | columns of text whose digits are numbers |
    | caps | per column the least and greatest value that is published: a top, (bottom, top), or both by name |
    | levels | per column with a hierarchy the least level that is published; 0 are the values themselves |
    """

    hierarchies: Mapping[str, Any]
    categorical: Sequence[str]
    ordered: Mapping[str, Sequence[str]]
    importance: Mapping[str, float]
    ncp: str
    missing: str
    sensitive: str | None
    numeric: Sequence[str] = ()
    caps: Mapping[str, Any] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)

    def check(self, faults: Faults, known: Sequence[str]) -> None:
        """Note what is wrong with it, for these quasi-identifiers."""
        faults.check(self.ncp in domains.NCP, f"unknown ncp {self.ncp!r}: choose one of {', '.join(domains.NCP)}")
        faults.check(self.missing in MISSING, f"unknown policy for missing values: choose one of {', '.join(MISSING)}")
        for what, given in (
            ("categorical", self.categorical),
            ("ordered", self.ordered),
            ("hierarchies", self.hierarchies),
            ("importance", self.importance),
            ("numeric", self.numeric),
            ("caps", self.caps),
            ("levels", self.levels),
        ):
            stray = [str(name) for name in given if name not in known]
            faults.check(not stray, f"{what} names columns that are not quasi-identifiers: {', '.join(stray)}")
        twice = [name for name in self.hierarchies if name in self.ordered]
        faults.check(not twice, f"both ordered and with a hierarchy: {', '.join(twice)}; choose one")
        other = {*self.categorical, *self.ordered, *self.hierarchies}
        both = [name for name in self.numeric if name in other]
        faults.check(not both, f"both numeric and read as categories: {', '.join(both)}; choose one")
        for name, level in self.levels.items():
            number = whole(level)
            faults.check(
                number is not None and number >= 0, f"the least level of {name!r} must be a whole number, 0 or more"
            )
        for name, weight in self.importance.items():
            usable = isinstance(weight, int | float) and np.isfinite(weight) and weight > 0
            faults.check(usable, f"the importance of {name!r} must be a positive number")


def known_columns(table: Any, names: Sequence[str], faults: Faults) -> list[str]:
    """The quasi-identifiers that the table has, each once; what is wrong with the others is noted."""
    from discreet.frames import column_faults

    for fault in column_faults(table, names, what="quasi-identifier"):
        faults.add(fault)
    return [] if isinstance(names, str) else [name for name in dict.fromkeys(names) if name in table.columns]


@dataclass(frozen=True)
class Keys:
    """The quasi-identifiers column by column, before their records are put together."""

    columns: dict[str, KeyColumn] = field(repr=False)
    trees: dict[str, Hierarchy] = field(repr=False)
    caps: dict[str, Mapping[str, str]]

    def attributes(self, treatment: Treatment) -> tuple[list[Attribute], dict[str, list[str | None]]]:
        """The attribute of each column, and how each of its codes is spelled."""
        attributes, labels = [], {}
        for name, column in self.columns.items():
            weight = float(treatment.importance.get(name, 1.0))
            attribute, labels[name] = column.attribute(treatment.missing, weight)
            attributes.append(attribute)
        return attributes, labels

    @property
    def ranges(self) -> frozenset[str]:
        return frozenset(name for name, column in self.columns.items() if column.ranges)

    @property
    def recoded(self) -> frozenset[str]:
        return frozenset(name for name, column in self.columns.items() if column.recoded)


def read_keys(
    tables: Mapping[str, Any], treatment: Treatment, faults: Faults, times: Mapping[str, Integers] | None = None
) -> Keys:
    """The quasi-identifiers, each from its table; one InputError with everything that is wrong.

    `times` says, per column, how often each row occurs, where rows stand for all that are equal.
    """
    columns: dict[str, KeyColumn] = {}
    trees: dict[str, Hierarchy] = {}
    caps: dict[str, Mapping[str, str]] = {}
    for name, table in tables.items():
        try:
            if name in treatment.hierarchies:
                trees[name] = as_hierarchy(treatment.hierarchies[name], name)
            wishes = _wishes(treatment, name, trees.get(name), faults)
            if wishes.cap is not None:
                caps[name] = wishes.cap.named()
            often = None if times is None else times[name]
            columns[name] = KeyColumn.of(table, name, wishes, faults, treatment.missing, often)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return Keys(columns, trees, caps)


def read(table: Any, known: list[str], treatment: Treatment, faults: Faults) -> Reading:
    """The quasi-identifiers of a table; one InputError with everything that is wrong."""
    treatment.check(faults, known)
    secret = None if treatment.sensitive is None else _sensitive(table, treatment.sensitive, faults)
    keys = read_keys(dict.fromkeys(known, table), treatment, faults)
    attributes, labels = keys.attributes(treatment)
    return Reading(
        known,
        domains.domain(attributes, ncp=treatment.ncp),
        {name: column.stored for name, column in keys.columns.items()},
        labels,
        keys.ranges,
        keys.trees,
        secret,
        keys.recoded,
        keys.caps,
    )


def _wishes(treatment: Treatment, name: str, tree: Hierarchy | None, faults: Faults) -> Wishes:
    from discreet.frames.values.caps import as_cap

    return Wishes(
        tree=tree,
        order=treatment.ordered.get(name),
        categorical=name in treatment.categorical,
        numeric=name in treatment.numeric,
        cap=as_cap(treatment.caps[name], name, faults) if name in treatment.caps else None,
        level=whole(treatment.levels.get(name, 0)) or 0,
    )


def _sensitive(table: Any, name: str, faults: Faults) -> Integers | None:
    """The values of the sensitive column, numbered."""
    from discreet.frames import column_faults
    from discreet.frames.exact import folded

    wrong = column_faults(table, [name], what="sensitive column")
    for fault in wrong:
        faults.add(fault)
    try:
        return None if wrong else folded(table, name)
    except InputError as error:
        faults.extend(error)
        return None


def as_hierarchy(given: Any, column: str) -> Hierarchy:
    """A hierarchy from whatever describes it."""
    name = f"hierarchy of {column!r}"
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, str | os.PathLike):
        return from_rows(read_rows(Path(given), name), name=name)
    if isinstance(given, Mapping):
        return from_mapping(given, name=name)
    return from_rows(given, name=name)
