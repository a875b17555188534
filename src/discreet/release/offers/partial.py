"""A margin of which a part is public: the counts that are not hidden, or all of them rounded to a base.

A rounded count is the multiple of the base b that is nearest, b · ⌊(n + ⌊b/2⌋) / b⌋, so that whoever reads r knows that

    r − ⌊b/2⌋ ≤ n ≤ r + b − 1 − ⌊b/2⌋
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Kind = Literal["suppress", "round"]


@dataclass(frozen=True)
class Partial:
    """`mask` has the variables as bits, `hidden` the flat places of counts that are not told; `base` is of rounding."""

    mask: int
    kind: Kind
    hidden: tuple[int, ...] = ()
    base: int = 1

    def told(self, counts: Ints) -> list[int | None]:
        """What is told of the margin with these counts, place by place; None where nothing is."""
        if self.kind == "round":
            return [int(n) for n in rounded(counts, self.base)]
        found: list[int | None] = [int(n) for n in counts]
        for place in self.hidden:
            found[place] = None
        return found

    def boxes(self, counts: Ints) -> tuple[Ints, Ints]:
        """The least and the greatest that each count can be, by what is told of it alone."""
        if self.kind == "round":
            near = rounded(counts, self.base)
            return np.maximum(near - self.base // 2, 0), near + self.base - 1 - self.base // 2
        low, high = counts.copy(), counts.copy()
        places = list(self.hidden)
        low[places], high[places] = 0, int(counts.sum())
        return low, high

    def to_dict(self) -> dict[str, Any]:
        return {"mask": self.mask, "kind": self.kind, "hidden": list(self.hidden), "base": self.base}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Partial:
        return cls(int(given["mask"]), given["kind"], tuple(given["hidden"]), int(given["base"]))


def rounded(counts: Ints, base: int) -> Ints:
    """The nearest multiples of the base; halves go up."""
    return base * ((counts + base // 2) // base)
