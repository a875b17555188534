"""What a release claims: the arguments of `verify`, checked all at once, the columns to examine and the guarantee."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, whole
from discreet.verify.groups import combine
from discreet.verify.other_columns import joint, left_columns, same_multiset
from discreet.verify.readers import Column, Table, open_table, shown, shown_list
from discreet.verify.values.meaning import TEXTUAL, is_numeric, missing, texts

GUARANTEES = ("auto", "classes", "microaggregation", "matchings")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The arguments of `verify` as they were given; what each means is said there."""

    k: Any
    quasi_identifiers: Sequence[str] | None = None
    guarantee: str = "auto"
    categorical: Sequence[str] = ()
    hierarchies: Mapping[str, Any] | None = None
    sensitive: str | None = None
    l: Any = None
    missing: str | None = None
    accept: Sequence[str] = ()
    secret: Any = None


@dataclass(frozen=True)
class Claim:
    """A claim that makes sense: what is examined, and how. `notes` are limits that come with the choice of columns."""

    k: int
    guarantee: str
    chosen: tuple[str, ...]
    named: bool
    categorical: frozenset[str]
    hierarchies: Mapping[str, Any]
    sensitive: str | None
    l: int | None
    missing: str
    accept: frozenset[str]
    secret: str | None = field(repr=False)
    notes: tuple[str, ...] = ()


def open_tables(original: Any, published: Any, faults: Faults) -> tuple[Table | None, Table | None]:
    """Both tables; what cannot be read is among the faults."""
    tables: list[Table | None] = []
    for source, what in ((original, "the original"), (published, "the published data")):
        try:
            tables.append(None if source is None and what == "the original" else open_table(source, what))
        except InputError as error:
            faults.extend(error)
            tables.append(None)
    return tables[0], tables[1]


def names_of(given: Any, what: str, faults: Faults) -> tuple[str, ...]:
    """A list of names, each once."""
    if isinstance(given, str | bytes):
        faults.add(f"{what} must be a list of names, not one text")
        return ()
    try:
        names = tuple(dict.fromkeys(given))
    except TypeError:
        faults.add(f"{what} must be a list of names")
        return ()
    if not all(isinstance(name, str) for name in names):
        faults.add(f"{what} must be a list of names, and some are not text")
        return ()
    return tuple(str(name) for name in names)


def check_claim(
    before: Table | None,
    after: Table,
    faults: Faults,
    asked: Asked,
    *,
    has_original: bool,
) -> Claim:
    """The claim, or one error with everything that is wrong with it."""
    k, l, sensitive, guarantee, missing = asked.k, asked.l, asked.sensitive, asked.guarantee, asked.missing
    hierarchies = asked.hierarchies
    number = whole(k)
    faults.check(number is not None and number >= 1, "k must be a whole number, 1 or more")
    values = None if l is None else whole(l)
    faults.check(l is None or (values is not None and values >= 1), "l must be a whole number, 1 or more")
    faults.check(guarantee in GUARANTEES, f"unknown guarantee: choose one of {', '.join(GUARANTEES)}")
    faults.check(missing in (None, "value", "wildcard"), "unknown policy for missing values: value or wildcard")
    faults.check((sensitive is None) == (l is None), "sensitive and l go together: give both or neither")
    faults.check(after.rows > 0, "the published data has no rows")
    faults.check(before is None or before.rows > 0, "the original has no rows")
    if not has_original and guarantee in ("microaggregation", "matchings"):
        faults.add(f"the guarantee {guarantee!r} can only be checked against the original data")
    taken, named = _check_names(before, after, faults, asked.accept, asked.quasi_identifiers, sensitive)
    trees = dict(hierarchies or {}) if isinstance(hierarchies, Mapping | None) else {}
    faults.check(isinstance(hierarchies, Mapping | None), "hierarchies must be a mapping from columns to hierarchies")
    codes = names_of(asked.categorical, "categorical", faults)
    text = _secret_text(asked.secret, faults)
    if named is None and not has_original:
        faults.add("without the original data, name the columns to check (quasi_identifiers, --qi)")
    if faults or (has_original and before is None):
        faults.raise_if_any()
    assert number is not None
    notes: list[str] = []
    if named is None:
        assert before is not None
        chosen = _default_columns(before, after, sensitive, taken, faults, notes)
        faults.raise_if_any()
    else:
        chosen = named
    found = guarantee
    if guarantee == "auto":
        found = _recognize(before, after, chosen, hinted=bool(trees) or text is not None)
    examined = set(chosen)
    given = {"categorical": codes, "hierarchies": trees, "missing": missing, "secret": text}
    if found != "matchings":
        for what, value in given.items():
            why = "" if guarantee != "auto" else " (the guarantee that this release claims by its looks)"
            faults.check(not value, f"{what} is for the guarantee 'matchings' and means nothing for {found!r}{why}")
    for what, names in (("categorical", codes), ("hierarchies", tuple(trees))):
        stray = [str(name) for name in names if name not in examined]
        faults.check(not stray, f"{what} names columns that are not quasi-identifiers: {shown_list(stray)}")
    faults.raise_if_any()
    return Claim(
        number,
        found,
        tuple(chosen),
        named is not None,
        frozenset(codes),
        trees,
        sensitive,
        values,
        missing or "value",
        frozenset(taken),
        text,
        tuple(notes),
    )


