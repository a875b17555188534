"""A cross-tabulation as bars: geometry for an inline SVG that grows with the page and needs no script.

Each row of the table has a line of text and its bars below; lengths are in percent of the picture's width, heights in
pixels, so that texts keep their size on a narrow screen. Stacked bars put a row's counts end to end, others stand one
below another. The picture repeats numbers of the table beside it and says nothing else; what is no number has no bar.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.release.web.views.crosstab import Crosstab, numbers

MOST_ROWS = 30
MOST_SERIES = 7
TEXT, BAR, THIN, GAP = 19, 18, 11, 9
LONGEST_TEXT = 44


def chart_view(made: Crosstab, kind: str, show: str) -> dict[str, Any] | None:
    """Bars of the numbers that the table shows; None where there are too many to be told apart, or none are wanted."""
    height, width = made.counts.shape
    if kind == "none" or height > MOST_ROWS or width > MOST_SERIES or (height == 1 and width == 1):
        return None
    told = numbers(made, show)
    values = np.nan_to_num(told)
    stacked = kind == "stacked" and show != "column"  # column percentages do not add up along a row
    full = float((values.sum(axis=1) if stacked else values).max())
    scale = 100.0 / full if full else 0.0
    top, rows = 0.0, []
    for number, line in enumerate(values):
        head = " · ".join(made.heads(number)) or "all"
        bars, place, left = [], top + TEXT, 0.0
        for series, value in enumerate(line):
            length = float(value) * scale
            title = ", ".join([*made.heads(number), *made.tops(series)])
            bars.append(
                {
                    "x": f"{left:.3f}",
                    "y": f"{place:g}",
                    "width": f"{length:.3f}",
                    "height": BAR if stacked or width == 1 else THIN,
                    "series": series,
                    "title": f"{title}: {_number(float(told[number, series]), show)}",
                }
            )
            if stacked:
                left += length
            else:
                place += BAR if width == 1 else THIN
        bottom = top + TEXT + (BAR if stacked or width == 1 else THIN * width)
        said = _number(float(told[number].sum()), show) if stacked or width == 1 else ""
        rows.append({"text": shorten(head), "y": f"{top + 14:g}", "bars": bars, "said": said})
        top = bottom + GAP
    return {
        "rows": rows,
        "height": f"{top:g}",
        "legend": [" · ".join(made.tops(j)) for j in range(width)] if made.columns else [],
        "of": made.columns,
        "by": made.rows,
        "stacked": stacked,
    }


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _number(value: float, show: str) -> str:
    if np.isnan(value):
        return "–"
    return f"{int(value):,}" if show == "counts" else f"{value:.1f} %"
