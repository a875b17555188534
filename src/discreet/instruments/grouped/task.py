"""What is done for one k once everything is read: group, bound where asked for, publish, and say what is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

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
from discreet.instruments.microaggregation import Microaggregation
from discreet.instruments.quantities import Choice, Quantities, means
from discreet.methods import Shared, Wanted
from discreet.microaggregation.methods import REGISTRY, Call, Problem
from discreet.work import Deadline, Moment, Reporter

if TYPE_CHECKING:
    from discreet.instruments.certificates import Checked
    from discreet.microaggregation.certificate import Certificate
    from discreet.microaggregation.problem import Partition

# With a time limit and a certificate, the search for a partition gets this share: the certificate improves it further.
SEARCH_SHARE = 0.3


@dataclass(frozen=True, kw_only=True)
class Task:
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
