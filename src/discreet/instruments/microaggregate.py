"""Microaggregation of a dataframe: every record's numbers become the mean of a group of at least k records."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from discreet.errors import Faults, InputError
from discreet.instruments.microaggregation import Microaggregation
from discreet.instruments.quantities import Choice, Quantities, check_left, is_list, least_sizes, means, read
from discreet.methods import Shared, Status, Wanted
from discreet.microaggregation.methods import REGISTRY, Call, Problem
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed

if TYPE_CHECKING:
    from discreet.instruments.certificates import Checked
    from discreet.microaggregation.certificate import Certificate
    from discreet.microaggregation.problem import Partition

# With a time limit and a certificate, the search for a partition gets this share: the certificate improves it further.
SEARCH_SHARE = 0.3


@overload
def microaggregate(frame: Any, k: int, **settings: Any) -> Microaggregation: ...
@overload
def microaggregate(frame: Any, k: Sequence[int], **settings: Any) -> tuple[Microaggregation, ...]: ...
def microaggregate(
    frame: Any,
    k: int | Sequence[int],
    *,
    columns: Sequence[str] | None = None,
    method: str = "auto",
    effort: str | None = None,
    certify: bool = False,
    time_limit: float | None = None,
    random_state: int | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    scale: str = "sd",
    missing: str = "error",
    round: bool = False,
    leave: Sequence[str] = (),
    accept: Sequence[str] = (),
    **options: Any,
) -> Microaggregation | tuple[Microaggregation, ...]:
    """Replace numeric records by the means of groups of at least `k`, losing as little as possible.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    k : the least number of records that share published values; or a list of such numbers, for one result per k, in
        the order of the list, each the same as if it were asked for alone. What does not depend on k is done once.
    columns : the numeric columns to protect together; by default all of them. Columns that are numeric but for a few
        entries, and those with stray leading zeros, are then an error unless `leave` names them: nothing falls out
        of protection unnoticed.
    method, effort : how to search; see `discreet.microaggregation.METHODS`. `effort` is "fast", "default" or "best".
    certify : also prove a lower bound on the information loss of any method, and improve the partition on the way.
        The result's `certificate` is what `discreet.verify.certificates` re-checks; it is as confidential as the data.
    time_limit : seconds after which the best partition so far is returned; for several k they are shared out evenly.
    random_state : seed of everything random, 0 unless given; the same seed gives the same result to the last bit.
    executor : where independent work runs; threads unless given.
    progress : called with `discreet.work.Progress`.
    scale : "sd" divides columns by their sample standard deviation, "range" by their range, "none" leaves them.
    missing : "error", or "suppress": records with a missing value form a class of their own, blank in all `columns`.
    round : publish whole numbers in integer columns; without it, an integer column becomes float where a mean is
        fractional.
    leave : where columns are chosen by default, those to be published as they are.
    accept : columns that the check may find telling, accepted by name; see `discreet.verify`.
    options : parameters of the method, as `discreet.microaggregation` documents them.
    """
    from discreet.frames import adopt

    table = adopt(frame)
    faults, wanted = Faults(), Wanted(method, effort, time_limit, executor, options)
    REGISTRY.check(faults, wanted)
    left = check_left(table, columns, leave, accept, faults)
    sizes = least_sizes(k, faults)
    faults.check(is_seed(random_state), SEED_FAULT)
    choice = Choice(columns=columns, left=left, scale=scale, missing=missing)
    given = read(table, sizes, choice, faults)
    if round and not any(table.schema[name].is_integer() for name in given.names):
        raise InputError("round (--round) is for columns of whole numbers, and none is protected: leave it out")
    task = _Task(
        frame=frame,
        given=given,
        choice=choice,
        wanted=wanted,
        certify=certify,
        seed=0 if random_state is None else int(random_state),
        round=round,
        accept=tuple(accept),
        report=Reporter(progress),
        shared=Shared(),
    )
    deadline, results = Deadline(time_limit), []
    for done, size in enumerate(sizes, 1):
        results.append(task.result(size, deadline.until(done / len(sizes))))
    return tuple(results) if is_list(k) else results[0]


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What is the same for every k: the columns as numbers, and how they are to be grouped and published."""

    frame: Any
    given: Quantities
    choice: Choice
    wanted: Wanted
    certify: bool
    seed: int
    round: bool
    accept: tuple[str, ...]
    report: Reporter
    shared: Shared

    def result(self, k: int, deadline: Deadline) -> Microaggregation:
        """The release for one k: grouped, bounded where asked for, published, and what is known about it."""
        from discreet.frames import replace_columns
        from discreet.microaggregation.problem import restored

        given, choice = self.given, self.choice
        partition, proof = self.groups(k, deadline)
        data = replace_columns(given.table, means(given, partition.labels, round=self.round), round=self.round)
        checked = None if proof is None else self.checked(k, proof, data)
        if checked is not None:
            partition = _as_checked(partition, checked)
        labels = np.full(given.n, partition.labels.max() + 1, np.int64)
        labels[given.kept] = partition.labels
        loss = partition.information_loss
        lower = None if checked is None else checked.lower_bound
        return Microaggregation(
            data=data,
            labels=labels,
            k=k,
            n=given.n,
            columns=tuple(given.names),
            method=partition.method,
            status=partition.status,
            sse=restored(partition.sse, given.exponent),
            sst=restored(partition.sst, given.exponent),
            information_loss=loss,
            lower_bound=lower,
            gap=None if lower is None else 100.0 * (loss - lower) / loss if loss > 0 else 0.0,
            seconds=deadline.elapsed,
            seed=self.seed,
            scale=choice.scale,
            missing=choice.missing,
            suppressed=int((~given.kept).sum()),
            rounded=self.round,
            bound=None if checked is None else checked.kind,
            certificate=None if checked is None else checked.payload,
            detail=partition.detail,
            original=self.frame,
            accept=self.accept,
        )

    def groups(self, k: int, deadline: Deadline) -> tuple[Partition, Certificate | None]:
        """The best partition, and the certificate where one is asked for."""
        from discreet.microaggregation import find_groups
        from discreet.microaggregation.problem import compact, sse, sst

        points, report = self.given.points, self.report
        report("grouping", 0.0)
        searched = points if self.certify else self.shared.once("compact", lambda: compact(points))
        call = Call(
            problem=Problem(searched, k),
            deadline=deadline.until(SEARCH_SHARE) if self.certify else deadline,
            report=report,
            seed=self.seed,
            executor=self.wanted.executor,
            effort=REGISTRY.effort_of(self.wanted),
            options=self.wanted.options,
            shared=self.shared,
        )
        partition = find_groups(self.wanted.method, call)
        if searched is not points:
            partition = replace(partition, sse=sse(points, partition.labels), sst=sst(points))
        if not self.certify:
            return partition, None
        proof = _certified(replace(call, deadline=deadline.until(1.0), effort=self.wanted.effort), partition)
        return _improved(partition, proof), proof

    def checked(self, k: int, proof: Certificate, data: Any) -> Checked:
        """What the independent check makes of the proof and the very values that are published."""
        from discreet.frames import adopt, numeric_array
        from discreet.instruments.certificates import check_certificate

        given, choice = self.given, self.choice
        self.report("checking", None)
        evidence = {
            **proof.payload,
            "columns": list(given.names),
            "scale": choice.scale,
            "missing": choice.missing,
            "exponent": given.exponent,
        }
        published = numeric_array(adopt(data), given.names)[given.kept]
        return check_certificate(
            evidence, given.complete, published, k, choice.scale, time_limit=self.wanted.time_limit
        )


def _certified(call: Call, partition: Partition) -> Certificate:
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


def _improved(partition: Partition, proof: Certificate) -> Partition:
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


def _as_checked(partition: Partition, checked: Checked) -> Partition:
    """Called optimal only where the check of the certificate says so."""
    status: Status = "optimal" if checked.optimal else "complete" if partition.status == "optimal" else partition.status
    note = {} if checked.note is None else {"certificate weakened": checked.note}
    return replace(partition, status=status, detail={**partition.detail, **note})
