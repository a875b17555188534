"""A margin as exchange formats see it: dimensions with codes and labels, the counts in row-major order, what it is.

A code is unique among its dimension's codes and stays the same whatever else the margin holds: the category's own text
where that is so, else its place. A margin of no variables is given one dimension with one category, because no format
has a cube without any.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from discreet.release.service import Answer

TOTAL = "total"
MISSING = "missing"
SOURCE = "discreet release server"
HIDDEN_NOTE = "Some counts are hidden to protect people. Those that are given are true."
ROUNDED_NOTE = (
    "Each count is rounded by itself to the nearest multiple of {base}, to protect people: they need not add up."
)
SYNTHETIC_NOTE = (
    "Synthetic counts: not those of the data. They agree with every released margin and with nothing else of the data."
)


@dataclass(frozen=True)
class Dimension:
    """A variable: its categories in the table's order, each with a code and a label."""

    name: str
    codes: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Cube:
    """Counts by dimensions. `receipt` is the hash of the ledger's entry, `moment` when the file was made.

    A count is None where it is hidden; all are multiples of `base` where that is more than 1.
    """

    dataset: str
    dimensions: tuple[Dimension, ...]
    counts: tuple[int | None, ...]
    synthetic: bool
    receipt: str
    moment: datetime
    base: int = 1

    @property
    def hides(self) -> bool:
        return None in self.counts

    @property
    def note(self) -> str | None:
        """What a reader must know of counts that are not simply those of the data."""
        if self.base > 1:
            return ROUNDED_NOTE.format(base=self.base)
        return SYNTHETIC_NOTE if self.synthetic else HIDDEN_NOTE if self.hides else None

    @property
    def what(self) -> str:
        """The counts in a word or two."""
        if self.base > 1:
            return f"Counts rounded to {self.base}"
        return "Synthetic counts" if self.synthetic else "Counts, some hidden" if self.hides else "Counts"

    @property
    def title(self) -> str:
        what = f"{self.what}, not those of the data," if self.synthetic else self.what
        names = [dimension.name for dimension in self.dimensions]
        return f"{self.dataset}: {what} by {', '.join(names)}"


def cube_of(dataset: str, answer: Answer) -> Cube:
    """The margin of an answer that has one."""
    assert answer.margin is not None
    table = answer.margin.table
    dimensions = tuple(_dimension(name, levels) for name, levels in zip(table.names, table.categories))
    return Cube(
        dataset,
        dimensions or (Dimension(TOTAL, (TOTAL,), (TOTAL,)),),
        tuple(answer.margin.counts()),
        answer.synthetic,
        answer.entry,
        datetime.now(UTC),
        answer.margin.base,
    )


def _dimension(name: str, levels: tuple[Any, ...]) -> Dimension:
    labels = tuple(text_of(level) for level in levels)
    alike = len(set(labels)) < len(labels) or not all(labels)
    return Dimension(name, tuple(str(i + 1) for i in range(len(labels))) if alike else labels, labels)


def text_of(level: Any) -> str:
    """A category as text: no line breaks, and a word where it is absent."""
    return MISSING if level is None else " ".join(str(level).split())
