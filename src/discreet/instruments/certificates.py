"""The certificate that a microaggregation hands out: what its own check proves, and nothing that the check refuses.

The room proves a bound with its arithmetic on its points. Before anything is said about it, the independent check
(`discreet.verify.certificates`) is run on the evidence and the very values that are published, and what the check
computes is what the certificate states. Where the check does not accept the evidence or does not get through it,
weaker evidence takes its place: the multipliers without the target, then nearest neighbors, which always holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.certificates.bound import Effort
from discreet.verify.certificates.check import NOTHING, OPTIMAL, Computed, compute, times_power, unlike
from discreet.verify.certificates.reading import Malformed, parse

Floats = NDArray[np.float64]

# The bound is stated a hair below what the check computed here: it may compute a little less on another processor.
BELOW = 1.0 - 2e-10
# Likewise where it rests on integer programs, which another version of the solver may end at another solution.
BELOW_PROGRAMS = 1.0 - 3e-8
# What the check may take here: some times less than anyone who checks the file later may give it.
BRANCHES = 500_000_000
SECONDS = 600.0
# With a time limit, the check may take this share of it on top, and these seconds at least.
SHARE = 0.5
LEAST_SECONDS = 10.0


@dataclass(frozen=True)
class Checked:
    """A certificate that its check accepts: what to write, the bound in percent of information loss, its kind.

    `optimal` says whether release and bound agree; `note` why weaker evidence took the place of the room's.
    """

    payload: Mapping[str, Any]
    lower_bound: float
    kind: str
    optimal: bool
    note: str | None


def check_certificate(
    evidence: Mapping[str, Any], values: Floats, published: Floats, k: int, scale: str, *, time_limit: float | None
) -> Checked:
    """Run the check on the evidence for `values` (complete records) and their published ones; state what it proves.

    `evidence` is a certificate as the room makes it, with the columns and the exponent of its units added.
    """
    seconds = SECONDS if time_limit is None else max(SHARE * time_limit, LEAST_SECONDS)
    note: str | None = None
    for attempt in _weaker_and_weaker(evidence):
        try:
            computed = compute(values, parse(attempt), k, scale, published, Effort(BRANCHES, seconds))
        except Malformed as error:
            note = note or str(error)
            continue
        proven = computed.proven
        if proven.failure is None and proven.undecided is None:
            checked = _stated(attempt, computed, note)
            if not unlike(parse(checked.payload), computed):
                return checked
            note = note or "the check does not state the same twice"
        else:
            note = note or proven.failure or proven.undecided
    raise AssertionError("a bound of zero was refused")


def _weaker_and_weaker(evidence: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield dict(evidence)
    simple = {
        name: value
        for name, value in evidence.items()
        if name not in ("multipliers", "roots", "cuts", "target", "searched", "spent")
    }
    if "target" in evidence:
        kind = "column generation with cuts" if evidence.get("cuts") else "column generation"
        parts = {name: evidence[name] for name in ("multipliers", "roots", "cuts") if name in evidence}
        yield {**simple, "bound": kind, **parts}
    yield {**simple, "bound": "nearest neighbors"}
    yield {**simple, "bound": "zero"}


def _stated(evidence: Mapping[str, Any], computed: Computed, note: str | None) -> Checked:
    """The evidence with the figures that the check computed, in the units of the evidence."""
    assert computed.sse is not None
    below = BELOW_PROGRAMS if "target" in evidence else BELOW
    value = computed.proven.value * below
    if value < NOTHING * computed.sst:
        value = 0.0
    move = computed.shift - int(evidence.get("exponent", 0))
    optimal = computed.sse - value <= OPTIMAL * computed.sse
    status = evidence.get("status", "optimal")
    payload = {
        **evidence,
        "lower_bound": times_power(value, move),
        "sse": times_power(computed.sse, move),
        "sst": times_power(computed.sst, move),
        "status": "optimal" if optimal else "converged" if status == "optimal" else status,
    }
    return Checked(payload, computed.least_loss * below, str(evidence["bound"]), optimal, note)
