"""`swap_records`: households of like composition exchange the places where they live, those at risk first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, at_least, listing
from discreet.instruments.grouped.sampling import names_of
from discreet.instruments.perturbed.perturbation import Perturbation
from discreet.instruments.perturbed.reading import Reading, one_spelling
from discreet.measure.risk.frequencies import classes
from discreet.perturbation.randoms import Randoms
from discreet.perturbation.record_swap import Swaps, household_profiles, swap_households
from discreet.work import Deadline

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]


def swap_records(
    frame: Any,
    columns: Sequence[str],
    *,
    household: str | None = None,
    profile: Sequence[str] = (),
    keys: Sequence[str] = (),
    k: int = 3,
    percent: float = 5.0,
    known: Sequence[str] = (),
    accept: Sequence[str] = (),
    random_state: int | None = None,
) -> Perturbation:
    """Exchange the values of `columns`, as a rule where people live, between households of the same profile.

    Every household at risk is exchanged that finds a partner; then others, drawn at random, until `percent` of them
    are. What this protects is measured, not proven.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    columns : what is exchanged, such as region and municipality: the same for all members of a household.
    household : the column that numbers households; without it every record is one by itself.
    profile : columns in which the members of both households must be the same, beside their number. Where nobody is
        found, the last of them is left out, then the one before, down to the number of members.
    keys : columns an intruder may know beside `columns`: a household is at risk if one of its members shares these
        and those with fewer than `k` records. Without them nobody is at risk more than others.
    k : see `keys`.
    percent : the least share of households that are exchanged, above 0, up to 100.
    known : columns left as they are that an intruder may know, for measuring; `keys` unless given.
    accept : left columns that the check may find telling, accepted by name; see `discreet.verify`.
    random_state : a seed, for repeating the draw. Without one the operating system supplies a secret key: whoever
        knows the random numbers can undo what they did.
    """
    clock, read = Deadline(None), Reading(frame, random_state)
    chosen = read.columns(columns)
    home = read.names(names_of(household), "household")
    alike, sought = list(read.names(profile, "profile column")), _sought(read, names_of(keys), (*chosen, *home))
    told = tuple(names_of(known)) or tuple(sought)
    read.faults.check(not set(told) & set(chosen), "known columns are left as they are, and one is exchanged")
    _there(read, told, "known column"), _there(read, names_of(accept), "accepted column")
    read.faults.check(at_least(k, 2), "k must be a whole number, 2 or more")
    share = read.share(percent, "percent", 0.0, 100.0)
    codes = read.codes([*dict.fromkeys([*chosen, *home, *alike, *sought])])
    read.faults.raise_if_any()
    place = classes(np.column_stack([codes[name] for name in chosen])).of
    of = classes(codes[home[0]][:, None]).of if home else np.arange(len(read.table))
    first = _one_place(place, of, codes[home[0]] if home else None, chosen, read.faults)
    read.faults.raise_if_any()
    profiles = [_profile(of, [codes[name] for name in alike[:depth]]) for depth in range(len(alike), -1, -1)]
    risky = _at_risk(of, len(first), [place, *(codes[name] for name in sought)], int(k)) if sought else None
    nobody = np.zeros(len(first), bool)
    wanted = int(np.ceil(share * len(first) / 100.0))
    swaps = swap_households(
        place[first], profiles, nobody if risky is None else risky, wanted, Randoms.of(random_state)
    )
    rows = first[swaps.partner][of]
    rows = np.where(swaps.partner[of] == of, np.arange(len(rows)), rows)
    from discreet.frames import exchange_columns

    return Perturbation(
        data=exchange_columns(one_spelling(read.table, chosen), dict.fromkeys(chosen, rows)),
        original=frame,
        method="record swapping",
        columns=chosen,
        numeric=False,
        n=len(read.table),
        settings={
            "percent": share,
            "household": household,
            "profile": alike,
            "keys": sought,
            "k": int(k) if sought else None,
        },
        detail=_detail(swaps, risky),
        known=told,
        accept=tuple(names_of(accept)),
        seed=random_state,
        seconds=clock.elapsed,
    )


def _sought(read: Reading, keys: Sequence[str], other: Sequence[str]) -> list[str]:
    """The keys, which have no other part to play."""
    wrong = [name for name in keys if name in other]
    read.faults.check(not wrong, f"keys are beside what is exchanged and households: {listing(wrong)}")
    return list(keys if wrong else _there(read, keys, "key"))


def _there(read: Reading, names: Sequence[str], what: str) -> Sequence[str]:
    """The names, if all are columns; keys may have other parts to play beside."""
    from discreet.frames import column_faults

    wrong = column_faults(read.table, names, what=what) if len(names) else []
    for fault in wrong:
        read.faults.add(fault)
    return () if wrong else names


def _one_place(place: Codes, of: Codes, homes: Codes | None, chosen: Sequence[str], faults: Faults) -> Codes:
    """The first record of each household; members in different places, and records of no household, are faults."""
    count = int(of.max()) + 1
    first = np.empty(count, np.int64)
    first[of[::-1]] = np.arange(len(of) - 1, -1, -1)
    lost = 0 if homes is None else int((homes < 0).sum())
    faults.check(lost == 0, f"the household is missing in {lost} rows: give each record one, if of its own")
    apart = len(np.unique(of[place != place[first][of]]))
    faults.check(
        apart == 0, f"{apart} households have members that differ in {listing(chosen)}: exchange what all members share"
    )
    faults.check(
        bool((place != place[0]).any()), f"all records have the same {listing(chosen)}: there is nobody to swap with"
    )
    return first


def _profile(of: Codes, columns: Sequence[Codes]) -> Codes:
    members = classes(np.column_stack(columns)).of if columns else np.zeros(len(of), np.int64)
    return household_profiles(of, members)


def _at_risk(of: Codes, count: int, columns: Sequence[Codes], k: int) -> Mask:
    """Households with a member who shares these columns with fewer than k records."""
    found = classes(np.column_stack(columns))
    out = np.zeros(count, bool)
    out[of[found.size[found.of] < k]] = True
    return out


def _detail(swaps: Swaps, risky: Mask | None) -> dict[str, Any]:
    moved = swaps.partner != np.arange(len(swaps.partner))
    levels = np.bincount(swaps.level[moved], minlength=1).tolist()
    detail: dict[str, Any] = {"households": len(moved), "moved": int(moved.sum()), "moved_by_profile": levels}
    if risky is not None:
        detail |= {"at_risk": int(risky.sum()), "at_risk_unmoved": int((risky & ~moved).sum())}
    return detail
