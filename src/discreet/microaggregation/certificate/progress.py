"""What is known at a moment: the best partition, the best bound and the multipliers that prove it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Literal

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.problem import Labels, check_partition, renumber, sse
from discreet.work import Deadline, Reporter

# The argument that a bound follows from, as `certify` lists them.
Kind = Literal[
    "none",
    "only partition",
    "zero",
    "dynamic programming",
    "nearest neighbors",
    "column generation by blocks",
    "column generation",
    "column generation with cuts",
    "target enumeration",
]

# A partition counts as optimal when the bound is within this share of its SSE.
TOLERANCE = 1e-7


@dataclass(frozen=True)
class Proof:
    """A bound on the SSE of every partition and what it follows from.

    `target` None: the multipliers, cuts and penalties prove `value` by pricing. Otherwise no partition below `target`
    exists among all groups of reduced cost below what `target` allows, so that `value` = target. With `searched`, only
    the groups that hold one of so many records (those of largest multiplier) were listed and the other records are left
    free; with `spent` too, these groups cost so much of what the target allows, and the others were listed up to the
    rest.
    """

    value: float
    kind: Kind
    multipliers: Floats | None = None
    cuts: tuple[Cut, ...] = ()
    penalties: Floats | None = None
    roots: Floats | None = None
    target: float | None = None
    searched: int | None = None
    spent: float | None = None


@dataclass
class Progress:
    """The state of a certificate in the making; `unit` turns its SSE into that of the user's points for progress."""

    points: Floats
    k: int
    labels: Labels
    deadline: Deadline
    report: Reporter
    unit: float = 1.0
    sse: float = field(init=False)
    proof: Proof = field(default_factory=lambda: Proof(0.0, "none"))
    counts: dict[str, int] = field(default_factory=dict)
    stage: str = "certificate"

    def __post_init__(self) -> None:
        check_partition(self.labels, len(self.points), self.k)
        self.sse = sse(self.points, self.labels)

    def offer_partition(self, labels: Labels) -> bool:
        """Take a partition over if it is better."""
        labels = renumber(labels)
        value = sse(self.points, labels)
        if value >= self.sse:
            return False
        check_partition(labels, len(self.points), self.k)
        self.labels, self.sse = labels, value
        self.tell()
        return True

    def fork(self) -> Progress:
        """A copy to work on beside this one; what it finds counts once it is offered here."""
        other = copy(self)
        other.counts = {}
        return other

    def offer_proof(self, proof: Proof) -> bool:
        if proof.value <= self.proof.value:
            return False
        self.proof = proof
        self.tell()
        return True

    def count(self, **more: int) -> None:
        for name, value in more.items():
            self.counts[name] = self.counts.get(name, 0) + value

    @property
    def gap(self) -> float:
        """What is left between partition and bound, in percent of the partition's SSE."""
        return 100.0 * max(self.sse - self.proof.value, 0.0) / self.sse if self.sse > 0 else 0.0

    @property
    def closed(self) -> bool:
        return self.sse - self.proof.value <= TOLERANCE * self.sse

    def tell(self, stage: str | None = None) -> None:
        self.stage = stage or self.stage
        self.report(self.stage, None, sse=self.unit * self.sse, bound=self.unit * self.proof.value, gap=self.gap)

    @property
    def late(self) -> bool:
        return self.deadline.passed
