"""Quasi-identifiers of a dataframe as codes, with every fault reported at once, and boxes back to text."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.tabular.hierarchies import read_rows
from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs
from discreet.generalization.domain import Attribute, Domain
from discreet.generalization.hierarchy import Hierarchy, from_mapping, from_rows
from discreet.generalization.spelling import reads_as_box, spell

if TYPE_CHECKING:
    from discreet.frames.exact import Entries

Texts = NDArray[np.object_]
Integers = NDArray[np.int64]

MISSING = ("error", "value", "wildcard")


@dataclass(frozen=True)
class Reading:
    """The quasi-identifiers as a domain, how each code is spelled, and which columns are numbers.

    `entries` are the columns by exact value; `sensitive` numbers the values of the sensitive column, the same for what
    a reader would take for the same.
    """

    names: list[str]
    domain: Domain
    entries: dict[str, Entries] = field(repr=False)
    labels: dict[str, list[str | None]] = field(repr=False)
    numbers: frozenset[str]
    hierarchies: dict[str, Hierarchy] = field(repr=False)
    sensitive: Integers | None = field(repr=False)

    def spell(self, cover: Integers) -> tuple[dict[str, Texts], dict[str, int]]:
        """Per column that is widened somewhere its published texts; per column how many values were widened."""
        texts, widened = {}, {}
        for place, name in enumerate(self.names):
            column, wide = spell(self.domain, place, self.labels[name], cover, numbers=name in self.numbers)
            widened[name] = wide
            codes = self.domain.codes[:, place]
            if wide or (codes < 0).any():
                texts[name] = column
        return texts, widened

    def losses(self, cover: Integers) -> dict[str, float]:
        """Mean NCP of each column."""
        out = {}
        for place, name in enumerate(self.names):
            alone = domains.domain([self.domain.attributes[place]], ncp=self._ncp)
            out[name] = float(costs(alone.tables, alone.codes, cover).mean())
        return out

    @property
    def _ncp(self) -> str:
        return "share" if (self.domain.tables.base == 0).all() else "distinct"

    def plain(self, rows: Integers, widened: Collection[str]) -> dict[str, Entries]:
        """The columns outside `widened` by value, for these rows: what is equal there is published in one spelling."""
        return {
            name: replace(column, codes=column.codes[rows])
            for name, column in self.entries.items()
            if name not in widened
        }

    def sensitive_codes(self) -> Integers:
        """0, 1, … for the values of the sensitive column."""
        assert self.sensitive is not None
        return np.unique(self.sensitive, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """How the quasi-identifiers are read, and what widening them costs.

    | field | |
    |---|---|
    | hierarchies | per column labels that it may be widened to |
    | categorical | numeric columns that are really categories |
    | ordered | columns of categories that stand in an order, with their values from first to last |
    | weights | how much a column's loss counts |
    | ncp | how loss is counted |
    | missing | what a missing value is |
    | sensitive | the column whose values are to differ, if there is one |
    """

    hierarchies: Mapping[str, Any]
    categorical: Sequence[str]
    ordered: Mapping[str, Sequence[str]]
    weights: Mapping[str, float]
    ncp: str
    missing: str
    sensitive: str | None

    def check(self, faults: Faults, known: Sequence[str]) -> None:
        """Note what is wrong with it, for these quasi-identifiers."""
        faults.check(self.ncp in domains.NCP, f"unknown ncp {self.ncp!r}: choose one of {', '.join(domains.NCP)}")
        faults.check(self.missing in MISSING, f"unknown policy for missing values: choose one of {', '.join(MISSING)}")
        for what, given in (
            ("categorical", self.categorical),
            ("ordered", self.ordered),
            ("hierarchies", self.hierarchies),
            ("weights", self.weights),
        ):
            stray = [str(name) for name in given if name not in known]
            faults.check(not stray, f"{what} names columns that are not quasi-identifiers: {', '.join(stray)}")
        twice = [name for name in self.hierarchies if name in self.ordered]
        faults.check(not twice, f"both ordered and with a hierarchy: {', '.join(twice)}; choose one")
        for name, weight in self.weights.items():
            usable = isinstance(weight, int | float) and np.isfinite(weight) and weight > 0
            faults.check(usable, f"the weight of {name!r} must be a positive number")


def known_columns(table: Any, names: Sequence[str], faults: Faults) -> list[str]:
    """The quasi-identifiers that the table has, each once; what is wrong with the others is noted."""
    from discreet.frames import column_faults

    for fault in column_faults(table, names, what="quasi-identifier"):
        faults.add(fault)
    return [] if isinstance(names, str) else [name for name in dict.fromkeys(names) if name in table.columns]


def read(table: Any, known: list[str], treatment: Treatment, faults: Faults) -> Reading:
    """The quasi-identifiers of a table; one InputError with everything that is wrong."""
    treatment.check(faults, known)
    secret = None if treatment.sensitive is None else _sensitive(table, treatment.sensitive, faults)
    missing, ordered = treatment.missing, treatment.ordered
    columns: dict[str, _Column] = {}
    trees: dict[str, Hierarchy] = {}
    for name in known:
        try:
            if name in treatment.hierarchies:
                trees[name] = as_hierarchy(treatment.hierarchies[name], name)
            columns[name] = _Column.of(table, name, name in {*treatment.categorical, *ordered, *trees})
            columns[name].check(faults, missing, trees.get(name), ordered.get(name))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    attributes, labels = [], {}
    for name in known:
        weight = float(treatment.weights.get(name, 1.0))
        attribute, labels[name] = columns[name].attribute(missing, trees.get(name), ordered.get(name), weight)
        attributes.append(attribute)
    return Reading(
        known,
        domains.domain(attributes, ncp=treatment.ncp),
        {name: columns[name].entries for name in known},
        labels,
        frozenset(name for name in known if columns[name].numbers),
        trees,
        secret,
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


@dataclass(frozen=True)
class _Column:
    """A column by exact value, and whether it is one of numbers."""

    name: str
    entries: Entries
    numbers: bool

    @staticmethod
    def of(table: Any, name: str, categories: bool) -> _Column:
        from discreet.frames.exact import entries

        found = entries(table, name, categories=categories)
        return _Column(name, found, found.place is not None and not categories)

    def check(self, faults: Faults, missing: str, tree: Hierarchy | None, order: Sequence[str] | None) -> None:
        entries = self.entries
        absent = entries.missing
        faults.check(
            entries.odd == 0,
            f"column {self.name!r} is numeric but for {entries.odd} of {len(entries.codes) - absent} entries: correct "
            "them, leave them empty where nothing is known (see missing, --missing), or say that the column holds "
            "categories (categorical, --categorical)",
        )
        if missing == "error":
            faults.check(
                absent == 0,
                f'column {self.name!r} has {absent} missing values: fill them in, or use missing="value" or '
                'missing="wildcard" (--missing)',
            )
        present = set(entries.texts)
        if not self.numbers and tree is None:
            boxes = sum(reads_as_box(text) for text in present)
            faults.check(
                boxes == 0,
                f"column {self.name!r} holds {boxes} values that read like published sets, {{...}} or *: rename them",
            )
        if tree is not None:
            unknown = len(present - set(tree.leaves))
            faults.check(
                unknown == 0, f"the hierarchy of {self.name!r} misses {unknown} values of the column: add them"
            )
            if missing == "value":
                faults.check(
                    absent == 0 or "" in tree.leaves,
                    f"the hierarchy of {self.name!r} has no place for missing values: add a row whose value is "
                    'empty, or use missing="wildcard"',
                )
        if order is not None:
            unknown = len(present - {str(value) for value in order})
            faults.check(unknown == 0, f"the order of {self.name!r} misses {unknown} values of the column: add them")
            faults.check(len(set(map(str, order))) == len(order), f"the order of {self.name!r} lists a value twice")
            faults.check(
                missing != "value" or absent == 0,
                f'missing values have no place in the order of {self.name!r}: use missing="wildcard"',
            )

    def attribute(
        self, missing: str, tree: Hierarchy | None, order: Sequence[str] | None, weight: float
    ) -> tuple[Attribute, list[str | None]]:
        """The attribute and the text of each of its codes."""
        entries = self.entries
        labels: list[str | None]
        if self.numbers:
            assert entries.place is not None
            attribute = domains.graded(self.name, entries.codes, entries.place, missing=missing, weight=weight)
            labels = list(entries.texts)
            return attribute, labels + [None] * (attribute.size - len(labels))
        if tree is not None:
            listed = list(tree.leaves)
        elif order is not None:
            listed = [str(value) for value in order]
        else:
            listed = sorted(entries.texts)
            if missing != "wildcard" and entries.missing:
                listed.insert(0, "")
        place = {text: number for number, text in enumerate(listed)}
        gap = domains.WILDCARD if missing == "wildcard" else place.get("", domains.WILDCARD)
        codes = np.array([*(place[text] for text in entries.texts), gap], np.int32)[entries.codes]
        labels = [text or None for text in listed]
        if tree is not None:
            return domains.hierarchical(self.name, codes, tree, weight=weight), labels
        if order is not None:
            return domains.ordered(self.name, codes, len(listed), weight=weight), labels
        return domains.categorical(self.name, codes, len(listed), weight=weight), labels


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
