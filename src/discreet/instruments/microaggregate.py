"""Microaggregation of a dataframe: every record's numbers become the mean of a group of at least k records."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from discreet.errors import Faults, InputError
from discreet.instruments.drawn.search import traced
from discreet.instruments.grouped.grouping import (
    all_labels,
    bound_with_blanks,
    changed_cells,
    improved_unevenly,
    joint_detail,
    total_loss,
    weight_share,
    within_strata,
    worst_status,
)
from discreet.instruments.grouped.proven import as_checked, certified, improved
from discreet.instruments.grouped.sampling import check_parts, column_sets, names_of, read_strata, read_weights
from discreet.instruments.microaggregation import Microaggregation
from discreet.instruments.quantities import (
    Choice,
    Quantities,
    check_choice,
    check_left,
    is_list,
    least_sizes,
    means,
    read,
)
from discreet.methods import Shared, Wanted
from discreet.microaggregation.methods import REGISTRY, Call, Problem
from discreet.work import SEED_FAULT, Deadline, Moment, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from discreet.instruments.certificates import Checked
    from discreet.microaggregation.certificate import Certificate
    from discreet.microaggregation.problem import Partition

Method = Literal[
    "auto",
    "mdav",
    "md",
    "v-mdav",
    "tfrp",
    "gsms",
    "gsms-t2",
    "dba",
    "dba-2p",
    "mst",
    "npn-mhm",
    "md-mhm",
    "mdav-mhm",
    "fdm",
    "mu-approx",
    "column-generation",
    "univariate",
    "icsm",
    "ils",
    "annealing",
    "pool",
    "blocks",
]
Effort = Literal["fast", "default", "best"]
Scale = Literal["sd", "range", "none"]
Missing = Literal["error", "known", "suppress"]

# With a time limit and a certificate, the search for a partition gets this share: the certificate improves it further.
SEARCH_SHARE = 0.3


@overload
def microaggregate(
    frame: Any,
    k: int,
    *,
    columns: Sequence[str] | Sequence[Sequence[str]] | None = ...,
    method: Method = ...,
    effort: Effort | None = ...,
    certify: bool = ...,
    time_limit: float | None = ...,
    random_state: int | None = ...,
    executor: Executor | None = ...,
    progress: ProgressCallback | None = ...,
    scale: Scale = ...,
    missing: Missing = ...,
    round: bool = ...,
    weight: str | None = ...,
    by: str | Sequence[str] | None = ...,
    leave: Sequence[str] = ...,
    accept: Sequence[str] = ...,
    allow_unprotected: bool = ...,
    **options: Any,
) -> Microaggregation: ...
@overload
def microaggregate(
    frame: Any,
    k: Sequence[int],
    *,
    columns: Sequence[str] | Sequence[Sequence[str]] | None = ...,
    method: Method = ...,
    effort: Effort | None = ...,
    certify: bool = ...,
    time_limit: float | None = ...,
    random_state: int | None = ...,
    executor: Executor | None = ...,
    progress: ProgressCallback | None = ...,
    scale: Scale = ...,
    missing: Missing = ...,
    round: bool = ...,
    weight: str | None = ...,
    by: str | Sequence[str] | None = ...,
    leave: Sequence[str] = ...,
    accept: Sequence[str] = ...,
    allow_unprotected: bool = ...,
    **options: Any,
) -> tuple[Microaggregation, ...]: ...
@with_bar
def microaggregate(
    frame: Any,
    k: int | Sequence[int],
    *,
    columns: Sequence[str] | Sequence[Sequence[str]] | None = None,
    method: Method = "auto",
    effort: Effort | None = None,
    certify: bool = False,
    time_limit: float | None = None,
    random_state: int | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    scale: Scale = "sd",
    missing: Missing = "error",
    round: bool = False,
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    leave: Sequence[str] = (),
    accept: Sequence[str] = (),
    allow_unprotected: bool = False,
    **options: Any,
) -> Microaggregation | tuple[Microaggregation, ...]:
    """Replace numeric records by the means of groups of at least `k`, losing as little as possible.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table, or a `discreet.dataset`. The result's `data` is of the same kind, with
        the same rows and order.
    k : the least number of records that share published values; or a list of such numbers, for one result per k, in
        the order of the list, each the same as if it were asked for alone. What does not depend on k is done once.
    columns : the numeric columns to protect together; by default all of them. Columns that are numeric but for a few
        entries, and those with stray leading zeros, are then an error unless `leave` names them: nothing falls out
        of protection unnoticed. Several lists of columns are grouped one by one: k records share the values of each
        list, but fewer may share those of all, so the check asks that the lists but one be accepted (`accept`).
    method, effort : how to search; see `discreet.microaggregation.METHODS`. `effort` is "fast", "default" or "best".
    certify : also prove a lower bound on the information loss of any method, and improve the partition on the way.
        The result's `certificate` is what `discreet.verify.certificates` re-checks; it is as confidential as the data.
    time_limit : seconds after which the best partition so far is returned; for several k they are shared out evenly.
    random_state : seed of everything random, 0 unless given; the same seed gives the same result to the last bit.
    executor : where independent work runs; threads unless given.
    progress : called with `discreet.work.Progress`; in a notebook, a bar is drawn unless this is given.
    scale : "sd" divides columns by their sample standard deviation, "range" by their range, "none" leaves them.
    missing : "error"; "known": groups of at least k known values per column publish the mean of these for all members,
        others are blank there; or "suppress": records with a missing value form a class of their own, blank in all
        `columns`.
    round : publish whole numbers in integer columns; without it, an integer column becomes float where a mean is
        fractional.
    weight : the column of sampling weights: means, and what is lost, are weighted. It is published as it is.
    by : columns whose values are strata: groups stay within them.
    leave : where columns are chosen by default, those to be published as they are.
    accept : columns that the check may find telling, accepted by name; see `discreet.verify`.
    allow_unprotected : allow k = 1, which protects nobody.
    options : parameters of the method, as `discreet.microaggregation` documents them.
    """
    from discreet.frames import adopt
    from discreet.frames.datasets import Dataset
    from discreet.instruments.large.door import check_asked, microaggregate_dataset

    if isinstance(frame, Dataset):
        asked = check_asked(
            frame,
            k,
            columns=columns,
            effort=effort,
            random_state=random_state,
            scale=scale,
            missing=missing,
            round=round,
            accept=accept,
            drop=(),
            allow_unprotected=allow_unprotected,
            refused={
                f"the method {method} (method, --method)": method not in ("auto", "blocks"),
                "a certificate (certify, --certify)": certify,
                "a time limit (time_limit, --time-limit)": time_limit is not None,
                "an executor": executor is not None,
                "weights (weight, --weight)": weight is not None,
                "strata (by, --by)": bool(by),
                "columns chosen by default (leave, --leave)": len(leave) > 0,
                "parameters of a method": bool(options),
            },
        )
        return microaggregate_dataset(frame, asked, accept=accept, progress=progress)
    table = adopt(frame)
    faults, wanted = Faults(), Wanted(method, effort, time_limit, executor, options)
    REGISTRY.check(faults, wanted)
    strata = names_of(by)
    left = check_left(table, columns, leave, accept, (*strata, *names_of(weight)), faults)
    sets = column_sets(columns, faults)
    check_parts(sets, strata, weight, accept, faults)
    sizes = least_sizes(k, faults, allow_unprotected=allow_unprotected)
    faults.check(is_seed(random_state), SEED_FAULT)
    weights = read_weights(table, weight, faults)
    places = read_strata(table, strata, faults)
    choice = Choice(columns=None, left=left, scale=scale, missing=missing, weights=weights, strata=places)
    check_choice(table, sizes, choice, faults)
    read_sets = [read(table, sizes, replace(choice, columns=names), faults) for names in sets]
    faults.raise_if_any()
    given = tuple(one for one in read_sets if one is not None)
    _check_certify(certify, given, weight, strata)
    if round and not any(table.schema[name].is_integer() for one in given for name in one.names):
        raise InputError("round (--round) is for columns of whole numbers, and none is protected: leave it out")
    task = _Task(
        frame=frame,
        given=given,
        choice=choice,
        wanted=wanted,
        certify=certify,
        seed=0 if random_state is None else int(random_state),
        round=round,
        weight=weight,
        by=strata,
        accept=tuple(accept),
        report=Reporter(progress),
        shared=Shared(),
    )
    deadline, results = Deadline(time_limit), []
    for done, size in enumerate(sizes, 1):
        own = replace(task, report=Reporter(progress))  # each k has its own moments
        results.append(own.result(size, deadline.until(done / len(sizes))))
    return tuple(results) if is_list(k) else results[0]


def _check_certify(certify: bool, given: Sequence[Quantities], weight: str | None, by: tuple[str, ...]) -> None:
    """A certificate is about one set of columns, complete records that count the same, and groups from all of them."""
    if not certify:
        return
    faults = Faults()
    for said, wrong in (
        ("sampling weights (weight, --weight)", weight is not None),
        ("strata (by, --by)", bool(by)),
        ("several sets of columns", len(given) > 1),
        ("gaps that are averaged over (missing known)", any(one.records is not None for one in given)),
    ):
        faults.check(not wrong, f"a certificate (certify, --certify) cannot be made with {said}: leave one of them out")
    faults.raise_if_any()


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What is the same for every k: the columns as numbers, and how they are to be grouped and published."""

    frame: Any
    given: tuple[Quantities, ...]
    choice: Choice
    wanted: Wanted
    certify: bool
    seed: int
    round: bool
    weight: str | None
    by: tuple[str, ...]
    accept: tuple[str, ...]
    report: Reporter
    shared: Shared

    def result(self, k: int, deadline: Deadline) -> Microaggregation:
        """The release for one k: grouped, bounded where asked for, published, and what is known about it."""
        from discreet.frames import replace_columns

        sets, choice = self.given, self.choice
        found = []
        for place, given in enumerate(sets):
            shared = self.shared.once(f"set {place}", Shared)
            found.append(self.groups(given, k, deadline.until((place + 1) / len(sets)), shared))
        partitions, proof = [one[0] for one in found], found[0][1]
        published: dict[str, Any] = {}
        for given, partition in zip(sets, partitions):
            published |= means(given, partition.labels, k, round=self.round)
        data = replace_columns(sets[0].table, published, round=self.round)
        checked = None if proof is None else self.checked(sets[0], k, proof, data)
        if checked is not None:
            partitions = [as_checked(partitions[0], checked)]
        sse, sst, loss = total_loss(sets, partitions)
        lower = None if checked is None else bound_with_blanks(checked.lower_bound, sets[0], partitions[0])
        labels = [all_labels(given, partition) for given, partition in zip(sets, partitions)]
        blanked, filled = changed_cells(sets, data)
        plain = len(sets) == 1 and sets[0].strata is None and sets[0].records is None and partitions[0].sst > 0
        end = Moment(deadline.elapsed, loss, np.nan if lower is None else lower)
        return Microaggregation(
            data=data,
            labels=labels[0] if len(labels) == 1 else np.stack(labels, axis=1),
            k=k,
            n=sets[0].n,
            columns=tuple(name for given in sets for name in given.names),
            method=", ".join(dict.fromkeys(partition.method for partition in partitions)),
            status=worst_status([partition.status for partition in partitions]),
            sse=sse,
            sst=sst,
            information_loss=loss,
            lower_bound=lower,
            gap=None if lower is None else 100.0 * (loss - lower) / loss if loss > 0 else 0.0,
            seconds=deadline.elapsed,
            seed=self.seed,
            scale=choice.scale,
            missing=choice.missing,
            suppressed=sum(int((~given.kept).sum()) for given in sets),
            rounded=self.round,
            bound=None if checked is None else checked.kind,
            certificate=None if checked is None else checked.payload,
            detail=joint_detail([partition.detail for partition in partitions]),
            original=self.frame,
            accept=self.accept,
            sets=tuple(tuple(given.names) for given in sets),
            weight=self.weight,
            by=self.by,
            blanked=blanked,
            filled=filled,
            largest_share=weight_share(sets, partitions, k),
            trace=traced(self.report.trace, end, 100.0 / partitions[0].sst) if plain else (),
        )

    def groups(
        self, given: Quantities, k: int, deadline: Deadline, shared: Shared
    ) -> tuple[Partition, Certificate | None]:
        """The best partition of one set of columns, and the certificate where one is asked for."""
        from discreet.microaggregation.problem import compact, sse, sst

        points = given.points
        self.report("grouping", 0.0)
        searched = points if self.certify else shared.once("compact", lambda: compact(points))
        call = Call(
            problem=Problem(searched, k),
            deadline=deadline.until(SEARCH_SHARE) if self.certify else deadline,
            report=self.report,
            seed=self.seed,
            executor=self.wanted.executor,
            effort=REGISTRY.effort_of(self.wanted),
            options=self.wanted.options,
            shared=shared,
        )
        partition = within_strata(self.wanted.method, call, given.strata)
        if given.records is not None:
            partition = improved_unevenly(partition, given.records, call, given.strata)
        elif searched is not points:
            partition = replace(partition, sse=sse(points, partition.labels), sst=sst(points))
        if not self.certify:
            return partition, None
        proof = certified(replace(call, deadline=deadline.until(1.0), effort=self.wanted.effort), partition)
        return improved(partition, proof), proof

    def checked(self, given: Quantities, k: int, proof: Certificate, data: Any) -> Checked:
        """What the independent check makes of the proof and the very values that are published."""
        from discreet.frames import adopt, numeric_array
        from discreet.instruments.certificates import check_certificate

        choice = self.choice
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
