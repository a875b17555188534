"""The pictures of a microaggregation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from discreet.instruments.drawn.before_after import BeforeAfter, correlation_change, correlation_section
from discreet.instruments.drawn.search import search_section, went
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.microaggregation import Microaggregation

LOSS = "information loss, %"


def pictures(result: Microaggregation) -> dict[str, Callable[..., Figure]]:
    """By name; the first is what `plot()` draws."""
    found: dict[str, Callable[..., Figure]] = {"loss": lambda: _loss(result), "sizes": lambda: _sizes(result)}
    if len(result.columns) > 1:
        found["correlations"] = lambda: _correlations(result)
    found["distribution"] = _both(result).draw
    if result.trace:
        found["convergence"] = lambda: went(result.trace, LOSS)
    return found


def sections(result: Microaggregation) -> list[Section]:
    """What a report shows beside the first."""
    words = f"Every group has {result.k} records or more, which the published file itself shows."
    out = [_both(result).section(), Section("Group sizes", words, figure=_sizes(result))]
    if len(result.columns) > 1:
        out.append(correlation_section(_correlations(result)))
    return [*out, search_section(result.trace, LOSS)] if result.trace else out


def _both(result: Microaggregation) -> BeforeAfter:
    return BeforeAfter(result.original, result.data, result.columns)


def _loss(result: Microaggregation) -> Figure:
    from discreet.instruments.grouped.pages import numbers
    from discreet.measure import column_losses
    from discreet.report.pictures.losses import losses

    values = numbers(result, result.columns)
    found = column_losses(values.before, values.after, values.weights)
    return losses(result.columns, found.tolist(), title="Information loss by column", unit="% of the variation")


def _sizes(result: Microaggregation) -> Figure:
    from discreet.report.pictures.sizes import sizes

    return sizes(np.concatenate(result.sizes))


def _correlations(result: Microaggregation) -> Figure:
    from discreet.instruments.grouped.pages import numbers

    return correlation_change(result.columns, *numbers(result, result.columns).complete)
