"""A margin of which a part is public: the counts that are not hidden, or all of them rounded to a base.

A rounded count is the multiple of the base b that is nearest, b · ⌊(n + ⌊b/2⌋) / b⌋, so that whoever reads r knows that

    r − ⌊b/2⌋ ≤ n ≤ r + b − 1 − ⌊b/2⌋

and no more: counts are rounded one by one, and the same count always to the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Kind = Literal["suppress", "round"]
KINDS = ("suppress", "round")


@dataclass(frozen=True, order=True)
class Partial:
    """`mask` has the variables as bits; `hidden` are flat places of counts that are not told; `base` rounds."""

    mask: int
    kind: Kind
    hidden: tuple[int, ...] = ()
    base: int = 1

    def flags(self, size: int) -> Flags:
        """Which of so many counts are hidden."""
        found = np.zeros(size, bool)
        found[list(self.hidden)] = True
        return found

    def told(self, counts: Ints) -> Ints:
        """What is told of the margin with these counts, place by place; 0 where it is hidden."""
        return rounded(counts, self.base) if self.kind == "round" else np.where(self.flags(counts.size), 0, counts)

    def boxes(self, counts: Ints, most: int) -> tuple[Ints, Ints]:
        """The least and the greatest that each count can be, by what is told of it alone; hidden ones up to `most`."""
        if self.kind == "round":
            near = rounded(counts, self.base)
            return np.maximum(near - self.base // 2, 0), near + self.base - 1 - self.base // 2
        hidden = self.flags(counts.size)
        return np.where(hidden, 0, counts), np.where(hidden, most, counts)

    def to_dict(self) -> dict[str, Any]:
        return {"mask": self.mask, "kind": self.kind, "hidden": list(self.hidden), "base": self.base}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Partial:
        return cls(int(given["mask"]), given["kind"], tuple(given["hidden"]), int(given["base"]))


def rounded(counts: Ints, base: int) -> Ints:
    """The nearest multiples of the base; halves go up."""
    return base * ((counts + base // 2) // base)
