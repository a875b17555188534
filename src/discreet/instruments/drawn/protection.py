"""The pictures of a protected file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import InputError
from discreet.instruments.drawn.before_after import BeforeAfter, correlation_change, correlation_section
from discreet.instruments.drawn.search import search_section, went
from discreet.measure.utility.columns import Numbers
from discreet.report.figures import confidential
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.protect.protection import Protection

LOSS = "loss"


def pictures(result: Protection) -> dict[str, Callable[..., Figure]]:
    """By name; the first is what `plot()` draws."""
    found: dict[str, Callable[..., Figure]] = {"loss": lambda: _loss(result)}
    if result.widened:
        found["widened"] = lambda: _widened(result)
    if result.units:
        found["households"] = lambda: _units(result)
    if len(result.recipe.means) > 1:
        found["correlations"] = lambda: _correlations(result)
    both = _both(result)
    if both.names:
        found["distribution"] = both.draw
    if result.trace:
        found["convergence"] = lambda: went(result.trace, LOSS)
    return found


def sections(result: Protection) -> list[Section]:
    """What a report shows beside the first."""
    out, both = [], _both(result)
    if result.widened:
        words = "How many values of each column are published as a range or a set, to two digits."
        out.append(Section("Values widened", words, figure=_widened(result)))
    if both.names:
        out.append(both.section())
    if len(result.recipe.means) > 1 and len(_numbers(result)) > 1:
        out.append(correlation_section(_correlations(result)))
    if result.units:
        words = "How many there are of each size; those of a size that fewer than k have cannot hide in it."
        figure = _units(result)
        out.append(Section("By size", words, figure=figure, confidential=confidential(figure)))
    return [*out, search_section(result.trace, LOSS)] if result.trace else out


def _both(result: Protection) -> BeforeAfter:
    names = [*result.recipe.boxes, *result.recipe.means]
    trees = result.hierarchies
    return BeforeAfter(result.original, result.data, names, categorical=result.categorical, hierarchies=trees)


def _loss(result: Protection) -> Figure:
    from discreet.report.pictures.losses import losses

    return losses(list(result.losses), list(result.losses.values()), title="Loss by column", unit="share lost")


def _widened(result: Protection) -> Figure:
    from discreet.report.pictures.losses import losses

    values = [100 * count / max(1, result.rows) for count in result.widened.values()]
    return losses(list(result.widened), values, title="Values widened", unit="% of rows")


def _units(result: Protection) -> Figure:
    from discreet.report.pictures.households import households

    what = "households" if result.recipe.household is not None else "persons"
    return households(result.units, result.k, what=what)


def _numbers(result: Protection) -> dict[str, tuple[Numbers, Numbers]]:
    """The means, before and after. They may stand in the file as text, so that totals are kept to the last digit."""
    from discreet.instruments.measured.columns import read_pairs

    pairs = read_pairs(result.original, result.data, list(result.recipe.means))
    return {
        p.name: (p.before, p.after) for p in pairs if isinstance(p.before, Numbers) and isinstance(p.after, Numbers)
    }


def _correlations(result: Protection) -> Figure:
    found = _numbers(result)
    if len(found) < 2:
        raise InputError("there are no correlations to draw: fewer than two columns hold numbers before and after")
    before, after = (np.stack([(one.low + one.high) / 2 for one in side], axis=1) for side in zip(*found.values()))
    return correlation_change(list(found), before, after)
