"""What is settled about the margins of one table: the released frontier and the refused frontier.

A margin contained in a released one follows from it; a margin that contains a refused one would reveal at least as
much. So two short lists settle most requests at once: the maximal released and the minimal refused sets of variables.
Sets are bit masks over the positions of the variables.

The refused frontier depends on the true counts (mode "exact"): it is never shown to analysts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

RELEASED, REFUSED, POSSIBLE = "released", "refused", "possible"


@dataclass(frozen=True)
class Frontier:
    """Maximal released and minimal refused sets of variables, each list sorted."""

    released: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()

    def covers(self, margin: int) -> bool:
        """Whether the margin follows from a released one."""
        return any(margin & ~known == 0 for known in self.released)

    def forbids(self, margin: int) -> bool:
        """Whether the margin contains a refused one."""
        return any(known & ~margin == 0 for known in self.refused)

    def status(self, margin: int) -> str:
        if self.covers(margin):
            return RELEASED
        return REFUSED if self.forbids(margin) else POSSIBLE

    def release(self, margin: int, *, forget_refusals: bool = False) -> Frontier:
        """After a release. Refusals stand, because what is public only grows; unless told to forget them."""
        if self.covers(margin):
            return self
        kept = [known for known in self.released if known & ~margin]
        return Frontier(tuple(sorted([*kept, margin])), () if forget_refusals else self.refused)

    def refuse(self, margin: int) -> Frontier:
        if self.forbids(margin):
            return self
        kept = [known for known in self.refused if margin & ~known]
        return Frontier(self.released, tuple(sorted([*kept, margin])))

    def with_request(self, margin: int) -> tuple[int, ...]:
        """The maximal sets that would be public if the margin were released."""
        return self.release(margin).released


def mask_of(axes: Iterable[int]) -> int:
    mask = 0
    for axis in axes:
        mask |= 1 << axis
    return mask


def axes_of(mask: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(mask.bit_length()) if mask >> axis & 1)
