"""Microaggregation of a dataframe: every record's numbers become the mean of a group of at least k records."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

from discreet.errors import Faults, InputError
from discreet.instruments.grouped.sampling import check_parts, column_sets, names_of, read_strata, read_weights
from discreet.instruments.grouped.task import Task
from discreet.instruments.microaggregation import Microaggregation
from discreet.instruments.quantities import (
    Choice,
    Quantities,
    check_choice,
    check_left,
    is_list,
    least_sizes,
    read,
)
from discreet.methods import Shared, Wanted
from discreet.microaggregation.methods import REGISTRY
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from discreet.frames.datasets import Dataset

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
    from discreet.frames.datasets import Dataset

    asked = _Asked(
        columns=columns,
        wanted=Wanted(method, effort, time_limit, executor, options),
        certify=certify,
        random_state=random_state,
        scale=scale,
        missing=missing,
        round=round,
        weight=weight,
        by=by,
        leave=leave,
        accept=accept,
        allow_unprotected=allow_unprotected,
    )
    if isinstance(frame, Dataset):
        return asked.of_dataset(frame, k, progress)
    sizes, task = asked.task(frame, k, progress)
    deadline, results = Deadline(time_limit), []
    for done, size in enumerate(sizes, 1):
        own = replace(task, report=Reporter(progress))  # each k has its own moments
        results.append(own.result(size, deadline.until(done / len(sizes))))
    return tuple(results) if is_list(k) else results[0]


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What the user asked for, as it was given: nothing of it is checked yet."""

    columns: Sequence[str] | Sequence[Sequence[str]] | None
    wanted: Wanted
    certify: bool
    random_state: int | None
    scale: Scale
    missing: Missing
    round: bool
    weight: str | None
    by: str | Sequence[str] | None
    leave: Sequence[str]
    accept: Sequence[str]
    allow_unprotected: bool

    def of_dataset(self, data: Dataset, k: Any, progress: ProgressCallback | None) -> Any:
        """The release of data beyond memory, by blocks; what needs all records at once is refused."""
        from discreet.instruments.large.door import check_asked, microaggregate_dataset

        wanted = self.wanted
        asked = check_asked(
            data,
            k,
            columns=self.columns,
            effort=wanted.effort,
            random_state=self.random_state,
            scale=self.scale,
            missing=self.missing,
            round=self.round,
            accept=self.accept,
            drop=(),
            allow_unprotected=self.allow_unprotected,
            refused={
                f"the method {wanted.method} (method, --method)": wanted.method not in ("auto", "blocks"),
                "a certificate (certify, --certify)": self.certify,
                "a time limit (time_limit, --time-limit)": wanted.time_limit is not None,
                "an executor": wanted.executor is not None,
                "weights (weight, --weight)": self.weight is not None,
                "strata (by, --by)": bool(self.by),
                "columns chosen by default (leave, --leave)": len(self.leave) > 0,
                "parameters of a method": bool(wanted.options),
            },
        )
        return microaggregate_dataset(data, asked, accept=self.accept, progress=progress)

    def task(self, frame: Any, k: Any, progress: ProgressCallback | None) -> tuple[tuple[int, ...], Task]:
        """The sizes of groups, and what is to be done for each; one error for all that is wrong."""
        from discreet.frames import adopt

        table, faults = adopt(frame), Faults()
        REGISTRY.check(faults, self.wanted)
        strata = names_of(self.by)
        left = check_left(table, self.columns, self.leave, self.accept, (*strata, *names_of(self.weight)), faults)
        sets = column_sets(self.columns, faults)
        check_parts(sets, strata, self.weight, self.accept, faults)
        sizes = least_sizes(k, faults, allow_unprotected=self.allow_unprotected)
        faults.check(is_seed(self.random_state), SEED_FAULT)
        weights = read_weights(table, self.weight, faults)
        places = read_strata(table, strata, faults)
        choice = Choice(columns=None, left=left, scale=self.scale, missing=self.missing, weights=weights, strata=places)
        check_choice(table, sizes, choice, faults)
        read_sets = [read(table, sizes, replace(choice, columns=names), faults) for names in sets]
        faults.raise_if_any()
        given = tuple(one for one in read_sets if one is not None)
        _check_certify(self.certify, given, self.weight, strata)
        if self.round and not any(table.schema[name].is_integer() for one in given for name in one.names):
            raise InputError("round (--round) is for columns of whole numbers, and none is protected: leave it out")
        return sizes, Task(
            frame=frame,
            given=given,
            choice=choice,
            wanted=self.wanted,
            certify=self.certify,
            seed=0 if self.random_state is None else int(self.random_state),
            round=self.round,
            weight=self.weight,
            by=strata,
            accept=tuple(self.accept),
            report=Reporter(progress),
            shared=Shared(),
        )


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
