"""What margins tell in plain language: bounds on the cells of a table, and tables drawn from the margins alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.results import Statement

if TYPE_CHECKING:
    from discreet.instruments.simulation import Simulation
    from discreet.instruments.table_bounds import Bounds


def statement(result: Bounds) -> Statement:
    released = ", ".join(result.margins.label(axes) for axes in result.margins.values)
    return Statement(
        "What published margins tell about the cells of a table",
        (
            f"For every cell of the table, the least and the greatest count that are possible were computed from the "
            f"margins {released} alone.",
            "Nothing was changed: margins are published as they are, or not at all.",
        ),
        (
            "Someone who sees these margins and nothing else, and computes as well as can be.",
            _exposed(result),
        ),
        (
            "Someone who knows more than the margins: a cell of their own, another table, or the people themselves.",
            "Margins that are released later: bounds get narrower with each of them.",
            "How likely the possible counts are: only which ones are possible.",
        ),
        ("What is published is exact. What is not published is the table itself.",),
    )


def _exposed(result: Bounds) -> str:
    risk, policy = result.exposure(), result.policy
    rule = f"c = {policy.c}, w = {policy.w}"
    if risk.exposed.any():
        return f"Under the policy {rule} cells are exposed: the margins should not be published together."
    if risk.counts is None or risk.undecided.any():
        return f"Whether cells are exposed under the policy {rule} is not decided."
    return f"Under the policy {rule} no cell is exposed: bounds of small counts are at least so wide."


def drawn(result: Simulation) -> Statement:
    released = ", ".join(result.margins.label(axes) for axes in result.margins.values)
    fixed = bool((result.table.pinned & (result.table.counts.reshape(-1) > 0)).any())
    only = "only some cells" if fixed else "no cell that is not empty"
    uncovered = [
        "What the margins tell by themselves: they are those of the original, to the last digit.",
        "The seed of the draw: whoever knows it can draw the same table again.",
        "Further tables drawn from other margins of the same people.",
    ]
    if fixed:
        uncovered.insert(0, "Cells that the margins fix: there the synthetic count is the true one.")
    return Statement(
        "A synthetic table with the margins of the original",
        (f"A table was drawn at random among those with the margins {released}. The draw knows the margins alone.",),
        (
            "Someone who takes its cells for those of the original: of what the margins do not tell, it tells nothing.",
            f"As far as it could be computed, the margins fix {only}.",
        ),
        uncovered,
        ("The margins are exact. Everything else is random: relations that they do not show are not in the table.",),
    )
