"""A margin as a cross-tabulation: some variables in columns, the others nested in rows, with totals and percentages.

The counts n_ij of a margin, i over combinations of the row variables and j over those of the column variables, are
shown as they are, as row percentages 100 n_ij / n_i., column percentages 100 n_ij / n_.j, or shares 100 n_ij / n_.. .
Totals are sums of the counts of this margin: they follow from what the reader has already. A hidden count is not a
number, and neither is any sum or percentage that it has a part in, unless that sum is public: a count of a released
margin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from discreet.release.engine import Table
from discreet.release.open_dataset import Margin

Floats = np.ndarray[Any, np.dtype[np.float64]]
# The counts over some variables, in the order of their categories, where they are public.
Known = Callable[[Sequence[str]], Floats | None]
SHOWN_ROWS = 200
SHOWN_COLUMNS = 24

HIDDEN = "hidden"
SHOWS = {"counts": "counts", "row": "row percentages", "column": "column percentages", "share": "shares of all"}
CHARTS = {"stacked": "stacked bars", "grouped": "bars side by side", "none": "no chart"}


@dataclass(frozen=True)
class Layout:
    """What a reader chose: variables in columns (None: the first), which numbers, which chart."""

    columns: tuple[str, ...] | None = None
    show: str = "counts"
    chart: str = "stacked"


@dataclass(frozen=True)
class Crosstab:
    """The counts as a matrix with its totals, and the texts of its rows and columns, one per variable nested there."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: Floats
    row_texts: tuple[tuple[str, ...], ...]
    column_texts: tuple[tuple[str, ...], ...]
    row_totals: Floats
    column_totals: Floats
    whole: float

    def heads(self, number: int) -> tuple[str, ...]:
        """The categories of a row."""
        return combination(self.row_texts, number)

    def tops(self, number: int) -> tuple[str, ...]:
        """The categories of a column."""
        return combination(self.column_texts, number)


def combination(texts: Sequence[Sequence[str]], number: int) -> tuple[str, ...]:
    """The categories of one combination, numbered with the last variable running fastest."""
    places: list[str] = []
    for levels in reversed(texts):
        number, place = divmod(number, len(levels))
        places.append(levels[place])
    return tuple(reversed(places))


def default_columns(table: Table) -> tuple[str, ...]:
    """The first variable goes into columns where it fits; one variable alone is read from top to bottom."""
    if len(table.names) < 2:
        return ()
    fitting = [name for name, size in zip(table.names, table.shape) if size <= SHOWN_COLUMNS]
    return (fitting[0],) if fitting else ()


def cross(
    margin: Margin, columns: Sequence[str] | None, labels: Mapping[str, Sequence[str]], known: Known | None = None
) -> Crosstab:
    """The margin with these variables in columns; names it does not have are passed over. `known` tells totals."""
    table = margin.table
    chosen = default_columns(table) if columns is None else tuple(n for n in table.names if n in columns)
    rows = tuple(name for name in table.names if name not in chosen)
    axes = [table.names.index(name) for name in (*rows, *chosen)]
    height = prod(table.shape[a] for a in axes[: len(rows)])
    told = table.dense().astype(np.float64)
    if margin.hidden is not None:
        told[margin.hidden.reshape(table.shape)] = np.nan
    counts = np.transpose(told, axes).reshape(height, -1)
    return Crosstab(
        rows,
        chosen,
        counts,
        tuple(tuple(labels[name]) for name in rows),
        tuple(tuple(labels[name]) for name in chosen),
        _sums(counts, 1, rows, known),
        _sums(counts, 0, chosen, known),
        float(_sums(counts, None, (), known)[0]),
    )


def _sums(counts: Floats, axis: int | None, names: Sequence[str], known: Known | None) -> Floats:
    """Totals along an axis; where a count is hidden, those that are public anyway."""
    sums = np.atleast_1d(counts.sum(axis=axis))
    if not np.isnan(sums).any() or known is None:
        return sums
    public = known(names)
    return sums if public is None else public


def numbers(made: Crosstab, show: str) -> Floats:
    """What is shown in each cell, as numbers; not a number where a percentage has nobody to speak of."""
    counts = made.counts
    if show == "counts":
        return counts
    base = {"row": made.row_totals[:, None], "column": made.column_totals[None]}
    whole = base.get(show, np.full((1, 1), made.whole))
    return np.divide(100.0 * counts, whole, out=np.full_like(counts, np.nan), where=whole > 0)


def crosstab_view(made: Crosstab, show: str) -> dict[str, Any]:
    """The cross-tabulation for a page: headings with their spans, texts of cells, totals, how much is left out."""
    height, width = made.counts.shape
    shown_rows, shown_columns = min(height, SHOWN_ROWS), min(width, SHOWN_COLUMNS)
    cells = numbers(made, show)[:shown_rows, :shown_columns]
    row_totals, column_totals, whole = made.row_totals, made.column_totals, made.whole
    right = [_total(float(n), whole, show, along="row") for n in row_totals[:shown_rows]]
    below = [_total(float(n), whole, show, along="column") for n in column_totals[:shown_columns]]
    heads = spans([made.heads(i) for i in range(shown_rows)])
    tops = spans([made.tops(j) for j in range(shown_columns)])
    return {
        "rows": made.rows,
        "columns": made.columns,
        "tops": [[(text, span) for text, span in _column(tops, level) if span] for level in range(len(made.columns))],
        "body": [
            {
                "heads": [(text, span) for text, span in head if span],
                "cells": [HIDDEN if hidden else _text(value, show) for value, hidden in zip(row, gone)],
                "total": total,
                "base": _text(n, "counts") if show == "row" else None,
            }
            for head, row, gone, total, n in zip(heads, cells, np.isnan(made.counts), right, row_totals)
        ],
        "below": below,
        "bases": [_text(n, "counts") for n in column_totals[:shown_columns]] if show == "column" else None,
        "whole": _text(100.0 if whole > 0 else np.nan, show) if show != "counts" else _text(whole, show),
        "people": _text(whole, "counts"),
        "width": shown_columns,
        "hidden_rows": height - shown_rows,
        "hidden_columns": width - shown_columns,
        "show": show,
        "shows": SHOWS,
    }


def spans(lines: Sequence[tuple[str, ...]]) -> list[list[tuple[str, int]]]:
    """Each text with the number of lines it stands for; 0 where it is the continuation of one before.

    A text goes on while it and everything before it in its line stay the same.
    """
    found = [[(text, 1) for text in line] for line in lines]
    for level in range(len(lines[0]) - 1 if lines else 0):  # the innermost is said on every line
        begin = 0
        for number in range(1, len(lines)):
            if lines[number][: level + 1] == lines[begin][: level + 1]:
                text, span = found[begin][level]
                found[begin][level] = (text, span + 1)
                found[number][level] = (text, 0)
            else:
                begin = number
    return found


def _column(found: list[list[tuple[str, int]]], level: int) -> list[tuple[str, int]]:
    return [line[level] for line in found]


def _total(count: float, whole: float, show: str, *, along: str) -> str:
    """The total of a row or column: its count, its share, or 100 % where the percentages add up to it."""
    if show == "counts":
        return _text(count, show)
    if show == along:
        return _text(100.0 if count > 0 else np.nan, show)
    return _text(100.0 * count / whole if whole > 0 else np.nan, show)


def _text(value: float, show: str) -> str:
    if np.isnan(value):
        return "–"
    return f"{int(value):,}" if show == "counts" else f"{value:.1f}"
