"""How a search went, from the moments that were kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.results import Section
from discreet.work import Moment

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def went(trace: Sequence[Moment], what: str) -> Figure:
    """Best value and bound over time."""
    from discreet.report.pictures.convergence import convergence

    return convergence(*zip(*trace), title="How the search went", what=what)


def search_section(trace: Sequence[Moment], what: str) -> Section:
    """For a report; it tells the loss to more digits than a public page should."""
    words = (
        "The best that was found at each moment, and the bound that was proven: what lies between them is not known to "
        "be possible or impossible."
    )
    return Section("How the search went", words, figure=went(trace, what), confidential=True)


def traced(trace: Sequence[Moment], end: Moment, unit: float = 1.0) -> tuple[Moment, ...]:
    """The moments in the unit of the result, and its end; nothing where the search told nothing on its way."""
    kept = [Moment(seconds, unit * value, unit * bound) for seconds, value, bound in trace]
    return (*kept, end) if kept else ()
