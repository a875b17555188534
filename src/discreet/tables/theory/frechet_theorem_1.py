"""Theorem 1 (Dobra and Fienberg): generalized Fréchet bounds for decomposable models, in closed form.

If every atom of the independence graph is a released margin, then with separators s between the atoms a

    max(0, Σ_a n_a(i_a) − Σ_s n_s(i_s))  ≤  n(i)  ≤  min_a n_a(i_a),

and both sides are attained. It is Theorem 2 with atoms that are known. Margins must cover all variables; otherwise the
lower bound is 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from discreet.tables.table import Ints
from discreet.tables.theory.frechet_theorem_2 import combine
from discreet.tables.theory.graph import Axes, Decomposition

Shape = tuple[int, ...]


def decomposable_bounds(shape: Shape, tree: Decomposition, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints]:
    """Theorem 1: every atom is released."""
    counts = [margins[atom] for atom in tree.atoms]
    return combine(shape, tree, counts, counts, margins)
