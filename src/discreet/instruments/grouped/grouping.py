"""Partitions put together: from strata to a set of columns, from sets of columns to one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, ldexp
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.methods import Detail, Shared, Status
from discreet.microaggregation.methods import Call, Problem

if TYPE_CHECKING:
    from discreet.instruments.quantities import Quantities
    from discreet.microaggregation.problem import Partition
    from discreet.microaggregation.uneven.records import Records

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def within_strata(method: str, call: Call, strata: Labels | None) -> Partition:
    """The partition that the method finds, stratum by stratum where there are some; each gets its share of the time."""
    from discreet.microaggregation import find_groups
    from discreet.microaggregation.problem import renumber, sse, sst

    if strata is None:
        return find_groups(method, call)
    points, k = call.problem
    labels, done, parts = np.zeros(len(points), np.int64), 0, []
    for stratum, rows in enumerate(_rows(strata)):
        done += len(rows)
        own = replace(
            call,
            problem=Problem(np.ascontiguousarray(points[rows]), k),
            deadline=call.deadline.until(done / len(points)),
            shared=call.shared.once(f"stratum {stratum}", Shared),
        )
        parts.append(find_groups(method, own))
        labels[rows] = parts[-1].labels + int(labels.max(initial=-1)) + 1
    labels = renumber(labels)
    return replace(
        parts[0],
        labels=labels,
        method=", ".join(dict.fromkeys(part.method for part in parts)),
        status=worst_status([part.status for part in parts]),
        sse=sse(points, labels),
        sst=sst(points),
        detail={**joint_detail([part.detail for part in parts]), "strata": len(parts)},
        proof=None,
    )


def improved_unevenly(partition: Partition, records: Records, call: Call, strata: Labels | None) -> Partition:
    """The partition improved, and judged, by what records with weights and gaps lose.

    Strata stay apart, and share what time is left.
    """
    from discreet.microaggregation.problem import renumber
    from discreet.microaggregation.uneven.descent import descend
    from discreet.microaggregation.uneven.records import uneven_sse, uneven_sst

    k, places = call.problem.k, np.zeros(len(partition.labels), np.int64) if strata is None else strata
    labels, changes, whole, done, left = np.zeros(len(places), np.int64), 0, True, 0, call.deadline.until(1.0)
    for rows in _rows(places):
        done += len(rows)
        deadline = left.until(done / len(places))
        own, made, ended = descend(
            records.take(rows), k, renumber(partition.labels[rows]), deadline=deadline, report=call.report
        )
        labels[rows] = own + int(labels.max(initial=-1)) + 1
        changes, whole = changes + made, whole and ended
    labels = renumber(labels)
    # What no method here proves is not called optimal: the partition was found by distances.
    status: Status = "complete" if whole and partition.status != "time limit" else "time limit"
    return replace(
        partition,
        labels=labels,
        method=f"{partition.method} + descent" if changes else partition.method,
        status=status,
        sse=uneven_sse(records, labels, k),
        sst=uneven_sst(records),
        detail={**partition.detail, "changes for weights and gaps": changes},
        proof=None,
    )


def _rows(strata: Labels) -> list[Labels]:
    """The records of each stratum."""
    order = np.argsort(strata, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)


def all_labels(given: Quantities, partition: Partition) -> Labels:
    """The group of every record; those that are suppressed are the last."""
    labels = np.full(given.n, partition.labels.max() + 1, np.int64)
    labels[given.kept] = partition.labels
    return labels


def total_loss(sets: Sequence[Quantities], partitions: Sequence[Partition]) -> tuple[float, float, float]:
    """SSE and SST over all sets of columns, what is blanked included, and the loss in percent."""
    from discreet.microaggregation.problem import restored

    top = max(given.exponent for given in sets)
    parts = [
        (ldexp(part.sse + given.lost, given.exponent - top), ldexp(part.sst + given.lost, given.exponent - top))
        for given, part in zip(sets, partitions)
    ]
    sse, sst = sum(part[0] for part in parts), sum(part[1] for part in parts)
    loss = 100.0 * sse / sst if sst > 0 else 0.0
    # Suppressed values beyond all bounds are all that there is to lose.
    return restored(sse, top), restored(sst, top), loss if isfinite(loss) else 100.0


def bound_with_blanks(bound: float, given: Quantities, partition: Partition) -> float:
    """A bound on the loss of complete records, in percent, as one on the loss with what is blanked."""
    if given.lost == 0:
        return bound
    return 100.0 * (bound / 100.0 * partition.sst + given.lost) / (partition.sst + given.lost)


def changed_cells(sets: Sequence[Quantities], data: Any) -> tuple[int, int]:
    """Known values that are blank in what is published, and gaps that hold a value there."""
    from discreet.frames import adopt, numeric_array

    blanked = filled = 0
    for given in sets:
        gaps = np.isnan(given.values)
        if gaps.any():
            blank = np.isnan(numeric_array(adopt(data), given.names))
            blanked += int((blank & ~gaps).sum())
            filled += int((gaps & ~blank).sum())
    return blanked, filled


def weight_share(sets: Sequence[Quantities], partitions: Sequence[Partition], k: int) -> float | None:
    """How much of a published mean one record makes at most; None where all weigh the same."""
    from discreet.microaggregation.uneven.records import largest_share

    found = [
        largest_share(given.records, part.labels, k)
        for given, part in zip(sets, partitions)
        if given.records is not None and given.weights is not None
    ]
    return max(found, default=None)


def worst_status(found: Sequence[Status]) -> Status:
    """What can be said of all: optimal where all are."""
    for status in ("time limit", "complete"):
        if status in found:
            return status
    return "optimal"


def joint_detail(found: Sequence[Detail]) -> Detail:
    """Counts added up, words side by side."""
    if len(found) == 1:
        return found[0]
    out: dict[str, float | int | str] = {}
    for detail in found:
        for name, value in detail.items():
            before = out.get(name)
            if before is None or isinstance(value, str) or isinstance(before, str):
                words = [] if before is None else str(before).split(", ")
                out[name] = value if before is None else ", ".join(dict.fromkeys([*words, str(value)]))
            else:
                out[name] = before + value
    return out
