"""The verdict on a claim: what the parts of the check found, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from discreet.results import Judged, Verdict
from discreet.verify import other_columns
from discreet.verify.claims import Claim
from discreet.verify.groups import classes, small_classes, uniform_classes
from discreet.verify.idle_values import idle_values
from discreet.verify.left.examine import examine
from discreet.verify.matchings.reading import spellings
from discreet.verify.microaggregated import judge_means, judge_together
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, shown, shown_list
from discreet.verify.units.classes import aligned_classes, small_unit_classes
from discreet.verify.units.fresh import check_ids
from discreet.verify.units.judge import (
    Boxes,
    Left,
    check_gone,
    examine_left,
    judge_boxed_classes,
    judge_boxed_matchings,
    look_at_order,
    read_boxes,
)
from discreet.verify.units.linked import linked
from discreet.verify.units.settle import Settled, settle
from discreet.verify.units.unit import units as units_of
from discreet.verify.values.meaning import is_numeric

NOT_COMPARED = "earlier releases of these people: none was named, so it was compared with none"
SUBTRACTED = (
    "earlier releases of these records, with which nothing was compared: the means of two groupings, as for two k, are "
    "equations that tell single values"
)
WITH_A_VIEW = (
    "what the choice of sets and classes tells of {}: for l they are made with a view to it, so one that is wider than "
    "k alone would ask for says that those nearer by are alike"
)

Judge = Callable[[Claim, Settled, Boxes, Left, Table, Verdict], Verdict]


def judge_groups(before: Table | None, after: Table, claim: Claim) -> Verdict:
    """The verdict on a release that claims classes of k, or a microaggregation with groups of k."""
    shared = (*claim.chosen, *claim.roles.means)
    columns = after.columns(shared)
    strata = after.columns(claim.by)
    units = None if claim.roles.unit is None else units_of(after, claim.roles.unit)
    # Rows of a file of classes or of one set of columns; several sets have classes of their own.
    several = [classes(after.columns((*names, *claim.roles.means)), strata) for names in claim.sets]
    if units is None:
        failures = [failure for own in several for failure in small_classes(own, claim.k)]
    else:
        failures = small_unit_classes(several[0], units, claim.k, claim.roles.unit_words)
        several = [aligned_classes(several[0], units)]
    groups = several[0]
    advice = []
    if failures:
        advice.append(
            f"protect these columns again with k = {claim.k}; if some of them do not identify anyone, "
            "name only those that do (quasi_identifiers, --qi)"
        )
    figures: dict[str, float | int | str] = {
        "columns": shown_list(shared),
        "rows": int(groups.of_row.size),
        "classes": sum(int(own.sizes.size) for own in several),
        "smallest": min(own.smallest for own in several),
    }
    source = after if before is None else before
    numeric = {name: is_numeric(source.column(name)) for name in shared}
    failures += spelled_words({c.name: spellings(c, numeric=numeric[c.name]) for c in columns})
    if claim.sensitive is not None and claim.l is not None:
        found = [uniform_classes(own, after.column(claim.sensitive), claim.l) for own in several]
        uniform, fewest = [failure for own, _ in found for failure in own], min(count for _, count in found)
        failures += uniform
        figures |= {"l": claim.l, "fewest_values": fewest}
        if uniform:
            advice.append(f"publish larger classes, or suppress those without {claim.l} different sensitive values")
    proven = class_words(claim)
    if claim.l is not None:
        proven.append(f"every class holds at least {claim.l} different values of {shown(claim.sensitive)}")
    verdict = Verdict("safe", claim.guarantee, claim.k, tuple(failures), tuple(advice), figures, tuple(proven))
    findings = Findings(claim.accept)
    if before is None:
        examined = {*shared, *claim.roles.special}
        outside = [name for name in after.names if name not in examined]
        check_gone(after, claim, findings)
        if claim.roles.unit is not None:
            check_ids(after.column(claim.roles.unit), findings)
        other_columns.compare_seams(None, after, findings, ordered=True)
        return finish(verdict, claim, after, findings, outside, compared=False)
    if claim.boxed:
        return _finish_whole(before, after, claim, verdict, findings, judge_boxed_classes)
    return _judge_ordered(before, after, claim, verdict, findings)


def class_words(claim: Claim) -> list[str]:
    shared = shown_list((*claim.chosen, *claim.roles.means))
    if claim.roles.unit is not None:
        one, several = claim.roles.unit_words
        return [f"every {one} shows, in {shared}, the same rows as {claim.k - 1} other {several} or more"]
    within = f", within each {shown_list(claim.by)}" if claim.by else ""
    every = "every combination of published values of"
    if len(claim.sets) == 1:
        return [f"{every} {shared} is shared by {claim.k} rows or more{within}"]
    return [f"{every} {shown_list(names)} is shared by {claim.k} rows or more{within}" for names in claim.sets]


def _judge_ordered(before: Table, after: Table, claim: Claim, verdict: Verdict, findings: Findings) -> Verdict:
    """Classes whose values are not read, and microaggregations: rows in their order, or for classes shuffled."""
    if before.rows != after.rows:
        words = f"the original has {before.rows} rows, the published data {after.rows}"
        advice = (*verdict.advice, "publish every record exactly once, in the original order")
        return replace(verdict, outcome="unsafe", failures=(*verdict.failures, words), advice=advice, proven=())
    outside = other_columns.left_columns(before, after, claim.chosen)
    other_columns.extra_columns(before, after, findings)
    idle_values(before, after, findings)
    shuffled = _compare_left(before, after, outside, findings, may_shuffle=claim.guarantee == "classes")
    other_columns.copies(before, after, claim.chosen, outside, findings)
    rows = other_columns.compare_multisets(before, after, outside, Findings(findings.accepted)) if shuffled else None
    told = examine(
        before,
        after,
        keys=claim.chosen,
        left=[name for name in outside if name not in claim.by],
        k=claim.k,
        guarantee=claim.guarantee,
        findings=findings,
        groups=classes(after.columns(claim.chosen)).of_row,
        rows=None if rows is None or rows[0] is None or rows[1] is None else (rows[0], rows[1]),
    )
    verdict = replace(verdict, figures={**verdict.figures, **told})
    if claim.guarantee == "microaggregation":
        verdict = judge_means(before, after, claim, verdict)
    if len(claim.sets) > 1:
        verdict = replace(verdict, figures={**verdict.figures, **judge_together(after, claim, findings)})
    other_columns.compare_seams(before, after, findings, ordered=not shuffled)
    return finish(verdict, claim, after, findings, outside, shuffled=shuffled)


def judge_matchings(before: Table, after: Table, claim: Claim) -> Verdict:
    """The verdict on a release that claims k disjoint perfect matchings."""
    base = Verdict("safe", "matchings", claim.k)
    return _finish_whole(before, after, claim, base, Findings(claim.accept), judge_boxed_matchings)


def _finish_whole(
    before: Table, after: Table, claim: Claim, base: Verdict, findings: Findings, judge: Judge
) -> Verdict:
    """What boxes, means, units and other columns of a release in any order tell, added to the verdict `base`."""
    settled = settle(before, after, claim)
    read = read_boxes(before, after, claim, settled.kept)
    if read.unreadable:
        figures: dict[str, float | int | str] = {"n": before.rows, "columns": shown_list(claim.chosen)}
        way_out = ("give the hierarchies used, and say which columns are categorical",)
        if claim.guarantee == "matchings" or base.failures:
            outcome: Judged = "unsafe" if base.failures else "cannot tell"
            faults = (*base.failures, *read.unreadable)
            return Verdict(outcome, claim.guarantee, claim.k, faults, (*base.advice, *way_out), figures)
        findings.limits += [f"whether boxes hold the original: {words}" for words in read.unreadable]
    left = examine_left(settled, after, claim, findings)
    told = examine(
        settled.before,
        after,
        keys=claim.chosen if not read.unreadable else (),
        left=left.outside,
        numeric=claim.roles.means,
        k=claim.k,
        guarantee=claim.guarantee,
        findings=findings,
        readings=None if read.unreadable else read.readings,
        rows=left.codes,
        linked=linked(before, settled, claim),
    )
    verdict = judge(claim, settled, read, left, after, base)
    verdict = replace(verdict, figures={**verdict.figures, **told})
    verdict = replace(verdict, figures={**verdict.figures, "columns": shown_list((*claim.chosen, *claim.roles.means))})
    more = [
        *(spelled_words(read.spelled) if claim.guarantee == "matchings" else []),
        *_spelled_means(after, claim),
        *settled.failures,
        *look_at_order(before, settled, read, left, after, claim, findings),
    ]
    outcome = "unsafe" if more else verdict.outcome
    failures, limits = (*verdict.failures, *more), (*verdict.limits, *settled.limits)
    verdict = replace(verdict, outcome=outcome, failures=failures, limits=limits)
    return finish(verdict, claim, after, findings, left.outside, shuffled=True)


def _compare_left(before: Table, after: Table, outside: list[str], findings: Findings, *, may_shuffle: bool) -> bool:
    """Left columns row by row or, where that fails and rows may be shuffled, as a multiset; whether they are."""
    ordered, shuffled = Findings(findings.accepted), Findings(findings.accepted)
    other_columns.compare_rows(before, after, outside, ordered)
    if ordered.failures and may_shuffle:
        other_columns.compare_multisets(before, after, outside, shuffled)
    found = shuffled if may_shuffle and ordered.failures and not shuffled.failures else ordered
    findings.failures += found.failures
    findings.limits += found.limits
    return found is shuffled


def _spelled_means(after: Table, claim: Claim) -> list[str]:
    if claim.guarantee != "matchings":
        return []
    return spelled_words({name: spellings(after.column(name), numeric=True) for name in claim.roles.means})


def spelled_words(columns: Mapping[str, int]) -> list[str]:
    """Failures about columns that spell some values in more than one way."""
    return [
        f"column {shown(name)} spells {count} values in more than one way, which tells rows apart"
        for name, count in columns.items()
        if count
    ]


def finish(
    verdict: Verdict,
    claim: Claim,
    after: Table,
    findings: Findings,
    outside: list[str],
    *,
    compared: bool = True,
    shuffled: bool = False,
) -> Verdict:
    """The verdict with what was found about other columns, the columns examined, and what was not looked at."""
    failures = (*verdict.failures, *findings.failures)
    advice = list(verdict.advice)
    if findings.failures:
        advice.append(
            "leave the columns at fault out (--drop; identifiers of a recipe), publish them as they were, name them "
            "too (--qi; keys of a recipe), or accept by name (accept, --accept) what they tell as they were"
        )
    if failures and not advice:
        advice.append("run the method again and change nothing by hand")
    limits = [*verdict.limits, *claim.notes, *findings.limits]
    if not claim.earlier:
        limits.append(SUBTRACTED if claim.guarantee == "microaggregation" else NOT_COMPARED)
    if claim.l is not None:
        limits.append(WITH_A_VIEW.format(shown(claim.sensitive)))
    # What is said of the order of rows is for releases that keep it.
    told_as = "matchings" if shuffled else claim.guarantee
    unchanged = other_columns.told([name for name in outside if name not in claim.accept], told_as, compared=compared)
    if claim.k == 1:
        limits.insert(0, "k = 1 hides nobody: every row may stand for one person alone")
    if unchanged:
        limits.append(unchanged)
    if after.carried:
        limits.append(f"the file also carries {' and '.join(after.carried)}, which nobody looked at")
    proven = list(verdict.proven)
    if not claim.named:
        proven.insert(0, f"columns examined, since none were named: {shown_list(claim.chosen)}")
    outcome = "unsafe" if failures and verdict.outcome != "cannot tell" else verdict.outcome
    if verdict.outcome == "cannot tell" and findings.failures:
        outcome = "unsafe"
    if outcome != "safe":
        proven = proven[:1] if not claim.named else []
    return replace(
        verdict, outcome=outcome, failures=failures, advice=tuple(advice), proven=tuple(proven), limits=tuple(limits)
    )
