"""The pictures of a risk: all of them count few, and are confidential, but the one made for the public."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from discreet.instruments.risk_result import BELOW, SUBSETS_K
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.risk_result import Risk

PUBLIC = 10
"""What fewer than so many records share is not in a picture for the public."""


def pictures(found: Risk) -> dict[str, Callable[..., Figure]]:
    """By name; the first is what `plot()` draws."""
    named: dict[str, Callable[..., Figure]] = {
        "alike": lambda: _alike(found),
        "combinations": lambda: _combinations(found, None),
        "common combinations": lambda: _combinations(found, PUBLIC),
        "risks": lambda: _risks(found),
    }
    if found.suda is not None:
        named["contributions"] = lambda: _contributions(found)
    return named


def sections(found: Risk) -> list[Section]:
    """What a report shows beside the first."""
    words = f"Counts only; hatched are combinations that fewer than {SUBSETS_K} records share."
    out = [Section("The rarest combinations of keys", words, figure=_combinations(found, None), confidential=True)]
    if found.suda is not None:
        words = "A key that has a large part in the scores of special uniques is the one to coarsen."
        out.append(Section("Which keys make records special", words, figure=_contributions(found), confidential=True))
    words = f"The chance that a link to a record is right, {found.estimated}."
    return [*out, Section("Records by risk", words, figure=_risks(found), confidential=True)]


def public_sections(found: Risk) -> list[Section]:
    """What may be shown to everybody."""
    words = f"Combinations that fewer than {PUBLIC} records share are left out, with their values."
    return [Section("Common combinations of keys", words, figure=_combinations(found, PUBLIC))]


def _alike(found: Risk) -> Figure:
    from discreet.report.pictures.exposure import alike

    inside = [found.below(high) - found.below(low) for low, high in pairwise([0, *BELOW])]
    names = [f"{low}" if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise([1, *BELOW])]
    return alike([*inside, found.n - found.below(BELOW[-1])], [*names, f"{BELOW[-1]} or more"])


def _risks(found: Risk) -> Figure:
    from discreet.report.pictures.exposure import risks

    return risks(found.risk)


def _contributions(found: Risk) -> Figure:
    from discreet.report.pictures.contributions import contributions

    return contributions(found.contributions())


def _combinations(found: Risk, threshold: int | None) -> Figure:
    """The rarest classes with their values, which are read for those that are drawn only."""
    from discreet.frames import adopt, take_rows, text_array
    from discreet.report.pictures.combinations import MOST, combinations

    counts = found.counts.f
    chosen = np.flatnonzero(counts >= (threshold or 0))
    chosen = chosen[np.argsort(counts[chosen], kind="stable")]
    shown = chosen[:MOST]
    rows = take_rows(adopt(found.original), found.classes.first[shown])
    columns = [
        ["–" if text is None or text == "" else str(text) for text in text_array(rows, key)] for key in found.keys
    ]
    labels = [", ".join(place) for place in zip(*columns)]
    return combinations(labels, counts[shown].tolist(), k=SUBSETS_K, threshold=threshold, keys=found.keys)
