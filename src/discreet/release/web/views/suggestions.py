"""What can be asked instead of a margin that was refused, from what the asker knows already and nothing else.

Let q be the request and r_1, r_2, … her own refused requests within q (q among them). A margin s ⊂ q that contains
none of them is q without a set of variables that meets every r_i; the nearest are those where that set is smallest. Of
these, the ones contained in a released margin are public, the others can be asked.

In mode "exact" the refused frontier of the server depends on the data and on what others asked. It has no part here:
two servers with the same releases and the same answers to this person suggest the same, whatever their tables are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from discreet.release.frontier import Frontier, axes_of, mask_of

SHOWN = 8
# Sets of variables to leave out that are looked through; beyond, one margin is put together that nothing bars.
MOST_TRIALS = 20_000


def nearest(request: int, refused: Iterable[int]) -> list[int]:
    """The largest margins within the request that contain none of the refused ones, in order of variables.

    Where looking for the largest would take long: one to which no variable can be added.
    """
    barred = [mask for mask in {request, *refused} if mask & ~request == 0]
    axes = axes_of(request)
    trials = 0
    for size in range(1, len(axes) + 1):
        trials += comb(len(axes), size)
        if trials > MOST_TRIALS:
            return _some(axes, barred)
        found = []
        for left_out in combinations(reversed(axes), size):
            without = mask_of(left_out)
            if all(mask & without for mask in barred):
                found.append(request & ~without)
        if found:
            return found
    return []


def _some(axes: Sequence[int], barred: Sequence[int]) -> list[int]:
    chosen = 0
    if 0 in barred:  # the total itself was refused
        return []
    for axis in axes:
        more = chosen | 1 << axis
        if all(mask & ~more for mask in barred):
            chosen = more
    return [chosen]


def published_within(request: int, released: Sequence[int]) -> list[int]:
    """The largest public margins within the request, the largest first."""
    within = Frontier()
    for mask in sorted((known & request for known in released), key=int.bit_count, reverse=True):
        within = within.release(mask)
    return sorted(within.released, key=lambda mask: (-mask.bit_count(), axes_of(mask)))


def instead(request: int, released: Sequence[int], refused: Iterable[int]) -> dict[str, list[int]]:
    """Margins to go on with: public already, and still to be asked."""
    public = Frontier(tuple(released))
    open_ones = [mask for mask in nearest(request, refused) if not public.covers(mask)]
    return {"published": published_within(request, released)[:SHOWN], "askable": open_ones[:SHOWN]}
