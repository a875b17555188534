"""Checks a release from the original and the published data alone, with code that shares nothing with the methods.

| guarantee | holds when |
|---|---|
| `classes` | every combination of published values is shared by at least k rows |
| `microaggregation` | classes, and the published values are the means of their class |
| `matchings` | published boxes admit k disjoint perfect matchings with the original records |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import Faults
from discreet.results import Verdict

GUARANTEES = ("auto", "classes", "microaggregation", "matchings")


def verify(
    original: Any,
    published: Any,
    *,
    k: int,
    quasi_identifiers: Sequence[str] | None = None,
    guarantee: str = "auto",
    categorical: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    sensitive: str | None = None,
    l: int | None = None,
    missing: str = "value",
) -> Verdict:
    """Whether `published` protects the people in `original` as claimed: a `Verdict`, true when safe.

    Parameters
    ----------
    original : the confidential data, or None to check the classes of the published data alone.
    published : what is to be released, any dataframe.
    k : the claim.
    quasi_identifiers : the columns that could identify someone. By default every numeric column of the original and
        every column whose values were changed.
    guarantee : "classes", "microaggregation" or "matchings". "auto" checks matchings where values were widened to
        ranges or sets, microaggregation where numbers were replaced, and classes where there is no original.
    categorical, hierarchies, sensitive, l : for matchings: numeric columns to be read as categories, the hierarchies
        whose labels appear, and a sensitive column of which each person's matches must hold at least l values.
    missing : for matchings: missing values are a "value" of their own, or a "wildcard" that lies in every box.
    """
    from discreet.frames import adopt

    before = None if original is None else adopt(original)
    after = adopt(published)
    chosen = _chosen(before, after, k, quasi_identifiers, guarantee, sensitive, l, missing)
    if guarantee == "auto":
        guarantee = _recognize(before, after, chosen, hierarchies, l)
    if guarantee == "matchings":
        from discreet.verify.matchings import verify_matchings

        return verify_matchings(
            _columns(before),
            _columns(after),
            k=k,
            quasi_identifiers=chosen,
            categorical=tuple(categorical),
            hierarchies=hierarchies,
            sensitive=sensitive,
            l=l,
            missing=missing,
        )
    from discreet.verify.groups import verify_groups

    return verify_groups(
        None if before is None else _columns(before),
        _columns(after),
        k=k,
        chosen=chosen,
        means=guarantee == "microaggregation",
    )


def _chosen(
    before: Any,
    after: Any,
    k: int,
    named: Sequence[str] | None,
    guarantee: str,
    sensitive: str | None,
    l: int | None,
    missing: str,
) -> list[str]:
    """The columns to examine; one error with everything that is wrong."""
    from discreet.frames import numeric_columns

    faults = Faults()
    faults.check(isinstance(k, int) and not isinstance(k, bool) and k >= 1, "k must be a whole number, 1 or more")
    faults.check(guarantee in GUARANTEES, f"unknown guarantee {guarantee!r}: choose one of {', '.join(GUARANTEES)}")
    faults.check(len(after) > 0, "the published data has no rows")
    if guarantee in ("microaggregation", "matchings"):
        faults.check(before is not None, f"the guarantee {guarantee!r} can only be checked against the original data")
    faults.check(missing in ("value", "wildcard"), f"unknown policy for missing values {missing!r}: value or wildcard")
    faults.check((sensitive is None) == (l is None), "sensitive and l go together")
    if isinstance(named, str):
        faults.add("quasi_identifiers must be a list of names, not one text")
        named = ()
    frames = [("published", after)] if before is None else [("original", before), ("published", after)]
    for which, frame in frames:
        absent = [name for name in [*(named or ()), *([sensitive] if sensitive else [])] if name not in frame.columns]
        faults.check(not absent, f"the {which} data has no column named {', '.join(absent)}")
    if named is not None:
        faults.check(len(named) > 0, "the list of quasi-identifiers is empty")
        faults.raise_if_any()
        return list(dict.fromkeys(named))
    if before is None:
        faults.add("without the original data, name the columns to check (quasi_identifiers, --qi)")
        faults.raise_if_any()
        return []
    lost = [name for name in before.columns if name not in after.columns]
    faults.check(not lost, f"the published data lacks columns of the original: {', '.join(lost)}")
    faults.raise_if_any()
    return _protected(before, after, numeric_columns(before))


def _protected(before: Any, after: Any, numeric: list[str]) -> list[str]:
    """Numeric columns and those that were changed; all columns where there is neither."""
    from discreet.verify.groups import differences

    old, new = _columns(before), _columns(after)
    same_length = len(before) == len(after)
    chosen = [
        name for name in before.columns if name in numeric or not same_length or differences(old[name], new[name])
    ]
    return chosen or list(before.columns)


def _recognize(before: Any, after: Any, chosen: Sequence[str], hierarchies: Any, l: int | None) -> str:
    """Which guarantee a release claims by its looks."""
    from discreet.frames import is_numeric

    if before is None:
        return "classes"
    if hierarchies or l is not None or _widened(after, chosen):
        return "matchings"
    numeric = all(is_numeric(before, name) and is_numeric(after, name) for name in chosen)
    return "microaggregation" if numeric else "classes"


def _widened(frame: Any, chosen: Sequence[str]) -> bool:
    """Whether some value of the columns is written as a range or a set."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = _columns(frame)
    for name in chosen:
        column = columns[name]
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            continue
        if pc.any(pc.match_substring_regex(column, r"^\s*(\[.*,.*\]|\{.*\})\s*$")).as_py():
            return True
    return False


def _columns(frame: Any) -> dict[str, Any]:
    """Columns as pyarrow arrays; what pyarrow cannot type (mixed objects) is taken as text."""
    import pyarrow as pa

    out: dict[str, Any] = {}
    for name in frame.columns:
        try:
            column = frame[name].to_arrow()
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            column = pa.array([None if value is None else str(value) for value in frame[name].to_list()], pa.string())
        out[name] = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return out
