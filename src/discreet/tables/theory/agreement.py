"""Margins that disagree on what they share, and margins that say all the others say.

Margins of one table agree on the counts over the variables that two of them have in common. Where they do not, no
table has them, and the error names each such pair with a count on which they differ.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations, product

import numpy as np

from discreet.errors import InfeasibleError
from discreet.tables.table import Ints, Margins
from discreet.tables.theory.graph import Axes, maximal


def check_agreement(margins: Margins, known: Margins | None = None) -> None:
    """Raise where two margins contradict each other, naming each pair and where they differ.

    Margins that are the very arrays of `known` have been compared with one another before.
    """
    agreed = {} if known is None else known.values
    fresh = [axes for axes, values in margins.values.items() if agreed.get(axes) is not values]
    rest = [axes for axes in margins.values if axes not in fresh] if len(fresh) < len(margins) else []
    faults: list[str] = []
    cache: dict[tuple[Axes, Axes], Ints] = {}

    def projected(axes: Axes, onto: Axes) -> Ints:
        if axes == onto:
            return margins.values[axes]
        if (axes, onto) not in cache:
            drop = tuple([i for i, a in enumerate(axes) if a not in onto])
            cache[axes, onto] = np.asarray(np.add.reduce(margins.values[axes], axis=drop, dtype=np.int64))
        return cache[axes, onto]

    if _agree(margins, projected) if known is None else _agree_with(rest, fresh, projected):
        return
    for first, second in chain(product(rest, fresh), combinations(fresh, 2)):
        shared = tuple(a for a in first if a in second)
        difference = projected(first, shared) != projected(second, shared)
        if difference.any():
            where = f"on {margins.label(shared)} in {int(difference.sum())} counts" if shared else "in their total"
            faults.append(
                f"margins {margins.label(first)} and {margins.label(second)} contradict each other {where}: "
                "they are not margins of one table"
            )
    if faults:
        raise InfeasibleError(faults)


def _agree(margins: Margins, projected: Callable[[Axes, Axes], Ints]) -> bool:
    """Whether all margins agree on what any two of them share; far fewer comparisons than pairs of margins."""
    sets = {axes: frozenset(axes) for axes in margins.values}
    shared = {first & second for first, second in combinations(sets.values(), 2)}
    for some in shared:
        onto = tuple(sorted(some))
        first, *others = (axes for axes, inside in sets.items() if some <= inside)
        if any(np.count_nonzero(projected(first, onto) != projected(axes, onto)) for axes in others):
            return False
    return True


def _agree_with(rest: list[Axes], fresh: list[Axes], projected: Callable[[Axes, Axes], Ints]) -> bool:
    """Whether margins agree with others that agree with one another: compared where they share most."""
    for i, new in enumerate(fresh):
        inside = set(new)
        holders = {tuple([a for a in old if a in inside]): old for old in (*rest, *fresh[:i])}
        seen: list[set[int]] = []
        for shared in sorted(holders, key=len, reverse=True):
            if any(other.issuperset(shared) for other in seen):
                continue
            seen.append(set(shared))
            if np.count_nonzero(projected(holders[shared], shared) != projected(new, shared)):
                return False
    return True


def reduced_margins(margins: Margins) -> dict[Axes, Ints]:
    """Margins that are not contained in another."""
    kept = maximal(margins.values)
    if kept == ((),) and () not in margins.values:
        return {(): np.asarray(margins.total, np.int64)}
    return {axes: np.asarray(margins.values[axes], np.int64, order="C") for axes in kept}
