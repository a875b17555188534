"""`Perturbation`: a perturbed dataframe as a result. Its protection is measured, not proven, and it says so.

The check of such a file ends with "cannot tell" by design: nothing about it can be proven. What is measured is how many
persons an intruder finds again who knows their original values, by every linkage that applies, and how many original
numbers are told nearly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.category_linkage import category_linkage
from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.intervals import Intervals, interval_disclosure
from discreet.measure.risk.linkage import distance_linkage, rank_linkage
from discreet.measure.risk.rank_windows import window_linkage
from discreet.results import Publication, Result, Section, Statement, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

MEASURED = "measured, not proven"


class Linkage(NamedTuple):
    """Expected shares of persons who are rightly linked, None where a linkage does not apply; `asked` persons."""

    by_distance: float | None
    by_rank: float | None
    by_window: float | None
    by_category: float | None
    asked: int

    @property
    def strongest(self) -> float:
        """The largest of them: what an intruder who picks the best attack gets; all, where none could be tried."""
        return max((share for share in self[:4] if share is not None), default=1.0)


@dataclass(frozen=True)
class Perturbation(Result):
    """A perturbed dataframe and what was measured on it.

    `changed` has per column the share of values that are other ones now; `linkage` the shares of persons found again
    who knows their original values (and `known`); `intervals` the shares of numbers told within a twentieth of a
    standard deviation. `seed` is None where the random numbers are a secret.
    """

    data: Any = field(repr=False)
    original: Any = field(repr=False)
    method: str
    columns: tuple[str, ...]
    numeric: bool
    n: int
    settings: Mapping[str, Any]
    detail: Mapping[str, Any]
    known: tuple[str, ...]
    accept: tuple[str, ...]
    seed: int | None
    seconds: float
    reach: tuple[int, ...] | None = field(default=None, repr=False)

    @property
    def secret_draw(self) -> bool:
        return self.seed is None

    @cached_property
    def values(self) -> tuple[Floats, Floats]:
        """Both tables as numbers: numeric columns as they are, others as codes that mean the same in both."""
        from discreet.frames import adopt, numeric_array

        before, after = adopt(self.original), adopt(self.data)
        if self.numeric:
            return numeric_array(before, self.columns), numeric_array(after, self.columns)
        pairs = [_joint(before, after, name) for name in self.columns]
        old, new = (np.column_stack([pair[side] for pair in pairs]).astype(np.float64) for side in (0, 1))
        return old, new

    @cached_property
    def changed(self) -> dict[str, float]:
        """Per column the share of values that are other ones now."""
        old, new = self.values
        same = (old == new) | (np.isnan(old) & np.isnan(new))
        return dict(zip(self.columns, (1.0 - same.mean(axis=0)).tolist()))

    @cached_property
    def linkage(self) -> Linkage:
        """How many an intruder finds who knows the original values of `columns`, and `known` for sure."""
        old, new = self.values
        blocks = self._blocks()
        if not self.numeric:
            found = category_linkage(old.astype(np.int64), new.astype(np.int64), blocks=blocks)
            return Linkage(None, None, None, float(found.mean()), len(found))
        window = None
        if self.reach is not None:
            window = float(window_linkage(old, new, np.asarray(self.reach, np.int64), blocks=blocks).mean())
        kept = ~(np.isnan(old) | np.isnan(new)).any(axis=1)
        if not kept.any():
            return Linkage(None, None, window, None, self.n)
        within = None if blocks is None else classes(blocks[kept][:, None]).of
        by_distance = distance_linkage(old[kept], new[kept], blocks=within)
        by_rank = rank_linkage(old[kept], new[kept], blocks=within)
        return Linkage(float(by_distance.mean()), float(by_rank.mean()), window, None, int(kept.sum()))

    @cached_property
    def intervals(self) -> Intervals | None:
        """Shares of original numbers within a twentieth of a standard deviation of the published ones; None for
        categories."""
        if not self.numeric:
            return None
        old, new = self.values
        kept = ~(np.isnan(old) | np.isnan(new)).any(axis=1)
        return interval_disclosure(old[kept], new[kept]) if kept.sum() > 1 else None

    def _blocks(self) -> Codes | None:
        from discreet.frames import adopt
        from discreet.frames.exact import entries

        if not self.known:
            return None
        table = adopt(self.original)
        return classes(np.column_stack([entries(table, name).codes for name in self.known])).of

    def title(self) -> str:
        return f"{self.method[0].upper()}{self.method[1:]} of {self.n} records: {MEASURED}"

    def facts(self) -> list[tuple[str, str]]:
        from discreet.instruments.perturbed.pages import facts

        return facts(self)

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        found, told = self.linkage, self.intervals
        return {
            "instrument": "perturbation",
            "version": __version__,
            "k": None,
            "n": self.n,
            "columns": list(self.columns),
            "method": self.method,
            "status": MEASURED,
            "seconds": self.seconds,
            "seed": self.seed,
            "secret_draw": self.secret_draw,
            **self.settings,
            **self.detail,
            "known": list(self.known),
            "changed": dict(self.changed),
            "found": found.strongest,
            "linked": {name: value for name, value in found._asdict().items() if value is not None},
            "told_nearly": None if told is None else dict(zip(self.columns, told.by_column.tolist())),
            "told_nearly_together": None if told is None else told.together,
        }

    def claim(self) -> dict[str, Any]:
        """That the columns were perturbed and the others left: k = 1 promises nobody anything."""
        claim: dict[str, Any] = {"k": 1, "quasi_identifiers": self.columns, "guarantee": "measured"}
        return {**claim, **({"accept": self.accept} if self.accept else {})}

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.columns)

    def verify(self) -> Verdict:
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def statement(self) -> Statement:
        from discreet.instruments.statements.perturbed import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.perturbed.pages import sections

        return sections(self)

    def plot(self) -> Figure:
        """How much of each column changed, and how many persons each attack finds again."""
        from discreet.instruments.perturbed.pages import plot

        return plot(self)


def _joint(before: Any, after: Any, name: str) -> tuple[Codes, Codes]:
    """A column of both tables by codes that mean the same in both, −1 where missing."""
    from discreet.frames.exact import entries

    old, new = entries(before, name), entries(after, name)
    place = {text: code for code, text in enumerate(old.texts)}
    of = np.array([*(place.setdefault(text, len(place)) for text in new.texts), -1], np.int64)
    return old.codes, of[new.codes]
