"""The verdict on classes and microaggregations in files that do not fit: what streams and counts tell, in the words of
`discreet.verify.judgement`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify import other_columns
from discreet.verify.claims import Claim
from discreet.verify.judgement import class_words, finish, spelled_words
from discreet.verify.large.facts import Column
from discreet.verify.large.groups import Classes, check_classes, count_classes, fewest_values
from discreet.verify.large.idle_values import idle_values
from discreet.verify.large.left import Doubts, compare_rows, examine, more_ways, same_rows, spellings_by_row
from discreet.verify.large.left import respelled as respelled_as
from discreet.verify.large.source import Source, side_by_side
from discreet.verify.large.spellings import spellings
from discreet.verify.large.values import bits, floats, said
from discreet.verify.microaggregated import with_means
from discreet.verify.other_columns import Findings
from discreet.verify.readers.column import Table, shown, shown_list

Figures = dict[str, float | int | str]
ADVICE = "give more memory (--memory), so that the files are examined whole, or accept these columns (--accept)"


@dataclass(frozen=True)
class Files:
    """Both tables in their files, and some rows of each in memory."""

    connection: Any
    before: Source | None
    after: Source
    some_before: Table | None
    some_after: Table
    memory: int


def judge_groups(files: Files, claim: Claim) -> Verdict:
    """The verdict on a release that claims classes of k, or a microaggregation with groups of k."""
    fault = check_weights(files, claim)
    if fault is not None:
        return Verdict("unsafe", claim.guarantee, claim.k, (fault,))
    facts = _facts(files, claim) if claim.guarantee == "microaggregation" else {}
    several, wrong = _classes(files, claim, facts)
    failures = [words for own in several for words in _small(own, claim.k)]
    advice = []
    if failures:
        advice.append(
            f"protect these columns again with k = {claim.k}; if some of them do not identify anyone, "
            "name only those that do (quasi_identifiers, --qi)"
        )
    figures: Figures = {
        "columns": shown_list(claim.chosen),
        "rows": files.after.rows,
        "classes": sum(own.classes for own in several),
        "smallest": min(own.smallest for own in several),
    }
    source = files.some_after if files.some_before is None else files.some_before
    failures += spelled_words(spellings(files.connection, files.after, claim.chosen, source, facts, files.memory))
    if claim.sensitive is not None and claim.l is not None:
        held = [_held(files, claim, names) for names in claim.sets]
        for rows, classes, _ in held:
            if rows:
                failures.append(
                    f"{rows} rows are in {classes} classes with fewer than {claim.l} different values of "
                    f"{shown(claim.sensitive)}"
                )
        if any(rows for rows, _, _ in held):
            advice.append(f"publish larger classes, or suppress those without {claim.l} different sensitive values")
        figures |= {"l": claim.l, "fewest_values": min(fewest for _, _, fewest in held)}
    proven = class_words(claim)
    if claim.l is not None:
        proven.append(f"every class holds at least {claim.l} different values of {shown(claim.sensitive)}")
    verdict = Verdict("safe", claim.guarantee, claim.k, tuple(failures), tuple(advice), figures, tuple(proven))
    findings = Findings(claim.accept)
    doubts = Doubts(findings)
    if files.before is None:
        other_columns.compare_seams(None, files.after, findings, ordered=True)
        outside = [name for name in files.after.names if name not in set(claim.chosen)]
        return finish(verdict, claim, files.some_after, findings, outside, compared=False)
    outside, shuffled, told = _left(files, claim, doubts)
    other_columns.compare_seams(files.before, files.after, findings, ordered=not shuffled)
    verdict = replace(verdict, figures={**verdict.figures, **told})
    if claim.guarantee == "microaggregation":
        verdict = _means(verdict, claim, facts, wrong)
    if len(claim.sets) > 1:
        verdict = replace(verdict, figures={**verdict.figures, **_together(files, claim, findings)})
    return finish_with_doubts(verdict, claim, files, doubts, outside, shuffled=shuffled)


def finish_with_doubts(
    verdict: Verdict, claim: Claim, files: Files, doubts: Doubts, outside: list[str], *, shuffled: bool
) -> Verdict:
    """The verdict with all findings: "cannot tell" where there are doubts and nothing worse."""
    found = finish(verdict, claim, files.some_after, doubts.findings, outside, shuffled=shuffled)
    if not doubts.words:
        return found
    words = tuple(f"{one} was not decided" for one in doubts.words)
    if found.outcome == "unsafe":
        return replace(found, limits=(*found.limits, *words))
    return replace(
        found, outcome="cannot tell", failures=(*found.failures, *words), advice=(*found.advice, ADVICE), proven=()
    )


def _small(own: Classes, k: int) -> list[str]:
    if not own.small_classes:
        return []
    return [
        f"{own.small_rows} rows are in {own.small_classes} classes of fewer than {k} rows "
        f"(the smallest has {own.smallest})"
    ]


def _facts(files: Files, claim: Claim) -> dict[str, Column]:
    """One pass over the originals and the published values of the columns of means."""
    assert files.before is not None
    facts = {name: Column() for name in claim.chosen}
    names = list(claim.chosen)
    weights = [] if claim.weight is None else [claim.weight]
    for was, now in side_by_side(files.before, files.after, [*names, *weights], names):
        w = None if claim.weight is None else floats(claim.weight, was.column(claim.weight))[0]
        pairs = {}
        for name in names:
            x, number = floats(name, was.column(name))
            y, too = floats(name, now.column(name))
            pairs[name] = x, y
            facts[name].numbers = facts[name].numbers and number and too
            facts[name].note_signs(now.column(name))
        for own in claim.sets:
            apart = np.isnan(pairs[own[0]][1])
            for name in own[1:]:
                if not apart.any():
                    break
                apart &= np.isnan(pairs[name][1])
            away = apart if apart.any() else None
            gap = any(bool(np.isnan(pairs[name][0][~apart]).any()) for name in own)
            for name in own:
                facts[name].gap_inside = facts[name].gap_inside or gap
                facts[name].add(*pairs[name], away, w)
    return facts


def _classes(files: Files, claim: Claim, facts: dict[str, Column]) -> tuple[list[Classes], dict[str, list[int]]]:
    """The classes of each set of columns, and per column of means the rows with too few known and with wrong values."""
    several: list[Classes] = []
    wrong: dict[str, list[int]] = {}
    for names in claim.sets:
        own = [facts[name] for name in names if name in facts]
        if not own or any(not column.numbers or column.infinite for column in own):
            several.append(_count(files, claim, names))
            continue
        found = check_classes(
            files.connection,
            partial(_with_means, files, claim, names),
            len(names) + len(claim.by),
            claim.k,
            own,
            weighted=claim.weight is not None,
        )
        several.append(found)
        wrong |= {name: [few, bad] for name, few, bad in zip(names, found.few, found.wrong)}
    return several, wrong


def _count(files: Files, claim: Claim, names: Sequence[str]) -> Classes:
    """The classes of some columns alone."""
    return count_classes(files.connection, partial(_keys, files, claim, names), len(names) + len(claim.by), claim.k)


def _keys(files: Files, claim: Claim, names: Sequence[str], more: Sequence[str] = ()) -> Iterator[Any]:
    """The published values of some columns and what the strata say, batch by batch."""
    import pyarrow as pa

    for batch in files.after.batches([*names, *claim.by, *more]):
        arrays = _key_arrays(batch, names, claim.by)
        labels = [f"p{j}" for j in range(len(arrays))]
        for name in more:
            arrays.append(said(name, batch.column(name)))
            labels.append("s")
        yield pa.record_batch(arrays, names=labels)


def _key_arrays(batch: Any, names: Sequence[str], by: Sequence[str]) -> list[Any]:
    return [*(bits(n, batch.column(n)) for n in names), *(said(n, batch.column(n)) for n in by)]


def _with_means(files: Files, claim: Claim, names: Sequence[str]) -> Iterator[Any]:
    """Likewise, with the originals and the published numbers, and weights."""
    import pyarrow as pa

    assert files.before is not None
    weights = [] if claim.weight is None else [claim.weight]
    for was, now in side_by_side(files.before, files.after, [*names, *weights], [*names, *claim.by]):
        arrays = _key_arrays(now, names, claim.by)
        labels = [f"p{j}" for j in range(len(arrays))]
        for j, name in enumerate(names):
            arrays += [_doubles(was, name), _doubles(now, name)]
            labels += [f"x{j}", f"y{j}"]
        for name in weights:
            arrays.append(_doubles(was, name))
            labels.append("w")
        yield pa.record_batch(arrays, names=labels)


def _doubles(batch: Any, name: str) -> Any:
    import pyarrow as pa

    return pa.array(floats(name, batch.column(name))[0], from_pandas=True)  # NaN becomes null


def _held(files: Files, claim: Claim, names: Sequence[str]) -> tuple[int, int, int]:
    assert claim.sensitive is not None and claim.l is not None
    sensitive = [claim.sensitive]
    keys = len(names) + len(claim.by)
    return fewest_values(files.connection, partial(_keys, files, claim, names, sensitive), keys, claim.l)


def _left(files: Files, claim: Claim, doubts: Doubts) -> tuple[list[str], bool, Figures]:
    """Columns outside the chosen ones: which they are, whether rows are shuffled, and figures."""
    before, after, findings = files.before, files.after, doubts.findings
    assert before is not None and files.some_before is not None
    outside = other_columns.left_columns(files.some_before, files.some_after, claim.chosen)
    other_columns.extra_columns(files.some_before, files.some_after, findings)
    idle_values(before, files.after, doubts)
    kept = [name for name in claim.chosen if claim.guarantee == "classes"]
    differ, respelled, changed = compare_rows(before, after, outside, kept)
    shuffled = False
    if claim.guarantee == "classes" and (differ or respelled) and same_rows(files.connection, before, after, outside):
        shuffled, differ, respelled = True, {}, set()
    if shuffled:
        changed = {name for name in changed if not same_rows(files.connection, before, after, [name])}
    if claim.guarantee == "microaggregation":
        changed = set(claim.chosen)
    for name, rows in differ.items():
        findings.altered([name], f"column {{}}, which is not among the protected ones, differs in {rows} rows")
    for name in sorted(respelled):
        if more_ways(files.connection, spellings_by_row(before, after, name)):
            findings.altered([name], other_columns.MORE_WAYS)
        else:
            respelled_as(before, after, name, doubts)
    left = [name for name in outside if name not in claim.by]
    told = examine(
        files.connection,
        before,
        (files.some_before, files.some_after),
        keys=claim.chosen,
        changed=changed,
        left=left,
        k=claim.k,
        guarantee=claim.guarantee,
        doubts=doubts,
    )
    return outside, shuffled, told


def _means(verdict: Verdict, claim: Claim, facts: dict[str, Column], wrong: dict[str, list[int]]) -> Verdict:
    """The verdict with what was found about means, and with the loss."""
    failures = []
    for name, column in facts.items():
        if not column.numbers:
            failures.append(f"column {shown(name)} is not numeric, so it cannot hold means")
        elif column.infinite:
            failures.append(f"column {shown(name)} holds numbers that are infinite or beyond 1.8e308")
    for name, (few, bad) in wrong.items():
        if few:
            failures.append(
                f"in column {shown(name)}, {few} rows are published with a number though fewer than {claim.k} values "
                "of their class are known"
            )
        if bad:
            failures.append(
                f"in column {shown(name)}, {bad} rows are published with a value that is not their class's mean"
            )
    figures: Figures = {}
    if not any(not column.numbers or column.infinite for column in facts.values()):
        figures = _loss(facts)
    return with_means(verdict, claim, failures, figures)


def _loss(facts: dict[str, Column]) -> Figures:
    figures: Figures = {}
    error = total = 0.0
    for column in facts.values():
        outside = not column.gap_inside and column.inside.count > 0
        own, of = column.loss(outside)
        error, total = error + own, total + of
    loss = 100.0 * error / total if total > 0 else 0.0
    if np.isfinite(loss):
        figures["information_loss"] = loss
    for what in ("blanked", "filled", "extremes"):
        count = sum(getattr(column, what) for column in facts.values())
        if count:
            figures[what] = count
    return figures


def _together(files: Files, claim: Claim, findings: Findings) -> Figures:
    """Whether someone who knows the columns of several sets tells rows apart."""
    joint = _count(files, claim, claim.chosen)
    told = (
        f"for someone who knows the columns of all {len(claim.sets)} sets, {joint.small_rows} rows are in classes of "
        f"fewer than {claim.k} (the smallest has {joint.smallest})"
    )
    open_sets = [names for names in claim.sets if not set(names) <= claim.accept]
    if len(open_sets) > 1 and _count(files, claim, [name for names in open_sets for name in names]).small_rows:
        findings.failures.append(f"{told}: protect them together, or accept the columns of all sets but one")
    elif joint.small_rows:
        findings.limits.append(told)
    return {"alone_together": joint.small_rows}


def check_weights(files: Files, claim: Claim) -> str | None:
    """What is wrong with the weights: they must be positive numbers, and not of too many sizes."""
    if claim.weight is None or files.before is None:
        return None
    least, largest = np.inf, 0.0
    for batch in files.before.batches([claim.weight]):
        values, only = floats(claim.weight, batch.column(claim.weight))
        if not only or not bool((np.isfinite(values) & (values > 0)).all()):
            return f"the weight {shown(claim.weight)} is not a positive number in every row of the original"
        least, largest = min(least, float(values.min())), max(largest, float(values.max()))
    if largest / least > 2.0**100 or largest > 2.0**200 or least < 2.0**-200:
        raise InputError(f"the weights in {shown(claim.weight)} are of too many sizes to be added up")
    return None
