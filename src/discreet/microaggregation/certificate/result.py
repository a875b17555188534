"""`Certificate`: the outcome of `certify`, and what of it is written to a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from discreet.microaggregation.certificate.progress import Kind, Progress
from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.problem import Labels, renumber, sse

FORMAT = "discreet microaggregation certificate 1"

Status = Literal["optimal", "converged", "time limit", "interrupted"]


@dataclass(frozen=True)
class Certificate:
    """`lower_bound` ≤ SSE of every partition into groups of k or more; `labels` and `sse` are the best one found.

    `status` is "optimal" (the two agree within a ten-millionth of the SSE), "converged" (the work is done), "time
    limit" or "interrupted". `bound` names the argument. `payload` is what `to_json` writes: all that a check of the
    bound needs besides the data. It holds a number for every record, so it is as confidential as the data.
    """

    lower_bound: float
    labels: Labels = field(repr=False)
    sse: float
    status: Status
    bound: Kind
    k: int
    payload: Mapping[str, Any] = field(repr=False)
    detail: Mapping[str, int] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """What is left, in percent of `sse`."""
        return 100.0 * (self.sse - self.lower_bound) / self.sse if self.sse > 0 else 0.0

    def to_json(self) -> str:
        return json.dumps(dict(self.payload), allow_nan=False) + "\n"


def settled(points: Floats, k: int, labels: Labels, kind: Kind) -> Certificate:
    labels = renumber(labels)
    value = sse(points, labels)
    payload = {"format": FORMAT, "bound": kind, "k": k, "n": len(points), "sse": value, "lower_bound": value}
    return Certificate(value, labels, value, "optimal", kind, k, payload)


def certificate_of(points: Floats, progress: Progress, exponent: int, status: Status) -> Certificate:
    """Back to the scale of the points: SSE and multipliers are squares of it."""
    proof = progress.proof
    value = sse(points, progress.labels)

    def back(x: float) -> float:
        return float(np.ldexp(x, -2 * exponent))

    bound = min(back(proof.value), value)
    payload: dict[str, Any] = {
        "format": FORMAT,
        "bound": proof.kind,
        "k": progress.k,
        "n": len(points),
        "sse": value,
        "lower_bound": bound,
        "status": status,
    }
    if proof.multipliers is not None and proof.roots is not None:
        weights = proof.penalties if proof.penalties is not None else np.zeros(0)
        payload["multipliers"] = [back(x) for x in proof.multipliers]
        payload["roots"] = {str(i): back(r) for i, r in enumerate(proof.roots) if r < 0}
        payload["cuts"] = [
            {"records": list(c.records), "numerators": list(c.numerators), "divisor": c.divisor, "penalty": back(w)}
            for c, w in zip(proof.cuts, weights)
        ]
        if proof.target is not None:
            # Where the search below the target found a better partition, there is nothing below that one either.
            payload["target"] = min(back(proof.target), value)
            if proof.searched is not None:
                payload["searched"] = proof.searched
            if proof.spent is not None:
                payload["spent"] = back(proof.spent)
    return Certificate(bound, progress.labels, value, status, proof.kind, progress.k, payload, dict(progress.counts))
