"""A measurement of utility in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import columns
from discreet.measure.utility.absent import Absent
from discreet.results import Statement, about

if TYPE_CHECKING:
    from discreet.instruments.measured.utility_result import Utility


def statement(result: Utility) -> Statement:
    names = columns([pair.name for pair in result.pairs])
    return Statement(
        "What a published file is still good for",
        (
            f"A published file was compared with its original in {names}. Nothing was changed, and nothing was "
            "published.",
        ),
        ("A measurement of utility protects nobody: a file that loses much may expose people all the same.",),
        (
            "How exposed the people in the file are: measure risk, and have the release checked.",
            "Analyses that were not tried: each figure speaks of its own kind of analysis.",
            *(["Columns that were not compared."] if result.left_out else []),
            *([] if result.pairing.same else ["What compares both files record by record: their rows are not paired."]),
        ),
        (_cost(result),),
    )


def _cost(result: Utility) -> str:
    lost = result.overall_loss
    if isinstance(lost, Absent):
        return "The measurement itself costs nothing. How much of its cells the published file lost could not be told."
    return (
        f"The measurement itself costs nothing. The published file lost about {about(100 * lost)} % of what these "
        "cells told, on a scale from nothing to everything."
    )
