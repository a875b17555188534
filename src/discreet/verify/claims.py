"""What a release claims: the arguments of `verify`, checked all at once, the columns to examine and the guarantee."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, whole
from discreet.verify.blanks.claim import check_blanks, was_blanked
from discreet.verify.groups import combine
from discreet.verify.names import check_strata, names_of, sets_of
from discreet.verify.other_columns import joint, left_columns, same_multiset
from discreet.verify.readers import Column, Table, open_table, shown, shown_list
from discreet.verify.units.roles import Roles, check_roles, one_name
from discreet.verify.values.caps import Cap, read_cap
from discreet.verify.values.meaning import TEXTUAL, is_numeric, missing, texts

GUARANTEES = ("auto", "classes", "microaggregation", "matchings", "blanks", "measured")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The arguments of `verify` as they were given; what each means is said there."""

    k: Any
    quasi_identifiers: Sequence[Any] | None = None
    guarantee: str = "auto"
    categorical: Sequence[str] = ()
    hierarchies: Mapping[str, Any] | None = None
    sensitive: str | None = None
    l: Any = None
    missing: str | None = None
    accept: Sequence[str] = ()
    secret: Any = None
    numeric: Sequence[str] = ()
    weight: str | None = None
    household: str | None = None
    person: str | None = None
    rare: str = "error"
    caps: Mapping[str, Any] | None = None
    identifiers: Sequence[str] = ()
    earlier: Sequence[Any] = ()
    by: Any = ()
    semantics: str | None = None
    combinations: Any = None


ARGUMENTS = frozenset(argument.name for argument in fields(Asked)) - {"secret"}
"""What a claim may say, by the names of the arguments of `verify`; the secret is no part of a claim."""


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
    roles: Roles
    caps: Mapping[str, Cap]
    earlier: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    sets: tuple[tuple[str, ...], ...] = ()
    weight: str | None = None
    by: tuple[str, ...] = ()
    semantics: str = "class"
    combinations: int | None = None

    @property
    def boxed(self) -> bool:
        """Whether published values can be read as boxes, whatever the guarantee: the claim says how, or has roles."""
        given = self.categorical or self.hierarchies or self.missing != "value" or self.secret is not None
        return bool(given or self.roles.named or self.caps)


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


def check_claim(
    before: Table | None,
    after: Table,
    faults: Faults,
    asked: Asked,
    *,
    has_original: bool,
) -> Claim:
    """The claim, or one error with everything that is wrong with it."""
    l, sensitive, guarantee, missing = asked.l, asked.sensitive, asked.guarantee, asked.missing
    number = whole(asked.k)
    faults.check(number is not None and number >= 1, "k must be a whole number, 1 or more")
    values = None if l is None else whole(l)
    faults.check(l is None or (values is not None and values >= 1), "l must be a whole number, 1 or more")
    faults.check(guarantee in GUARANTEES, f"unknown guarantee: choose one of {', '.join(GUARANTEES)}")
    faults.check(missing in (None, "value", "wildcard"), "unknown policy for missing values: value or wildcard")
    faults.check((sensitive is None) == (l is None), "sensitive and l go together: give both or neither")
    faults.check(after.rows > 0, "the published data has no rows")
    faults.check(before is None or before.rows > 0, "the original has no rows")
    if not has_original and guarantee in ("microaggregation", "matchings", "measured"):
        faults.add(f"the guarantee {guarantee!r} can only be checked against the original data")
    roles = _roles(asked, faults)
    sets = sets_of(asked.quasi_identifiers, faults)
    flat = asked.quasi_identifiers if sets is None else [name for names in sets for name in names]
    taken, named = _check_names(before, after, faults, asked, roles, flat, several=sets is not None)
    strata = names_of((asked.by,) if isinstance(asked.by, str) else asked.by or (), "by", faults)
    check_strata(before, after, faults, named or (), strata)
    trees = _trees(asked.hierarchies, faults)
    caps = _caps(asked.caps, faults)
    codes = names_of(asked.categorical, "categorical", faults)
    text = _secret_text(asked.secret, faults)
    earlier = _earlier(asked.earlier, faults)
    faults.check(has_original or not earlier, "earlier releases can only be compared with the original data")
    if named is None and not has_original:
        faults.add("without the original data, name the columns to check (quasi_identifiers, --qi)")
    if faults or (has_original and before is None):
        faults.raise_if_any()
    assert number is not None
    notes: list[str] = []
    if named is None:
        assert before is not None
        spared = (*taken, *([] if sensitive is None else [sensitive]), *roles.named, *strata)
        chosen = _default_columns(before, after, spared, roles, faults, notes)
        faults.raise_if_any()
    else:
        chosen = named
    found = guarantee
    if guarantee == "auto":
        hinted = bool(trees) or text is not None or bool(replace(roles, weight=None).named)
        found = _recognize(before, after, chosen, asked, hinted=hinted)
    given = {"categorical": codes, "hierarchies": trees, "missing": missing, "secret": text, "caps": caps}
    _check_use(found, given, chosen, faults, asked, has_original=has_original)
    sharing = check_blanks(asked, found, faults, has_original=has_original)
    if found == "microaggregation":  # the weight is used there, and goes out as it is
        roles = replace(roles, weight=None)
    else:
        faults.check(not strata, f"by is for the guarantee 'microaggregation' and means nothing for {found!r}")
        faults.check(sets is None, f"several sets of quasi-identifiers mean nothing for {found!r}: name one")
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
        roles,
        caps,
        earlier,
        tuple(notes),
        sets or (tuple(chosen),),
        asked.weight if found == "microaggregation" else None,
        strata,
        *sharing,
    )


