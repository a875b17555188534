"""`Utility`: what a published file is still good for; figures, words and a picture.

Every figure is finite or absent with a reason (`Absent`): constant columns have no correlations, and what compares rows
one by one is left out where the files are not in the same order. What takes a while is computed when it is first
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.instruments.measured.columns import Pair
from discreet.instruments.measured.formula import Design, Formula
from discreet.instruments.measured.utility_parts import FIGURES, ColumnUtility, Pairing, Regression, Totals, Weights
from discreet.measure.utility.absent import CONSTANT, EMPTY, SHUFFLED, Absent, Figure
from discreet.measure.utility.classes import ClassStatistics, class_statistics
from discreet.measure.utility.columns import Categories, Floats, Numbers, by_value
from discreet.measure.utility.correlations import Correlations, correlations
from discreet.measure.utility.deviations import Deviations, deviations
from discreet.measure.utility.domains import Membership, domain_codes, estimates, membership
from discreet.measure.utility.loss import column_losses
from discreet.measure.utility.overall import column_loss, overall_loss
from discreet.measure.utility.overlap import interval_overlap
from discreet.measure.utility.penalty import ncp
from discreet.measure.utility.quantiles import quantiles
from discreet.measure.utility.queries import query_errors
from discreet.measure.utility.regression import least_squares
from discreet.measure.utility.spread import frequency_change, largest, spread
from discreet.results import Measurement, Section, Statement

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from discreet.measure.utility.propensity import Propensity

FAR = Absent("not defined: numbers too far apart")
NO_BOXES = Absent("not defined: values were replaced, not widened")
NO_NUMBERS = Absent("not defined: no columns of numbers")


@dataclass(frozen=True)
class Utility(Measurement):
    """What a published file is still good for, beside its original.

    `overall_loss` is the mean loss of cells on a scale that all instruments share; `information_loss` is IL in percent;
    `columns` has the figures of every column. See the guide for what each figure says.
    """

    n: int
    published_rows: int
    pairs: tuple[Pair, ...] = field(repr=False)
    pairing: Pairing
    weight: str | None
    weights: Weights = field(repr=False)
    by: tuple[Pair, ...] = field(repr=False)
    formula: Formula | None
    designs: tuple[Design, Design] | None = field(repr=False)
    queries: int
    random_state: int
    left_out: tuple[str, ...]
    original: Any = field(repr=False)

    @cached_property
    def overall_loss(self) -> Figure:
        if not self.pairing.same:
            return SHUFFLED
        return overall_loss([pair.before for pair in self.pairs], [pair.after for pair in self.pairs])

    @cached_property
    def _numeric(self) -> list[tuple[Pair, Numbers, Numbers]]:
        found = []
        for pair in self.pairs:
            if isinstance(pair.before, Numbers) and isinstance(pair.after, Numbers):
                found.append((pair, pair.before, pair.after))
        return found

    @cached_property
    def _middles(self) -> tuple[Floats, Floats]:
        """The numbers of both files, a range by its middle."""
        before = [old.low for _, old, _ in self._numeric]
        after = [new.middle for _, _, new in self._numeric]
        return (
            np.stack(before, axis=1) if before else np.empty((self.n, 0)),
            np.stack(after, axis=1) if after else np.empty((self.published_rows, 0)),
        )

    @cached_property
    def _losses(self) -> dict[str, Figure]:
        """IL of every column of numbers, in percent."""
        if not self.pairing.same:
            return {pair.name: SHUFFLED for pair, _, _ in self._numeric}
        with np.errstate(over="ignore", invalid="ignore"):
            found = column_losses(*self._middles, self.weights.before)
        out: dict[str, Figure] = {}
        for (pair, old, _), loss in zip(self._numeric, found.tolist()):
            known = old.low[old.known & (self.weights.before > 0)]
            out[pair.name] = EMPTY if not known.size else CONSTANT if known.max() == known.min() else _finite(loss)
        return out

    @property
    def information_loss(self) -> Figure:
        """IL over all columns of numbers, each scaled by its standard deviation."""
        if not self._numeric:
            return NO_NUMBERS
        parts = [(self._losses[pair.name], int(old.known.sum()) - 1) for pair, old, _ in self._numeric]
        known = [(loss, size) for loss, size in parts if isinstance(loss, float)]
        if not known:
            return parts[0][0]
        return float(np.average([loss for loss, _ in known], weights=[size for _, size in known]))

    @cached_property
    def deviations(self) -> Deviations:
        """sdcMicro's IL1 and its variants."""
        if not self._numeric:
            return Deviations(NO_NUMBERS, NO_NUMBERS, NO_NUMBERS, NO_NUMBERS, ())
        if not self.pairing.same:
            return Deviations(SHUFFLED, SHUFFLED, SHUFFLED, SHUFFLED, (SHUFFLED,) * len(self._numeric))
        with np.errstate(over="ignore", invalid="ignore"):
            found = deviations(*self._middles)
        il1, il1s, each, variables = (_finite(figure) for figure in found[:4])
        return Deviations(il1, il1s, each, variables, tuple(_finite(figure) for figure in found.by_column))

    @cached_property
    def correlations(self) -> Correlations:
        return correlations(*self._middles, *self.weights)

    @cached_property
    def columns(self) -> tuple[ColumnUtility, ...]:
        scaled = iter(self.deviations.by_column)
        return tuple(self._column(pair, next(scaled) if pair.kind != "categories" else None) for pair in self.pairs)

    def _column(self, pair: Pair, il1s: Figure | None) -> ColumnUtility:
        old, new = pair.before, pair.after
        none = Absent("not defined: categories")
        loss: Figure = column_loss(old, new) if self.pairing.same else SHUFFLED
        shift: Figure = none
        kept: Figure = none
        moved: Figure = none
        frequency: Figure = Absent("not defined: numbers")
        if isinstance(old, Numbers) and isinstance(new, Numbers):
            with np.errstate(over="ignore", invalid="ignore"):
                shift, kept = map(_finite, spread(old, new, *self.weights))
                moved = _finite(self._quantile_change(old, new))
            wide = new.known & (new.high > new.low)
        else:
            assert isinstance(old, Categories) and isinstance(new, Categories)
            frequency = frequency_change(old, new, *self.weights)
            wide = np.zeros(new.codes.shape, bool)
            wide[new.codes >= 0] = new.width[new.codes[new.codes >= 0]] > 1
        return ColumnUtility(
            name=pair.name,
            kind=pair.kind,
            loss=loss,
            information_loss=self._losses.get(pair.name, none),
            il1s=none if il1s is None else il1s,
            mean_change=shift,
            sd_kept=kept,
            quantile_change=moved,
            frequency_change=frequency,
            ncp=ncp(old, new),
            widened=float((wide | new.anything).mean()),
            blanked=float(new.missing.mean()),
            unread=pair.unread / self.published_rows,
        )

    def _quantile_change(self, old: Numbers, new: Numbers) -> Figure:
        before, after = quantiles(old, self.weights.before), quantiles(new, self.weights.after)
        if before is None or after is None:
            return EMPTY
        unit = largest(old)
        change = float(np.abs(after / unit - before / unit).max())
        known = old.known & (self.weights.before > 0)
        values, weights = old.low[known] / unit, self.weights.before[known]
        mean = np.average(values, weights=weights)
        deviation = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
        if np.ptp(values) == 0 or deviation == 0:
            return CONSTANT if change else 0.0
        return change / deviation

    @property
    def gcp(self) -> Figure:
        """The mean NCP of the columns that were widened or left."""
        known = [column.ncp for column in self.columns if isinstance(column.ncp, float)]
        return float(np.mean(known)) if known else NO_BOXES

    @cached_property
    def classes(self) -> tuple[ClassStatistics, ClassStatistics]:
        """Records alike in all columns, in the original and in the published file."""
        before, after = [pair.before for pair in self.pairs], [pair.after for pair in self.pairs]
        return class_statistics(before), class_statistics(after)

    @cached_property
    def query_errors(self) -> Floats:
        """The relative error of every query."""
        before, after = [pair.before for pair in self.pairs], [pair.after for pair in self.pairs]
        return query_errors(before, after, *self.weights, queries=self.queries, seed=self.random_state)

    @cached_property
    def propensity(self) -> Propensity:
        """Whether the files can be told apart: pMSE by two models."""
        from discreet.measure.utility.propensity import propensity

        before, after = [pair.before for pair in self.pairs], [pair.after for pair in self.pairs]
        return propensity(before, after, seed=self.random_state)

    @cached_property
    def _domains(self) -> tuple[list[tuple[str, ...]], Membership, Membership]:
        """The labels of all domains, and which record is in which, in both files."""
        if not self.by:
            sides = (np.arange(rows) for rows in (self.n, self.published_rows))
            one, two = (Membership(rows, np.zeros(rows.size, np.int64), np.ones(rows.size)) for rows in sides)
            return [()], one, two
        before, after, labels = [], [], []
        for pair in self.by:
            old, new, names = _as_categories(pair)
            before.append(old)
            after.append(new)
            labels.append(names)
        found, known = domain_codes(before)
        named = [tuple(labels[j][code] for j, code in enumerate(row)) for row in found.tolist()]
        return named, membership(before, known), membership(after, known)

    @property
    def domains(self) -> list[tuple[str, ...]]:
        """The combinations of values of the `by` columns that occur in the original; one without values for all."""
        return self._domains[0]

    @cached_property
    def totals(self) -> tuple[Totals, ...]:
        """Counts, and totals of every column of numbers that is no domain, in every domain."""
        labels, one, two = self._domains
        by = {pair.name for pair in self.by}
        chosen = [("", None, None)] + [
            (pair.name, old.low, new.middle)
            for pair, old, new in self._numeric
            if pair.kind == "numbers" and pair.name not in by
        ]
        out = []
        with np.errstate(over="ignore", invalid="ignore"):
            for name, old, new in chosen:
                before = estimates(one, len(labels), old, self.weights.before)
                after = estimates(two, len(labels), new, self.weights.after)
                ends = [side for e in (before, after) for side in (e.total - e.half, e.total + e.half)]
                overlap = interval_overlap(*(np.where(np.isfinite(end), end, np.nan) for end in ends))
                out.append(Totals(name, before, after, overlap))
        return tuple(out)

    @cached_property
    def regression(self) -> Regression | Absent:
        """The regression that was named, in both files."""
        if self.designs is None or self.formula is None:
            return Absent("not asked for")
        fits = []
        for design, weights in zip(self.designs, self.weights):
            rows = design.complete
            w = None if self.weight is None else weights[rows]
            fit = least_squares(design.matrix[rows], design.response[rows], w)
            if isinstance(fit, Absent):
                return fit
            fits.append(fit)
        old, new = fits
        overlap = interval_overlap(old.low, old.high, new.low, new.high)
        return Regression(self.formula.text, self.designs[0].names, old, new, overlap)

    def title(self) -> str:
        rows = f"{self.n} records" if self.n == self.published_rows else f"{self.published_rows} of {self.n} records"
        columns = f"{len(self.pairs)} column{'' if len(self.pairs) == 1 else 's'}"
        return f"Utility of {rows} in {columns}"

    def facts(self) -> list[tuple[str, str]]:
        from discreet.instruments.measured.utility_figures import facts

        return facts(self)

    def to_dict(self) -> dict[str, Any]:
        from discreet.instruments.measured.utility_figures import figures

        return figures(self)

    def to_frame(self) -> Any:
        """A row for every column with its figures, empty where one is absent; of the kind of the original."""
        from discreet.frames import from_arrays

        columns: dict[str, Any] = {
            "column": [column.name for column in self.columns],
            "kind": [column.kind for column in self.columns],
        }
        for name in FIGURES:
            values = [getattr(column, name) for column in self.columns]
            columns[name] = np.array([np.nan if isinstance(value, Absent) else value for value in values])
        return from_arrays(columns, like=self.original)

    def statement(self) -> Statement:
        from discreet.instruments.statements.utility import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.measured.utility_sections import sections

        return sections(self)

    def plot(self) -> Drawing:
        """What is lost of every column, and how wrong random queries are."""
        from discreet.instruments.measured.utility_sections import picture

        return picture(self)


def _finite(figure: Figure) -> Figure:
    if isinstance(figure, Absent):
        return figure
    return float(figure) if np.isfinite(figure) else FAR


def _as_categories(pair: Pair) -> tuple[Categories, Categories, list[str]]:
    """A column as domains: numbers by their values."""
    if isinstance(pair.before, Numbers) and isinstance(pair.after, Numbers):
        old, new, values = by_value(pair.before, pair.after)
        return old, new, [_label(pair.kind, value) for value in values.tolist()]
    assert isinstance(pair.before, Categories) and isinstance(pair.after, Categories)
    return pair.before, pair.after, list(pair.labels)


def _label(kind: str, value: float) -> str:
    if kind == "moments":
        return str(np.datetime64(round(value * 86_400), "s")).removesuffix("T00:00:00")
    return f"{value:.15g}"
