"""The tables and the picture of a `Utility` in its report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import listing
from discreet.instruments.measured.utility_figures import (
    HIGH,
    digits_of,
    information_in_words,
    mean_figure,
    penalty_in_words,
    percent,
    ratio_in_words,
    shown,
    within,
)
from discreet.instruments.measured.utility_parts import FIGURES, Regression
from discreet.measure.utility.absent import Absent, Figure
from discreet.measure.utility.regression import Fit
from discreet.results import Section, about

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from discreet.instruments.measured.utility_result import Utility

MOST_ROWS = 50


def sections(found: Utility) -> list[Section]:
    """The tables of a report.

    All but the first are confidential: an exact change of a mean tells the last value to whoever knows all others.
    """
    out = [_short(found), _columns(found), _together(found), _classes(found)]
    out += [_domains(found)] + ([_domain_table(found)] if found.by else [])
    if found.formula is not None:
        out += [_regression(found)]
    return out


def _short(found: Utility) -> Section:
    """What anybody may know, to two digits."""
    told, errors = found.propensity, found.query_errors
    totals = mean_figure(np.concatenate([one.overlap for one in found.totals]))
    rows = [
        ("loss of cells, %", _rough(found.overall_loss, 100)),
        ("information loss of numbers, %", _rough(found.information_loss)),
        ("largest change of a correlation", _rough(found.correlations.largest)),
        ("global certainty penalty (GCP), %", _rough(found.gcp, 100)),
        ("error of random queries on average, %", _rough(errors.mean(), 100)),
        ("told apart by a tree, times what chance gives", _rough(told.tree_ratio)),
        ("overlap of confidence intervals of totals, %", _rough(totals, 100)),
    ]
    fit = found.regression
    if isinstance(fit, Regression):
        overlap = _rough(mean_figure(fit.overlap), 100)
        rows.append(("overlap of confidence intervals of the regression, %", overlap))
    words = "To two digits, for anybody to read. 0 is nothing lost; intervals that overlap by 100 % are the same."
    return Section("In short", words, ("measure", "value"), rows)


def _rough(figure: Figure, scale: float = 1.0) -> str:
    return figure.why if isinstance(figure, Absent) else about(scale * figure)


def _columns(found: Utility) -> Section:
    rows = [
        (
            column.name,
            _cell(column.loss, 100),
            _cell(column.information_loss, 1),
            _cell(column.mean_change, 1),
            _cell(column.sd_kept, 100),
            _cell(column.quantile_change, 1),
            _cell(column.frequency_change, 100),
            _cell(column.ncp, 100),
            f"{100 * column.widened:.3g}",
            f"{100 * column.blanked:.3g}",
        )
        for column in found.columns
    ]
    reasons = sorted({value.why for c in found.columns for value in _absent(c)} - _EXPECTED)
    words = "A range stands for its middle, a set for all its values alike. " + (
        f"The rows of both files are in the same order: {found.pairing.how}."
        if found.pairing.same
        else f"The files are not compared row by row, so that losses of cells are not known: {found.pairing.how}."
    )
    if reasons:
        words += f" A dash is a figure for another kind of column, or one that is {_joined(reasons)}."
    heads = (
        *("column", "loss of cells, %", "information loss, %", "mean moved, sd", "sd kept, %", "quantile moved, sd"),
        *("frequencies moved, %", "NCP, %", "widened, %", "blank, %"),
    )
    return Section("What is left, column by column", words, heads, rows, confidential=True)


_EXPECTED = {"not defined: categories", "not defined: numbers"}


def _absent(column: Any) -> list[Absent]:
    return [value for name in FIGURES if isinstance(value := getattr(column, name), Absent)]


def _joined(reasons: Sequence[str]) -> str:
    return "; or ".join(reasons)


def _cell(figure: Figure, scale: float) -> str:
    return "–" if isinstance(figure, Absent) else f"{scale * figure:.4g}"


def _together(found: Utility) -> Section:
    deviations, related, told, errors = found.deviations, found.correlations, found.propensity, found.query_errors
    high = float(np.percentile(errors, HIGH))
    rows = [
        ("overall loss: mean loss of cells", percent(found.overall_loss)),
        ("information loss (IL)", information_in_words(found)),
        ("IL1s, sum over cells of |x − y| / (√2 sd)", shown(deviations.il1s)),
        ("IL1s per cell", shown(deviations.il1_old)),
        ("IL1, sum of percentages", shown(deviations.il1)),
        ("IL_variables (depends on units)", shown(deviations.il_variables)),
        ("correlations, largest change", shown(related.largest)),
        ("correlations, mean change", shown(related.mean)),
        ("eigenvalues of correlations, sum of relative changes", shown(related.eigenvalues)),
        ("IL_correl", shown(related.il_correl)),
        ("global certainty penalty (GCP)", penalty_in_words(found)),
        (f"{found.queries} random queries, error in the median", percent(float(np.median(errors)))),
        ("random queries, error on average", percent(float(errors.mean()))),
        (f"random queries, {HIGH} % are off by less than", percent(high)),
        ("told apart by logistic regression, pMSE", ratio_in_words(told.logistic, told.logistic_ratio)),
        ("told apart by a tree, pMSE", ratio_in_words(told.tree, told.tree_ratio)),
    ]
    words = (
        f"Queries count who lies in a random range or set on one or two columns. Models look at {told.rows[0]} records "
        f"of the original and {told.rows[1]} of the published file. Seed {found.random_state}."
    )
    if found.weight is not None:
        words += f" Queries, moments, correlations and information loss are weighted by {found.weight}."
    return Section("What analyses rest on", words, ("measure", "value"), rows, confidential=True)


def _classes(found: Utility) -> Section:
    before, after = found.classes
    rows = [
        ("classes", before.classes, after.classes),
        ("average class size", f"{before.average:.4g}", f"{after.average:.4g}"),
        ("least class size", before.least, after.least),
        ("discernibility metric (DM)", before.discernibility, after.discernibility),
    ]
    words = "Records that are alike in all columns compared. A range, a set and a blank are values of their own."
    return Section("Classes of records", words, ("", "original", "published"), rows, confidential=True)


def _domains(found: Utility) -> Section:
    rows = [
        (one.column or "records", percent(mean_figure(one.overlap)), percent(mean_figure(within(one))))
        for one in found.totals
    ]
    where = (
        f"in {len(found.domains)} domains of {listing([pair.name for pair in found.by])}" if found.by else "of the file"
    )
    weighted = "Without weights, every record stands for one" if found.weight is None else f"Weighted by {found.weight}"
    words = (
        f"Totals {where}, with 95 % confidence intervals as of a sample drawn with replacement, from both files. "
        f"{weighted}. How far the intervals overlap, and how many published totals lie in the interval of the original."
    )
    return Section("Totals", words, ("total of", "overlap, mean", "within the interval"), rows, confidential=True)


def _domain_table(found: Utility) -> Section:
    names = [pair.name for pair in found.by]
    entries = []
    for one in found.totals:
        for place, labels in enumerate(found.domains):
            entries.append((one.overlap[place], labels, one.column or "records", one, place))
    entries.sort(key=lambda entry: (np.nan_to_num(entry[0], nan=2.0), entry[2], entry[1]))
    rows = [
        (*labels, column, _interval(one.before, place), _interval(one.after, place), f"{overlap:.3f}")
        for overlap, labels, column, one, place in entries[:MOST_ROWS]
    ]
    words = f"The {len(rows)} with the least overlap of {len(entries)}. Confidential: it shows values of the original."
    heads = (*names, "total of", "original", "published", "overlap")
    return Section("Totals by domain", words, heads, rows, confidential=True)


def _interval(estimates: Any, place: int) -> str:
    return f"{digits_of(estimates.total[place], 6)} ± {digits_of(estimates.half[place], 3)}"


def _regression(found: Utility) -> Section:
    fit = found.regression
    assert found.formula is not None
    title = f"Regression {found.formula.text}"
    if not isinstance(fit, Regression):
        return Section(title, fit.why[0].upper() + fit.why[1:] + ".", confidential=True)
    rows = []
    for j, name in enumerate(fit.names):
        sides = [_estimate(side, j) for side in (fit.before, fit.after)]
        rows.append((name, *sides, f"{fit.overlap[j]:.3f}"))
    words = (
        f"By {'weighted ' if found.weight else ''}least squares from {fit.before.rows} records of the original and "
        f"{fit.after.rows} published ones. Mean overlap of the 95 % intervals: {percent(mean_figure(fit.overlap))}."
    )
    return Section(title, words, ("coefficient", "original", "published", "overlap"), rows, confidential=True)


def _estimate(fit: Fit, place: int) -> str:
    ends = (digits_of(end[place], 4) for end in (fit.low, fit.high))
    return f"{digits_of(fit.estimate[place], 6)} [{', '.join(ends)}]"


def picture(found: Utility) -> Drawing:
    """What is lost of every column, and how wrong queries are."""
    from discreet.report.figures import bars, canvas

    figure, (left, right) = canvas(2)
    names = [column.name for column in found.columns]
    if found.pairing.same:
        lost = [0.0 if isinstance(c.loss, Absent) else 100 * c.loss for c in found.columns]
        bars(left, names, lost, "Loss of each column's cells", "", "%", lying=True)
    else:
        wide = [100 * (column.widened + column.blanked) for column in found.columns]
        bars(left, names, wide, "Cells that are widened or blank", "", "%", lying=True)
    edges = np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, np.inf])
    labels = ["1", "2", "5", "10", "20", "50", "more"]
    inside = np.histogram(found.query_errors, bins=edges)[0]
    bars(right, labels, inside, "Random queries by their error", "error up to, %", "queries")
    return figure