def _check_use(
    found: str, given: Mapping[str, Any], chosen: Sequence[str], faults: Faults, asked: Asked, *, has_original: bool
) -> None:
    """Arguments that mean nothing for the guarantee, and ways of reading columns that are not examined."""
    boxes = found == "matchings" or (found == "classes" and has_original)
    why = "" if asked.guarantee != "auto" else " (the guarantee that this release claims by its looks)"
    if not has_original and found == "classes":
        why = " without the original data"
    for what, value in given.items():
        faults.check(
            boxes or not value, f"{what} is for matchings and classes of boxes, and means nothing for {found!r}{why}"
        )
    if found == "measured":
        faults.check(whole(asked.k) == 1, "k is 1 for the guarantee 'measured': nobody is promised to be hidden")
        for what in ("sensitive", "weight", "identifiers", "earlier"):
            faults.check(not getattr(asked, what), f"{what} means nothing for 'measured': leave it out")
    if found in ("microaggregation", "measured"):
        for what in ("numeric", "household", "person"):
            faults.check(
                not getattr(asked, what), f"{what} means nothing for {found!r}{why}: ask for matchings or classes"
            )
    examined = set(chosen)
    for what in ("categorical", "hierarchies", "caps"):
        stray = [str(name) for name in given[what] if name not in examined]
        faults.check(not stray, f"{what} names columns that are not quasi-identifiers: {shown_list(stray)}")


def _roles(asked: Asked, faults: Faults) -> Roles:
    return Roles(
        names_of(asked.numeric, "numeric", faults),
        one_name(asked.weight, "weight", faults),
        one_name(asked.household, "household", faults),
        one_name(asked.person, "person", faults),
        asked.rare,
        names_of(asked.identifiers, "identifiers", faults),
    )


def _trees(given: Any, faults: Faults) -> dict[str, Any]:
    faults.check(isinstance(given, Mapping | None), "hierarchies must be a mapping from columns to hierarchies")
    return dict(given or {}) if isinstance(given, Mapping | None) else {}


def _earlier(given: Any, faults: Faults) -> tuple[Any, ...]:
    """The paths of earlier manifests."""
    if isinstance(given, str | os.PathLike):
        given = (given,)
    try:
        paths = tuple(given)
    except TypeError:
        paths = (None,)
    if not all(isinstance(path, str | os.PathLike) for path in paths):
        faults.add("earlier must be a list of manifests, by their paths")
        return ()
    return paths


def _check_names(
    before: Table | None,
    after: Table,
    faults: Faults,
    asked: Asked,
    roles: Roles,
    quasi_identifiers: Any,
    *,
    several: bool,
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The columns that are accepted, and those that are named to be examined (None where none are)."""
    sensitive = asked.sensitive
    taken = names_of(asked.accept, "accept", faults)
    known = set(after.names)
    stray = [name for name in taken if name not in known]
    faults.check(not stray, f"accept names columns that the published data does not have: {shown_list(stray)}")
    named = None if quasi_identifiers is None else names_of(quasi_identifiers, "quasi_identifiers", faults)
    if named is not None:
        faults.check(bool(named or roles.means) or bool(faults), "the list of quasi-identifiers is empty")
        spared = set(taken)
        both = [] if several else [name for name in named if name in spared]
        faults.check(not both, f"both examined and accepted as they are: {shown_list(both)}; choose one")
    gone = [name for name in roles.identifiers if name in taken]
    faults.check(not gone, f"both identifiers, which must be gone, and accepted: {shown_list(gone)}; choose one")
    if sensitive is not None:
        faults.check(sensitive not in (named or ()), "the sensitive column cannot be a quasi-identifier")
    for which, table in (("original", before), ("published data", after)):
        if table is not None:
            wanted = [*(named or ()), *([sensitive] if sensitive is not None else [])]
            present = set(table.names)
            absent = [name for name in wanted if name not in present]
            faults.check(not absent, f"the {which} has no column named {shown_list(absent)}")
    others = {"quasi_identifiers": named or (), "sensitive": () if sensitive is None else (sensitive,)}
    if roles.named or roles.rare != "error":
        check_roles(before, after, roles, others, faults)
    return taken, named


def _caps(given: Any, faults: Faults) -> dict[str, Cap]:
    """Per column its cap; what is none is among the faults."""
    if not faults.check(isinstance(given, Mapping | None), "caps must be a mapping from columns to caps"):
        return {}
    found = {}
    for name, ends in (given or {}).items():
        cap = read_cap(ends)
        if faults.check(cap is not None, f"the cap of {shown(name)} must be a number or date, or a pair of them"):
            found[str(name)] = cap
    return {name: cap for name, cap in found.items() if cap is not None}


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
    before: Table, after: Table, without: Sequence[str], roles: Roles, faults: Faults, notes: list[str]
) -> tuple[str, ...]:
    """Numeric columns and those that were changed; all columns where there is neither."""
    spared = {*without, *before.index}
    present = {*after.names, *before.index, *roles.identifiers}
    lost = [name for name in before.names if name not in present]
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
    return tuple(chosen or (() if roles.means else names))


def _differ(a: Column, b: Column) -> bool:
    was, now = joint(a, b)
    return bool((was[a.codes] != now[b.codes]).any())


def _recognize(before: Table | None, after: Table, chosen: Sequence[str], asked: Asked, *, hinted: bool) -> str:
    """Which guarantee a release claims by its looks, or by what is asked of it."""
    if asked.semantics is not None or asked.combinations is not None:
        return "blanks"
    if before is None:
        return "classes"
    if hinted:
        return "matchings"
    if was_blanked(before, after, chosen):
        return "blanks"
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
