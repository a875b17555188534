"""The lattice of margins as a picture: level by level how many are released, refused and not settled, without a list.

With k variables there are 2^k margins, 65 536 of them at k = 16. How many sets of each size lie within one of the
maximal released sets follows by branching on the variables: the sets without the last variable lie within the released
ones with it taken out, the sets with it within those that have it; where a released set is all that is left, every set
counts, C(n, s) of size s. A set contains a refused one exactly if its complement lies within that one's complement, so
the same count serves for refusals. Only the margins of one page are ever listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, sqrt
from typing import Any
from urllib.parse import urlencode

from discreet.release.frontier import POSSIBLE, REFUSED, RELEASED, Frontier, axes_of, mask_of
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import LONGEST

# Margins that are listed at once; where there are fewer in all, every level is open.
SHOWN = 60
ALL_AT_ONCE = 130
SHOWN_FRONTIER = 60
# Margins that are looked through for a page of one standing.
MOST_TRIALS = 200_000

STANDINGS = {RELEASED: "released", REFUSED: "refused", POSSIBLE: "not settled"}


@dataclass(frozen=True)
class View:
    """What a reader wants to see: margins with these variables, of one standing, one level, one page of it."""

    among: tuple[str, ...] = ()
    standing: str = ""
    level: int | None = None
    page: int = 1


def sets_within(family: Iterable[int], k: int) -> list[int]:
    """How many subsets of k elements lie within a set of the family, by size 0 … k."""
    known: dict[tuple[frozenset[int], int], list[int]] = {}

    def count(sets: frozenset[int], left: int) -> list[int]:
        if not sets:
            return [0] * (left + 1)
        if (1 << left) - 1 in sets:
            return [comb(left, size) for size in range(left + 1)]
        key = (sets, left)
        if key not in known:
            last = 1 << (left - 1)
            without = count(frozenset(mask & ~last for mask in sets), left - 1)
            with_it = count(frozenset(mask & ~last for mask in sets if mask & last), left - 1)
            known[key] = [
                (without[size] if size < left else 0) + (with_it[size - 1] if size else 0) for size in range(left + 1)
            ]
        return known[key]

    return count(frozenset(family), k)


def tallies(frontier: Frontier, k: int, among: int = 0) -> list[dict[str, int]]:
    """Of the margins that contain `among`, how many of each size stand how; sizes 0 … k."""
    free = [axis for axis in range(k) if not among >> axis & 1]

    def rest(mask: int) -> int:
        return mask_of(place for place, axis in enumerate(free) if mask >> axis & 1)

    released = sets_within([rest(mask) for mask in frontier.released if among & ~mask == 0], len(free))
    whole = (1 << len(free)) - 1
    refused = sets_within([whole & ~rest(mask) for mask in frontier.refused], len(free))
    found = [{RELEASED: 0, REFUSED: 0, POSSIBLE: 0} for _ in range(k + 1)]
    for size in range(len(free) + 1):
        yes, no = released[size], refused[len(free) - size]
        level = found[size + among.bit_count()]
        level[RELEASED], level[REFUSED], level[POSSIBLE] = yes, no, comb(len(free), size) - yes - no
    return found


def margins_of(frontier: Frontier, k: int, size: int, among: int, standing: str) -> Iterator[int]:
    """The margins of a level that contain `among` and stand so, in order of their variables."""
    free = [axis for axis in range(k) if not among >> axis & 1]
    if size < among.bit_count():
        return
    masks = (among | mask_of(axes) for axes in combinations(free, size - among.bit_count()))
    for mask in masks if not standing else islice(masks, MOST_TRIALS):
        if not standing or frontier.status(mask) == standing:
            yield mask


def lattice_view(opened: OpenDataset, view: View) -> dict[str, Any]:
    """The picture, the frontiers, and the margins of the levels that are open; for custodians only."""
    frontier, names = opened.state.frontier, opened.table.names
    k, among = len(names), opened.mask(view.among)
    counts = tallies(frontier, k, among)
    widest = max(sum(tally.values()) for tally in counts)
    small = sum(sum(tally.values()) for tally in counts) <= ALL_AT_ONCE
    levels = [
        {
            "size": size,
            "tally": tally,
            "all": sum(tally.values()),
            "bars": _bars(tally, widest),
            "link": _link(view, size, 1),
            "open": view.level == size,
        }
        for size, tally in enumerate(counts)
        if sum(tally.values())
    ]
    opened_levels = [
        _page(opened, view, size, among, tally)
        for size, tally in enumerate(counts)
        if sum(tally.values()) and (view.level == size or (small and view.level is None))
    ]
    return {
        "levels": levels,
        "listed": [level for level in opened_levels if level["chips"] or view.level is not None],
        "small": small,
        "variables": names,
        "view": view,
        "standings": STANDINGS,
        "number": 2**k,
        "policy": opened.policy.sentences(),
        "frontiers": [
            _frontier(opened, RELEASED, frontier.released, among),
            _frontier(opened, REFUSED, frontier.refused, among),
        ],
        "parts": [list(opened.names(partial.mask)) for partial in frontier.partials if among & ~partial.mask == 0],
        "unresolved": unresolved_view(opened),
    }


def unresolved_view(opened: OpenDataset) -> list[dict[str, Any]]:
    """Margins whose question a time limit left open, with what was tried and the limit that a next try might have."""
    limit = opened.policy.time_limit
    left: Mapping[int, Any] = getattr(opened.state, "unresolved", {})
    return [
        {
            "names": list(opened.names(mask)),
            "tries": attempt.tries,
            "limit": attempt.limit,
            "next": min(LONGEST, max(10.0, 4 * limit, 4 * attempt.limit)),
        }
        for mask, attempt in sorted(left.items(), key=lambda item: (item[0].bit_count(), axes_of(item[0])))
    ]


def _page(opened: OpenDataset, view: View, size: int, among: int, tally: dict[str, int]) -> dict[str, Any]:
    frontier = opened.state.frontier
    number = tally[view.standing] if view.standing else sum(tally.values())
    last = max(1, -(-number // SHOWN))
    page = min(view.page, last) if view.level is not None else 1
    masks = margins_of(frontier, len(opened.table.names), size, among, view.standing)
    edge = {*frontier.released, *frontier.refused}
    chips = [
        {"names": list(opened.names(mask)), "status": frontier.status(mask), "edge": mask in edge}
        for mask in islice(masks, (page - 1) * SHOWN, page * SHOWN if view.level is not None else ALL_AT_ONCE)
    ]
    several = view.level is not None and last > 1
    return {
        "size": size,
        "tally": tally,
        "chips": chips,
        "page": page,
        "pages": last,
        "before": _link(view, size, page - 1) if several and page > 1 else None,
        "after": _link(view, size, page + 1) if several and page < last else None,
    }


def _frontier(opened: OpenDataset, standing: str, masks: Sequence[int], among: int) -> dict[str, Any]:
    """The sets that settle all others of their standing; with a filter, those that have to do with it."""
    near = [mask for mask in masks if among & ~mask == 0] if standing == RELEASED else list(masks)
    near.sort(key=lambda mask: (mask.bit_count(), axes_of(mask)))
    return {
        "standing": standing,
        "sets": [list(opened.names(mask)) for mask in near[:SHOWN_FRONTIER]],
        "hidden": max(0, len(near) - SHOWN_FRONTIER),
    }


def _bars(tally: dict[str, int], widest: int) -> list[dict[str, Any]]:
    """A bar in the middle of the picture, as wide as the root of its number, in parts by standing; in percent."""
    number = sum(tally.values())
    width = 100.0 * sqrt(number / widest) if number else 0.0
    left, bars = 50.0 - width / 2, []
    for standing, count in tally.items():
        part = width * count / number if number else 0.0
        if count:
            bars.append({"standing": standing, "x": f"{left:.3f}", "width": f"{part:.3f}"})
        left += part
    return bars


def _link(view: View, level: int, page: int) -> str:
    query = [("among", name) for name in view.among]
    if view.standing:
        query.append(("standing", view.standing))
    query.append(("level", str(level)))
    if page > 1:
        query.append(("page", str(page)))
    return "?" + urlencode(query)
