"""A partition and its certificate: the better of the two, and what may be said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.methods import Status
from discreet.microaggregation.methods import Call

if TYPE_CHECKING:
    from discreet.instruments.certificates import Checked
    from discreet.microaggregation.certificate import Certificate
    from discreet.microaggregation.problem import Partition


def certified(call: Call, partition: Partition) -> Certificate:
    """The certificate of a partition. What the search has proved on its way is not proved again where it closes the
    gap; where it does not, the stronger of the two proofs counts."""
    from discreet.microaggregation.certificate.certify import prove

    before = partition.proof
    if before is not None and before.status == "optimal":
        return before
    proof = prove(call, partition.labels)
    if before is None or before.lower_bound <= proof.lower_bound:
        return proof
    return replace(proof, lower_bound=before.lower_bound, bound=before.bound, payload=before.payload)


def improved(partition: Partition, proof: Certificate) -> Partition:
    """The partition that the certificate speaks of, where it is better, and what is now known about it."""
    better = proof.sse < partition.sse
    return replace(
        partition,
        labels=proof.labels if better else partition.labels,
        sse=min(proof.sse, partition.sse),
        method=f"{partition.method}, {proof.bound}" if better else partition.method,
        status="optimal" if proof.status == "optimal" else partition.status,
        detail={**partition.detail, **{f"certificate {name}": count for name, count in proof.detail.items()}},
    )


def as_checked(partition: Partition, checked: Checked) -> Partition:
    """Called optimal only where the check of the certificate says so."""
    status: Status = "optimal" if checked.optimal else "complete" if partition.status == "optimal" else partition.status
    note = {} if checked.note is None else {"certificate weakened": checked.note}
    return replace(partition, status=status, detail={**partition.detail, **note})
