"""How widened values are written: ranges `[low, high]` and sets `{a, "b, c"}`, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba import njit

Runs = list[tuple[int, int]]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def split_ranges(data: Any, starts: Any, ends: Any, bounds: Any) -> None:
    """Where the two ends of `[low, high]` stand; all bounds 0 where a text is no range.

    Between them stands a comma and a blank or, where there is no such pair, the only comma.
    """
    for i in range(starts.size):
        at, end = starts[i], ends[i]
        if end - at < 5 or data[at] != 91 or data[end - 1] != 93:
            continue
        commas, spaced, comma, wide = 0, 0, 0, 0
        for q in range(at + 1, end - 1):
            if data[q] == 44:
                commas += 1
                comma = q
                if data[q + 1] == 32:
                    spaced += 1
                    wide = q
        if spaced != 1 and commas != 1:
            continue
        middle = wide if spaced == 1 else comma
        bounds[0, i], bounds[1, i] = at + 1, middle
        bounds[2, i], bounds[3, i] = middle + 1, end - 1


def range_ends(text: str) -> tuple[str, str] | None:
    """The two ends of `[low, high]`, None where a text is no range."""
    if len(text) < 5 or text[0] != "[" or text[-1] != "]":
        return None
    first, comma, final = text[1:-1].partition(", ")
    if not comma:
        first, comma, final = text[1:-1].partition(",")
    return (first, final) if comma else None


def is_set(text: str) -> bool:
    """Whether a text stands in braces."""
    return len(text) >= 2 and text[0] == "{" and text[-1] == "}"


def all_items(braced: Sequence[str | None]) -> tuple[list[str], dict[int, range]]:
    """The items of all sets in one list, and which of them belong to each."""
    items: list[str] = []
    members: dict[int, range] = {}
    for code, text in enumerate(braced):
        found = None if text is None else set_items(text)
        if found is not None:
            members[code] = range(len(items), len(items) + len(found))
            items += found
    return items, members


def set_items(text: str) -> list[str] | None:
    """The items of `{a, "b, c", d}`, a doubled quote inside quotes being a quote; None where it is not well formed."""
    items: list[str] = []
    inner, at = text[1:-1], 0
    while True:
        if inner[at : at + 1] == '"':
            item, at = "", at + 1
            while True:
                end = inner.find('"', at)
                if end < 0:
                    return None
                item += inner[at:end]
                at = end + 1
                if inner[at : at + 1] != '"':
                    break
                item += '"'
                at += 1
        else:
            end = inner.find(",", at)
            end = len(inner) if end < 0 else end
            item, at = inner[at:end], end
            if any(char in item for char in '{}"'):
                return None
        items.append(item)
        if at == len(inner):
            return items
        if inner[at] != ",":
            return None
        at += 2 if inner[at + 1 : at + 2] == " " else 1


def stretches(places: list[int]) -> Runs:
    """Sorted numbers as runs of neighbors."""
    runs: Runs = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
