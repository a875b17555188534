"""Counts with noise by the cell key method: the same cell has the same noise in every table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.frames.tabular.decimals import column_in_smallest_unit
from discreet.frames.tabular.labels import named_column
from discreet.instruments.totals.additive import table_document, table_frame
from discreet.instruments.totals.tabulate import tabulate
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.among import OtherTables, other_tables
from discreet.tabular.audit import audit
from discreet.tabular.cell_key import Perturbation, counts_behind, perturbation_of
from discreet.tabular.problem import FREE, Ints
from discreet.work import Deadline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("pcv", "ckey", "pvalue")
# Seconds for finding out what follows from the sums.
PATIENCE = 60.0


@dataclass(frozen=True)
class CellKeyTable(Result):
    """A table of counts with noise. `table` has what is published, `original` the true counts, for the custodian.

    `behind` are the true counts that each published one can come from, by the table of perturbations alone.
    Published totals need not be the sums of their parts.
    """

    table: AdditiveTable = field(repr=False)
    original: AdditiveTable = field(repr=False)
    perturbation: Perturbation = field(repr=False)
    behind: list[Ints] = field(repr=False)
    key_sums: Ints = field(repr=False)
    n: int
    seconds: float
    like: Any = field(repr=False, default=None)

    @cached_property
    def data(self) -> Any:
        """The published table as a long frame."""
        return table_frame(self.table, public=True, levels=False, like=self.like)

    @property
    def document(self) -> Any:
        return table_document(self.table, public=True, levels=False)

    @property
    def exact_by_support(self) -> int:
        """Cells above 0 whose true count follows from the published one and the table of perturbations alone."""
        return sum(own.size == 1 and own[0] > 0 for own in self.behind)

    @cached_property
    def _inferred(self) -> OtherTables:
        problem = self.original.problem
        ends = (np.array([own[end] for own in self.behind], np.int64) for end in (0, -1))
        boxed = problem._replace(cells=problem.cells._replace(lower=next(ends), upper=next(ends)))
        gaps = {cell: own for cell, own in enumerate(self.behind) if own[-1] - own[0] >= own.size}
        if gaps:
            return other_tables(boxed, gaps, Deadline(PATIENCE))
        found = audit(boxed, np.ones(self.table.cells, np.bool_), deadline=Deadline(PATIENCE))
        return OtherTables(found.lower == found.upper, found.inner_lower < found.inner_upper, found.witnesses)

    @property
    def exact_by_sums(self) -> int:
        """The same for someone who also uses that true counts add up."""
        return int((self._inferred.exact & (self.original.problem.cells.value > 0)).sum())

    @property
    def undecided(self) -> int:
        """Cells above 0 of which neither that nor another possible count was found in time."""
        found = self._inferred
        return int((~found.exact & ~found.untold & (self.original.problem.cells.value > 0)).sum())

    @property
    def changed(self) -> int:
        return int((self.table.problem.cells.value != self.original.problem.cells.value).sum())

    def title(self) -> str:
        return f"Counts with noise by cell keys: {self.table.cells} cells of {self.n} records"

    def facts(self) -> list[tuple[str, str]]:
        noise = self.perturbation.noise
        return [
            ("changed", f"{self.changed} cells"),
            ("noise", f"from {noise.min()} to {noise.max()}, the same for the same records in every table"),
            ("inferred", f"{self.exact_by_support} counts follow exactly from the support of the noise alone"),
            ("", f"{self.exact_by_sums} counts follow exactly when true counts are known to add up"),
            *([("", f"{self.undecided} counts could not be decided")] if self.undecided else []),
            ("totals", "published totals need not be the sums of their parts"),
            ("time", f"{self.seconds:.2f} s"),
        ]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "cell key",
            "version": __version__,
            "k": None,
            "n": self.n,
            "method": "cell key",
            "status": "done",
            "seconds": self.seconds,
            "seed": 0,
            "cells": self.table.cells,
            "changed": self.changed,
            "noise": [int(self.perturbation.noise.min()), int(self.perturbation.noise.max())],
            "keys": self.perturbation.keys,
            "exact_by_support": self.exact_by_support,
            "exact_by_sums": self.exact_by_sums,
            "undecided": self.undecided,
        }

    def statement(self) -> Statement:
        from discreet.instruments.statements.totals import with_noise

        return with_noise(self)

    def sections(self) -> list[Section]:
        return []

    def publication(self) -> Publication:
        return Publication(self.data)

    def verify(self) -> Verdict:
        """The independent check: the noise looked up again, and whether a count above 0 can be inferred exactly.

        Not a statement about several tables.
        """
        from discreet.verify.tabular.cell_key import verify_cell_key

        noise = self.perturbation.noise
        rows = ((row, key, int(noise[row, key])) for row, key in np.ndindex(noise.shape))
        told = self.table.problem.cells.value.tolist()
        return verify_cell_key(self.original.problem, told, self.key_sums.tolist(), rows, self._inferred.witnesses)

    def plot(self) -> Figure:
        """How many cells have which noise."""
        from discreet.report.bars import standing

        added = self.table.problem.cells.value - self.original.problem.cells.value
        values, counts = np.unique(added, return_counts=True)
        names = [*map(str, values.tolist())]
        return standing("Noise of the cells", names, counts.tolist(), "published minus true", "cells")


def cell_key(
    frame: Any,
    by: Sequence[str] | Sequence[Sequence[str]],
    *,
    record_key: str,
    perturbation: Any,
    hierarchies: Mapping[str, Any] | None = None,
    empty: bool = False,
) -> CellKeyTable:
    """Count records in every cell of a table with all its totals, and add noise by cell keys.

    Parameters
    ----------
    frame, by, hierarchies, empty : as for `discreet.tabulate`.
    record_key : the column with each record's key, a whole number from 0; see `discreet.record_keys`.
    perturbation : a CSV file or dataframe with the columns `pcv`, `ckey` and `pvalue`.
    """
    begin = perf_counter()
    table = read_perturbation(perturbation)
    keys, decimals = column_in_smallest_unit(named_column(frame, record_key), record_key)
    if decimals or keys.min(initial=0) < 0 or keys.max(initial=0) >= table.keys:
        raise InputError(f"column {record_key!r} must hold whole numbers from 0 to {table.keys - 1}: the record keys")
    counted = tabulate(frame, by, value=record_key, hierarchies=hierarchies, empty=empty)
    found = counted.table
    assert found.counts is not None
    count = found.counts
    told = count + table.added(count, found.problem.cells.value)
    behind = counts_behind(table, told, least=int(count.min(initial=1) > 0))
    original, published = _with_counts(found, count), _with_counts(found, told)
    return CellKeyTable(
        published,
        original,
        table,
        behind,
        found.problem.cells.value,
        counted.n,
        perf_counter() - begin,
        counted.like,
    )


def _with_counts(table: AdditiveTable, count: Ints) -> AdditiveTable:
    """A table of counts with the cells of `table`."""
    cells = table.problem.cells
    status = np.full(count.size, FREE, np.int8)
    cells = cells._replace(value=count, lower=count, upper=count, status=status, below=count * 0, above=count * 0)
    problem = table.problem._replace(cells=cells._replace(sliding=count * 0))
    return replace(table, problem=problem, decimals=0, amounts=False, counts=count, count_decimals=0, contributors=None)


def read_perturbation(given: Any) -> Perturbation:
    """A table of perturbations from a file or a dataframe."""
    if isinstance(given, Perturbation):
        return given
    if isinstance(given, str | os.PathLike):
        from discreet.frames import read

        given = read(given, exact=list(COLUMNS))
    faults, columns = Faults(), []
    for name in COLUMNS:
        try:
            values, decimals = column_in_smallest_unit(named_column(given, name), name)
        except InputError as error:
            faults.extend(error)
            continue
        faults.check(not decimals, f"column {name!r} of the table of perturbations must hold whole numbers")
        columns.append(values)
    faults.raise_if_any()
    return perturbation_of(*columns)
