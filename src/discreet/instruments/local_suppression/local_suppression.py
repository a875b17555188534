"""`LocalSuppression`: a dataframe with blanks as a result: figures, words, pictures, the certificate and its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import listing
from discreet.methods import Status
from discreet.results import Publication, Result, Section, Statement, Verdict, about

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Integers = NDArray[np.int64]
STEPS = (2, 3, 5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True)
class LocalSuppression(Result):
    """A dataframe in which some keys of some records are blank, and what is known about it.

    `suppressed` counts the cells that were left blank; `cost` weighs them by the importance of their columns and is the
    same number where all are of importance 1. No release of this kind costs less than `lower_bound`; `gap` is
    100·(cost − lower bound)/cost. `status` is "optimal", "complete" or "time limit". `missing` counts the keys that the
    data did not have: they are blank too, and cost nothing. `solved` says that an integer program found nothing
    cheaper: that is not proven again by anyone, so it is no part of bound, gap and status.

    `blank` says row by row of `data` which keys were left blank; `order`, where rows were shuffled, which row of the
    original each is: for the custodian only. `certificate` are the prices that prove the bound.
    """

    data: Any = field(repr=False)
    blank: NDArray[np.bool_] = field(repr=False)
    order: Integers | None = field(repr=False)
    k: int
    n: int
    keys: tuple[str, ...]
    importance: Mapping[str, float]
    semantics: str
    combinations: int | None
    cost: float
    lower_bound: float | None
    gap: float | None
    status: Status
    missing: int
    solved: bool
    seconds: float
    seed: int | None
    certificate: Mapping[str, Any] | None = field(repr=False)
    original: Any = field(repr=False)
    accept: tuple[str, ...] = field(default=(), repr=False)

    @property
    def suppressed(self) -> int:
        """How many cells were left blank."""
        return int(self.blank.sum())

    @property
    def by_column(self) -> dict[str, int]:
        """How many in each key."""
        return dict(zip(self.keys, self.blank.sum(axis=0).tolist()))

    @property
    def shuffled(self) -> bool:
        return self.order is not None

    @property
    def _weighted(self) -> bool:
        return any(weight != 1 for weight in self.importance.values())

    @cached_property
    def _sizes(self) -> Integers:
        """How many rows show what each row shows, on all keys."""
        from discreet.frames import adopt
        from discreet.frames.exact import entries
        from discreet.measure.risk.frequencies import classes

        table = adopt(self.data)
        found = classes(np.stack([entries(table, name).codes for name in self.keys], axis=1))
        return np.asarray(found.size[found.of], np.int64)

    def title(self) -> str:
        return f"Local suppression in {self.n} records: {self._promise}"

    @property
    def _promise(self) -> str:
        some = "" if self.combinations is None else f" of any {self.combinations} keys"
        if self.semantics == "class":
            return f"every combination{some} is shown by {self.k} rows or more"
        return f"every combination{some} fits {self.k} records or more"

    def facts(self) -> list[tuple[str, str]]:
        cells = self.n * len(self.keys)
        facts = [
            ("suppressed", f"{self.suppressed} of {cells} cells ({100 * self.suppressed / cells:.2f} %)"),
            ("keys", f"{len(self.keys)} ({listing(self.keys)})"),
            (
                "method",
                f"{self.semantics}, {self.status}" + ("; a solver found nothing cheaper" if self.solved else ""),
            ),
            ("rows", self._rows()),
            ("time", f"{self.seconds:.2f} s"),
        ]
        if self.lower_bound is not None and self.gap is not None:
            what = "cost less than" if self._weighted else "do with fewer than"
            words = f"no release of this kind can {what} {self.lower_bound:g}"
            facts.insert(1, ("proof", words + ("" if self.gap == 0 else f"; at most {self.gap:.3g} % are too many")))
        if self._weighted:
            words = ", ".join(f"{name} {weight:g}" for name, weight in self.importance.items())
            facts.insert(1, ("cost", f"{self.cost:g}, by importance (a blank in each costs: {words})"))
        if self.missing:
            facts.insert(1, ("missing", f"{self.missing} keys were missing before, and are blank among the others"))
        return facts

    def _rows(self) -> str:
        if not self.shuffled:
            return "in the order of the original"
        if self.seed is None:
            return "in a secret random order"
        return "in a random order from a fixed seed: whoever knows the seed knows who is who"

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "local suppression",
            "version": __version__,
            "k": self.k,
            "n": self.n,
            "keys": list(self.keys),
            "importance": dict(self.importance),
            "semantics": self.semantics,
            "combinations": self.combinations,
            "method": self.semantics,
            "status": self.status,
            "solved": self.solved,
            "seconds": self.seconds,
            "seed": self.seed,
            "suppressed": self.suppressed,
            "by_column": self.by_column,
            "missing": self.missing,
            "cost": self.cost,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "shuffled": self.shuffled,
            **({"secret_draw": self.seed is None} if self.shuffled else {}),
        }

    def claim(self) -> dict[str, Any]:
        """What the release claims, as arguments of `discreet.verify`."""
        claim: dict[str, Any] = {
            "k": self.k,
            "quasi_identifiers": self.keys,
            "guarantee": "blanks",
            "semantics": self.semantics,
        }
        given = {"combinations": self.combinations, "accept": self.accept}
        return {**claim, **{name: value for name, value in given.items() if value}}

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.keys, order=self.order)

    def verify(self) -> Verdict:
        """The check from the two tables: cells blank or as they were, every combination shared by k."""
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def statement(self) -> Statement:
        from discreet.instruments.statements.blanked import statement

        return statement(self)

    def sections(self) -> list[Section]:
        rows = [
            (name, f"{self.importance[name]:g}", count, f"{100 * count / self.n:.2f}")
            for name, count in self.by_column.items()
        ]
        words = "A blank is an empty cell; all other cells are as they were."
        if self.missing:
            words += f" {self.missing} keys were missing before: they are blank too and not counted here."
        # With the file anybody can count blanks; not which of them were missing before.
        few = self.missing > 0 or any(0 < count < self.k for count in self.by_column.values())
        heads = ("column", "importance", "blanks", "of rows, %")
        return [
            Section("What is blank, column by column", words, heads, rows, confidential=few),
            Section("What an intruder can do", self._odds()),
            self._class_section(),
        ]

    def public_sections(self) -> list[Section]:
        """Blanks without what they were weighed by: whoever knows the weights knows what was avoided."""
        first, *rest = self.sections()
        rows = [(name, count, about(100 * count / self.n)) for name, count in self.by_column.items()]
        first = replace(first, columns=("column", "blanks", "of rows, %"), rows=rows)
        return [section for section in (first, *rest) if not section.confidential]

    def _odds(self) -> str:
        """What whoever knows the keys of everyone can tell."""
        some = "all keys" if self.combinations is None else f"any {self.combinations} keys"
        if self.semantics == "class":
            words = (
                f"Whoever knows {some} of a person finds {self.k} or more rows that show the same. Rows of a class "
                "differ in the other columns only: these must not tell more, which is what the check looks at."
            )
        else:
            words = (
                f"Whoever picks a published row finds {self.k} or more people that its keys fit. Whoever looks for a "
                "person may find fewer rows that fit: cover hides whom a row is of, not where somebody is."
            )
        if not self.shuffled:
            words += " Rows stand in the order of the original: whoever knows that order knows who is who."
        return words

    def _class_section(self) -> Section:
        """Sizes of classes; those below k, which only cover has, are not for everybody."""
        sizes, few = self._sizes, bool((self._sizes < self.k).any())
        least = 1 if few else self.k
        steps = [step for step in STEPS if step > least]
        rows = []
        for low, high in zip((least, *steps), (*steps, self.n + 1)):
            within = (sizes >= low) & (sizes < high)
            if within.any():
                span = str(low) if high == low + 1 else f"{low} to {min(high - 1, self.n)}"
                rows.append((span, int(within.sum())))
        title = "How many rows show the same keys"
        return Section(title, "", ("rows that show the same", "rows"), rows, confidential=few)

    def plot(self) -> Figure:
        """Blanks in each key, and how much of it is left."""
        from discreet.report.figures import bars, canvas

        figure, (left, right) = canvas(2)
        counts = self.by_column
        bars(left, list(counts), list(counts.values()), "Blanks by column", "", "cells", lying=True)
        shares = [100 * count / self.n for count in counts.values()]
        bars(right, list(counts), shares, "Share of rows left blank", "", "%", lying=True)
        return figure
