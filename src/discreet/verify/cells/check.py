"""Checks bounds on the cells of a table from the margins (and the table), with code of its own.

A claimed bound is wrong where a table with the margins exceeds it; a side called sharp is wrong where none attains it.
For decomposable margins the sharp bounds are known in closed form, and every cell is compared. Otherwise, per cell and
side: a table that attains the bound (a given witness, the vertex of a linear program, CP-SAT's), and multipliers that
prove in whole numbers that nothing lies beyond, or CP-SAT's word for it. Sides that nothing settles in time are
counted, never passed. A bound that is not called sharp must hold and no more; if it is wider than needed, that is said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.results import Judged, Verdict
from discreet.verify.cells.equations import LARGEST, Axes, Equations, Ints
from discreet.verify.cells.solvers import IntegerQuestions, Relaxation

Numbers = NDArray[Any]
Flags = NDArray[np.bool_]
Witness = Callable[[Sequence[int], int], Numbers]
# Larger tables are checked by the closed form, or by what single margins say.
PROGRAM_CELLS = 1 << 16
WITNESSED = 64
RIGHT = ("witnesses", "proved", "undecided")
WRONG = {
    "false witnesses": "sides are called sharp by a table that lacks the margins or misses the bound",
    "cut off": "bounds cut off values that tables with these margins have",
    "not attained": "sides are called sharp but no table attains them: they are too wide",
}


@dataclass
class CellCheck:
    """What a check found. `undecided` marks, per side (1 upper, −1 lower), the cells that nothing settled."""

    equations: Equations
    low: Ints
    high: Ints
    sharp: dict[int, Flags]
    chosen: Ints
    failures: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*WRONG, *RIGHT), 0))
    undecided: dict[int, Flags] = field(default_factory=dict)
    floating: bool = False
    closed: bool = False
    wider: int = 0
    by: int = 0
    # The categories of each variable, in the order of the arrays, where they come from files.
    levels: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.undecided = {side: np.zeros(self.equations.n, np.bool_) for side in (1, -1)}

    def verdict(self) -> Verdict:
        n, sides, seen = self.equations.n, 2 * int(self.chosen.size), self.seen
        failures = self.failures + [f"{seen[key]} {words}" for key, words in WRONG.items() if seen[key]]
        outcome: Judged = "unsafe" if failures else "cannot tell" if seen["undecided"] else "safe"
        both = int((self.sharp[1] & self.sharp[-1]).sum())
        sample = "" if self.chosen.size == n else f" (a sample of {n})"
        whole = f"{self.chosen.size} cells{sample}"
        proven = [f"{seen['proved']} sides of {whole} proved again, {seen['undecided']} undecided"]
        limits = []
        if sample:
            limits.append(f"{n - self.chosen.size} cells that are not in the sample")
        if both == 0:
            limits.append("no cell is called sharp: these are outer bounds, which do not say how much is revealed")
        elif both < n:
            limits.append(f"{n - both} cells are not called sharp: their bounds hold and may be wider than needed")
        if self.wider:
            limits.append(f"{self.wider} sides not called sharp are wider than needed, by {self.by} or more at most")
        if self.floating:
            limits.append("OR-Tools is not installed: some sides rest on integer programs in floating point")
        figures: dict[str, float | int | str] = {
            "cells": n,
            "checked": int(self.chosen.size),
            "sides": sides,
            "witnesses": seen["witnesses"],
            "proved": seen["proved"],
            "undecided": seen["undecided"],
            "sharp": both,
            "closed_form": int(self.closed),
        }
        advice = ("allow more time, or check fewer cells",) if outcome == "cannot tell" else ()
        return Verdict(outcome, "bounds", None, tuple(failures), advice, figures, tuple(proven), tuple(limits))


def verify_cells(*arguments: Any, **options: Any) -> Verdict:
    """Check claimed bounds; `sample` cells are proved again (all of them by default). As `check_cells`."""
    return check_cells(*arguments, **options).verdict()


def check_cells(
    shape: Sequence[int],
    margins: Mapping[Axes, Ints],
    lower: Numbers,
    upper: Numbers,
    lower_sharp: Flags,
    upper_sharp: Flags,
    *,
    witness: Witness | None = None,
    counts: Numbers | None = None,
    sample: int | None = None,
    time_limit: float | None = 60.0,
    random_state: int = 0,
) -> CellCheck:
    """Check claimed bounds, fractions rounded to the whole counts that they allow.

    `witness` gives a table that attains a side of a cell; `counts` is the true table. Within `time_limit` seconds.
    """
    check_options(sample, time_limit, random_state)
    equations = Equations(shape, margins.items())
    claims = [np.asarray(side).reshape(-1) for side in (lower, upper)]
    if any(claim.size != equations.n for claim in claims):
        raise InputError("the bounds are not those of every cell of the table")
    sharp = {-1: np.asarray(lower_sharp, np.bool_).reshape(-1), 1: np.asarray(upper_sharp, np.bool_).reshape(-1)}
    low, high = _whole(claims[0], up=True), _whole(claims[1], up=False)
    chosen = np.arange(equations.n)
    if sample is not None and sample < equations.n:
        chosen = np.sort(np.random.default_rng(random_state).choice(equations.n, sample, replace=False))
    check = CellCheck(equations, low, high, sharp, chosen)
    for side, claim, whole in ((-1, claims[0], low), (1, claims[1], high)):
        check.seen["not attained"] += int((sharp[side] & (claim != whole)).sum())
    crossed = int((low > high).sum())
    if crossed:
        check.failures.append(f"{crossed} cells have a lower bound above the upper one")
    if counts is not None:
        x = np.asarray(counts).reshape(-1)
        if not equations.has(x):
            raise InputError("the true table does not have these margins")
        outside = int(((x < low) | (x > high)).sum())
        if outside:
            check.failures.append(f"{outside} true counts lie outside their bounds")
    closed = equations.closed_form()
    if closed is not None:
        _compare(check, *closed, witness)
    else:
        _Sides(check, witness, counts, time_limit).run()
    return check


def check_options(sample: int | None, time_limit: float | None, random_state: int) -> None:
    faults = Faults()
    faults.check(sample is None or sample >= 1, "the sample must be 1 cell or more")
    faults.check(time_limit is None or time_limit >= 0, "the time limit must be a number of seconds, 0 or more")
    faults.check(random_state >= 0, "the seed must be a whole number, 0 or more")
    faults.raise_if_any()


def _whole(claim: Numbers, *, up: bool) -> Ints:
    """The whole counts that a claim allows, kept between −1 and 2^62 + 1."""
    if claim.dtype.kind == "f":
        if not np.isfinite(claim).all():
            raise InputError("a bound is no number")
        claim = np.clip(np.ceil(claim) if up else np.floor(claim), -1.0, 2.0**62)
    return np.clip(claim.astype(np.int64), -1, LARGEST + 1)


def _compare(check: CellCheck, low: Ints, high: Ints, witness: Witness | None) -> None:
    """Against the sharp bounds of every cell; given witnesses of the chosen cells are looked at too."""
    check.closed = True
    if witness is not None:
        seen = WITNESSED if check.equations.n <= PROGRAM_CELLS else 4
        # The theorem needs no witnesses; some are looked at all the same, since they are part of the result.
        some = np.unique(np.linspace(0, check.chosen.size - 1, min(check.chosen.size, seen)).astype(np.int64))
        for cell in check.chosen[some].tolist():
            for side, bound in ((1, check.high), (-1, check.low)):
                if check.sharp[side][cell]:
                    shown = _attaining(check.equations, witness, cell, side, int(bound[cell]))
                    check.seen["false witnesses" if shown is None else "witnesses"] += 1
    check.chosen = np.arange(check.equations.n)
    for side, claim, truth in ((1, check.high, high), (-1, check.low, low)):
        beyond = (claim < truth) if side > 0 else (claim > truth)
        loose = check.sharp[side] & (claim != truth) & ~beyond
        wide = ~check.sharp[side] & (claim != truth) & ~beyond
        check.seen["cut off"] += int(beyond.sum())
        check.seen["not attained"] += int(loose.sum())
        check.seen["proved"] += int(claim.size - beyond.sum() - loose.sum())
        check.wider += int(wide.sum())
        check.by = max(check.by, int(np.abs(claim - truth)[wide].max(initial=0)))


def _attaining(equations: Equations, witness: Witness, cell: int, side: int, bound: int) -> Ints | None:
    """The given witness, where it is a table with the margins that has the bound."""
    place = [int(i) for i in np.unravel_index(cell, equations.shape)]
    table = np.asarray(witness(place, side)).reshape(-1)
    return table.astype(np.int64) if equations.has(table) and int(table[cell]) == bound else None


class _Sides:
    """The check side by side. Every table that is found to have the margins counts for every cell."""

    def __init__(
        self, check: CellCheck, witness: Witness | None, counts: Numbers | None, time_limit: float | None
    ) -> None:
        self.check, self.witness = check, witness
        self.equations = check.equations
        self.most = np.full(self.equations.n, -1, np.int64)
        self.least = np.full(self.equations.n, LARGEST + 1, np.int64)
        if counts is not None:
            self._take(np.asarray(counts, np.int64).reshape(-1))
        self.end = None if time_limit is None else time.monotonic() + time_limit
        self.program = Relaxation(self.equations) if self.equations.n <= PROGRAM_CELLS and self._seconds > 0 else None
        self.integer = IntegerQuestions(self.equations)

    @property
    def _seconds(self) -> float:
        return float("inf") if self.end is None else max(0.0, self.end - time.monotonic())

    def run(self) -> None:
        check = self.check
        try:
            for cell in check.chosen.tolist():
                for side in (1, -1):
                    found = self._side(cell, side)
                    check.seen[found] += 1
                    check.undecided[side][cell] = found == "undecided"
        finally:
            self.integer.close()

    def _take(self, table: Ints) -> None:
        np.maximum(self.most, table, out=self.most)
        np.minimum(self.least, table, out=self.least)

    def _side(self, cell: int, side: int) -> str:
        check, equations = self.check, self.equations
        bound, sharp = int((check.high if side > 0 else check.low)[cell]), bool(check.sharp[side][cell])
        if sharp and self.witness is not None and self._seconds > 0:
            shown = _attaining(equations, self.witness, cell, side, bound)
            if shown is None:
                return "false witnesses"
            check.seen["witnesses"] += 1
            self._take(shown)
        if self._beyond(cell, side, bound):
            return "cut off"
        limit = int(equations.top[cell] if side > 0 else equations.least[cell])
        inside = side * (bound - limit) >= 0
        if (not inside or (sharp and not self._met(cell, side, bound))) and self.program and self._seconds > 0:
            hint = self.program.extreme(cell, side, self._seconds)
            if hint is not None:
                limit = equations.proven(cell, side, hint[0])
                inside = inside or side * (bound - limit) >= 0
                if hint[1] is not None:
                    self._take(hint[1])
        if self._beyond(cell, side, bound):
            return "cut off"
        if not inside:
            span = (bound + 1, int(equations.top[cell])) if side > 0 else (0, bound - 1)
            found = self._asked(cell, *span)
            if found != "infeasible":
                return "cut off" if found == "feasible" else "undecided"
        if not sharp:
            if side * (bound - limit) > 0:
                check.wider, check.by = check.wider + 1, max(check.by, abs(bound - limit))
            return "proved"
        if self._met(cell, side, bound):
            return "proved"
        if side * (bound - limit) > 0:
            return "not attained"
        found = self._asked(cell, bound, bound)
        return {"feasible": "proved", "infeasible": "not attained"}.get(found, "undecided")

    def _beyond(self, cell: int, side: int, bound: int) -> bool:
        return bool(self.most[cell] > bound if side > 0 else self.least[cell] < bound)

    def _met(self, cell: int, side: int, bound: int) -> bool:
        """Whether a table that was seen has the bound; with nothing beyond it, the furthest one does."""
        return bool(self.most[cell] == bound if side > 0 else self.least[cell] == bound)

    def _asked(self, cell: int, low: int, high: int) -> str:
        if self.program is None or self._seconds <= 0:
            return "unknown"
        status, table = self.integer.ask(cell, low, high, self._seconds)
        if table is not None:
            self._take(table)
        if status == "infeasible" and low <= min(high, int(self.equations.top[cell])):
            self.check.floating = self.check.floating or not self.integer.exact
        return status
