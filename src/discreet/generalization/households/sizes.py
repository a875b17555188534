"""With how many rows each household is published: among those of one size, k or more, or by a policy for rare sizes.

An intruder sees how many rows a published household has. A size that fewer than k households have would tell them
apart whatever the boxes, so such sizes are

    "error"     refused, with their numbers (the default)
    "merge"     published with fewer rows: from the largest size down, households that are fewer than k join those of
                the next smaller size, until they are k or more; their surplus members are not published
    "suppress"  not published
    "unlink"    published person by person, without a household: covered among themselves

All of it follows from the sizes alone, so it tells nothing but what the sizes of all households tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

Integers = NDArray[np.int64]

RARE = ("error", "merge", "suppress", "unlink")


class Nouns(NamedTuple):
    """What a unit and its rows are called where something is said about them."""

    unit: str = "household"
    row: str = "person"


HOUSEHOLDS = Nouns()


def plan(sizes: Integers, k: int, rare: str = "error", nouns: Nouns = HOUSEHOLDS) -> Integers:
    """With how many rows each unit is published; 0: not at all; −1: its rows are published without it.

    Raises an InputError that counts the rare sizes and names the ways out.
    """
    distinct, counts = np.unique(sizes, return_counts=True)
    few = {int(size): int(count) for size, count in zip(distinct, counts) if count < k}
    rows = sizes.astype(np.int64)
    if not few:
        return rows
    is_rare = np.isin(sizes, list(few))
    if rare == "merge":
        rows = _merged(distinct, counts, k)[np.searchsorted(distinct, sizes)]
        if (rows == 0).any():
            raise InputError(
                f'{listed(few, k, nouns)}, and rare="merge" finds no smaller size for the smallest of them: '
                f"{ways('merge', nouns)}"
            )
    elif rare == "suppress":
        if is_rare.all():
            raise InputError(
                f'{listed(few, k, nouns)}, and rare="suppress" would publish nothing: {ways("suppress", nouns)}'
            )
        rows[is_rare] = 0
    elif rare == "unlink":
        if sizes[is_rare].sum() < k:
            raise InputError(
                f"{listed(few, k, nouns)}, and without their {nouns.unit}s these {nouns.row}s are fewer than k: "
                f"{ways('unlink', nouns)}"
            )
        rows[is_rare] = -1
    else:
        raise InputError(f"{listed(few, k, nouns)}: {ways('error', nouns)}")
    return rows


def _merged(distinct: Integers, counts: Integers, k: int) -> Integers:
    """The published size of each distinct size; 0 where the smallest sizes together stay below k."""
    target = np.zeros(distinct.size, np.int64)
    waiting: list[int] = []
    found = 0
    for place in range(distinct.size - 1, -1, -1):
        waiting.append(place)
        found += int(counts[place])
        if found >= k:
            target[waiting] = distinct[place]
            waiting, found = [], 0
    return target


def listed(few: Mapping[int, int], k: int, nouns: Nouns) -> str:
    """The rare sizes with their numbers, in one sentence without its end."""
    sizes = ", ".join(
        f"{number(count, nouns.unit)} of size {size} ({number(count * size, nouns.row)})" for size, count in few.items()
    )
    return f"k = {k} needs {k} {nouns.unit}s of every size, but there {'is' if _one(few) else 'are'} only {sizes}"


def _one(few: Mapping[int, int]) -> bool:
    return next(iter(few.values())) == 1


def number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def ways(tried: str, nouns: Nouns) -> str:
    """What can be done instead."""
    unit, row = nouns
    means = {
        "merge": f'rare="merge" (published as the next smaller size, surplus {row}s dropped)',
        "suppress": f'rare="suppress" (these {unit}s dropped)',
        "unlink": f'rare="unlink" (their {row}s published without a {unit})',
    }
    others = [text for name, text in means.items() if name != tried]
    return f"choose {', '.join(others)}, a smaller k, or leave the {unit} out of the release"
