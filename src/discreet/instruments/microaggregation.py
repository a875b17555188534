"""`Microaggregation`: a microaggregated dataframe as a result, with figures, words, pictures and its own check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import listing
from discreet.methods import Detail, Status
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.work import Moment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Microaggregation(Result):
    """A microaggregated dataframe and what is known about it.

    `information_loss` is IL = 100·SSE/SST on the scaled columns; `lower_bound`, where asked for, is an IL below which
    no partition into groups of k or more can get; `gap` = 100·(IL − lower bound)/IL. `status` is "complete", "time
    limit" or "optimal".

    `labels` has the group of each record; for several sets of columns (`sets`) a column for each. `blanked` counts
    known values that are published as a blank, which is part of the loss, and `filled` gaps that hold their group's
    mean. `largest_share` is how much of a mean one record makes at most, by its `weight`. `trace` has the best loss and
    the bound over time, where the search told them.
    """

    data: Any = field(repr=False)
    labels: Labels = field(repr=False)
    k: int
    n: int
    columns: tuple[str, ...]
    method: str
    status: Status
    sse: float
    sst: float
    information_loss: float
    lower_bound: float | None
    gap: float | None
    seconds: float
    seed: int
    scale: str
    missing: str
    suppressed: int
    rounded: bool
    bound: str | None
    certificate: Mapping[str, Any] | None = field(repr=False)
    detail: Detail = field(repr=False)
    original: Any = field(repr=False)
    accept: tuple[str, ...] = field(default=(), repr=False)
    sets: tuple[tuple[str, ...], ...] = ()
    weight: str | None = None
    by: tuple[str, ...] = ()
    blanked: int = 0
    filled: int = 0
    largest_share: float | None = None
    trace: tuple[Moment, ...] = field(default=(), repr=False, compare=False)

    @property
    def groups(self) -> int:
        return sum(len(sizes) for sizes in self.sizes)

    @property
    def sizes(self) -> list[Labels]:
        """Per set of columns how many records are in each group."""
        return [np.bincount(labels) for labels in self.labels.reshape(self.n, -1).T]

    @property
    def size_range(self) -> tuple[int, int]:
        """Records of the smallest group, and of the largest."""
        sizes = np.concatenate(self.sizes)
        return int(sizes.min()), int(sizes.max())

    def title(self) -> str:
        if len(self.sets) > 1:
            counts = " and ".join(str(len(sizes)) for sizes in self.sizes)
            return f"Microaggregation of {self.n} records by {len(self.sets)} sets of columns into {counts} groups"
        return f"Microaggregation of {self.n} records into {self.groups} groups of {self.k} or more"

    def facts(self) -> list[tuple[str, str]]:
        facts = [
            ("information loss", f"{self.information_loss:.6g} % of the variation"),
            ("group sizes", "{} to {}".format(*self.size_range)),
            ("columns", f"{len(self.columns)} ({listing(self.columns)})"),
            ("method", f"{self.method}, {self.status}"),
            ("time", f"{self.seconds:.2f} s, seed {self.seed}"),
        ]
        if self.lower_bound is not None and self.gap is not None:
            proof = f"no partition can lose less than {self.lower_bound:.6g} % ({self.bound})"
            left = "proven optimal" if self.status == "optimal" else f"at most {self.gap:.3g} % is left"
            facts.insert(1, ("proof", f"{proof}; {left}"))
        return facts + self._special_facts()

    def _special_facts(self) -> list[tuple[str, str]]:
        """What is said only where it is so: sets, strata, weights, gaps."""
        facts = []
        if len(self.sets) > 1:
            facts.append(("sets", f"{'; '.join(listing(names) for names in self.sets)}: grouped one by one"))
        if self.by:
            facts.append(("strata", f"groups stay within {listing(self.by)}"))
        if self.weight is not None:
            words = f"means and loss are weighted by {self.weight}"
            if self.largest_share is not None:
                words += f"; one record makes at most {100 * self.largest_share:.0f} % of its group's mean"
            facts.append(("weight", words))
        if self.suppressed:
            facts.append(("suppressed", f"{self.suppressed} records with missing values, as a class of their own"))
        if self.filled:
            facts.append(("filled", f"{self.filled} missing values hold the mean of their group's known values"))
        if self.blanked:
            facts.append(("blanked", f"{self.blanked} known values, which counts as loss"))
        return facts

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        smallest, largest = self.size_range
        return {
            "instrument": "microaggregation",
            "version": __version__,
            "k": self.k,
            "n": self.n,
            "columns": list(self.columns),
            **({"sets": [list(names) for names in self.sets]} if len(self.sets) > 1 else {}),
            "weight": self.weight,
            "by": list(self.by),
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "scale": self.scale,
            "missing": self.missing,
            "suppressed": self.suppressed,
            "blanked": self.blanked,
            "filled": self.filled,
            "round": self.rounded,
            "groups": self.groups,
            "smallest": smallest,
            "largest": largest,
            # Squares of very large numbers may not fit into a float64; the loss below is a ratio and always does.
            "sse": self.sse if np.isfinite(self.sse) else None,
            "sst": self.sst if np.isfinite(self.sst) else None,
            "information_loss": self.information_loss,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "bound": self.bound,
            "detail": dict(self.detail),
        }

    def claim(self) -> dict[str, Any]:
        claim: dict[str, Any] = {
            "k": self.k,
            "quasi_identifiers": self.sets if len(self.sets) > 1 else self.columns,
            "guarantee": "microaggregation",
        }
        also = {"accept": self.accept, "weight": self.weight, "by": self.by}
        return {**claim, **{name: value for name, value in also.items() if value}}

    def public_sections(self) -> list[Section]:
        from discreet.instruments.statements.grouped import lost

        return [lost(self), *super().public_sections()]

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.columns)

    def verify(self) -> Verdict:
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def statement(self) -> Statement:
        from discreet.instruments.statements.grouped import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.grouped.pages import sections

        return sections(self)

    def plot(self, kind: str | None = None, *, column: str | None = None) -> Figure:
        """A picture: "loss" by column, group "sizes", "correlations", a column's "distribution", "convergence"."""
        from discreet.instruments.drawn.microaggregation import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind, column)
