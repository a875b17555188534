"""A whole file judged part by part: boxes, means, units, other columns, the order of rows, and the custodian's file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.verify import order, other_columns
from discreet.verify.claims import Claim
from discreet.verify.idle_values import idle_values
from discreet.verify.matchings.check import verify_matchings
from discreet.verify.matchings.reading import Reading, UnreadableError, folded_codes, read_attribute
from discreet.verify.matchings.secret import Behind, Opened, verify_secret
from discreet.verify.matchings.secret_classes import verify_secret_classes
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, shown_list
from discreet.verify.units.absent import compare_part
from discreet.verify.units.check import verify_units
from discreet.verify.units.fresh import check_ids, check_order, heads_of, id_order
from discreet.verify.units.level import uneven_columns
from discreet.verify.units.means import Means, check_means, read_means
from discreet.verify.units.settle import Settled
from discreet.verify.units.solved import solved
from discreet.verify.units.unit import in_order, signatures, units
from discreet.verify.values.hierarchies import labels_of

Integers = NDArray[np.int64]
NOT_SEEN = "that published numbers ({}) are the means of their rows' sets: only the custodian's secret file shows that"
EQUATIONS = (
    "that published means ({}) hide the numbers behind them: sets overlap, so their means are equations, which whoever "
    "finds the sets out may solve; a class tells no more than its mean"
)
IN_ORDER = "rows stand in the order of the original, or nearly: whoever knows it can tell rows of a class apart"


@dataclass(frozen=True)
class Boxes:
    """The readings of the quasi-identifiers, how often each spells a value in several ways, what is unreadable."""

    readings: list[Reading]
    spelled: Mapping[str, int]
    unreadable: tuple[str, ...]


@dataclass(frozen=True)
class Left:
    """The columns that go out as they are, and a number for the left row of each original and each published row."""

    outside: list[str]
    codes: tuple[Integers, Integers] | None


def read_boxes(before: Table, after: Table, claim: Claim, kept: Integers) -> Boxes:
    """Quasi-identifiers of the published records; without any, everybody is in one box."""
    readings, unreadable, spelled = [], [], {}
    for name in claim.chosen:
        try:
            reading, several = read_attribute(
                before.column(name),
                after.column(name),
                categorical=name in claim.categorical,
                labels=labels_of(claim.hierarchies, name),
                missing=claim.missing,
                cap=claim.caps.get(name),
            )
            readings.append(replace(reading, codes=reading.codes[kept]))
            spelled[name] = several
        except UnreadableError as error:
            unreadable.append(str(error))
    if not claim.chosen:
        nothing = np.zeros(1, np.int64)
        readings.append(
            Reading(
                np.zeros(kept.size, np.int64),
                np.zeros(after.rows, np.int64),
                np.array([0, 1]),
                nothing,
                nothing,
                "sets",
                np.ones(1, bool),
            )
        )
    return Boxes(readings, spelled, tuple(unreadable))


def check_gone(after: Table, claim: Claim, findings: Findings) -> None:
    """Identifiers must not be published."""
    present = set(after.names)
    there = [name for name in claim.roles.identifiers if name in present]
    if there:
        findings.about(there, "column {} identifies people and is published")


def examine_left(settled: Settled, after: Table, claim: Claim, findings: Findings) -> Left:
    """The columns that are not protected: those of the original, unchanged, and none that undoes what is hidden."""
    before = settled.before
    check_gone(after, claim, findings)
    other_columns.extra_columns(before, after, findings)
    idle_values(before, after, findings)
    special = (*claim.chosen, *claim.roles.special)
    outside = other_columns.left_columns(before, after, (*special, *claim.roles.identifiers))
    if settled.complete and before.rows != after.rows:
        return Left(outside, None)
    compare = other_columns.compare_multisets if settled.complete else compare_part
    codes = compare(before, after, outside, findings)
    other_columns.copies(before, after, special, outside, findings)
    other_columns.compare_seams(before, after, findings, ordered=False)
    other_columns.listed_in_order(before, after, outside, findings)
    return Left(outside, codes)


def judge_boxed_matchings(
    claim: Claim, settled: Settled, read: Boxes, left: Left, after: Table, base: Verdict
) -> Verdict:
    """k disjoint perfect matchings of persons, or of units; means; with the secret the sets and the draw."""
    sensitive = None if claim.sensitive is None else folded_codes(after.column(claim.sensitive))
    found = _fit(claim, settled, read, sensitive, likelihood=claim.secret is None)
    means = _means(claim, settled, read, after, found)
    verdict = _with_means(found, means, told=claim.secret is None)
    if claim.secret is None or not found.safe:
        return verdict
    opened = verify_secret(
        claim.secret,
        read.readings,
        k=claim.k,
        sensitive_codes=sensitive,
        l=claim.l,
        names=claim.chosen,
        behind=_behind(claim, settled, left, means),
    )
    return _with_secret(found, opened, means)


def judge_boxed_classes(
    claim: Claim, settled: Settled, read: Boxes, left: Left, after: Table, base: Verdict
) -> Verdict:
    """Classes that `base` has judged: do their boxes hold the original, and with the secret, are they made of it?"""
    means = Means()
    verdict = base
    if not read.unreadable:
        found = _fit(claim, settled, read, None, likelihood=False)
        means = _means(claim, settled, read, after, found)
        if found.outcome == "unsafe":
            words = tuple(f"the boxes do not hold the original: {failure}" for failure in found.failures)
            verdict = replace(base, failures=(*base.failures, *words))
        elif not found.safe:
            limits = (*base.limits, "whether boxes hold the original: there are too many pairs to look at")
            verdict = replace(base, limits=limits)
    verdict = _with_means(verdict, means, told=claim.secret is None)
    if claim.secret is None or verdict.failures or read.unreadable:
        return verdict
    behind = _behind(claim, settled, left, means)
    opened = verify_secret_classes(claim.secret, read.readings, k=claim.k, names=claim.chosen, behind=behind)
    return _with_secret(base, opened, means)


def _fit(claim: Claim, settled: Settled, read: Boxes, sensitive: Integers | None, *, likelihood: bool) -> Verdict:
    l = None if sensitive is None else claim.l
    if settled.units is None:
        return verify_matchings(read.readings, k=claim.k, sensitive_codes=sensitive, l=l, likelihood=likelihood)
    return verify_units(
        read.readings,
        settled,
        k=claim.k,
        words=claim.roles.unit_words,
        sensitive_codes=sensitive,
        l=l,
        likelihood=likelihood,
    )


def _means(claim: Claim, settled: Settled, read: Boxes, after: Table, found: Verdict) -> Means:
    """The columns published as means; where persons do not fit, only whether they are numbers."""
    means = read_means(settled.before, after, claim.roles.means, whole=settled.whole)
    if found.safe:
        complete = settled.complete and settled.before.rows == after.rows
        check_means(
            means,
            read.readings if claim.chosen else [],
            claim.k,
            complete=complete,
            matched=claim.guarantee == "matchings",
        )
        if claim.guarantee == "matchings":
            _equations(means, read if claim.chosen else None, claim.k)
    return means


def _equations(means: Means, read: Boxes | None, k: int) -> None:
    """What overlapping sets tell of the numbers behind their means: it is no part of the guarantee."""
    if not means.columns or k == 1:
        return
    means.limits.append(EQUATIONS.format(shown_list(list(means.columns))))
    whole = [name for name, column in means.columns.items() if not column.gap.any()]
    count = solved(read.readings, k) if read is not None and whole else 0
    if count:
        means.figures["solved"] = count
        means.limits.append(
            f"{shown_list(whole)} of {count} persons: from the rows whose boxes hold just {k} they follow, for whoever "
            "knows the quasi-identifiers of all"
        )


def _with_means(found: Verdict, means: Means, *, told: bool) -> Verdict:
    limits = [*found.limits, *means.limits]
    if told and means.columns:
        limits.append(NOT_SEEN.format(shown_list(list(means.columns))))
    return replace(
        found,
        failures=(*found.failures, *means.failures),
        proven=(*found.proven, *means.proven),
        limits=tuple(limits),
        figures={**found.figures, **means.figures},
    )


def _behind(claim: Claim, settled: Settled, left: Left, means: Means) -> Behind:
    one = "person" if claim.roles.unit is None else claim.roles.unit_words[0]
    return Behind(settled.kept, left.codes, means if means.columns else None, settled.units, one)


def _with_secret(found: Verdict, opened: Opened, means: Means) -> Verdict:
    """The verdict with what the secret shows; `means` now holds what it shows of them too."""
    verdict = _with_means(found, means, told=False)
    figures = {**verdict.figures, **opened.figures}
    advice = verdict.advice
    if opened.failures:
        advice = (*advice, "give the secret file that was written with this very release, or publish anew")
    return replace(
        verdict,
        failures=(*verdict.failures, *opened.failures),
        advice=advice,
        proven=(*verdict.proven, *opened.proven),
        limits=(*verdict.limits, *opened.limits),
        figures=figures,
    )


def look_at_order(
    before: Table, settled: Settled, read: Boxes, left: Left, after: Table, claim: Claim, findings: Findings
) -> list[str]:
    """Failures about the order of rows, about ids, and about columns that must agree within a unit."""
    failures: list[str] = []
    same = settled.before.rows == after.rows
    readings = read.readings if same and not read.unreadable else []
    marks = left.codes
    if settled.units is not None and marks is not None:
        heads = settled.units[0].heads, settled.units[1].heads
        marks = (marks[0], marks[1])
        one, two = signatures(marks, settled.units)
        marks = in_order(one, settled.units[0]), in_order(two, settled.units[1])
        same = heads[0].size == heads[1].size
        of_units = heads_of(readings, settled.units, heads) if readings and same else []
    else:
        one = two = np.zeros(0, np.int64)
        of_units = readings
    if marks is not None:
        found = order.aligned(*marks), order.fitting(of_units) if of_units else None
        if any(found) and claim.guarantee == "classes":
            findings.limits.append(IN_ORDER)
        elif any(found):
            failures.append(order.FAILURE)
        elif None in found and claim.guarantee != "classes":
            findings.limits.append(order.UNJUDGED)
    name = claim.roles.unit
    if name is None or settled.units is None:
        return failures
    numbers = check_ids(after.column(name), findings)
    if numbers is not None:
        sorted_originals = id_order(settled.before.column(name), settled.units[0])
        left_marks = None if left.codes is None else (one[: settled.units[0].count], two[: settled.units[1].count])
        check_order(readings, numbers, settled.units, sorted_originals, left_marks, findings)
    original = (units(before, name), settled.units[1])
    shared = (*claim.chosen, *claim.roles.means)
    return failures + uneven_columns(before, after, original, shared, claim.roles.unit_words[0])
