"""Bounds of a whole table from its released margins: split, bound each atom, combine.

Margins are checked for agreement and contained ones dropped; the graph is split into atoms at separators that are
released (`theory/graph`); a released atom needs no work, an uncovered variable only the total, any other goes to
`one_atom`; then Theorem 2 combines them (`split`). A solution is kept as it is computed: another margin re-uses every
atom that it does not touch, and gives the touched ones their old bounds and tables to start from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.tables.bounds.feasibility import raise_infeasible
from discreet.tables.bounds.one_atom import Effort, Sharpener
from discreet.tables.bounds.split import Part, Split, margins_inside, open_part
from discreet.tables.outer.shuttle import LINES_LIMIT, line_cells
from discreet.tables.sharpen.first_table import first_table
from discreet.tables.sharpen.integer_program import IntegerSearch
from discreet.tables.table import DENSE_LIMIT, Ints, Margins
from discreet.tables.theory.agreement import check_agreement, reduced_margins
from discreet.tables.theory.graph import Axes, Decomposition, decompose
from discreet.tables.theory.northwest_corner import join_tables
from discreet.tables.update.prior import prior_of_atom, prior_of_parts
from discreet.work import Deadline, Reporter

SEARCH_LIMIT = 1 << 14


@dataclass(frozen=True, eq=False)
class Solution:
    """Outer and inner bounds of every cell and what they were computed from.

    A side is sharp where outer and inner meet; `witness` then builds a table that attains it.
    """

    margins: Margins
    tree: Decomposition
    parts: tuple[Part, ...]
    lower: Ints
    upper: Ints
    inner_lower: Ints
    inner_upper: Ints
    reasons: tuple[str, ...]
    work: Mapping[str, int]
    timed_out: bool = False
    whole: bool = field(default=False)

    @cached_property
    def lower_sharp(self) -> NDArray[np.bool_]:
        return np.asarray(self.lower == self.inner_lower)

    @cached_property
    def upper_sharp(self) -> NDArray[np.bool_]:
        return np.asarray(self.upper == self.inner_upper)

    def witness(self, cell: Sequence[int], side: int) -> Ints:
        """A table with the margins that is greatest (side 1) or least (−1) at the cell, among the tables known."""
        tables = []
        for part in self.parts:
            if part.counts is not None:
                tables.append(part.counts)
                continue
            assert part.state is not None
            if not part.state.feasible:
                raise InputError("no table with these margins was found within the time limit")
            shape = part.state.lattice.shape
            place = int(np.ravel_multi_index([cell[a] for a in part.axes], shape))
            tables.append(part.state.witness(place, side).reshape(shape))
        return join_tables(self.margins.shape, self.tree, tables, cell, side)


def solve(
    margins: Margins,
    *,
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
    effort: Effort | None = None,
    previous: Solution | None = None,
    whole: bool = False,
) -> Solution:
    """Bounds as sharp as time allows; `whole` leaves the graph alone and treats the table as one atom."""
    deadline, reporter = deadline or Deadline(None), reporter or Reporter(None)
    effort = effort or Effort()
    if margins.size > DENSE_LIMIT:
        raise InputError(
            f"the table has {margins.size} cells, more than the {DENSE_LIMIT} that can be bounded one by one: "
            "bound a table of fewer variables"
        )
    split = _split(margins, deadline, reporter, effort, previous, whole)
    reasons = sorted({reason for state in split.states() for reason in state.reasons})
    work: dict[str, int] = {}
    for state in split.states():
        for key, count in state.work.items():
            work[key] = work.get(key, 0) + count
    outer = split.ends()
    open_left = any(state.open_count > 0 for state in split.states())
    inner = split.ends(inner=True) if open_left else outer
    timed_out = deadline.passed and open_left
    return Solution(margins, split.tree, split.parts, *outer, *inner, tuple(reasons), work, timed_out, whole)


def first_tables(margins: Margins, deadline: Deadline, reporter: Reporter) -> Split:
    """The parts with a first table each, for those who need some table rather than bounds."""
    return _split(margins, deadline, reporter, Effort(first_only=True), None, False)


def solve_parts(margins: Margins, deadline: Deadline, reporter: Reporter) -> Split:
    """The parts with their bounds, for tables too large to bound every cell: `Split.at` bounds some."""
    return _split(margins, deadline, reporter, Effort(), None, False)


def _split(
    margins: Margins,
    deadline: Deadline,
    reporter: Reporter,
    effort: Effort,
    previous: Solution | None,
    whole: bool,
) -> Split:
    values = reduced_margins(margins)
    k = len(margins.shape)
    if previous is not None and not previous.whole and previous.tree.complete:
        tree = Decomposition(k, tuple(values), previous.tree.atoms, ((),), (-1,), (), True)
    else:
        tree = decompose(k, values, reduced=True)
    if whole:
        tree = Decomposition(k, tree.generators, (tuple(range(k)),), ((),), (-1,), (), tree.chordal)
    if not _met_by_shuttle(margins, values, tree, previous):
        check_agreement(margins, previous.margins if previous is not None else None)
    parts = []
    for j, atom in enumerate(tree.atoms):
        reporter("atoms", j / len(tree.atoms))
        inside = margins_inside(tree, j, values)
        parts.append(_bound_part(margins, atom, inside, deadline, reporter, effort, previous))
    return Split(margins.shape, tree, tuple(parts), values)


def _met_by_shuttle(
    margins: Margins, values: Mapping[Axes, Ints], tree: Decomposition, previous: Solution | None
) -> bool:
    """Whether the shuttle meets any contradiction between margins by itself.

    It enters each margin with all of its totals into lines of the whole table. So it does where all margins are
    entered, or where one is added to lines that have every count that old margins imply.
    """
    k = len(margins.shape)
    if len(tree.atoms) != 1 or len(tree.atoms[0]) != k or margins.size == 1:
        return False
    if previous is None:
        return values.keys() == margins.values.keys() and line_cells(margins.shape) <= LINES_LIMIT
    before = previous.margins.values
    fresh = [axes for axes, counts in margins.values.items() if before.get(axes) is not counts]
    if len(fresh) != 1 or fresh[0] not in values or len(previous.parts) > 1:
        return False
    state = previous.parts[0].state
    return state is not None and state.lines is not None and len(fresh[0]) < k


def _bound_part(
    margins: Margins,
    atom: Axes,
    inside: dict[Axes, Ints],
    deadline: Deadline,
    reporter: Reporter,
    effort: Effort,
    previous: Solution | None,
) -> Part:
    kept = next((p for p in previous.parts if _same(p, atom, inside)), None) if previous else None
    if kept is not None and kept.state is not None and not kept.state.open_count:
        return kept
    shape = tuple(len(margins.categories[a]) for a in atom)
    part = open_part(atom, inside, shape)
    if part.state is None:
        return part
    state = part.state
    state.deadline = deadline
    search = prod(shape) <= SEARCH_LIMIT or (deadline.limit is not None and not effort.first_only)
    prior = prior_of_atom(state, atom, previous) if previous is not None and search else None
    if state.feasible and not state.open_count:
        return part
    if not state.shuttle():
        check_agreement(margins, previous.margins if previous is not None else None)
        raise_infeasible(margins, atom, inside, proven="real")
    if not search:
        state.reasons.add(f"an atom of {prod(shape)} cells is searched only as long as a time limit says")
        return part
    if prior is None and previous is not None:
        prior = prior_of_parts(state, previous)
    if effort.first_only:
        found = first_table(state, IntegerSearch(allowed=effort.integer, limit=effort.integer_limit), deadline)
    else:
        found = Sharpener(state, deadline, reporter, effort).run(prior, again=previous is not None)
    state.deadline = None
    if found == "none":
        raise_infeasible(margins, atom, inside, proven="integer")
    if found == "unknown":
        state.reasons.add("no table with the margins was found in time: the bounds hold, none is shown sharp")
    return part


def _same(part: Part, atom: Axes, inside: Mapping[Axes, Ints]) -> bool:
    return (
        part.axes == atom
        and part.margins.keys() == inside.keys()
        and all(np.array_equal(part.margins[g], inside[g]) for g in inside)
    )
