"""Microaggregation of a dataframe: every record's numbers become the mean of a group of at least k records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.results import Result, Section, Verdict
from discreet.work import Deadline, ProgressCallback, Reporter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.certificates import Checked
    from discreet.microaggregation.certificate import Certificate
    from discreet.microaggregation.problem import Partition

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

# With a time limit and a certificate, the search for a partition gets this share: the certificate improves it further.
SEARCH_SHARE = 0.3


@dataclass(frozen=True)
class Microaggregation(Result):
    """A microaggregated dataframe and what is known about it.

    `information_loss` is IL = 100·SSE/SST on the scaled columns; `lower_bound`, where asked for, is an IL below which
    no partition into groups of k or more can get; `gap` = 100·(IL − lower bound)/IL. `status` is "complete", "time
    limit" or "optimal".
    """

    data: Any = field(repr=False)
    labels: Labels = field(repr=False)
    k: int
    n: int
    columns: tuple[str, ...]
    method: str
    status: str
    sse: float
    sst: float
    information_loss: float
    lower_bound: float | None
    gap: float | None
    seconds: float
    seed: int
    scale: str
    missing: str
    suppressed: int
    rounded: bool
    bound: str | None
    certificate: Mapping[str, Any] | None = field(repr=False)
    detail: Mapping[str, float | int | str] = field(repr=False)
    original: Any = field(repr=False)
    accept: tuple[str, ...] = field(default=(), repr=False)

    @property
    def groups(self) -> int:
        return int(self.labels.max()) + 1

    def title(self) -> str:
        return f"Microaggregation of {self.n} records into {self.groups} groups of {self.k} or more"

    def facts(self) -> list[tuple[str, str]]:
        sizes = np.bincount(self.labels)
        facts = [
            ("information loss", f"{self.information_loss:.6g} % of the variation"),
            ("group sizes", f"{sizes.min()} to {sizes.max()}"),
            ("columns", f"{len(self.columns)} ({listing(self.columns)})"),
            ("method", f"{self.method}, {self.status}"),
            ("time", f"{self.seconds:.2f} s, seed {self.seed}"),
        ]
        if self.lower_bound is not None and self.gap is not None:
            proof = f"no partition can lose less than {self.lower_bound:.6g} % ({self.bound})"
            left = "proven optimal" if self.status == "optimal" else f"at most {self.gap:.3g} % is left"
            facts.insert(1, ("proof", f"{proof}; {left}"))
        if self.suppressed:
            facts.append(("suppressed", f"{self.suppressed} records with missing values, as a class of their own"))
        return facts

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        sizes = np.bincount(self.labels)
        return {
            "instrument": "microaggregation",
            "version": __version__,
            "k": self.k,
            "n": self.n,
            "columns": list(self.columns),
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "scale": self.scale,
            "missing": self.missing,
            "suppressed": self.suppressed,
            "round": self.rounded,
            "groups": self.groups,
            "smallest": int(sizes.min()),
            "largest": int(sizes.max()),
            # Squares of very large numbers may not fit into a float64; the loss below is a ratio and always does.
            "sse": self.sse if np.isfinite(self.sse) else None,
            "sst": self.sst if np.isfinite(self.sst) else None,
            "information_loss": self.information_loss,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "bound": self.bound,
            "detail": dict(self.detail),
        }

    def claim(self) -> dict[str, Any]:
        claim: dict[str, Any] = {
            "k": self.k,
            "quasi_identifiers": self.columns,
            "guarantee": "microaggregation",
        }
        return {**claim, "accept": self.accept} if self.accept else claim

    def verify(self) -> Verdict:
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def _numbers(self) -> tuple[Floats, Floats]:
        """Original and published values of the records that were not suppressed."""
        from discreet.frames import adopt, numeric_array

        before = numeric_array(adopt(self.original), list(self.columns))
        after = numeric_array(adopt(self.data), list(self.columns))
        kept = ~np.isnan(after).any(axis=1)
        return before[kept], after[kept]

    def sections(self) -> list[Section]:
        from discreet.measure import column_losses, linkage_risk, moments

        before, after = self._numbers()
        if not len(before):
            return []
        kept = moments(before, after)
        rows = [
            (name, f"{loss:.3f}", f"{100 * ratio:.2f}", f"{change:.4f}")
            for name, loss, ratio, change in zip(
                self.columns, column_losses(before, after), kept["sd_kept"], kept["correlation_change"]
            )
        ]
        risk = linkage_risk(before, after)
        return [
            Section(
                "What is kept, column by column",
                "Means and totals are kept exactly. Information loss is the share of a column's variation that is "
                "gone; the last column is the largest change of its correlation with any other column.",
                (
                    "column",
                    "information loss, %",
                    "standard deviation kept, %",
                    "largest change of correlation",
                ),
                rows,
            ),
            Section(
                "What an intruder can do",
                "Someone who knows every original value and links each person to the nearest published record is "
                f"right for {100 * risk:.2f} % of the persons; groups of {self.k} allow {100 / self.k:.2f} % at most.",
            ),
        ]

    def plot(self) -> Figure:
        """Sizes of the groups, and the information loss of each column."""
        from discreet.measure import column_losses
        from discreet.report.figures import bars, canvas

        figure, (left, right) = canvas(2)
        sizes, counts = np.unique(np.bincount(self.labels), return_counts=True)
        if len(sizes) > 12:
            edges = np.unique(np.linspace(sizes.min(), sizes.max() + 1, 13).astype(int))
            counts, _ = np.histogram(np.repeat(sizes, counts), bins=edges)
            names = [f"{a}-{b - 1}" if b - 1 > a else f"{a}" for a, b in pairwise(edges)]
        else:
            names = [str(size) for size in sizes]
        bars(left, names, counts, "Group sizes", "records in a group", "groups")
        before, after = self._numbers()
        losses = column_losses(before, after) if len(before) else np.zeros(len(self.columns))
        bars(right, self.columns, losses, "Information loss by column", "", "%", lying=True)
        return figure


def microaggregate(
    frame: Any,
    k: int,
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
) -> Microaggregation:
    """Replace numeric records by the means of groups of at least `k`, losing as little as possible.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    k : the least number of records that share published values.
    columns : the numeric columns to protect together; by default all of them. Columns that are numeric but for a few
        entries, and those with stray leading zeros, are then an error unless `leave` names them: nothing falls out
        of protection unnoticed.
    method, effort : how to search; see `discreet.microaggregation.METHODS`. `effort` is "fast", "default" or "best".
    certify : also prove a lower bound on the information loss of any method, and improve the partition on the way.
        The result's `certificate` is what `discreet.verify.certificates` re-checks; it is as confidential as the data.
    time_limit : seconds after which the best partition so far is returned.
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
    from discreet import microaggregation as room
    from discreet.frames import adopt, numeric_array, replace_columns
    from discreet.instruments.certificates import check_certificate
    from discreet.instruments.quantities import check_left, means, read
    from discreet.microaggregation.certificate import certify as prove
    from discreet.microaggregation.methods import check_call
    from discreet.microaggregation.problem import compact, ordinary, restored, sse, sst, standardize

    table = adopt(frame)
    faults = Faults()
    check_call(faults, method, effort, time_limit, executor, options)
    left = check_left(table, columns, leave, accept, faults)
    chosen, values, kept = read(table, k, columns, scale, missing, random_state, faults, left)
    if round and not any(table.schema[name].is_integer() for name in chosen):
        raise InputError("round (--round) is for columns of whole numbers, and none is protected: leave it out")
    deadline, report = Deadline(time_limit), Reporter(progress)
    seed = 0 if random_state is None else int(random_state)
    complete = values[kept]
    # Powers of two only: squares of very large or very small numbers stay within float64.
    points, exponent = ordinary(standardize(complete, scale))
    report("grouping", 0.0)
    searched = points if certify else compact(points)
    partition = room.solve(
        searched,
        k,
        method=method,
        effort=effort,
        time_limit=SEARCH_SHARE * time_limit if certify and time_limit is not None else time_limit,
        random_state=seed,
        executor=executor,
        progress=progress,
        **options,
    )
    if searched is not points:
        partition = replace(partition, sse=sse(points, partition.labels), sst=sst(points))
    proof: Certificate | None = None
    if certify:
        proof = prove(
            points,
            k,
            labels=partition.labels,
            effort=effort,
            time_limit=None if time_limit is None else max(deadline.remaining, 0.0),
            random_state=seed,
            executor=executor,
            progress=progress,
        )
        partition = _improved(partition, proof)
    labels = np.full(len(values), partition.labels.max() + 1, np.int64)
    labels[kept] = partition.labels
    published = means(table, chosen, values, kept, partition.labels, round=round)
    data = replace_columns(table, published, round=round)
    checked: Checked | None = None
    if proof is not None:
        report("checking", None)
        checked = check_certificate(
            {**proof.payload, "columns": list(chosen), "scale": scale, "missing": missing, "exponent": exponent},
            complete,
            numeric_array(adopt(data), chosen)[kept],
            k,
            scale,
            time_limit=time_limit,
        )
        partition = _as_checked(partition, checked)
    loss = partition.information_loss
    lower = None if checked is None else checked.lower_bound
    return Microaggregation(
        data=data,
        labels=labels,
        k=int(k),
        n=len(values),
        columns=tuple(chosen),
        method=partition.method,
        status=partition.status,
        sse=restored(partition.sse, exponent),
        sst=restored(partition.sst, exponent),
        information_loss=loss,
        lower_bound=lower,
        gap=None if lower is None else 100.0 * (loss - lower) / loss if loss > 0 else 0.0,
        seconds=deadline.elapsed,
        seed=seed,
        scale=scale,
        missing=missing,
        suppressed=int((~kept).sum()),
        rounded=round,
        bound=None if checked is None else checked.kind,
        certificate=None if checked is None else checked.payload,
        detail=partition.detail,
        original=frame,
        accept=tuple(accept),
    )


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
    status = "optimal" if checked.optimal else "complete" if partition.status == "optimal" else partition.status
    note = {} if checked.note is None else {"certificate weakened": checked.note}
    return replace(partition, status=status, detail={**partition.detail, **note})
