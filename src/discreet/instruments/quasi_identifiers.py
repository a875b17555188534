"""Quasi-identifiers of a dataframe as codes, with every fault reported at once, and boxes back to text."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs
from discreet.generalization.domain import Attribute, Domain
from discreet.generalization.hierarchy import Hierarchy, from_mapping, from_rows
from discreet.generalization.methods import check_call
from discreet.generalization.spelling import spell

Texts = NDArray[np.object_]
Integers = NDArray[np.int64]

MISSING = ("error", "value", "wildcard")


@dataclass(frozen=True)
class Reading:
    """The quasi-identifiers as a domain, how each code is spelled, and which columns are numbers."""

    names: list[str]
    domain: Domain
    labels: dict[str, list[str | None]] = field(repr=False)
    numbers: frozenset[str]
    hierarchies: dict[str, Hierarchy] = field(repr=False)
    sensitive: Texts | None = field(repr=False)

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

    def sensitive_codes(self) -> Integers:
        assert self.sensitive is not None
        return _distinct(self.sensitive)[0]


def read(
    table: Any,
    k: int,
    names: Sequence[str],
    faults: Faults,
    *,
    method: str,
    options: Mapping[str, Any],
    hierarchies: Mapping[str, Any],
    categorical: Sequence[str],
    ordered: Mapping[str, Sequence[str]],
    weights: Mapping[str, float],
    ncp: str,
    missing: str,
    sensitive: str | None,
    l: int | None,
    seed: int | None,
    executor: Any,
) -> Reading:
    """The quasi-identifiers of a table; one InputError with everything that is wrong."""
    from discreet.frames import column_faults

    for fault in column_faults(table, names, what="quasi-identifier"):
        faults.add(fault)
    known = [] if isinstance(names, str) else [name for name in dict.fromkeys(names) if name in table.columns]
    check_call(faults, known, method, options)
    _check_numbers(faults, len(table), k, l, seed, executor)
    faults.check(ncp in domains.NCP, f"unknown ncp {ncp!r}: choose one of {', '.join(domains.NCP)}")
    faults.check(missing in MISSING, f"unknown policy for missing values: choose one of {', '.join(MISSING)}")
    for what, given in (
        ("categorical", categorical),
        ("ordered", ordered),
        ("hierarchies", hierarchies),
        ("weights", weights),
    ):
        stray = [str(name) for name in given if name not in known]
        faults.check(not stray, f"{what} names columns that are not quasi-identifiers: {', '.join(stray)}")
    twice = [name for name in hierarchies if name in ordered]
    faults.check(not twice, f"both ordered and with a hierarchy: {', '.join(twice)}; choose one")
    faults.check((sensitive is None) == (l is None), "sensitive and l go together: give both or neither")
    if l is not None:
        faults.check(method in ("auto", "reassign"), f"method {method!r} cannot keep to l: use auto")
        faults.check(sensitive not in known, "the sensitive column cannot be a quasi-identifier")
    if sensitive is not None:
        for fault in column_faults(table, [sensitive], what="sensitive column"):
            faults.add(fault)
    columns: dict[str, _Column] = {}
    trees: dict[str, Hierarchy] = {}
    for name in known:
        try:
            if name in hierarchies:
                trees[name] = as_hierarchy(hierarchies[name], name)
            columns[name] = _Column.of(table, name, name in set(categorical) | set(ordered) | set(trees))
            columns[name].check(faults, missing, trees.get(name), ordered.get(name))
        except InputError as error:
            faults.extend(error)
    for name, weight in weights.items():
        usable = isinstance(weight, int | float) and np.isfinite(weight) and weight > 0
        faults.check(usable, f"the weight of {name!r} must be a positive number")
    faults.raise_if_any()
    attributes, labels = [], {}
    for name in known:
        attribute, spelled = columns[name].attribute(
            missing, trees.get(name), ordered.get(name), float(weights.get(name, 1.0))
        )
        attributes.append(attribute)
        labels[name] = spelled
    from discreet.frames import text_array

    return Reading(
        known,
        domains.domain(attributes, ncp=ncp),
        labels,
        frozenset(name for name in known if columns[name].numbers is not None),
        trees,
        None if sensitive is None else text_array(table, sensitive),
    )


def _check_numbers(faults: Faults, n: int, k: Any, l: Any, seed: Any, executor: Any) -> None:
    def whole(x: Any) -> bool:
        return isinstance(x, int | np.integer) and not isinstance(x, bool)

    faults.check(n > 0, "the data has no records")
    if faults.check(whole(k) and k >= 2, "k must be a whole number, 2 or more") and n:
        faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
        if l is not None and faults.check(whole(l) and l >= 1, "l must be a whole number, 1 or more"):
            faults.check(l <= k, f"l = {l} is larger than k = {k}: k matches cannot carry more than k values")
    faults.check(seed is None or (whole(seed) and seed >= 0), "random_state must be a whole number, 0 or more")
    faults.check(
        executor is None or callable(getattr(executor, "submit", None)),
        "executor must have the interface of concurrent.futures.Executor (for Dask, pass client.get_executor())",
    )


@dataclass(frozen=True)
class _Column:
    """A column as text (None where missing) and, where it is one of numbers, as numbers."""

    name: str
    texts: Texts
    numbers: NDArray[np.float64] | None

    @staticmethod
    def of(table: Any, name: str, categories: bool) -> _Column:
        from discreet.frames import is_numeric, numeric_array, text_array

        texts = text_array(table, name)
        numbers = None
        if not categories and is_numeric(table, name):
            numbers = numeric_array(table, [name])[:, 0]
        elif not categories and not _truth(table, name):
            numbers = _as_numbers(texts)
        return _Column(name, texts, numbers)

    def check(self, faults: Faults, missing: str, tree: Hierarchy | None, order: Sequence[str] | None) -> None:
        _, found = _distinct(self.texts)
        absent = sum(text is None for text in self.texts)
        if missing == "error":
            faults.check(
                absent == 0,
                f'column {self.name!r} has {absent} missing values: fill them in, or use missing="value" or '
                'missing="wildcard" (--missing)',
            )
        present = set(found) - {""}
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
        if self.numbers is not None:
            attribute = domains.numeric(self.name, self.numbers, missing=missing, weight=weight)
            labels: list[str | None] = [None] * attribute.size
            distinct, first = np.unique(attribute.codes, return_index=True)
            for code, row in zip(distinct.tolist(), first.tolist()):
                if code >= 0:
                    labels[code] = self.texts[row]
            return attribute, labels
        which, found = _distinct(self.texts)
        if tree is not None:
            listed = list(tree.leaves)
        elif order is not None:
            listed = [str(value) for value in order]
        else:
            listed = sorted(found if missing != "wildcard" else set(found) - {""})
        place = {text: number for number, text in enumerate(listed)}
        if missing == "wildcard":
            place[""] = domains.WILDCARD
        codes = np.array([place[text] for text in found], np.int32)[which]
        labels = [text or None for text in listed]
        if tree is not None:
            return domains.hierarchical(self.name, codes, tree, weight=weight), labels
        if order is not None:
            return domains.ordered(self.name, codes, len(listed), weight=weight), labels
        return domains.categorical(self.name, codes, len(listed), weight=weight), labels


def _distinct(texts: Texts) -> tuple[Integers, list[str]]:
    """The number of each text among the distinct ones, and those; missing is the empty text."""
    import pyarrow as pa

    encoded = pa.array(texts, pa.string()).fill_null("").dictionary_encode()
    return encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary.to_pylist()


def _truth(table: Any, name: str) -> bool:
    return str(table.schema[name]).lower().startswith("bool")


def _as_numbers(texts: Texts) -> NDArray[np.float64] | None:
    """Text of which every value is a number: by the contract of the file format such a column is numeric."""
    which, found = _distinct(texts)
    out = np.full(len(found), np.nan)
    for number, text in enumerate(found):
        try:
            out[number] = float(text) if text else np.nan
        except ValueError:
            return None
        if text and not np.isfinite(out[number]):
            return None
    return None if np.isnan(out).all() else out[which]


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


def read_rows(path: Path, name: str) -> list[list[str]]:
    """Rows of a CSV file without header, separated by semicolons (as ARX writes them), commas or tabs."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: cannot read {path} ({type(error).__name__}): give a UTF-8 CSV file") from None
    head = text.split("\n", 1)[0]
    delimiter = max(";,\t", key=head.count)
    return [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
