"""Which case of the theory applies to a set of released margins, in words."""

from __future__ import annotations

from typing import Literal

from discreet.tables.table import Margins
from discreet.tables.theory.graph import Axes, Decomposition, independence_graph, maximal_cliques

Case = Literal["decomposable", "reducible", "irreducible"]


def case_of(tree: Decomposition) -> Case:
    """Which case of the theory the margins are."""
    if tree.decomposable and not tree.uncovered:
        return "decomposable"
    return "reducible" if tree.reducible else "irreducible"


def explain_margins(margins: Margins, tree: Decomposition) -> str:
    """The case, the components and separators, and what follows for the bounds."""
    written = ", ".join(margins.label(g) for g in tree.generators)
    lines = [f"Released: {written} of a table with {len(margins.names)} variables and {margins.size} cells."]
    contained = [axes for axes in margins.values if axes not in tree.generators]
    if contained:
        lines.append(f"Contained in others and left out: {_list(margins, contained)}.")
    case = case_of(tree)
    separators = tree.separators[1:]
    if case == "decomposable":
        lines.append(
            "The margins are the cliques of a chordal independence graph, so they are the sufficient statistics of a "
            "decomposable log-linear model. Theorem 1 gives sharp bounds in closed form: the least of the margin "
            "counts from above, their sum minus the separators' from below."
        )
    elif case == "reducible":
        lines.append(
            "The independence graph falls apart at separators that are released, so the log-linear model is reducible: "
            "each component is bounded by itself and Theorem 2 combines them, sharp where the components are."
        )
    else:
        lines.append(
            "No released margin separates the independence graph: there is no closed form, and the table is bounded "
            "as a whole by the shuttle, linear and integer programs, each bound with a table that attains it."
        )
    if len(tree.atoms) > 1:
        lines.append(f"Components: {_list(margins, tree.atoms)}.")
        known = ", ".join(margins.label(s) if s else "the total" for s in dict.fromkeys(separators))
        lines.append(f"Separators: {known}.")
    hard = [atom for atom in tree.atoms if atom not in tree.generators and not set(atom) <= set(tree.uncovered)]
    if hard and case == "reducible":
        lines.append(f"Not released and to be computed: {_list(margins, hard)}.")
    if tree.unreleased:
        lines.append(
            f"The graph also separates at {_list(margins, tree.unreleased)}, but no released margin contains them: "
            "their counts are unknown, and splitting there would not give sharp lower bounds."
        )
    if tree.uncovered:
        lines.append(
            f"No margin contains {', '.join(margins.names[v] for v in tree.uncovered)}: "
            "cells are bounded below by 0 only."
        )
    if case == "irreducible" and len(margins.names) <= 24:
        cliques = maximal_cliques(independence_graph(len(margins.names), tree.generators))
        missing = [c for c in cliques if c not in tree.generators]
        if tree.chordal and missing:
            lines.append(
                f"The graph itself is chordal, but its cliques {_list(margins, missing)} are not released: "
                "the model is not graphical."
            )
    return "\n".join(lines)


def _list(margins: Margins, sets: list[Axes] | tuple[Axes, ...]) -> str:
    return ", ".join(margins.label(axes) for axes in sets)
