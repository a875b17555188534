"""A measurement of disclosure risk in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import columns
from discreet.results import Statement, about

if TYPE_CHECKING:
    from discreet.instruments.risk_result import Risk


def statement(result: Risk) -> Statement:
    return Statement(
        "How exposed the records of a file are",
        (
            f"It was measured how well somebody who knows {columns(result.keys)} of a person can find that person's "
            "record. Nothing was changed, and nothing was published.",
            f"Of all links to records, about {about(100 * result.global_risk)} % are expected to be right, "
            f"{result.estimated}.",
        ),
        ("A measurement protects nobody. It says whom a release of this very file would expose, and to whom.",),
        (
            "Somebody who knows other columns than these.",
            "What a file that was changed afterwards tells: measure that one.",
            "Figures that are estimated rest on a model of the population; each says which.",
        ),
        ("Nothing: the file is as it was.",),
    )
