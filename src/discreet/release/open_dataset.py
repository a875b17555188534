"""A dataset as one process knows it: the table for good, the state as last seen, whose turn it is, margins it made."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from discreet.release.engine import Ints, Table
from discreet.release.frontier import axes_of, mask_of
from discreet.release.history.store import StoredDataset, StoredState

# Requests that may wait for a decision.
WAITING = 64
# Margins that are kept as text, and the longest text that is.
CACHED_MARGINS = 256
CACHED_TEXT = 1 << 18


class Busy(Exception):
    """Decisions on this dataset are queueing up: come back later."""


@dataclass(frozen=True)
class Margin:
    """Counts that may leave: of a released margin, or of a synthetic table."""

    table: Table
    synthetic: bool

    def rows(self) -> list[dict[str, Any]]:
        names, counts = self.table.names, self.table.dense()
        return [
            {
                **{name: self.table.categories[a][i] for a, (name, i) in enumerate(zip(names, place))},
                "count": int(count),
            }
            for place, count in np.ndenumerate(counts)
        ]

    def columns(self) -> dict[str, list[Any]]:
        """Column by column, for files; a synthetic margin says so in every row."""
        rows = self.rows()
        found = {name: [row[name] for row in rows] for name in (*self.table.names, "count")}
        if self.synthetic:
            found["synthetic"] = [True] * len(rows)
        return found


class OpenDataset:
    """A dataset as this process knows it: the table for good, the state as last seen."""

    def __init__(self, stored: StoredDataset, state: StoredState) -> None:
        self.stored = stored
        self.state = state
        self.turn = threading.Lock()
        self.queue = threading.BoundedSemaphore(WAITING)
        self._margins: OrderedDict[tuple[int, int], tuple[Margin, str, str]] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def table(self) -> Table:
        return self.stored.table

    @contextmanager
    def in_turn(self, patience: float) -> Iterator[None]:
        """One decision at a time in this process; `Busy` where too many wait, or one waits too long."""
        if not self.queue.acquire(blocking=False):
            raise Busy
        try:
            if not self.turn.acquire(timeout=patience):
                raise Busy
            try:
                yield
            finally:
                self.turn.release()
        finally:
            self.queue.release()

    def mask(self, variables: Iterable[str]) -> int:
        return mask_of(self.table.axes(variables))

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.table.names[a] for a in axes_of(mask))

    def margin(self, mask: int, synthetic: Ints | None = None, version: int = -1) -> tuple[Margin, str, str]:
        """A margin, as JSON, and its digest; of the true table (version -1) or of a synthetic one."""
        key = (version, mask)
        with self._guard:
            if key in self._margins:
                self._margins.move_to_end(key)
                return self._margins[key]
        whole = self.table if synthetic is None else replace(self.table, counts=synthetic, coordinates=None)
        margin = Margin(whole.margin(self.names(mask)), synthetic is not None)
        text = json.dumps(margin.rows(), ensure_ascii=False, separators=(",", ":"))
        made = (margin, text, hashlib.sha256(text.encode()).hexdigest())
        if len(text) > CACHED_TEXT:
            return made
        with self._guard:
            self._margins[key] = made
            while len(self._margins) > CACHED_MARGINS:
                self._margins.popitem(last=False)
        return made
