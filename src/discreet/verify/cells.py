"""Checks bounds on the cells of a table from the margins (and the table), with code of its own.

A claimed bound is wrong where a table with the margins exceeds it; a side called sharp is wrong where none attains it.
Per cell and side: a witness, where there is one, must be a non-negative whole table with every margin that attains the
bound; a linear program over all cells and margins shows that nothing lies beyond; where rounding it is not enough, or
no witness is at hand, an integer program decides. Sides that no solver settles in time are counted, not passed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.results import Verdict
from discreet.solvers import cpsat
from discreet.solvers.mip import solve_mip
from discreet.work import Deadline

Numbers = NDArray[Any]
Margin = tuple[tuple[int, ...], NDArray[np.int64]]
SLACK = 1e-6


class Equations:
    """One variable per cell, one row per count of every margin."""

    def __init__(self, shape: Sequence[int], margins: Iterable[Margin]) -> None:
        self.shape = tuple(shape)
        self.n = int(np.prod(self.shape, dtype=np.int64))
        self.margins = [(tuple(axes), np.asarray(values, np.int64)) for axes, values in margins]
        cell = np.indices(self.shape).reshape(len(self.shape), -1)
        rows, columns, sums, offset = [], [], [], 0
        for axes, values in self.margins:
            place = np.zeros(self.n, np.int64)
            for a in axes:
                place = place * self.shape[a] + cell[a]
            rows.append(place + offset)
            columns.append(np.arange(self.n))
            sums.append(values.reshape(-1))
            offset += values.size
        self.sums = np.concatenate(sums)
        data = np.ones(self.n * len(self.margins))
        self.matrix = sp.csc_matrix((data, (np.concatenate(rows), np.concatenate(columns))), (offset, self.n))
        top = np.full(self.n, int(self.sums.max(initial=0)), np.int64)
        for axes, values in self.margins:
            spread = values.reshape([self.shape[a] if a in axes else 1 for a in range(len(self.shape))])
            top = np.minimum(top, np.broadcast_to(spread, self.shape).reshape(-1))
        self.top = top

    def has(self, table: Numbers) -> bool:
        """Whether a table is non-negative, whole and has every margin."""
        x = np.asarray(table).reshape(-1)
        if x.size != self.n or (x < 0).any() or (x != np.rint(x)).any():
            return False
        return bool((self.matrix @ x.astype(np.float64) == self.sums).all())

    def relaxed(self, cell: int, side: int) -> tuple[float, Numbers] | None:
        """The greatest (side 1) or least (−1) value of a cell over tables with fractions, and such a table."""
        cost = np.zeros(self.n)
        cost[cell] = -side
        b = self.sums.astype(np.float64)
        found = solve_mip(cost, self.matrix, b, b, upper=self.top.astype(np.float64), integer=False)
        return None if found.x is None or found.status != "optimal" else (-side * found.objective, found.x)

    def integer(self, cell: int, side: int, low: int, high: int, limit: float) -> tuple[str, int | None]:
        """The extreme value of a cell among whole tables with it between low and high."""
        lower, upper = np.zeros(self.n, np.int64), self.top.copy()
        lower[cell], upper[cell] = max(low, 0), min(high, int(upper[cell]))
        if lower[cell] > upper[cell]:
            return "infeasible", None
        if cpsat.available():
            rows = sp.csr_matrix(self.matrix)
            name = hashlib.sha256(rows.indices.tobytes() + rows.indptr.tobytes()).hexdigest()
            model = cpsat.IntegerModel(
                f"check {name}",
                rows.indptr.astype(np.int64),
                rows.indices.astype(np.int64),
                np.ones(rows.nnz, np.int64),
            )
            answer = cpsat.shared_worker().solve(
                model, lower, upper, self.sums, self.sums, extremize=(cell, side), time_limit=limit
            )
            return answer.status, None if answer.x is None else int(answer.x[cell])
        cost = np.zeros(self.n)
        cost[cell] = -side
        b = self.sums.astype(np.float64)
        found = solve_mip(
            cost, self.matrix, b, b, lower=lower.astype(float), upper=upper.astype(float), time_limit=limit
        )
        return found.status, None if found.x is None else round(-side * found.objective)


def verify_cells(
    shape: Sequence[int],
    margins: Mapping[tuple[int, ...], NDArray[np.int64]],
    lower: Numbers,
    upper: Numbers,
    lower_sharp: NDArray[np.bool_],
    upper_sharp: NDArray[np.bool_],
    *,
    witness: Callable[[Sequence[int], int], Numbers] | None = None,
    counts: Numbers | None = None,
    sample: int | None = None,
    time_limit: float | None = 60.0,
    random_state: int = 0,
) -> Verdict:
    """Check claimed bounds; `sample` cells are proved again (all of them by default), every stated one is compared."""
    equations = Equations(shape, margins.items())
    low, high = np.asarray(lower).reshape(-1), np.asarray(upper).reshape(-1)
    sharp = {-1: np.asarray(lower_sharp).reshape(-1), 1: np.asarray(upper_sharp).reshape(-1)}
    failures: list[str] = []
    crossed = int((low > high).sum())
    if crossed:
        failures.append(f"{crossed} cells have a lower bound above the upper one")
    if counts is not None:
        x = np.asarray(counts).reshape(-1)
        outside = int(((x < low) | (x > high)).sum())
        if outside:
            failures.append(f"{outside} true counts lie outside their bounds")
    rng = np.random.default_rng(random_state)
    chosen = np.arange(equations.n)
    if sample is not None and sample < equations.n:
        chosen = np.sort(rng.choice(equations.n, sample, replace=False))
    deadline = Deadline(time_limit)
    seen = {"witnesses": 0, "proved": 0, "undecided": 0, "false witnesses": 0, "cut off": 0, "not attained": 0}
    for cell in chosen:
        for side, bound in ((1, high), (-1, low)):
            _check_side(
                equations, int(cell), side, float(bound[cell]), bool(sharp[side][cell]), witness, deadline, seen
            )
    for key, words in (
        ("false witnesses", "sides are called sharp by a table that lacks the margins or misses the bound"),
        ("cut off", "bounds cut off values that tables with these margins have"),
        ("not attained", "sides are called sharp but no table attains them"),
    ):
        if seen[key]:
            failures.append(f"{seen[key]} {words}")
    outcome = "unsafe" if failures else "cannot tell" if seen["undecided"] else "safe"
    figures: dict[str, float | int | str] = {
        "cells": equations.n,
        "checked": int(chosen.size),
        "witnesses": seen["witnesses"],
        "proved": seen["proved"],
        "undecided": seen["undecided"],
        "sharp": int((sharp[1] & sharp[-1]).sum()),
    }
    advice = ("allow more time, or check fewer cells",) if outcome == "cannot tell" else ()
    return Verdict(outcome, "bounds", None, tuple(failures), advice, figures)


def _check_side(
    equations: Equations,
    cell: int,
    side: int,
    bound: float,
    sharp: bool,
    witness: Callable[[Sequence[int], int], Numbers] | None,
    deadline: Deadline,
    seen: dict[str, int],
) -> None:
    attained = False
    if sharp and witness is not None:
        place = [int(i) for i in np.unravel_index(cell, equations.shape)]
        table = np.asarray(witness(place, side))
        attained = equations.has(table) and float(table.reshape(-1)[cell]) == bound
        seen["witnesses" if attained else "false witnesses"] += 1
    if deadline.passed:
        seen["undecided"] += 1
        return
    beyond = int(np.floor(bound)) + 1 if side > 0 else int(np.ceil(bound)) - 1
    relaxed = equations.relaxed(cell, side)
    inside = relaxed is not None and side * (beyond - relaxed[0]) > SLACK
    if relaxed is not None and not attained:
        whole = np.rint(relaxed[1])
        attained = float(whole[cell]) == bound and equations.has(whole)
    if not inside:
        span = (beyond, int(equations.top[cell])) if side > 0 else (0, beyond)
        status, _ = equations.integer(cell, side, *span, max(0.1, min(20.0, deadline.remaining)))
        if status in ("optimal", "feasible"):
            seen["cut off"] += 1
            return
        if status != "infeasible":
            seen["undecided"] += 1
            return
    if sharp and not attained:
        at = round(bound)
        status, _ = (
            ("infeasible", None)
            if at != bound
            else equations.integer(cell, side, at, at, max(0.1, min(20.0, deadline.remaining)))
        )
        if status == "infeasible":
            seen["not attained"] += 1
            return
        if status not in ("optimal", "feasible"):
            seen["undecided"] += 1
            return
    seen["proved"] += 1


def verify_bounds(
    bounds: Any,
    table: Any,
    releases: Iterable[Iterable[str]],
    *,
    count: str = "count",
    sample: int | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
) -> Verdict:
    """Check a bounds file against the table and the released margins: frames or files that were read."""
    names, levels, index, counts = _read_table(table, count)
    shape = tuple(len(level) for level in levels)
    dense = np.zeros(shape, np.int64)
    np.add.at(dense, tuple(index.T), counts)
    wanted = _axes(names, releases)
    figures = {name: np.full(shape, np.nan) for name in ("lower", "upper", "sharp")}
    missing = _read_bounds(bounds, names, levels, figures)
    if missing:
        return Verdict("unsafe", "bounds", None, (f"{missing} cells are missing from the bounds file",))
    margins = {}
    for axes in wanted:
        margins[axes] = dense.sum(axis=tuple(a for a in range(len(shape)) if a not in axes))
    sharp = figures["sharp"] > 0
    return verify_cells(
        shape,
        margins,
        figures["lower"],
        figures["upper"],
        sharp,
        sharp,
        counts=dense,
        sample=sample,
        time_limit=time_limit,
        random_state=random_state,
    )


def _text(data: Any, column: str) -> NDArray[np.object_]:
    from discreet.frames import Document, text_array

    return data.text(column) if isinstance(data, Document) else text_array(data, column)


def _read_table(table: Any, count: str) -> tuple[list[str], list[list[Any]], NDArray[np.int64], NDArray[np.int64]]:
    from discreet.frames import adopt, numeric_array

    columns = list(adopt(table).columns)
    if count not in columns:
        raise InputError(f"the table has no column {count!r}")
    names = [name for name in columns if name != count]
    levels, index = [], []
    for name in names:
        level, place = np.unique(_text(table, name).astype(str), return_inverse=True)
        levels.append(level.tolist())
        index.append(place.reshape(-1))
    counts = numeric_array(table, [count])[:, 0]
    if np.isnan(counts).any() or (counts < 0).any() or (counts != np.rint(counts)).any():
        raise InputError(f"column {count!r} must hold whole numbers, 0 or more")
    return names, levels, np.array(index, np.int64).T, counts.astype(np.int64)


def _axes(names: list[str], releases: Iterable[Iterable[str]]) -> list[tuple[int, ...]]:
    faults, found = Faults(), []
    for release in releases:
        chosen = list(release)
        unknown = [name for name in chosen if name not in names]
        if faults.check(not unknown, f"the table has no variable {', '.join(map(repr, unknown))}"):
            found.append(tuple(sorted(names.index(name) for name in set(chosen))))
    faults.check(bool(found) or bool(faults), "no margin is given: name the released ones")
    faults.raise_if_any()
    return found


def _read_bounds(bounds: Any, names: list[str], levels: list[list[Any]], figures: dict[str, Numbers]) -> int:
    """Fill the arrays from the rows of a bounds file; the number of cells that it does not list."""
    from discreet.frames import adopt, numeric_array

    columns = list(adopt(bounds).columns)
    faults = Faults()
    for name in (*names, "lower", "upper", "sharp"):
        faults.check(name in columns, f"the bounds file has no column {name!r}")
    faults.raise_if_any()
    rows = len(adopt(bounds))
    place, known = [], np.ones(rows, np.bool_)
    for name, level in zip(names, levels):
        at = {value: i for i, value in enumerate(level)}
        codes = np.array([at.get(str(value), -1) for value in _text(bounds, name)], np.int64)
        known &= codes >= 0
        place.append(np.maximum(codes, 0))
    at_cells = tuple(p[known] for p in place)
    ends = numeric_array(bounds, ["lower", "upper"])
    figures["lower"][at_cells], figures["upper"][at_cells] = ends[known, 0], ends[known, 1]
    sharp = np.array([str(v).strip().lower() in {"true", "1", "1.0"} for v in _text(bounds, "sharp")])
    figures["sharp"][at_cells] = sharp[known]
    return int((np.isnan(figures["lower"]) | np.isnan(figures["upper"])).sum())