def _check_names(
    before: Table | None, after: Table, faults: Faults, accept: Any, quasi_identifiers: Any, sensitive: str | None
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The columns that are accepted, and those that are named to be examined (None where none are)."""
    taken = names_of(accept, "accept", faults)
    known = set(after.names)
    stray = [name for name in taken if name not in known]
    faults.check(not stray, f"accept names columns that the published data does not have: {shown_list(stray)}")
    named = None if quasi_identifiers is None else names_of(quasi_identifiers, "quasi_identifiers", faults)
    if named is not None:
        faults.check(bool(named) or bool(faults), "the list of quasi-identifiers is empty")
        spared = set(taken)
        both = [name for name in named if name in spared]
        faults.check(not both, f"both examined and accepted as they are: {shown_list(both)}; choose one")
    if sensitive is not None:
        faults.check(sensitive not in (named or ()), "the sensitive column cannot be a quasi-identifier")
    for which, table in (("original", before), ("published data", after)):
        if table is not None:
            wanted = [*(named or ()), *([sensitive] if sensitive is not None else [])]
            present = set(table.names)
            absent = [name for name in wanted if name not in present]
            faults.check(not absent, f"the {which} has no column named {shown_list(absent)}")
    return taken, named


def _secret_text(secret: Any, faults: Faults) -> str | None:
    """The custodian's file: its text, or what stands in the file of this name."""
    if secret is None:
        return None
    if isinstance(secret, str) and "\n" in secret:
        return secret
    if not isinstance(secret, str | os.PathLike):
        faults.add("secret must be the custodian's file, or its text")
        return None
    try:
        return Path(secret).read_text(encoding="utf-8")
    except (OSError, ValueError):
        faults.add("the custodian's secret file cannot be read")
        return None


def _default_columns(
    before: Table, after: Table, sensitive: str | None, taken: Sequence[str], faults: Faults, notes: list[str]
) -> tuple[str, ...]:
    """Numeric columns and those that were changed; all columns where there is neither."""
    spared = {*taken, *before.index, *([sensitive] if sensitive is not None else [])}
    present = set(after.names)
    lost = [name for name in before.names if name not in present and name not in before.index]
    if not faults.check(not lost, f"the published data lacks columns of the original: {shown_list(lost)}"):
        return ()
    names = [name for name in before.names if name not in spared]
    if before.rows != after.rows:
        return tuple(names)
    same = before.same(after, names)
    profiles = before.profile(names)
    chosen, codes = [], []
    for name in names:
        number, odd, coded = profiles[name]
        plain = number and not odd and not coded
        if plain or (name not in same and _differ(before.column(name), after.column(name))):
            chosen.append(name)
        elif coded:
            codes.append(name)
        elif number > odd:
            faults.add(
                f"column {shown(name)} of the original holds numbers but for {odd} of {number + odd} entries: name the "
                "columns to examine (quasi_identifiers, --qi), or accept this one as it is (accept, --accept)"
            )
    if codes:
        notes.append(f"{shown_list(codes)} look like codes of fixed width and were not examined")
    return tuple(chosen or names)


def _differ(a: Column, b: Column) -> bool:
    was, now = joint(a, b)
    return bool((was[a.codes] != now[b.codes]).any())


def _recognize(before: Table | None, after: Table, chosen: Sequence[str], *, hinted: bool) -> str:
    """Which guarantee a release claims by its looks."""
    if before is None:
        return "classes"
    if hinted:
        return "matchings"
    numeric = True
    for name in chosen:
        old, new = before.column(name), after.column(name)
        if new.kind in TEXTUAL and _widened(old, new):
            return "matchings"
        numeric = numeric and _numbers_only(old) and _numbers_only(new)
    if _shuffled(before, after, chosen):
        return "matchings"
    return "microaggregation" if numeric else "classes"


def _shuffled(before: Table, after: Table, chosen: Sequence[str]) -> bool:
    """Whether the published rows are those of the original in another order: a release in which nothing was widened."""
    if before.rows != after.rows or not set(after.names) <= set(before.names):
        return False
    moved = False
    was, now = [], []
    for name in (*chosen, *left_columns(before, after, chosen)):
        a, b = before.column(name), after.column(name)
        old, new = joint(a, b)
        was.append(old[a.codes])
        now.append(new[b.codes])
        if not same_multiset(was[-1], now[-1]):
            return False
        moved = moved or bool((was[-1] != now[-1]).any())
    rows = combine([np.concatenate(pair) for pair in zip(was, now)])
    return moved and same_multiset(rows[: before.rows], rows[before.rows :])


def _numbers_only(column: Column) -> bool:
    return is_numeric(column) or bool(missing(column, numeric=True).all())


def _widened(old: Column, new: Column) -> bool:
    """Whether some value is written as a range, a set or `*` and does not stand so in the original."""
    import pyarrow.compute as pc

    from discreet.verify.values.meaning import content

    found = content(new)
    looks = pc.match_substring_regex(found, r"(?s)^\s*(\[.*,.*\]|\{.*\}|\*)\s*$").fill_null(False)
    wide = set(found.filter(looks).to_pylist())
    return bool(wide) and bool(wide - set(texts(old)))
