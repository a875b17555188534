"""The pictures of a generalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from discreet.instruments.drawn.before_after import BeforeAfter
from discreet.instruments.drawn.search import search_section, went
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.generalization import Generalization

LOSS = "loss (GCP)"


def pictures(result: Generalization) -> dict[str, Callable[..., Figure]]:
    """By name; the first is what `plot()` draws."""
    found = by_column(result)
    found["distribution"] = _both(result).draw
    if result.trace:
        found["convergence"] = lambda: went(result.trace, LOSS)
    return found


def by_column(result: Generalization) -> dict[str, Callable[..., Figure]]:
    """Those that need no record."""
    return {"loss": lambda: _loss(result), "widened": lambda: _widened(result)}


def sections(result: Generalization) -> list[Section]:
    """What a report shows beside the first."""
    words = "How many values of each column are published as a range or a set, to two digits."
    out = [Section("Values widened", words, figure=_widened(result)), _both(result).section()]
    return [*out, search_section(result.trace, LOSS)] if result.trace else out


def _both(result: Generalization) -> BeforeAfter:
    return BeforeAfter(
        result.original,
        result.data,
        result.quasi_identifiers,
        categorical=result.categorical,
        hierarchies=result.hierarchies,
    )


def _loss(result: Generalization) -> Figure:
    from discreet.report.pictures.losses import losses

    names = result.quasi_identifiers
    values = [result.losses[name] for name in names]
    return losses(names, values, title="Loss by column", unit="NCP: 0 unchanged, 1 covers the whole column")


def _widened(result: Generalization) -> Figure:
    from discreet.report.pictures.losses import losses

    names = result.quasi_identifiers
    values = [100 * result.widened[name] / result.n for name in names]
    return losses(names, values, title="Values widened", unit="% of records")
