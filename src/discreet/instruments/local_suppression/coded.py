"""`Coding`: a dataframe after one step of recoding, and what the step changed: no release, and nothing is proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError, listing
from discreet.results import Publication, Result, Section, Statement, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Coding(Result):
    """A dataframe in which some columns were capped, merged or cut: `data`, to go on with.

    `changed` counts the cells of each column that are not as they were; `kinds` has how many different values it had
    and has. Recoding protects nobody by itself: `data` is the original of the step that does.
    """

    data: Any = field(repr=False)
    step: str
    columns: tuple[str, ...]
    n: int
    changed: Mapping[str, int]
    kinds: Mapping[str, tuple[int, int]]
    original: Any = field(repr=False)

    def title(self) -> str:
        return f"{self.step.capitalize()} of {listing(self.columns)} in {self.n} records"

    def facts(self) -> list[tuple[str, str]]:
        return [
            (name, f"{self.changed[name]} cells changed; {before} different values, now {after}")
            for name, (before, after) in self.kinds.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": self.step,
            "version": __version__,
            "n": self.n,
            "columns": list(self.columns),
            "changed": dict(self.changed),
            "values_before": {name: kinds[0] for name, kinds in self.kinds.items()},
            "values_after": {name: kinds[1] for name, kinds in self.kinds.items()},
        }

    def verify(self) -> Verdict:
        raise InputError(
            "recoding is a step and no release: go on with its data (suppress_locally, generalize), and verify that"
        )

    def judged(self) -> None:
        return None

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.columns)

    def statement(self) -> Statement:
        from discreet.instruments.statements.recoded import statement

        return statement(self)

    def sections(self) -> list[Section]:
        rows = [(name, self.changed[name], *self.kinds[name]) for name in self.columns]
        words = "Recoding is the same for all records and protects nobody by itself."
        heads = ("column", "cells changed", "different values before", "after")
        return [Section("What was recoded", words, heads, rows, confidential=True)]

    def plot(self) -> Figure:
        """Different values of each column before and after."""
        from discreet.report.figures import bars, canvas

        figure, (left, right) = canvas(2)
        for axis, place, title in ((left, 0, "Different values before"), (right, 1, "after")):
            bars(axis, self.columns, [self.kinds[name][place] for name in self.columns], title, "", "", lying=True)
        return figure
