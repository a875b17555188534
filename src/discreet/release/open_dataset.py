"""A dataset as one process knows it: the table for good, the state as last seen, the margins it made."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from discreet.release.engine import Ints, Table
from discreet.release.frontier import axes_of, mask_of
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.offers.partial import Flags, Partial
from discreet.release.policy import Policy

# Margins that are kept as text, and the longest text that is.
CACHED_MARGINS = 256
CACHED_TEXT = 1 << 18


@dataclass(frozen=True)
class Margin:
    """Counts that may leave: of a released margin, of a synthetic table, or a part of those of a refused margin.

    `hidden` says, in flat order, which counts are not told (the table has 0 there); `base` to what they are rounded.
    """

    table: Table
    synthetic: bool
    hidden: Flags | None = None
    base: int = 1

    @property
    def missing(self) -> int:
        """How many counts are hidden."""
        return 0 if self.hidden is None else int(self.hidden.sum())

    def counts(self) -> list[int | None]:
        """In flat order; None where a count is hidden."""
        found = self.table.dense().reshape(-1).tolist()
        if self.hidden is None:
            return [*found]
        return [None if hidden else count for count, hidden in zip(found, self.hidden.tolist())]

    def rows(self) -> list[dict[str, Any]]:
        names = (*self.table.names, "count")
        return [dict(zip(names, (*place, n))) for place, n in zip(product(*self.table.categories), self.counts())]

    def text(self) -> str:
        """The rows as compact JSON, each variable's pairs written once: the same as `rows` written out, sooner."""
        pairs = [
            [f"{_json(name)}:{_json(level)}," for level in levels]
            for name, levels in zip(self.table.names, self.table.categories)
        ]
        counts = ["null" if n is None else n for n in self.counts()]
        rows = ["{" + "".join(places) + f'"count":{n}}}' for places, n in zip(product(*pairs), counts)]
        return "[" + ",".join(rows) + "]"

    def columns(self) -> dict[str, list[Any]]:
        """Column by column, for files; a margin that is not whole says so in every row, in a column no variable has."""
        rows = self.rows()
        found = {name: [row[name] for row in rows] for name in (*self.table.names, "count")}
        if self.synthetic:
            found[unused("synthetic", found)] = [True] * len(rows)
        if self.hidden is not None or self.base > 1:
            found[unused("status", found)] = [self.status(n) for n in found["count"]]
        return found

    def status(self, count: int | None) -> str:
        """What a row of a margin that is told in part says of its count."""
        if self.base > 1:
            return f"rounded to {self.base}"
        return "hidden" if count is None else ""


class Told(NamedTuple):
    """A margin, its rows as JSON, and the digest of that text."""

    margin: Margin
    text: str
    digest: str


def told_of(margin: Margin) -> Told:
    text = margin.text()
    return Told(margin, text, hashlib.sha256(text.encode()).hexdigest())


def shown_lists(
    variables: Iterable[tuple[str, Sequence[Any]]], declared: Collection[str], released: Collection[str]
) -> dict[str, list[Any] | None]:
    """Per variable its categories where they are public: declared, or in a released margin. Else None.

    Categories that are not declared are those of somebody: a list of them is a figure, and is told as one.
    """
    public = {*declared, *released}
    return {name: list(levels) if name in public else None for name, levels in variables}


def public_categories(opened: OpenDataset) -> dict[str, list[Any] | None]:
    """Per variable the categories that anyone may see; None where the list is not public."""
    released = 0
    for mask in opened.state.frontier.released:
        released |= mask
    table = opened.table
    return shown_lists(zip(table.names, table.categories), opened.stored.origin.labels, opened.names(released))


def unused(name: str, taken: Container[str]) -> str:
    """The name, with underscores after it until nobody has it."""
    while name in taken:
        name += "_"
    return name


class OpenDataset:
    """A dataset as this process knows it: the table for good, the state as last seen."""

    def __init__(self, stored: StoredDataset, state: StoredState, base: OpenDataset | None = None) -> None:
        self.stored = stored
        self.state = state
        self.stage = state.stage  # its own: in the state of a view it is that of its table where that serves fewer
        self.base = base  # of a view: the table whose history it shares
        self._margins: OrderedDict[tuple[str, int], Told] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def table(self) -> Table:
        return self.stored.table

    @property
    def policy(self) -> Policy:
        """The rule as last seen."""
        return self.policy_of(self.state)

    def policy_of(self, state: StoredState) -> Policy:
        """The rule of a state: the one the dataset was opened with, unless it has been changed."""
        return state.policy or self.stored.policy

    def mask(self, variables: Iterable[str]) -> int:
        return mask_of(self.table.axes(variables))

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.table.names[a] for a in axes_of(mask))

    def margin(self, mask: int, synthetic: Ints | None = None) -> Told:
        """A margin of the true table or of a synthetic one, from memory or made now; made, it is not kept."""
        key = (_digest(synthetic), mask)
        with self._guard:
            if key in self._margins:
                self._margins.move_to_end(key)
                return self._margins[key]
        whole = self.table if synthetic is None else replace(self.table, counts=synthetic, coordinates=None)
        return told_of(Margin(whole.margin(self.names(mask)), synthetic is not None))

    def part(self, partial: Partial) -> Told:
        """What is told of a refused margin."""
        whole = self.table.margin(self.names(partial.mask))
        counts = whole.dense().reshape(-1)
        hidden = partial.flags(counts.size) if partial.kind == "suppress" else None
        told = replace(whole, counts=partial.told(counts).reshape(whole.shape), coordinates=None)
        return told_of(Margin(told, False, hidden, partial.base))

    def keep(self, mask: int, told: Told, synthetic: Ints | None = None) -> None:
        """Keep what `margin` made: to be called once the database holds the release or the synthetic table.

        Synthetic tables are known by what is in them, so that one that was drawn in vain is not taken for another.
        """
        if len(told.text) > CACHED_TEXT:
            return
        with self._guard:
            self._margins[_digest(synthetic), mask] = told
            while len(self._margins) > CACHED_MARGINS:
                self._margins.popitem(last=False)


def _digest(synthetic: Ints | None) -> str:
    return "" if synthetic is None else hashlib.sha256(np.ascontiguousarray(synthetic).tobytes()).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
