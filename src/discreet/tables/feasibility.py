"""Margins that no table has: which margins, and in what sense.

Three things can be wrong. Two margins disagree on what they share. Margins agree pairwise but no non-negative table has
them, not even with fractions: shown by the shuttle, or by a linear program whose dual is evaluated in integers. Or only
fractional tables have them: shown by an integer program. For the last two the error names a set of margins that
already has no table while each smaller one does (deletion filter), as far as the solver can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations, product

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.errors import InfeasibleError
from discreet.solvers.mip import solve_mip
from discreet.tables.graph import Axes, maximal
from discreet.tables.lattice import Lattice
from discreet.tables.shuttle import LINES_LIMIT, line_bounds, line_cells
from discreet.tables.table import Ints, Margins

FILTER_LIMIT = 40
Floats = NDArray[np.float64]


def check_agreement(margins: Margins, known: Margins | None = None) -> None:
    """Raise where two margins contradict each other, naming each pair and where they differ.

    Margins that are the very arrays of `known` have been compared with one another before.
    """
    agreed = {} if known is None else known.values
    fresh = [axes for axes, values in margins.values.items() if agreed.get(axes) is not values]
    rest = [axes for axes in margins.values if axes not in fresh] if len(fresh) < len(margins) else []
    faults: list[str] = []
    cache: dict[tuple[Axes, Axes], Ints] = {}

    def projected(axes: Axes, onto: Axes) -> Ints:
        if axes == onto:
            return margins.values[axes]
        if (axes, onto) not in cache:
            drop = tuple([i for i, a in enumerate(axes) if a not in onto])
            cache[axes, onto] = np.asarray(np.add.reduce(margins.values[axes], axis=drop, dtype=np.int64))
        return cache[axes, onto]

    if _agree(margins, projected) if known is None else _agree_with(rest, fresh, projected):
        return
    for first, second in chain(product(rest, fresh), combinations(fresh, 2)):
        shared = tuple(a for a in first if a in second)
        difference = projected(first, shared) != projected(second, shared)
        if difference.any():
            where = f"on {margins.label(shared)} in {int(difference.sum())} counts" if shared else "in their total"
            faults.append(
                f"margins {margins.label(first)} and {margins.label(second)} contradict each other {where}: "
                "they are not margins of one table"
            )
    if faults:
        raise InfeasibleError(faults)


def _agree(margins: Margins, projected: Callable[[Axes, Axes], Ints]) -> bool:
    """Whether all margins agree on what any two of them share; far fewer comparisons than pairs of margins."""
    sets = {axes: frozenset(axes) for axes in margins.values}
    shared = {first & second for first, second in combinations(sets.values(), 2)}
    for some in shared:
        onto = tuple(sorted(some))
        first, *others = (axes for axes, inside in sets.items() if some <= inside)
        if any(np.count_nonzero(projected(first, onto) != projected(axes, onto)) for axes in others):
            return False
    return True


def _agree_with(rest: list[Axes], fresh: list[Axes], projected: Callable[[Axes, Axes], Ints]) -> bool:
    """Whether margins agree with others that agree with one another: compared where they share most."""
    for i, new in enumerate(fresh):
        inside = set(new)
        holders = {tuple([a for a in old if a in inside]): old for old in (*rest, *fresh[:i])}
        seen: list[set[int]] = []
        for shared in sorted(holders, key=len, reverse=True):
            if any(other.issuperset(shared) for other in seen):
                continue
            seen.append(set(shared))
            if np.count_nonzero(projected(holders[shared], shared) != projected(new, shared)):
                return False
    return True


def reduced_margins(margins: Margins) -> dict[Axes, Ints]:
    """Margins that are not contained in another."""
    kept = maximal(margins.values)
    if kept == ((),) and () not in margins.values:
        return {(): np.asarray(margins.total, np.int64)}
    return {axes: np.asarray(margins.values[axes], np.int64, order="C") for axes in kept}


def raise_infeasible(margins: Margins, axes: Axes, inside: Mapping[Axes, Ints], *, proven: str) -> None:
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


def _has_table(shape: tuple[int, ...], margins: Mapping[Axes, Ints], kind: str) -> bool:
    if kind == "real":
        return _has_real_table(shape, margins)
    from discreet.tables.integer import IntegerSearch
    from discreet.tables.start import first_table
    from discreet.tables.state import State
    from discreet.work import Deadline

    lattice = Lattice(shape, tuple(margins))
    state = State(lattice, {g: margins[g] for g in lattice.generators})
    return state.shuttle() and first_table(state, IntegerSearch(limit=5.0), Deadline(10.0)) != "none"


def _has_real_table(shape: tuple[int, ...], margins: Mapping[Axes, Ints]) -> bool:
    """False only where the shuttle or an exactly evaluated dual shows that there is none."""
    lattice = Lattice(shape, tuple(margins))
    inside = {g: margins[g] for g in lattice.generators}
    if line_cells(shape) <= LINES_LIMIT and line_bounds(shape, inside) is None:
        return False
    return least_shortfall(lattice, inside) <= 0


def least_shortfall(lattice: Lattice, margins: Mapping[Axes, Ints]) -> float:
    """A proven lower bound on how much the margins of a non-negative table must miss these; > 0: there is none.

    The elastic program min Σ (s⁺ + s⁻), A x + s⁺ − s⁻ = b, x ≥ 0 has the dual max λ·b over |λ| ≤ 1, Aᵀλ ≤ 0. Any λ
    from the solver is scaled to whole numbers and made feasible before it is evaluated.
    """
    right_side = lattice.right_side(margins)
    starts, cells = lattice.matrix
    m, n = right_side.size, lattice.size
    matrix = sp.csr_matrix((np.ones(cells.size), cells, starts), shape=(m, n))
    total = int(next(iter(margins.values())).sum())
    # In units in which counts are moderate: the solver's tolerances are absolute.
    duals = _elastic_duals(matrix, right_side / max(1.0, total / 2.0**20))
    scaled = np.rint(np.clip(duals, -1, 1) * 5040 * 1024).astype(np.int64)
    whole = sp.csr_matrix(matrix.astype(np.int64))
    # The margins imply the total; as much of that equation as needed makes λ feasible in the dual.
    excess = int(max(np.asarray(whole.T @ scaled).max(), 0))
    value = sum(a * b for a, b in zip(scaled.tolist(), right_side.tolist()))
    return (value - excess * total) / (5040 * 1024)


def _elastic_duals(matrix: sp.csr_matrix, b: Floats) -> Floats:
    """max λ·b, |λ| ≤ 1, Aᵀλ ≤ 0, solved as a program of its own."""
    m, n = matrix.shape
    # Its own program rather than the elastic one's duals: the solver wrapper returns none.
    solution = solve_mip(
        -b,
        sp.csc_matrix(matrix.T),
        np.full(n, -np.inf),
        np.zeros(n),
        lower=-1.0,
        upper=1.0,
        integer=False,
    )
    return np.zeros(m) if solution.x is None else solution.x
