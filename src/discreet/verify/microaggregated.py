"""What a microaggregation claims beyond its classes: that published numbers are means, and how sets of columns meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from discreet.results import Verdict
from discreet.verify.claims import Claim
from discreet.verify.groups import check_means, classes, weights_of
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, shown

Figures = dict[str, float | int | str]
HEAVY = "records that weigh far more than the others of their class: its mean is nearly theirs, since {} counts records"
EXTREMES = (
    "{} values that stand as they were, the least or the greatest of their column: such a mean tells the values of all "
    "of its class to whoever knows that nothing is beyond, as nothing may be below 0"
)


def judge_means(before: Table, after: Table, claim: Claim, verdict: Verdict) -> Verdict:
    """The verdict with what was found about means, set by set of columns, and with the loss."""
    return with_means(verdict, claim, *_means(before, after, claim))


def with_means(verdict: Verdict, claim: Claim, failures: Sequence[str], figures: Figures) -> Verdict:
    """The verdict with these failures of means, or with what their absence proves."""
    advice, proven = verdict.advice, verdict.proven
    if failures:
        words = "this is not a microaggregation of the original; if it is meant to be something else, ask for "
        advice = (*advice, words + "guarantee 'classes' alone")
    else:
        weighted = "" if claim.weight is None else f", weighted by {shown(claim.weight)}"
        some = f" of {claim.k} or more known values" if figures.get("blanked") or figures.get("filled") else ""
        proven = (*proven, f"the published numbers are the means{some} of their classes{weighted}")
    limits = verdict.limits
    if claim.weight is not None:
        limits = (*limits, HEAVY.format(claim.k))
    if figures.get("extremes"):
        limits = (*limits, EXTREMES.format(figures["extremes"]))
    return replace(
        verdict,
        limits=limits,
        failures=(*verdict.failures, *failures),
        advice=advice,
        proven=proven,
        figures={**verdict.figures, **figures},
    )


def _means(before: Table, after: Table, claim: Claim) -> tuple[list[str], Figures]:
    """What is wrong with the means, and figures of the loss."""
    weights = None
    if claim.weight is not None:
        weights = weights_of(before.column(claim.weight))
        if weights is None:
            return [f"the weight {shown(claim.weight)} is not a positive number in every row of the original"], {}
    strata = after.columns(claim.by)
    found = []
    for names in claim.sets:
        columns = after.columns(names)
        found.append(check_means(before.columns(names), columns, classes(columns, strata), claim.k, weights))
    figures: Figures = {}
    total = sum(part.total for part in found)
    loss = 100.0 * sum(part.error for part in found) / total if total > 0 else 0.0
    if np.isfinite(loss) and not any(part.failures and not part.total for part in found):
        figures["information_loss"] = loss
    for name in ("blanked", "filled", "extremes"):
        count = sum(getattr(part, name) for part in found)
        if count:
            figures[name] = count
    return [failure for part in found for failure in part.failures], figures


def judge_together(after: Table, claim: Claim, findings: Findings) -> Figures:
    """Whether someone who knows the columns of several sets tells rows apart: a failure, unless all sets but one are
    accepted."""
    joint = classes(after.columns(claim.chosen), after.columns(claim.by))
    few = int(joint.sizes[joint.sizes < claim.k].sum())
    told = (
        f"for someone who knows the columns of all {len(claim.sets)} sets, {few} rows are in classes of fewer than "
        f"{claim.k} (the smallest has {joint.smallest})"
    )
    open_sets = [names for names in claim.sets if not set(names) <= claim.accept]
    if len(open_sets) > 1:
        within = classes(after.columns([name for names in open_sets for name in names]), after.columns(claim.by))
        if within.smallest < claim.k:
            findings.failures.append(f"{told}: protect them together, or accept the columns of all sets but one")
            return {"alone_together": few}
    if few:
        findings.limits.append(told)
    return {"alone_together": few}
