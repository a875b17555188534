"""`Risk`: how exposed the records of a file are; figures, words and pictures, each figure with where it comes from.

A figure is "counted" in the file, or "estimated by" a model of the population that the file was drawn from. What takes
a while (SUDA, linkage) is computed when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError, at_least, listing
from discreet.measure.risk import attackers, household, individual, population
from discreet.measure.risk.diversity import closeness, diversity
from discreet.measure.risk.frequencies import Classes, Frequencies
from discreet.measure.risk.global_risk import threshold
from discreet.measure.risk.intervals import WIDTH, Intervals, interval_disclosure
from discreet.results import Measurement, Section, Statement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.measure.risk.subsets import Subsets
    from discreet.measure.risk.suda import Suda

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

BELOW = (2, 3, 5, 10)
COUNTED, INTRUSION = "counted", "disclosure intrusion simulation"
SUBSETS_K, SUBSETS_MOST = 3, 3


class Sensitive(NamedTuple):
    """A sensitive column as numbers of its values, ascending where `ordered`."""

    values: Codes
    ordered: bool


class Numbers(NamedTuple):
    """Numeric columns, as they were and as they are in the file; `given` says whether an original was named."""

    names: tuple[str, ...]
    original: Floats
    published: Floats
    given: bool


class Linkage(NamedTuple):
    """The expected share of persons who are rightly linked by distances, and by ranks."""

    by_distance: float
    by_rank: float


@dataclass(frozen=True)
class Risk(Measurement):
    """How exposed the records of a file are.

    `f` and `F` are, per record, how many of the file and (estimated) of the population share its keys; `risk` is the
    probability that a link to it is right, `household_risk` that to one of its household. `expected` is the sum of the
    risks, `global_risk` their mean; `threshold` the risk to which all above it must be cut for a mean of `max_risk`.
    """

    keys: tuple[str, ...]
    n: int
    missing: str
    boxes: str
    exact: bool
    suda_score: str | None
    max_risk: float
    codes: Codes = field(repr=False)
    classes: Classes = field(repr=False)
    counts: Frequencies = field(repr=False)
    weights: Floats | None = field(repr=False)
    household: Codes | None = field(repr=False)
    sensitive: Mapping[str, Sensitive] = field(repr=False)
    numbers: Numbers | None = field(repr=False)
    original: Any = field(repr=False)

    @property
    def f(self) -> Floats:
        return self.counts.f[self.classes.of]

    @property
    def F(self) -> Floats:
        return self.counts.F[self.classes.of]

    @cached_property
    def risk(self) -> Floats:
        return individual.individual(*self.counts, exact=self.exact)[self.classes.of]

    @cached_property
    def household_risk(self) -> Floats | None:
        return None if self.household is None else household.household_risk(self.risk, self.household)

    @property
    def uniques(self) -> int:
        return self.below(2)

    def below(self, k: int) -> int:
        """How many records share their keys with fewer than k, themselves included."""
        return int(self.classes.size[self.counts.f < k].sum())

    @property
    def expected(self) -> float:
        return float(self.risk.sum())

    @property
    def global_risk(self) -> float:
        return self.expected / self.n

    @property
    def threshold(self) -> float | None:
        return threshold(self.risk, self.max_risk)

    @cached_property
    def attackers(self) -> attackers.Attackers:
        return attackers.attackers(self.classes, *self.counts)

    @cached_property
    def population(self) -> population.Population | None:
        """Population uniques by a log-linear model; None without weights."""
        if self.weights is None:
            return None
        return population.population_uniques(self.codes, self.classes, self.weights)

    @cached_property
    def suda(self) -> Suda | None:
        """Scores of special uniques; None where they were not asked for. A missing key is a value of its own."""
        from discreet.measure.risk.suda import suda

        return None if self.suda_score is None else suda(self.codes, self.classes, score=self.suda_score)

    def subsets(self, k: int = SUBSETS_K, largest: int = SUBSETS_MOST) -> Subsets:
        """Who is one of fewer than k for somebody who knows at most `largest` of the keys, whichever they are."""
        from discreet.measure.risk.subsets import subsets

        if not (at_least(k, 1) and at_least(largest, 1)):
            raise InputError("k and the number of keys must be whole numbers, 1 or more")
        return subsets(self.codes, self.classes, int(k), min(int(largest), len(self.keys)))

    @cached_property
    def some_keys(self) -> Subsets:
        """Who is one of fewer than 3 for somebody who knows at most 3 of the keys."""
        return self.subsets()

    @cached_property
    def diversity(self) -> dict[str, dict[str, float]]:
        """Per sensitive column the least l of any class by each definition, and the largest t."""
        out = {}
        for name, column in self.sensitive.items():
            found = diversity(self.classes, column.values)
            out[name] = {
                "distinct": int(found.distinct.min()),
                "entropy": float(found.entropy.min()),
                "recursive": int(found.recursive.min()),
                "closeness": float(closeness(self.classes, column.values, ordered=column.ordered).max()),
            }
        return out

    @cached_property
    def linkage(self) -> Linkage | None:
        """Shares of right links by the numeric columns; None where none were named."""
        from discreet.measure.risk.linkage import distance_linkage, rank_linkage
        from discreet.work import thread_count

        if self.numbers is None:
            return None
        both, threads = (self.numbers.original, self.numbers.published), thread_count()
        return Linkage(*(float(link(*both, threads=threads).mean()) for link in (distance_linkage, rank_linkage)))

    @cached_property
    def intervals(self) -> Intervals | None:
        """Shares of original numbers within a twentieth of a standard deviation of the published ones."""
        if self.numbers is None:
            return None
        return interval_disclosure(self.numbers.original, self.numbers.published, width=WIDTH)

    @property
    def estimated(self) -> str:
        """Where the individual risks come from."""
        if self.weights is None:
            return f"{COUNTED}, the file taken for the whole population"
        return f"estimated by {individual.MODEL}, {'exact' if self.exact else 'approximate'}"

    def contributions(self) -> dict[str, float]:
        """Per key its part in the scores of all special uniques, from 0 to 1."""
        found = self.suda
        if found is None:
            return {}
        total = float(found.score.sum())
        parts = (found.part * found.score[:, None]).sum(axis=0) / total if total > 0 else np.zeros(len(self.keys))
        return dict(zip(self.keys, parts.tolist()))

    def title(self) -> str:
        return f"Disclosure risk of {self.n} records by {len(self.keys)} keys"

    def facts(self) -> list[tuple[str, str]]:
        facts = [
            ("keys", f"{listing(self.keys)}; a missing one is {_MISSING[self.missing]}{_BOXES[self.boxes]}"),
            ("unique", f"{self._share(self.uniques)}, {COUNTED}"),
            *((f"fewer than {k}", f"{self._share(self.below(k))}, {COUNTED}") for k in BELOW[1:3]),
            ("expected finds", f"{self.expected:.6g} ({100 * self.global_risk:.4g} %), {self.estimated}"),
        ]
        if self.household_risk is not None:
            total = float(self.household_risk.sum())
            facts.append(("with households", f"{total:.6g} ({100 * total / self.n:.4g} %), {self.estimated}"))
        if self.population is not None:
            found = f"{self.population.uniques:.6g} of the unique ones, estimated by {population.MODEL}"
            facts.append(("unique in population", found))
        for name, found_l in self.diversity.items():
            facts.append((f"values of {name}", f"at least {found_l['distinct']} in every class, {COUNTED}"))
        if self.linkage is not None:
            facts.append(("linked by numbers", f"{100 * self.linkage.by_distance:.4g} % of the persons, {COUNTED}"))
        return facts

    def _share(self, records: int) -> str:
        return f"{records} of {self.n} ({100 * records / self.n:.4g} %)"

    def to_dict(self) -> dict[str, Any]:
        from discreet.instruments.risk_figures import figures

        return figures(self)

    def to_frame(self) -> Any:
        """Per record f, F, risk and, where asked for, household_risk, suda and dis; of the kind of the frame."""
        from discreet.frames import from_arrays

        columns: dict[str, Any] = {"f": _whole(self.f), "F": self.F, "risk": self.risk}
        if self.household_risk is not None:
            columns["household_risk"] = self.household_risk
        if self.suda is not None:
            columns |= {"suda": self.suda.score, "dis": self.suda.dis}
        return from_arrays(columns, like=self.original)

    def statement(self) -> Statement:
        from discreet.instruments.statements.exposure import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.risk_figures import sections

        return sections(self)

    def public_sections(self) -> list[Section]:
        from discreet.instruments.drawn.risk import public_sections
        from discreet.report.figures import available

        return [*super().public_sections(), *(public_sections(self) if available() else [])]

    def plot(self, kind: str | None = None) -> Figure:
        """A picture: records that are "alike", the rarest "combinations" of keys or those for the public ("common
        combinations"), "contributions" of keys to special uniques, records by their "risks"."""
        from discreet.instruments.drawn.risk import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind)


_MISSING = {"value": "a value of its own", "wildcard": "like any other"}
_BOXES = {"value": "", "set": ", a box the set of what it may be"}


def _whole(values: Floats) -> Any:
    """As integers, where all are."""
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values
