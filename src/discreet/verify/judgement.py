"""The verdict on a claim: what the parts of the check found, put together."""

from __future__ import annotations

from dataclasses import replace

from discreet.results import Verdict
from discreet.verify import order, other_columns
from discreet.verify.claims import Claim
from discreet.verify.groups import check_means, classes, small_classes, uniform_classes
from discreet.verify.matchings.reading import UnreadableError, folded_codes, read_attribute, spellings
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, shown, shown_list
from discreet.verify.values.hierarchies import labels_of
from discreet.verify.values.meaning import is_numeric


def judge_groups(before: Table | None, after: Table, claim: Claim) -> Verdict:
    """The verdict on a release that claims classes of k, or a microaggregation with groups of k."""
    columns = after.columns(claim.chosen)
    groups = classes(columns)
    failures = small_classes(groups, claim.k)
    advice = []
    if failures:
        advice.append(
            f"protect these columns again with k = {claim.k}; if some of them do not identify anyone, "
            "name only those that do (quasi_identifiers, --qi)"
        )
    figures: dict[str, float | int | str] = {
        "columns": shown_list(claim.chosen),
        "rows": int(groups.of_row.size),
        "classes": int(groups.sizes.size),
        "smallest": groups.smallest,
    }
    originals = None if before is None else before.columns(claim.chosen)
    numeric = [is_numeric(column) for column in (originals or columns)]
    failures += _spelled({c.name: spellings(c, numeric=number) for c, number in zip(columns, numeric)})
    if claim.sensitive is not None and claim.l is not None:
        uniform, fewest = uniform_classes(groups, after.column(claim.sensitive), claim.l)
        failures += uniform
        figures |= {"l": claim.l, "fewest_values": fewest}
        if uniform:
            advice.append(f"publish larger classes, or suppress those without {claim.l} different sensitive values")
    findings = Findings(claim.accept)
    examined = set(claim.chosen)
    outside = [name for name in after.names if name not in examined]
    if before is not None and originals is not None:
        if before.rows != after.rows:
            failures.append(f"the original has {before.rows} rows, the published data {after.rows}")
            advice.append("publish every record exactly once, in the original order")
            return Verdict("unsafe", claim.guarantee, claim.k, tuple(failures), tuple(advice), figures)
        outside = other_columns.left_columns(before, after, claim.chosen)
        other_columns.extra_columns(before, after, findings)
        other_columns.compare_rows(before, after, outside, findings)
        other_columns.copies(before, after, claim.chosen, outside, findings)
        if claim.guarantee == "microaggregation":
            wrong, loss = check_means(originals, columns, groups)
            if loss is not None:
                figures["information_loss"] = loss
            failures += wrong
            if wrong:
                advice.append(
                    "this is not a microaggregation of the original; if it is meant to be something else, "
                    "ask for guarantee 'classes' alone"
                )
    other_columns.compare_seams(before, after, findings, ordered=True)
    proven = [
        f"every combination of published values of {shown_list(claim.chosen)} is shared by {claim.k} rows or more"
    ]
    if claim.guarantee == "microaggregation":
        proven.append("the published numbers are the means of their classes")
    if claim.l is not None:
        proven.append(f"every class holds at least {claim.l} different values of {shown(claim.sensitive)}")
    verdict = Verdict("safe", claim.guarantee, claim.k, tuple(failures), tuple(advice), figures, tuple(proven))
    return _finish(verdict, claim, after, findings, outside, compared=before is not None)


def judge_matchings(before: Table, after: Table, claim: Claim) -> Verdict:
    """The verdict on a release that claims k disjoint perfect matchings."""
    from discreet.verify.matchings.check import verify_matchings

    readings, unreadable, spelled = [], [], {}
    for name in claim.chosen:
        try:
            reading, several = read_attribute(
                before.column(name),
                after.column(name),
                categorical=name in claim.categorical,
                labels=labels_of(claim.hierarchies, name),
                missing=claim.missing,
            )
            readings.append(reading)
            spelled[name] = several
        except UnreadableError as error:
            unreadable.append(str(error))
    if unreadable:
        figures: dict[str, float | int | str] = {"n": before.rows, "columns": shown_list(claim.chosen)}
        way_out = ("give the hierarchies used, and say which columns are categorical",)
        return Verdict("cannot tell", "matchings", claim.k, tuple(unreadable), way_out, figures)
    sensitive = None if claim.sensitive is None else folded_codes(after.column(claim.sensitive))
    failures = _spelled(spelled)
    findings = Findings(claim.accept)
    outside = other_columns.left_columns(before, after, claim.chosen)
    other_columns.extra_columns(before, after, findings)
    old, new = (
        other_columns.compare_multisets(before, after, outside, findings) if before.rows == after.rows else (None, None)
    )
    verdict = verify_matchings(
        readings,
        k=claim.k,
        sensitive_codes=sensitive,
        l=claim.l,
        secret=claim.secret,
        left=None if old is None or new is None else (old, new),
        names=claim.chosen,
    )
    verdict = replace(verdict, figures={**verdict.figures, "columns": shown_list(claim.chosen)})
    if old is not None and new is not None:
        other_columns.copies(before, after, claim.chosen, outside, findings)
        other_columns.compare_seams(before, after, findings, ordered=False)
        other_columns.listed_in_order(before, after, outside, findings)
        found = order.aligned(old, new), order.fitting(readings)
        if any(found):
            failures.append(order.FAILURE)
        elif None in found:
            findings.limits.append(order.UNJUDGED)
    verdict = replace(verdict, failures=(*verdict.failures, *failures))
    return _finish(verdict, claim, after, findings, outside)


def _spelled(columns: dict[str, int]) -> list[str]:
    return [
        f"column {shown(name)} spells {count} values in more than one way, which tells rows apart"
        for name, count in columns.items()
        if count
    ]


def _finish(
    verdict: Verdict, claim: Claim, after: Table, findings: Findings, outside: list[str], *, compared: bool = True
) -> Verdict:
    """The verdict with what was found about other columns, the columns examined, and what was not looked at."""
    failures = (*verdict.failures, *findings.failures)
    advice = list(verdict.advice)
    if findings.failures:
        advice.append(
            "leave the columns at fault out, publish them as they were, name them too (--qi), or accept them by name "
            "(accept, --accept)"
        )
    if failures and not advice:
        advice.append("run the method again and change nothing by hand")
    limits = [*verdict.limits, *claim.notes, *findings.limits]
    unchanged = other_columns.told(
        [name for name in outside if name not in claim.accept], claim.guarantee, compared=compared
    )
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
