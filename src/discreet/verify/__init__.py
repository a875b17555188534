"""Checks a release from the original and the published data alone, with code that shares nothing with the methods.

| guarantee | holds when |
|---|---|
| `classes` | every combination of published values is shared by at least k rows |
| `microaggregation` | classes, and the published values are the means of k or more known values of their class |
| `matchings` | published boxes admit k disjoint perfect matchings with the original records |
| `blanks` | key cells are blank or as they were, and every published combination of keys is shared by k |
| `measured` | never: perturbed values prove nothing. Its verdict is "cannot tell" with what was measured, or "unsafe" |

Files are read by readers of its own (`discreet.verify.readers`). Values are the same only if they are the same as
published: to the byte in text, by value and type elsewhere. What a "safe" stands for, and what not, is in the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from discreet.results import Verdict
from discreet.verify.file import File, is_in_parts

if TYPE_CHECKING:
    import os

    from discreet.verify.claims import Claim
    from discreet.verify.readers import Table

__all__ = ["File", "verify", "verify_certified"]

Guarantee = Literal["auto", "classes", "microaggregation", "matchings", "blanks", "measured"]
Missing = Literal["value", "wildcard"]
Scale = Literal["sd", "range", "none"]
Semantics = Literal["class", "cover"]


def verify(
    original: Any,
    published: Any,
    *,
    k: int,
    quasi_identifiers: Sequence[str] | Sequence[Sequence[str]] | None = None,
    guarantee: Guarantee = "auto",
    categorical: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    sensitive: str | None = None,
    l: int | None = None,
    missing: Missing | None = None,
    accept: Sequence[str] = (),
    secret: str | os.PathLike[str] | None = None,
    numeric: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
    person: str | None = None,
    rare: str = "error",
    caps: Mapping[str, Any] | None = None,
    identifiers: Sequence[str] = (),
    earlier: Sequence[str | os.PathLike[str]] = (),
    by: str | Sequence[str] = (),
    semantics: Semantics | None = None,
    combinations: int | None = None,
    memory: int | str | None = None,
) -> Verdict:
    """Whether `published` protects the people in `original` as claimed: a `Verdict`, true when safe.

    Parameters
    ----------
    original : the confidential data, or None to check the classes of the published data alone. A dataframe (pandas,
        Polars, pyarrow), the path of a file, a folder or pattern of Parquet files, a dataset, or a `File`.
    published : what is to be released, likewise.
    k : the claim.
    quasi_identifiers : the columns that could identify someone. By default every numeric column of the original and
        every column whose values were changed; the verdict names them. For microaggregation, several lists of columns
        that were grouped one by one: then someone who knows them all must not tell rows apart either, unless the
        columns of all lists but one are accepted.
    guarantee : "classes", "microaggregation", "matchings" or "blanks". "auto" checks matchings where values were
        widened to ranges or sets or rows were only shuffled, blanks where values are as they were or blank,
        microaggregation where numbers were replaced, and classes where there is no original. "measured" is for
        perturbed values (k = 1), and never safe.
    sensitive, l : each class, or each person's candidates, must hold at least l different values of this column.
    categorical, hierarchies : for matchings: numeric columns to be read as categories, and the hierarchies whose
        labels appear.
    missing : for matchings: missing values are a "value" of their own (the default), or a "wildcard" in every box.
    accept : columns that may tell people apart as they stand in the original, accepted by name: what they tell becomes
        a limit of the verdict. A left column that was changed stays a failure.
    secret : the custodian's file (its path or text): the sets behind every published row, and the draw itself.
    numeric, weight : columns published as the means of the sets of records behind each row; for microaggregation
        `weight` is the column of sampling weights by which means are weighted.
    household, person : the column whose values number households, or persons with several rows. These are then the
        units that have k matches, and the published column must be a fresh numbering.
    rare : what was done with units of a size that fewer than k have: "error" (there are none), "merge" (published with
        fewer members), "suppress" (left out) or "unlink" (published row by row, without a number).
    caps : per column the greatest value that is published, or (least, greatest), or both by name: values of the
        original beyond count as the cap, and a published one beyond is a fault.
    identifiers : columns of the original that must not be published.
    earlier : manifests of earlier releases of these people: candidates in each are intersected with those in this one.
    by : for microaggregation: columns whose values are strata, within which classes are counted.
    semantics : for blanks: who shares a combination, "class" (k published rows show it; the default) or "cover" (it
        fits k records of the original).
    combinations : for blanks: every combination of so many keys is shared by k, rather than of all keys.
    memory : how much memory the check may take, such as "2GB" (the default for folders). Files that do not fit are
        streamed and sorted on disk.
    """
    claim = {
        "k": k,
        "quasi_identifiers": quasi_identifiers,
        "guarantee": guarantee,
        "categorical": categorical,
        "hierarchies": hierarchies,
        "sensitive": sensitive,
        "l": l,
        "missing": missing,
        "accept": accept,
        "secret": secret,
        "numeric": numeric,
        "weight": weight,
        "household": household,
        "person": person,
        "rare": rare,
        "caps": caps,
        "identifiers": identifiers,
        "earlier": earlier,
        "by": by,
        "semantics": semantics,
        "combinations": combinations,
    }
    if memory is not None or is_in_parts(original) or is_in_parts(published):
        from discreet.verify.large import judge_parts

        return judge_parts(original, published, memory, claim)
    return judge(original, published, **claim)[-1]


def verify_certified(
    original: Any, published: Any, certificate: str | os.PathLike[str], *, scale: Scale = "sd", **claim: Any
) -> tuple[Verdict, Verdict]:
    """`verify`, and the verdict on a certificate of microaggregation or blanks: nothing in its file is believed.

    For microaggregation, `scale` is how columns were made comparable ("sd", "range" or "none"). The columns are those
    that `verify` examines.
    """
    from pathlib import Path

    from discreet.errors import Faults, InputError
    from discreet.verify.certificates.check import verify_certificate_file
    from discreet.verify.groups import rows_of_numbers

    faults = Faults()
    faults.check(original is not None, "a certificate can only be checked against the original data")
    faults.check(scale in ("sd", "range", "none"), "unknown scale: choose one of sd, range, none")
    faults.raise_if_any()
    before, after, made, verdict = judge(original, published, **claim)
    assert before is not None
    if made.guarantee == "blanks":
        return verdict, _verify_blanks(before, after, made, certificate)
    if made.guarantee != "microaggregation":
        raise InputError(
            "a certificate is about a microaggregation or a local suppression, and this release was checked for "
            f"{made.guarantee}: leave the certificate out, or ask for guarantee 'microaggregation' or 'blanks'"
        )
    if len(made.sets) > 1 or made.weight is not None or made.by:
        raise InputError("a certificate is about one set of columns without weights and strata: leave it out")
    values, released = (rows_of_numbers([table.column(name) for name in made.chosen]) for table in (before, after))
    if values is None or released is None:
        words = "the columns examined are not numbers throughout, so that there is nothing to prove about them"
        return verdict, Verdict("cannot tell", "certificate", made.k, (words,), ("name the columns (--qi)",))
    proof = verify_certificate_file(
        values, Path(certificate), k=made.k, columns=made.chosen, scale=scale, published=released
    )
    return verdict, proof


def _verify_blanks(before: Table, after: Table, claim: Claim, certificate: str | os.PathLike[str]) -> Verdict:
    """The verdict on a certificate of local suppression, with how far the release is from what it proves."""
    from discreet.verify.blanks.cells import read_cells, read_original
    from discreet.verify.blanks.certificate import Question, verify_certificate

    blanked = None
    if before.rows == after.rows:
        cells = read_cells(before, after, claim.chosen)
        blanked = cells.blanked if cells.explained else None
    codes = read_original(before, claim.chosen)
    question = Question(claim.chosen, codes, claim.k, claim.semantics, claim.combinations)
    return verify_certificate(certificate, question, blanked)


def judge(original: Any, published: Any, **claim: Any) -> tuple[Table | None, Table, Claim, Verdict]:
    """Both tables, the claim in full, and the verdict."""
    from discreet.errors import Faults
    from discreet.verify.claims import Asked, check_claim, open_tables
    from discreet.verify.judgement import judge_groups, judge_matchings

    faults = Faults()
    before, after = open_tables(original, published, faults)
    if after is None:
        faults.raise_if_any()
    assert after is not None
    made = check_claim(before, after, faults, Asked(**claim), has_original=original is not None)
    if made.guarantee == "matchings":
        assert before is not None
        verdict = judge_matchings(before, after, made)
    elif made.guarantee == "blanks":
        from discreet.verify.blanks.judge import judge_blanks

        verdict = judge_blanks(before, after, made)
    elif made.guarantee == "measured":
        from discreet.verify.perturbed.judge import judge_measured

        assert before is not None
        verdict = judge_measured(before, after, made)
    else:
        verdict = judge_groups(before, after, made)
    if made.earlier:
        from discreet.verify.earlier import judge_earlier

        assert before is not None
        verdict = judge_earlier(original, before, after, made, verdict)
    return before, after, made, verdict
