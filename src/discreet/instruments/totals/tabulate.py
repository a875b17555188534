"""Tables with totals from records: counts or amounts of every cell, who contributes, and what adds up to what."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.frames.datasets import Dataset
from discreet.frames.tabular.decimals import LARGEST, column_in_smallest_unit
from discreet.frames.tabular.labels import encoded, named_column
from discreet.frames.tabular.long import COLUMNS
from discreet.instruments.totals import tabulate_large as large
from discreet.instruments.totals.additive import as_tree, table_frame
from discreet.instruments.totals.table_pages import status_sections
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tabular.additive import AdditiveTable, check_levels
from discreet.tabular.counting import Records, count_cells, with_empty
from discreet.tabular.hierarchy import TOTAL, Tree, flat_tree
from discreet.tabular.problem import FIXED, FREE, PRIMARY, Cells, Ints, Problem
from discreet.tabular.relations import relations_of
from discreet.tabular.rules import Rules, apply_rules, parse_rules
from discreet.tabular.weighting import place_weights, weighted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOP = 2  # how many of the largest contributors long files have columns for


@dataclass(frozen=True)
class Tabulation(Result):
    """A table with totals, as it is before anything is hidden: for the custodian alone.

    `table` has the cells and relations in whole numbers, `rules` say which cells are sensitive (None: nobody asked).
    """

    table: AdditiveTable = field(repr=False)
    n: int
    by: tuple[tuple[str, ...], ...]
    value: str | None
    weight: str | None
    holding: str | None
    rules: Rules | None
    seconds: float
    like: Any = field(repr=False, default=None)

    @cached_property
    def data(self) -> Any:
        """The long frame, of the kind that the records came in."""
        return table_frame(self.table, levels=self.rules is not None, like=self.like)

    @property
    def sensitive(self) -> int:
        """How many cells the rules call sensitive."""
        return int((self.table.problem.cells.status == PRIMARY).sum())

    def title(self) -> str:
        what = "counts" if self.value is None else self.value
        tables = " and ".join(" by ".join([what, ", ".join(names)]) for names in self.by[:3])
        return f"Table of {tables}" + ("" if len(self.by) <= 3 else f" and {len(self.by) - 3} more")

    def facts(self) -> list[tuple[str, str]]:
        facts = [
            ("cells", f"{self.table.cells} from {self.n} records"),
            ("relations", f"{self.table.problem.relations.n}, all of which add up"),
            ("unit", "1" if not self.table.decimals else f"10^-{self.table.decimals}"),
        ]
        if self.rules is None:
            facts.append(("sensitive", "not asked: no rules were given"))
        else:
            facts.append(("sensitive", f"{self.sensitive} cells"))
            facts += [("rule" if at == 0 else "", text) for at, text in enumerate(self.rules.told())]
        return [*facts, ("time", f"{self.seconds:.2f} s")]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "tabulate",
            "version": __version__,
            "k": None,
            "n": self.n,
            "by": [list(names) for names in self.by],
            "value": self.value,
            "weight": self.weight,
            "holding": self.holding,
            "method": "tabulate",
            "status": "done",
            "seconds": self.seconds,
            "seed": 0,
            "cells": self.table.cells,
            "relations": self.table.problem.relations.n,
            "decimals": self.table.decimals,
            "sensitive": None if self.rules is None else self.sensitive,
            "rules": [] if self.rules is None else self.rules.told(),
        }

    def statement(self) -> Statement:
        from discreet.instruments.statements.totals import tabulated

        return tabulated(self)

    def sections(self) -> list[Section]:
        """Which cells are sensitive, without any amount: of a table with sensitive cells the others would tell them."""
        return [] if self.rules is None else status_sections(self.table)

    def public_sections(self) -> list[Section]:
        """Nothing: which cells are sensitive is told to nobody else."""
        return []

    def publication(self) -> Publication:
        return Publication(self.data)

    def verify(self) -> Verdict:
        """Whether the table could be published as it is: only if the rules were asked and call no cell sensitive."""
        guarantee = "no sensitive cell is told"
        if self.rules is None:
            return Verdict("cannot tell", guarantee, None, advice=("give rules, such as frequency=3",))
        proven = ("every total is the sum of its parts", *self.rules.told())
        if not self.sensitive:
            return Verdict("safe", guarantee, None, proven=proven)
        return Verdict(
            "unsafe",
            guarantee,
            None,
            failures=(f"{self.sensitive} cells are sensitive, and nothing is hidden yet",),
            advice=("hide cells with discreet suppress, and publish what it writes",),
        )

    def plot(self) -> Figure:
        """How many cells of each number of contributors there are, and how many of them are sensitive."""
        from discreet.report.pictures.contributors import contributors

        assert self.table.contributors is not None
        return contributors(self.table.contributors.number, self.table.problem.cells.status == PRIMARY)


def tabulate(
    frame: Any,
    by: Sequence[str] | Sequence[Sequence[str]],
    *,
    value: str | None = None,
    weight: str | None = None,
    holding: str | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | Iterable[str] | None = None,
    empty: bool = False,
    memory: str | int | None = None,
) -> Tabulation:
    """Count records, or add up an amount, in every cell of a table with all its totals.

    Parameters
    ----------
    frame : any dataframe, a file read with `discreet.frames.read`, or, for data of any size, a dataset or the path of a
        folder, of a file or of files by a pattern (Parquet, CSV).
    by : the variables of the table; a list of lists for linked tables, which share the cells they have in common.
    value : the column to add up; without it records are counted.
    weight : sampling weights: a record stands for so many like it.
    holding : who a record belongs to: what a holding's records add up to in a cell is one contribution.
    hierarchies : for each variable that has levels a file (CSV or `.hrc`), chains of labels, or child → parent.
    rules : rules of sensitivity, as `Rules` or as texts such as "frequency=3"; they mark cells and set their levels.
    empty : also list the cells that no record falls into.
    memory : for data of any size: how much memory the counting may take, such as "2GB", the default.
    """
    begin = perf_counter()
    tables = _tables(by)
    variables = tuple(dict.fromkeys(name for names in tables for name in names))
    asked = rules if rules is None or isinstance(rules, Rules) else parse_rules(rules)
    faults = Faults()
    _check_names(variables, [value, weight, holding], hierarchies, faults)
    top = max(TOP, 0 if asked is None else asked.top)
    if isinstance(frame, str | os.PathLike | Dataset):
        faults.raise_if_any()
        found = _read_files(frame, memory, large.Asked(variables, value, weight, holding, top), hierarchies or {})
    else:
        faults.check(memory is None, "memory is for files and datasets: a frame is in memory already")
        found = _read_frame(frame, variables, value, weight, holding, hierarchies or {}, faults)
    subsets = [[variables.index(name) for name in names] for names in tables]
    decimals, count_decimals = found.decimals, found.count_decimals
    counted = count_cells(found.records, found.trees, subsets, top)
    if empty:
        counted = with_empty(counted, subsets)
    amount = counted.amount
    nothing = np.zeros(amount.size, np.int64)
    status = np.where(amount == 0, FIXED, FREE).astype(np.int8)
    cells = Cells(amount, amount, amount, np.ones(amount.size, np.int64), status, nothing, nothing, nothing)
    table = AdditiveTable(
        Problem(cells, relations_of(counted.grid)),
        variables,
        counted.grid.trees,
        counted.grid.codes,
        decimals,
        0,
        value is not None,
        counted.counts,
        count_decimals,
        counted.contributors,
    )
    table = apply_rules(table, asked or Rules())
    check_levels(table, faults)
    faults.raise_if_any()
    seconds = perf_counter() - begin
    return Tabulation(table, found.n, tables, value, weight, holding, asked, seconds, found.like)


class _Found(NamedTuple):
    """Records with their leaves in trees, the decimals of amounts and of counts, and how many records there are."""

    records: Records
    trees: list[Tree]
    decimals: int
    count_decimals: int
    n: int
    like: Any


def _read_files(data: Any, memory: Any, asked: large.Asked, hierarchies: Mapping[str, Any]) -> _Found:
    """The records of files of any size."""
    faults = Faults()
    with large.opened(data, asked, memory) as counted:
        reduced = large.reduce(counted, asked)
    trees, columns = _leaves(reduced.frame, asked.variables, hierarchies, faults)
    faults.raise_if_any()
    records = reduced.records._replace(leaf=np.stack(columns, axis=1)[reduced.of])
    like = reduced.frame.slice(0, 0)
    return _Found(records, trees, reduced.decimals, reduced.count_decimals, reduced.n, like)


def _read_frame(
    frame: Any,
    variables: Sequence[str],
    value: str | None,
    weight: str | None,
    holding: str | None,
    hierarchies: Mapping[str, Any],
    faults: Faults,
) -> _Found:
    """The records of a frame."""
    trees, columns = _leaves(frame, variables, hierarchies, faults)
    numbers = _numbers(frame, value, weight, faults)
    owners = None if holding is None else _owners(frame, holding, faults)
    faults.raise_if_any()
    leaves = np.stack(columns, axis=1)
    records, decimals, count_decimals = _records(leaves, numbers, value, weight, owners)
    return _Found(records, trees, decimals, count_decimals, len(leaves), frame)


def _tables(by: Any) -> tuple[tuple[str, ...], ...]:
    """The variables of each table."""
    if isinstance(by, str) or not isinstance(by, Sequence) or not by:
        raise InputError("say by which variables to tabulate, as in by=['region', 'sector']")
    tables = (tuple(by),) if all(isinstance(name, str) for name in by) else tuple(by)
    if not all(isinstance(names, list | tuple) and names for names in tables):
        raise InputError("give the variables of one table, or a list of such lists for linked tables")
    found = tuple(tuple(str(name) for name in names) for names in tables)
    twice = [name for names in found for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(f"a table is by {listing(twice)} twice: name each variable once")
    return found


def _check_names(
    variables: Sequence[str], others: Sequence[str | None], hierarchies: Mapping[str, Any] | None, faults: Faults
) -> None:
    reserved = [name for name in variables if name in COLUMNS]
    faults.check(
        not reserved, f"a variable is called {listing(reserved)}, which tables keep for what they tell: rename it"
    )
    unknown = [name for name in hierarchies or {} if name not in variables]
    faults.check(not unknown, f"a hierarchy is given for {listing(unknown)}, which the table is not by")
    twice = [name for name in others if name is not None and name in variables]
    faults.check(not twice, f"{listing(twice)} cannot be both a variable and what is counted")


def _leaves(
    frame: Any, variables: Sequence[str], hierarchies: Mapping[str, Any], faults: Faults
) -> tuple[list[Tree], list[NDArray[np.int32]]]:
    """The tree of each variable, and the leaf of each record in each."""
    trees: list[Tree] = []
    columns = []
    for name in variables:
        try:
            labels, codes = encoded(named_column(frame, name), name)
            tree = flat_tree(labels) if name not in hierarchies else as_tree(hierarchies[name], name)
            _check_leaves(tree, labels, name, name in hierarchies)
        except InputError as error:
            faults.extend(error)
            continue
        trees.append(tree)
        columns.append(np.array([tree.number[label] for label in labels], np.int32)[codes])
    return trees, columns


def _check_leaves(tree: Tree, labels: Sequence[str], name: str, given: bool) -> None:
    absent = sum(label not in tree.number for label in labels)
    if absent:  # what stands in records is not quoted: it may be no category at all
        raise InputError(
            f"the hierarchy of {name!r} misses {absent} of the column's {len(labels)} labels: add them, each with the "
            "label above it"
        )
    leaves = {tree.labels[node] for node in tree.leaves.tolist()}
    inner = [label for label in labels if label not in leaves]
    if inner and not given:
        raise InputError(f"column {name!r} has records in {TOTAL!r}, which is the label of the total: rename it")
    if inner:
        raise InputError(
            f"column {name!r} has records in {listing(inner, 5)}, which the hierarchy divides further: records stand "
            "in its innermost labels"
        )


def _numbers(frame: Any, value: str | None, weight: str | None, faults: Faults) -> dict[str, tuple[Ints, int]]:
    """The amounts and weights as whole numbers, with their decimals."""
    found = {}
    for role, name in (("value", value), ("weight", weight)):
        if name is None:
            continue
        try:
            found[role] = column_in_smallest_unit(named_column(frame, name), name)
        except InputError as error:
            faults.extend(error)
    if "weight" in found:
        negative = int((found["weight"][0] < 0).sum())
        faults.check(negative == 0, f"column {weight!r} is negative in {negative} rows: a weight is 0 or more")
    return found


def _owners(frame: Any, holding: str, faults: Faults) -> Ints | None:
    """The number of each record's holding, -1 where it has none."""
    try:
        _, codes = encoded(named_column(frame, holding), holding, gaps=True)
    except InputError as error:
        faults.extend(error)
        return None
    return codes.astype(np.int64)


def _records(
    leaves: NDArray[np.int32],
    numbers: Mapping[str, tuple[Ints, int]],
    value: str | None,
    weight: str | None,
    owners: Ints | None,
) -> tuple[Records, int, int]:
    """What is counted, the decimals of amounts and those of counts."""
    ones = np.ones(len(leaves), np.int64)
    own, own_decimals = numbers["value"] if value is not None else (ones, 0)
    if weight is None:
        return Records(leaves, own, ones, own, owners), own_decimals, 0
    weights, weight_decimals = numbers["weight"]
    amounts = weighted(own, own_decimals, weights, weight_decimals)
    counts = weighted(ones, 0, weights, weight_decimals)
    places, unit = place_weights(weights, weight_decimals)
    scale = 10 ** abs(amounts.decimals - own_decimals)
    if amounts.decimals >= own_decimals:
        if float(np.abs(own).max(initial=0)) * scale > LARGEST:
            raise InputError(f"column {value!r} has amounts too large to be weighted exactly: round it to fewer digits")
        size = own * scale
    else:
        size = -(-own // scale)
    return Records(leaves, amounts.amount, counts.amount, size, owners, places, unit), amounts.decimals, counts.decimals
