"""The records that a `Utility` is made of: how rows were paired, weights, figures of a column, totals, a regression."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from discreet.measure.utility.absent import Figure
from discreet.measure.utility.columns import Floats
from discreet.measure.utility.domains import Estimates
from discreet.measure.utility.regression import Fit


class Pairing(NamedTuple):
    """Whether row i of both files is the same person, and how that is known."""

    same: bool
    how: str


class Weights(NamedTuple):
    """The weights of the records in both files; 1 where there are none."""

    before: Floats
    after: Floats


@dataclass(frozen=True)
class ColumnUtility:
    """What is left of one column.

    `loss` is the mean loss of its cells from 0 to 1, `information_loss` in percent of its variance, `il1s` that sum,
    `mean_change` and `quantile_change` (the largest of five) in standard deviations, `sd_kept` a ratio,
    `frequency_change` half the sum of changes of all shares, `ncp` the penalty of widening. `widened`, `blanked` and
    `unread` are shares of the published cells.
    """

    name: str
    kind: str
    loss: Figure
    information_loss: Figure
    il1s: Figure
    mean_change: Figure
    sd_kept: Figure
    quantile_change: Figure
    frequency_change: Figure
    ncp: Figure
    widened: float
    blanked: float
    unread: float


FIGURES = (
    *("loss", "information_loss", "il1s", "mean_change", "sd_kept", "quantile_change", "frequency_change"),
    *("ncp", "widened", "blanked", "unread"),
)


@dataclass(frozen=True)
class Totals:
    """Totals of one column (counts for ""), a place for each domain: before and after with half their intervals."""

    column: str
    before: Estimates = field(repr=False)
    after: Estimates = field(repr=False)
    overlap: Floats = field(repr=False)


@dataclass(frozen=True)
class Regression:
    """One regression in both files: names of coefficients, fits, and how far their intervals overlap."""

    formula: str
    names: tuple[str, ...]
    before: Fit
    after: Fit
    overlap: Floats
