"""Columns before and after, and how their correlations change: pictures of an original and what is published of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.dataframes import did_you_mean
from discreet.measure.utility.columns import Categories, Numbers
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

MOST_COLUMNS = 8
MOST_ROWS = 200_000
_YEAR = 365.2425
_WORDS = (
    "The original is filled, what is published a line or a darker bar. A range counts in equal parts for all of its "
    "length, and a set for each of its values."
)


class BeforeAfter:
    """Two frames and the columns that were worked on; of very many rows, evenly spaced ones are drawn."""

    def __init__(
        self,
        original: Any,
        published: Any,
        names: Sequence[str],
        *,
        categorical: Collection[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
    ) -> None:
        self.original, self.published, self.names = original, published, tuple(names)
        self.categorical, self.hierarchies = categorical, hierarchies

    def draw(self, column: str | None = None) -> Figure:
        """One column, the first unless it is named."""
        if column is not None and column not in self.names:
            raise InputError(f"there is nothing to draw of the column {column!r}{did_you_mean(column, self.names)}")
        return self.figures([column or self.names[0]])[0]

    def figures(self, names: Sequence[str]) -> list[Figure]:
        from discreet.instruments.measured.columns import MOMENTS, read_pairs

        before, after = _thinned(self.original), _thinned(self.published)
        chosen = set(names) & set(self.categorical)
        out = []
        for pair in read_pairs(before, after, names, categorical=chosen, hierarchies=self.hierarchies):
            if isinstance(pair.before, Categories) and isinstance(pair.after, Categories):
                out.append(_categories(pair.name, pair.labels, pair.before, pair.after))
            elif isinstance(pair.before, Numbers) and isinstance(pair.after, Numbers):
                out.append(_numbers(pair.name, pair.before, pair.after, dates=pair.kind == MOMENTS))
        return out

    def section(self) -> Section:
        """The first columns, for a report; confidential."""
        words = _WORDS
        if len(self.names) > MOST_COLUMNS:
            words += f" These are the first {MOST_COLUMNS} of {len(self.names)} columns."
        return Section("Before and after", words, figure=self.figures(self.names[:MOST_COLUMNS]), confidential=True)


def _thinned(frame: Any) -> Any:
    from discreet.frames import adopt, take_rows

    table = adopt(frame)
    step = -(-len(table) // MOST_ROWS)
    return frame if step < 2 else take_rows(table, np.arange(0, len(table), step))


def _numbers(name: str, before: Numbers, after: Numbers, *, dates: bool) -> Figure:
    """Anything is the whole range of the original; dates are drawn by the year."""
    from discreet.report.pictures.distributions import distribution

    values = before.low[np.isfinite(before.low)]
    least, most = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    low, high = (np.where(np.isinf(end), whole, end) for end, whole in ((after.low, least), (after.high, most)))
    if dates:
        values, low, high = (1970 + days / _YEAR for days in (values, low, high))
    return distribution(name, values, low, high)


def _categories(name: str, labels: Sequence[str], before: Categories, after: Categories) -> Figure:
    from discreet.report.pictures.distributions import categories

    return categories(name, labels, *(value_counts(column, len(labels)) for column in (before, after)))


def value_counts(column: Categories, size: int) -> Floats:
    """How many records have each value: a set counts in equal parts for its members, anything for all values."""
    known = np.bincount(column.codes[column.codes >= 0], minlength=len(column.first) - 1)
    share = np.repeat(known / np.maximum(column.width, 1), column.width)
    inside = (column.member >= 0) & (column.member < size)
    counts = np.bincount(column.member[inside], weights=share[inside], minlength=size)
    return np.asarray(counts + column.anything.sum() / max(size, 1))


def correlation_change(names: Sequence[str], before: Floats, after: Floats) -> Figure:
    """How correlations change; each table by its own complete records, in whatever order."""
    from discreet.report.pictures.correlations import correlations

    return correlations(names, *(_correlations(values) for values in (before, after)))


def _correlations(values: Floats) -> Floats:
    complete = values[~np.isnan(values).any(axis=1)]
    if len(complete) < 2:
        return np.full((values.shape[1], values.shape[1]), np.nan)
    with np.errstate(all="ignore"):
        return np.atleast_2d(np.corrcoef(complete, rowvar=False))


def correlation_section(figure: Figure) -> Section:
    words = "Each square is the change of one correlation, to two decimals; blue rose, orange fell."
    return Section("How correlations change", words, figure=figure)
