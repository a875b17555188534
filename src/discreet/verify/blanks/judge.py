"""The verdict on a release with blanks: cells blank or unchanged, combinations shared, other columns as they were.

Of a file that does not hold what it claims, a peer's among them, the verdict also says how many published rows fit
fewer than k records of the original, and how many exactly one: whoever has the register undoes those.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.results import Verdict
from discreet.verify import other_columns
from discreet.verify.blanks.cells import Cells, read_cells
from discreet.verify.blanks.neighbors import told_by_order
from discreet.verify.blanks.sharing import covering, fits, shown_by
from discreet.verify.claims import Claim
from discreet.verify.groups import classes
from discreet.verify.idle_values import idle_values
from discreet.verify.judgement import finish, spelled_words
from discreet.verify.left.examine import examine
from discreet.verify.matchings.reading import spellings
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, shown_list
from discreet.verify.units.judge import check_gone
from discreet.verify.values.meaning import is_numeric

Figures = dict[str, float | int | str]


def judge_blanks(before: Table | None, after: Table, claim: Claim) -> Verdict:
    """The verdict on a release that claims k sharers of every combination of its keys, blanks among them."""
    columns = after.columns(claim.chosen)
    source = after if before is None else before
    failures = spelled_words(
        {c.name: spellings(c, numeric=is_numeric(source.column(c.name))) for c in columns},
    )
    figures: Figures = {"columns": shown_list(claim.chosen), "rows": after.rows, "semantics": claim.semantics}
    figures |= {} if claim.combinations is None else {"combinations": claim.combinations}
    findings = Findings(claim.accept)
    check_gone(after, claim, findings)
    verdict = Verdict("safe", "blanks", claim.k, tuple(failures), (), figures, (_words(claim),))
    if before is None:
        verdict = _shared(verdict, np.stack([c.codes for c in columns], axis=1), claim)
        outside = [name for name in after.names if name not in set(claim.chosen)]
        other_columns.compare_seams(None, after, findings, ordered=True)
        return finish(verdict, claim, after, findings, outside, compared=False)
    if before.rows != after.rows:
        words = f"the original has {before.rows} rows, the published data {after.rows}"
        return replace(verdict, outcome="unsafe", failures=(*failures, words), proven=())
    cells = read_cells(before, after, claim.chosen)
    verdict = _judge_cells(verdict, cells, claim)
    return _judge_left(before, after, claim, cells, verdict, findings)


def _words(claim: Claim) -> str:
    keys = shown_list(claim.chosen)
    some = "" if claim.combinations is None else f"any {claim.combinations} of "
    if claim.semantics == "class":
        return f"every published combination of {some}{keys}, blanks included, is shown by {claim.k} rows or more"
    return f"every published combination of {some}{keys} fits {claim.k} or more records of the original"


def _shared(verdict: Verdict, published: np.ndarray, claim: Claim) -> Verdict:
    """The verdict with whether k rows show every combination: from the published file alone."""
    fewest = shown_by(published, claim.combinations)
    small = int((fewest < claim.k).sum())
    figures: Figures = {**verdict.figures, "smallest": int(fewest.min())}
    if not small:
        return replace(verdict, figures=figures)
    some = "" if claim.combinations is None else f" of {claim.combinations} keys"
    words = f"{small} rows show a combination{some} that fewer than {claim.k} rows show (the least is shown by "
    words += f"{int(fewest.min())})"
    return replace(verdict, failures=(*verdict.failures, words), figures={**figures, "small": small})


def _judge_cells(verdict: Verdict, cells: Cells, claim: Claim) -> Verdict:
    """The verdict with what the keys of both files tell."""
    wrong = cells.failures()
    if wrong:
        advice = "this is no local suppression of the original: cells may be blank, or as they were"
        verdict = replace(verdict, failures=(*verdict.failures, *wrong), advice=(*verdict.advice, advice))
    blanked = {name: int(count) for name, count in zip(cells.names, cells.blanked)}
    verdict = replace(verdict, figures={**verdict.figures, "blanked": sum(blanked.values())})
    if claim.semantics == "class":
        verdict = _shared(verdict, cells.published, claim)
    if claim.semantics == "cover" or verdict.failures:
        verdict = _covered(verdict, cells, claim)
    if verdict.failures and not verdict.advice:
        verdict = replace(verdict, advice=(f"suppress these keys again with k = {claim.k}",))
    return verdict


def _covered(verdict: Verdict, cells: Cells, claim: Claim) -> Verdict:
    """The verdict with how many originals published rows fit, and how many rows fit a person."""
    fitted = fits(cells.original, cells.published, claim.combinations)
    few, one = int((fitted < claim.k).sum()), int((fitted == 1).sum())
    fitting = covering(cells.original, cells.published).fitting
    found = int((fitting < claim.k).sum())
    figures: Figures = {**verdict.figures, "fits_fewer": few, "fits_one": one, "found_in_fewer": found}
    failures, limits = verdict.failures, verdict.limits
    if few:
        failures = (
            *failures,
            f"{few} published rows fit fewer than {claim.k} records of the original, {one} of them exactly one: "
            "whoever has the register undoes these",
        )
    if found:
        limits = (
            *limits,
            f"who is looked for: {found} persons fit fewer than {claim.k} published rows, since a row by cover hides "
            "whom it is of and not where somebody is; classes hide both (semantics 'class')",
        )
    return replace(verdict, failures=failures, limits=limits, figures=figures)


def _judge_left(
    before: Table, after: Table, claim: Claim, cells: Cells, verdict: Verdict, findings: Findings
) -> Verdict:
    """The verdict with what the columns tell that go out as they are, and the order of rows."""
    outside = [
        name
        for name in other_columns.left_columns(before, after, claim.chosen)
        if name not in set(claim.roles.identifiers)
    ]
    other_columns.extra_columns(before, after, findings)
    idle_values(before, after, findings)
    shuffled = not cells.in_order and cells.explained
    rows = None
    if shuffled:
        rows = other_columns.compare_multisets(before, after, outside, findings)
        other_columns.listed_in_order(before, after, outside, findings)
    else:
        other_columns.compare_rows(before, after, outside, findings)
        findings.failures += told_by_order(cells.names, cells.original, cells.published)
    other_columns.copies(before, after, claim.chosen, outside, findings)
    by_box = shuffled or claim.semantics == "cover" or claim.combinations is not None
    told = examine(
        before,
        after,
        keys=claim.chosen,
        left=outside,
        k=claim.k,
        guarantee="blanks",
        findings=findings,
        readings=cells.readings() if by_box else None,
        groups=None if by_box else classes(after.columns(claim.chosen)).of_row,
        rows=rows,
    )
    verdict = replace(verdict, figures={**verdict.figures, **told})
    other_columns.compare_seams(before, after, findings, ordered=not shuffled)
    return finish(verdict, claim, after, findings, outside, shuffled=shuffled)
