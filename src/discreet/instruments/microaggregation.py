"""`Microaggregation`: a microaggregated dataframe as a result, with figures, words, pictures and its own check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import listing
from discreet.methods import Detail, Status
from discreet.results import Publication, Result, Section, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Microaggregation(Result):
    """A microaggregated dataframe and what is known about it.

    `information_loss` is IL = 100·SSE/SST on the scaled columns; `lower_bound`, where asked for, is an IL below which
    no partition into groups of k or more can get; `gap` = 100·(IL − lower bound)/IL. `status` is "complete", "time
    limit" or "optimal".
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

    @property
    def groups(self) -> int:
        return int(self.labels.max()) + 1

    def title(self) -> str:
        return f"Microaggregation of {self.n} records into {self.groups} groups of {self.k} or more"

    def facts(self) -> list[tuple[str, str]]:
        sizes = np.bincount(self.labels)
        facts = [
            ("information loss", f"{self.information_loss:.6g} % of the variation"),
            ("group sizes", f"{sizes.min()} to {sizes.max()}"),
            ("columns", f"{len(self.columns)} ({listing(self.columns)})"),
            ("method", f"{self.method}, {self.status}"),
            ("time", f"{self.seconds:.2f} s, seed {self.seed}"),
        ]
        if self.lower_bound is not None and self.gap is not None:
            proof = f"no partition can lose less than {self.lower_bound:.6g} % ({self.bound})"
            left = "proven optimal" if self.status == "optimal" else f"at most {self.gap:.3g} % is left"
            facts.insert(1, ("proof", f"{proof}; {left}"))
        if self.suppressed:
            facts.append(("suppressed", f"{self.suppressed} records with missing values, as a class of their own"))
        return facts

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        sizes = np.bincount(self.labels)
        return {
            "instrument": "microaggregation",
            "version": __version__,
            "k": self.k,
            "n": self.n,
            "columns": list(self.columns),
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "scale": self.scale,
            "missing": self.missing,
            "suppressed": self.suppressed,
            "round": self.rounded,
            "groups": self.groups,
            "smallest": int(sizes.min()),
            "largest": int(sizes.max()),
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
            "quasi_identifiers": self.columns,
            "guarantee": "microaggregation",
        }
        return {**claim, "accept": self.accept} if self.accept else claim

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.columns)

    def verify(self) -> Verdict:
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def _numbers(self) -> tuple[Floats, Floats]:
        """Original and published values of the records that were not suppressed."""
        from discreet.frames import adopt, numeric_array

        before = numeric_array(adopt(self.original), list(self.columns))
        after = numeric_array(adopt(self.data), list(self.columns))
        kept = ~np.isnan(after).any(axis=1)
        return before[kept], after[kept]

    def sections(self) -> list[Section]:
        from discreet.measure import column_losses, linkage_risk, moments

        before, after = self._numbers()
        if not len(before):
            return []
        kept = moments(before, after)
        rows = [
            (name, f"{loss:.3f}", f"{100 * ratio:.2f}", f"{change:.4f}")
            for name, loss, ratio, change in zip(
                self.columns, column_losses(before, after), kept["sd_kept"], kept["correlation_change"]
            )
        ]
        risk = linkage_risk(before, after)
        return [
            Section(
                "What is kept, column by column",
                "Means and totals are kept exactly. Information loss is the share of a column's variation that is "
                "gone; the last column is the largest change of its correlation with any other column.",
                (
                    "column",
                    "information loss, %",
                    "standard deviation kept, %",
                    "largest change of correlation",
                ),
                rows,
            ),
            Section(
                "What an intruder can do",
                "Someone who knows every original value and links each person to the nearest published record is "
                f"right for {100 * risk:.2f} % of the persons; groups of {self.k} allow {100 / self.k:.2f} % at most.",
            ),
        ]

    def plot(self) -> Figure:
        """Sizes of the groups, and the information loss of each column."""
        from discreet.measure import column_losses
        from discreet.report.figures import bars, canvas

        figure, (left, right) = canvas(2)
        sizes, counts = np.unique(np.bincount(self.labels), return_counts=True)
        if len(sizes) > 12:
            edges = np.unique(np.linspace(sizes.min(), sizes.max() + 1, 13).astype(int))
            counts, _ = np.histogram(np.repeat(sizes, counts), bins=edges)
            names = [f"{a}-{b - 1}" if b - 1 > a else f"{a}" for a, b in pairwise(edges)]
        else:
            names = [str(size) for size in sizes]
        bars(left, names, counts, "Group sizes", "records in a group", "groups")
        before, after = self._numbers()
        losses = column_losses(before, after) if len(before) else np.zeros(len(self.columns))
        bars(right, self.columns, losses, "Information loss by column", "", "%", lying=True)
        return figure
