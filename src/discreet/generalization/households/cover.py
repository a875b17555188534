"""Households protected as units: each has k equally likely matches among households that are published alike.

Among households that are published with s rows (`sizes.py`): sets of k households, member for member, each household
in exactly k sets, and k disjoint perfect matchings of households between sets and households (`by_matchings.py`); or
classes of k or more (`by_classes.py`). Slot j of a set is a published row: its box, or mean, is over the persons that
the households of the set have in slot j. A matching of households gives one of persons, member for member, so a person
is at each of k rows with probability 1/k, and so is the household as a whole, for whoever knows all but the draw. What
members share appears once in the search, and alike in all rows of a published household.

Nothing here depends on the draw: not the slots, not who is left out of a household that is merged into a smaller size,
not the numbers of units and rows. The same holds for persons with several rows: a unit is then a person.

The lower bound leaves the households aside: the rows of one published size are sets of k persons each, every person in
k of them, and no such sets cost less than the bound for persons (`bound/lower_bound.py`). It is for those who are
published.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import NamedTuple, TypedDict, Unpack

import numpy as np

from discreet.errors import Faults, whole
from discreet.generalization.boxes import gcp
from discreet.generalization.covering import GUARANTEES, PROOF_TOLERANCE, Covering, losses
from discreet.generalization.domain import Attribute, Integers, domain
from discreet.generalization.households.by_matchings import Covered, How, by_matchings
from discreet.generalization.households.sizes import HOUSEHOLDS, RARE, Nouns, plan
from discreet.generalization.households.slots import Persons, persons_of
from discreet.generalization.households.surplus import kept_members
from discreet.generalization.methods import REGISTRY, check_means
from discreet.methods import Wanted
from discreet.work import Deadline, Reporter


class Search(TypedDict, total=False):
    """How sets are searched for, as in `covering.cover`; `seed`, `deadline` and `report` must be given."""

    guarantee: str
    values: Integers | None
    l: int
    method: str
    certify: bool
    seed: int
    deadline: Deadline
    report: Reporter
    executor: Executor | None


class Pool(NamedTuple):
    """Households that are published with the same number of rows, and their members that are published."""

    placed: Integers
    linked: bool


def cover_households(
    members: Sequence[Attribute],
    shared: Sequence[Attribute],
    unit: Integers,
    k: int,
    *,
    rare: str = "error",
    ncp: str = "distinct",
    nouns: Nouns = HOUSEHOLDS,
    **wanted: Unpack[Search],
) -> Covering:
    """The sets of all rows of persons in households; `unit` numbers the household of each person.

    `shared` are attributes that are the same for all members of a household, `members` the others. `rare` says what
    becomes of sizes that fewer than k households have (`sizes.py`).
    """
    _check(members, shared, unit, k, rare, nouns, wanted)
    persons = persons_of(members, shared, ncp)
    _, which = np.unique(unit, return_inverse=True)
    published = plan(np.bincount(which), k, rare, nouns)
    pools = _pools(persons, which, published, k)
    deadline, certify = wanted["deadline"], wanted.get("certify", False)
    work = np.cumsum([pool.placed.shape[0] * pool.placed.shape[1] ** 2 for pool in pools])
    found = []
    for pool, share in zip(pools, work / work[-1]):
        how = How(
            wanted.get("method", "auto"),
            wanted["seed"],
            deadline.until(float(share) * (0.7 if certify else 1.0)),
            wanted["report"],
            wanted.get("executor"),
        )
        found.append(_searched(persons, pool, k, how, wanted.get("guarantee", "matchings")))
    return _covering(persons, which, pools, found, _Bound(k, wanted) if certify else None)


def _check(
    members: Sequence[Attribute],
    shared: Sequence[Attribute],
    unit: Integers,
    k: int,
    rare: str,
    nouns: Nouns,
    wanted: Search,
) -> None:
    """Raise one InputError with everything that is wrong."""
    faults = Faults()
    guarantee, method, l = wanted.get("guarantee", "matchings"), wanted.get("method", "auto"), wanted.get("l", 1)
    faults.check(guarantee in GUARANTEES, f"guarantee must be one of {', '.join(GUARANTEES)}")
    faults.check(rare in RARE, f"rare must be one of {', '.join(RARE)}")
    faults.check((whole(k) or 0) >= 2, "k must be a whole number, 2 or more")
    faults.check(
        l == 1,
        f"l = {l} is not available with {nouns.unit}s as units: leave l out, or the {nouns.unit} out of the release",
    )
    if guarantee == "classes":
        faults.check(method == "auto", f"method {method!r} makes no classes of {nouns.unit}s: use auto")
    else:
        executor = wanted.get("executor")
        limit, certify = wanted["deadline"].limit, wanted.get("certify", False)
        REGISTRY.check(faults, Wanted(method, None, limit, executor), certify=certify)
    if not faults.check(len(members) + len(shared) > 0, "give at least one quasi-identifier"):
        faults.raise_if_any()
    lengths = {attribute.codes.size for attribute in (*members, *shared)}
    if faults.check(lengths == {unit.size} and unit.size > 0, f"every {nouns.row} needs a {nouns.unit} and its values"):
        _, first, which = np.unique(unit, return_index=True, return_inverse=True)
        for attribute in shared:
            differ = attribute.codes != attribute.codes[first[which]]
            faults.check(
                not differ.any(),
                f"column {attribute.name!r} is said to be shared, and differs within "
                f"{np.unique(which[differ]).size} {nouns.unit}s: take it as a column of {nouns.row}s",
            )
        if guarantee != "classes" and method in REGISTRY:
            check_means(faults, method, domain([*members, *shared]))
    faults.raise_if_any()


def _pools(persons: Persons, which: Integers, rows: Integers, k: int) -> list[Pool]:
    """Households by the number of rows they are published with, then the persons that are published by themselves."""
    order = np.argsort(which, kind="stable")
    sizes = np.bincount(which)
    begin = np.cumsum(sizes) - sizes
    pools = []
    for size in np.unique(rows[rows > 0]).tolist():
        exact = np.flatnonzero((rows == size) & (sizes == size))
        placed = order[begin[exact][:, None] + np.arange(size)]
        larger = np.flatnonzero((rows == size) & (sizes > size))
        if larger.size:
            whole_units = [order[begin[u] : begin[u] + sizes[u]] for u in larger]
            placed = np.concatenate([placed, kept_members(persons, whole_units, placed, k)])
        pools.append(Pool(placed, linked=True))
    loose = order[rows[which[order]] < 0]
    if loose.size:
        pools.append(Pool(np.sort(loose)[:, None], linked=False))
    return pools


def _searched(persons: Persons, pool: Pool, k: int, how: How, guarantee: str) -> Covered:
    if guarantee == "matchings":
        return by_matchings(persons, pool.placed, k, how)
    from discreet.generalization.households.by_classes import by_classes

    return by_classes(persons, pool.placed, k, how)


class _Bound(NamedTuple):
    """What a lower bound needs to know."""

    k: int
    wanted: Search


def _covering(
    persons: Persons, which: Integers, pools: list[Pool], found: list[Covered], bound: _Bound | None
) -> Covering:
    """What was found for households, as sets of persons; row r is that of the r-th person who is published."""
    n = which.size
    homes = [covered.home.ravel() for covered in found]
    home = np.sort(np.concatenate(homes))
    row = np.full(n, -1, np.int64)
    row[home] = np.arange(home.size)
    most = max(covered.sets.households.shape[1] for covered in found)
    members, size = np.empty((home.size, most), np.int64), np.empty(home.size, np.int64)
    unit = np.empty(home.size, np.int64)
    matched = found[0].turn is not None
    matchings = np.empty((home.size, found[0].turn.shape[1] if found[0].turn is not None else 0), np.int64)
    for pool, covered, people in zip(pools, found, homes):
        rows, sets = row[people], covered.sets
        by_slot = np.swapaxes(sets.placed, 1, 2).reshape(people.size, -1)
        count = np.repeat(sets.count, sets.placed.shape[2])[:, None]
        by_slot = np.where(np.arange(by_slot.shape[1]) < count, by_slot, by_slot[:, :1])
        members[rows] = np.concatenate([by_slot, np.repeat(by_slot[:, :1], most - by_slot.shape[1], axis=1)], axis=1)
        size[rows] = np.repeat(sets.count, sets.placed.shape[2])
        unit[rows] = which[people] if pool.linked else -1
        if covered.turn is not None:
            matchings[rows] = np.take_along_axis(by_slot, np.repeat(covered.turn, sets.placed.shape[2], axis=0), axis=1)
    everybody = domain(persons.attributes, ncp=persons.ncp)
    loss = gcp(everybody.tables, everybody.codes, members) * n / home.size
    lower = None if bound is None else _lower_bound(persons, homes, row, members, bound)
    late = any(covered.status == "time limit" for covered in found)
    proven = lower is not None and loss - lower <= PROOF_TOLERANCE * loss
    return Covering(
        members=members,
        size=size,
        matchings=matchings if matched else None,
        home=None if matched else home,
        unit=unit,
        lost=np.flatnonzero(row < 0),
        loss=loss,
        losses=losses(everybody, members),
        lower_bound=lower,
        method=found[0].method,
        status="optimal" if proven else "time limit" if late else "complete",
        detail={
            "households": int(sum(pool.placed.shape[0] for pool in pools if pool.linked)),
            "sizes": int(sum(pool.linked for pool in pools)),
            "unlinked": int((unit < 0).sum()),
            "rounds": sum(int(covered.detail["rounds"]) for covered in found),
        },
    )


def _lower_bound(persons: Persons, homes: list[Integers], row: Integers, members: Integers, bound: _Bound) -> float:
    """The mean, over those published, of the bounds for the persons of each published size."""
    from discreet.generalization.bound.lower_bound import DEFAULT_SECONDS, lower_bound

    limit = bound.wanted["deadline"].limit
    deadline = Deadline(DEFAULT_SECONDS if limit is None else bound.wanted["deadline"].remaining)
    total = 0.0
    for number, people in enumerate(homes):
        inside = domain([replace(a, codes=a.codes[people]) for a in persons.attributes], ncp=persons.ncp)
        place = np.zeros(row.size, np.int64)
        place[people] = np.arange(people.size)
        loss = gcp(inside.tables, inside.codes, place[members[row[people]]])
        left = sum(others.size for others in homes[number:])
        total += (
            people.size
            * lower_bound(
                inside,
                bound.k,
                loss,
                time_limit=deadline.remaining * people.size / left,
                executor=bound.wanted.get("executor"),
                report=bound.wanted["report"],
            )[0]
        )
    return total / sum(people.size for people in homes)
