"""Tables with totals in plain language: as tabulated, with cells hidden, rounded, with noise, and their audit.

The rules by which cells are sensitive are not told: whoever knows them knows more about what is hidden. Nor is it told
that a pattern is the best: whoever knows that rules out all tables for which another one were cheaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.instruments.statements.common import OTHER_RELEASES
from discreet.results import Statement, about

if TYPE_CHECKING:
    from discreet.instruments.totals.audit import Audit
    from discreet.instruments.totals.audit_knowledge import Knowledge
    from discreet.instruments.totals.cell_key import CellKeyTable
    from discreet.instruments.totals.round import RoundedTable
    from discreet.instruments.totals.suppress import SuppressedTable
    from discreet.instruments.totals.tabulate import Tabulation

ATTACKER = "Someone who knows how the table adds up, all that is published of it, and limits that were stated for cells"


def tabulated(result: Tabulation) -> Statement:
    what = "Records were counted" if result.value is None else f"Amounts of {result.value} were added up"
    return Statement(
        "A table with totals, before anything is hidden",
        (f"{what} by {listing([', '.join(names) for names in result.by])}, with all totals.",),
        ("Nobody: the table shows the true figures, and is for those who hold the records.",),
        ("Everything. Hide cells, round, or add noise before anything is published.",),
        ("Nothing yet: every figure is exact.",),
    )


def suppressed(result: SuppressedTable) -> Statement:
    hidden = 100 * float(result.table.problem.cells.hidden.mean())
    return Statement(
        "A table in which some cells are not shown",
        (
            "Cells that would tell too much about those behind them are not shown.",
            "Further cells are not shown, so that the first ones cannot be computed from totals.",
        ),
        (
            f"{ATTACKER}: for every sensitive cell, values remain possible that are as far from the true one as the "
            "rules demand.",
        ),
        (
            "How likely each possible value is: only which ones are possible.",
            "Several respondents who put their figures together, unless they were named as attackers.",
            *_own_parts(result.knowledge),
            OTHER_RELEASES,
        ),
        (f"About {about(hidden)} % of the cells are not shown; all others are exact.",),
    )


def rounded(result: RoundedTable) -> Statement:
    what = "Small counts were rounded" if result.small else "Every cell was rounded"
    done = [f"{what} to multiples of {_base(result)}, so that all totals are the sums of their parts."]
    if not result.small:
        near = "Some cells had to go further." if result.outside else "Each is one of the two next to its value."
        done.append(near)
    return Statement(
        "A table in rounded figures that add up",
        done,
        ("Someone who takes a published figure for the exact one, or takes differences of published figures.",),
        (
            "Someone who knows the base: each figure is then known to within less than the base on either side. "
            "`audit` tells what follows for sensitive cells.",
            OTHER_RELEASES,
        ),
        ("Published figures differ from the true ones, mostly by less than the base.",),
    )


def _base(result: RoundedTable) -> str:
    from discreet.frames.tabular.decimals import decimal_text

    return decimal_text(result.base, result.table.decimals)


def with_noise(result: CellKeyTable) -> Statement:
    inferred = "Some counts can still be inferred exactly: the table is not fit to be published." * bool(
        result.exact_by_sums
    )
    return Statement(
        "A table of counts with noise",
        ("To every count a small number was added or taken away, the same for the same records in every table.",),
        tuple(filter(None, ("Someone who wants to know exactly how many there are in a cell.", inferred))),
        (
            "How likely each possible count is.",
            "What several tables tell together.",
            "Whoever knows the keys of the records: they have to stay secret.",
        ),
        ("Counts are off by a little, and totals need not be the sums of their parts.",),
    )


def audited(result: Audit) -> Statement:
    outcome = {
        "safe": "Every sensitive cell is protected as its levels demand.",
        "unsafe": "Some sensitive cells are protected too little: the table should not be published like this.",
    }.get(result.outcome, "For some sensitive cells it could not be decided in time whether they are protected.")
    return Statement(
        "What a table tells about the cells that it does not show",
        ("For every cell that is not shown, it was computed which values are possible given all that is published.",),
        (f"{ATTACKER}.", outcome),
        (
            "How likely each possible value is: only which ones are possible.",
            *_own_parts(result.knowledge),
            OTHER_RELEASES,
        ),
        ("Nothing: an audit changes nothing.",),
    )


def _own_parts(knowledge: Knowledge) -> tuple[str, ...]:
    """Where not every contributor was asked with what he knows of his own figures."""
    if knowledge.parts is None:
        return ()
    return ("Some respondents who use what they know of their own figures: the verdict says which.",)
