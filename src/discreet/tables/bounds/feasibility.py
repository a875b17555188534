"""Margins that no table has: which margins, and in what sense.

Three things can be wrong. Two margins disagree on what they share (`theory/agreement`). Margins agree pairwise but no
non-negative table has them, not even with fractions: shown by the shuttle, or by a linear program whose dual is
evaluated in integers (`outer/shortfall`). Or only fractional tables have them: shown by an integer program. For the
last two the error names a set of margins that already has no table while each smaller one does (deletion filter), as
far as the solver can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from discreet.errors import InfeasibleError
from discreet.tables.outer.shortfall import least_shortfall
from discreet.tables.outer.shuttle import LINES_LIMIT, line_bounds, line_cells
from discreet.tables.table import Ints, Margins
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.lattice import Lattice

FILTER_LIMIT = 40


def raise_infeasible(
    margins: Margins, axes: Axes, inside: Mapping[Axes, Ints], *, proven: Literal["real", "integer"]
) -> None:
    """Say that no table has these margins; `proven` is "real" (not even fractions) or "integer".

    `inside` are the margins restricted to the variables `axes`, numbered within them.
    """
    shape = tuple(len(margins.categories[a]) for a in axes)
    if proven == "integer" and not _has_real_table(shape, inside):
        proven = "real"
    guilty = list(inside)
    if len(guilty) <= FILTER_LIMIT:
        for candidate in list(guilty):
            rest = {g: inside[g] for g in guilty if g != candidate}
            if rest and not _has_table(shape, rest, proven):
                guilty.remove(candidate)
    names = ", ".join(margins.label(axes[a] for a in g) for g in guilty)
    kind = "no table of non-negative counts" if proven == "real" else "no table of whole numbers"
    more = "" if proven == "real" else " (only tables with fractions do)"
    raise InfeasibleError(f"{kind} has the margins {names}{more}: check that they come from one table")


def _has_table(shape: tuple[int, ...], margins: Mapping[Axes, Ints], kind: Literal["real", "integer"]) -> bool:
    if kind == "real":
        return _has_real_table(shape, margins)
    from discreet.tables.sharpen.first_table import first_table
    from discreet.tables.sharpen.integer_program import IntegerSearch
    from discreet.tables.state.atom import AtomState
    from discreet.work import Deadline

    lattice = Lattice(shape, tuple(margins))
    state = AtomState(lattice, {g: margins[g] for g in lattice.generators})
    return state.shuttle() and first_table(state, IntegerSearch(limit=5.0), Deadline(10.0)) != "none"


def _has_real_table(shape: tuple[int, ...], margins: Mapping[Axes, Ints]) -> bool:
    """False only where the shuttle or an exactly evaluated dual shows that there is none."""
    lattice = Lattice(shape, tuple(margins))
    inside = {g: margins[g] for g in lattice.generators}
    if line_cells(shape) <= LINES_LIMIT and line_bounds(shape, inside) is None:
        return False
    return least_shortfall(lattice, inside) <= 0
