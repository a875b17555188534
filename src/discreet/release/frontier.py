"""What is settled about the margins of one table: the released and the refused frontier, and what is told in part.

A margin contained in a released one follows from it; a margin that contains a refused one would reveal at least as
much. So two short lists settle most requests at once: the maximal released and the minimal refused sets of variables.
Sets are bit masks over the positions of the variables. Of a refused margin a part may be public (`offers/`), or it may
be settled that no part can be.

The refused frontier depends on the true counts (mode "exact"): it is never shown to analysts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from discreet.release.offers.partial import Partial

RELEASED, REFUSED, POSSIBLE = "released", "refused", "possible"


@dataclass(frozen=True)
class Frontier:
    """Maximal released and minimal refused sets of variables, each list sorted; parts of margins that are told.

    Of the margins in `bare` no part can be told, as far as what is public then and the rule go.
    """

    released: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    partials: tuple[Partial, ...] = ()
    bare: tuple[int, ...] = ()

    @property
    def public(self) -> tuple[tuple[int, ...], tuple[Partial, ...]]:
        """All that has been told."""
        return self.released, self.partials

    def part(self, margin: int) -> Partial | None:
        """What is told of a margin that is not released."""
        return next((partial for partial in self.partials if partial.mask == margin), None)

    def has_told(self, margin: int) -> bool:
        """Whether the margin can be had without a decision: whole, or in part. What was told can be had again."""
        return self.covers(margin) or self.part(margin) is not None

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
        parts = tuple(partial for partial in self.partials if partial.mask & ~margin)
        grown = replace(self, released=tuple(sorted([*kept, margin])), partials=parts)
        return grown.forget() if forget_refusals else grown

    def refuse(self, margin: int) -> Frontier:
        if self.forbids(margin):
            return self
        kept = [known for known in self.refused if margin & ~known]
        return replace(self, refused=tuple(sorted([*kept, margin])))

    def tell(self, partial: Partial, *, forget_refusals: bool = False) -> Frontier:
        """After a part of a refused margin was told; its own refusal stands."""
        grown = replace(self, partials=tuple(sorted([*self.partials, partial])))
        return grown.forget().refuse(partial.mask) if forget_refusals else grown

    def leave_bare(self, margin: int) -> Frontier:
        """After it was settled that no part of a refused margin can be told."""
        return replace(self, bare=tuple(sorted({*self.bare, margin})))

    def forget(self) -> Frontier:
        """Without refusals: what is told stays."""
        return replace(self, refused=(), bare=())

    def with_request(self, margin: int | None) -> tuple[int, ...]:
        """The maximal sets that would be public if the margin were released; those that are, without one."""
        return self.released if margin is None else self.release(margin).released


def mask_of(axes: Iterable[int]) -> int:
    mask = 0
    for axis in axes:
        mask |= 1 << axis
    return mask


def axes_of(mask: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(mask.bit_length()) if mask >> axis & 1)
