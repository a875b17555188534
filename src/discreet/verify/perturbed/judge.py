"""The verdict on a perturbed file: "cannot tell", with what was measured; "unsafe" where something is plainly wrong.

Plainly wrong is: another number of rows, a column that is claimed to be perturbed and is as it was, a left column that
was changed or tells who is who (an identifier, a copy, a column that tells the perturbed ones), line ends that differ.
Whatever is not wrong is measured: how many values changed, and how many persons somebody finds again who knows the
original values of the perturbed columns, and of all left ones too.
"""

from __future__ import annotations

import numpy as np

from discreet.results import Verdict
from discreet.verify import other_columns
from discreet.verify.claims import Claim
from discreet.verify.groups import classes
from discreet.verify.idle_values import idle_values
from discreet.verify.left.examine import examine
from discreet.verify.other_columns import Findings, joint
from discreet.verify.perturbed.linkage import found_again
from discreet.verify.readers.column import Table, shown, shown_list

HEADLINE = "Measured, not proven: no guarantee is claimed for this file, and none was checked."
WAY_OUT = (
    "leave the columns at fault out (--drop), perturb them too, or accept by name (accept, --accept) what they tell as "
    "they were",
    "a method with a guarantee (microaggregate, generalize, suppress-locally, protect) can be proven instead",
)


def judge_measured(before: Table, after: Table, claim: Claim) -> Verdict:
    """What is wrong with the file, else what was measured on it."""
    if before.rows != after.rows:
        words = f"the original has {before.rows} rows, the published data {after.rows}"
        return Verdict("unsafe", "measured", None, (words,), ("publish every record once, in the original order",))
    failures = [*_unchanged(before, after, claim)]
    findings = Findings(claim.accept)
    outside = other_columns.left_columns(before, after, claim.chosen)
    other_columns.extra_columns(before, after, findings)
    idle_values(before, after, findings)
    other_columns.compare_rows(before, after, outside, findings)
    other_columns.copies(before, after, claim.chosen, outside, findings)
    told = examine(before, after, keys=claim.chosen, left=outside, k=1, guarantee="measured", findings=findings)
    other_columns.compare_seams(before, after, findings, ordered=True)
    failures += findings.failures
    figures: dict[str, float | int | str] = {"columns": shown_list(claim.chosen), "rows": before.rows, **told}
    figures |= {f"changed: {shown(name)}": share for name, share in _changed(before, after, claim).items()}
    found, asked = found_again(before.columns(claim.chosen), after.columns(claim.chosen))
    figures |= {"found": found, "asked": asked}
    limits = [
        f"somebody who knows the original {shown_list(claim.chosen)} finds {100 * found:.3g} % of {asked} persons by "
        "the nearest row; there may be better attacks"
    ]
    if outside:
        more, _ = found_again(before.columns(claim.chosen), after.columns(claim.chosen), before.columns(outside))
        alone = int((classes(after.columns(outside)).sizes == 1).sum())
        figures |= {"found_with_left": more, "alone_by_left": alone}
        limits.append(
            f"whoever also knows {shown_list(outside)}, which go out as they are, finds {100 * more:.3g} %; by these "
            f"columns alone {alone} of {before.rows} rows have no like"
        )
    limits += [*claim.notes, *findings.limits]
    if after.carried:
        limits.append(f"the file also carries {' and '.join(after.carried)}, which nobody looked at")
    return Verdict(
        "unsafe" if failures else "cannot tell",
        "measured",
        None,
        tuple(failures),
        WAY_OUT if failures else WAY_OUT[1:],
        figures,
        (),
        tuple(limits),
        "" if failures else HEADLINE,
    )


def _changed(before: Table, after: Table, claim: Claim) -> dict[str, float]:
    """Per perturbed column the share of rows whose value is another one now."""
    out = {}
    for name in claim.chosen:
        a, b = before.column(name), after.column(name)
        was, now = joint(a, b)
        out[name] = float(np.mean(was[a.codes] != now[b.codes]))
    return out


def _unchanged(before: Table, after: Table, claim: Claim) -> list[str]:
    return [
        f"column {shown(name)} is said to be perturbed, and every value of it is as it was"
        for name, share in _changed(before, after, claim).items()
        if share == 0.0
    ]
