"""What goes to a decision process: a function by its name and what it is given, tables by number once they are there.

A table of 2^20 cells is 8 MB and never changes, so it is sent once. Both sides keep the same tables: those used last,
up to `KEPT_CELLS` cells in all, besides those of the call at hand. The sender alone decides which to forget.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from discreet.release.engine import Table

KEPT_CELLS = 1 << 23

_numbers: WeakKeyDictionary[Table, int] = WeakKeyDictionary()
_next_number = count()


class Sender:
    """Writes letters to one process and remembers which tables it holds."""

    def __init__(self) -> None:
        self._held: OrderedDict[int, int] = OrderedDict()

    def write(self, function: Callable[..., Any], given: tuple[Any, ...], *, seconds: float, reports: bool) -> bytes:
        body = io.BytesIO()
        pickler = _Pickler(body)
        pickler.dump((function, given, seconds, reports))
        new = {number: table for number, table in pickler.met.items() if number not in self._held}
        for number, table in pickler.met.items():
            self._held[number] = table.counts.size
            self._held.move_to_end(number)
        forgotten = []
        for number in list(self._held):
            if sum(self._held.values()) <= KEPT_CELLS or number in pickler.met:
                break
            del self._held[number]
            forgotten.append(number)
        return pickle.dumps((new, forgotten)) + body.getvalue()


class Reader:
    """Reads letters; keeps the tables that came with them."""

    def __init__(self) -> None:
        self.tables: dict[int, Table] = {}

    def read(self, letter: bytes) -> tuple[Callable[..., Any], tuple[Any, ...], float, bool]:
        text = io.BytesIO(letter)
        new, forgotten = pickle.load(text)
        self.tables.update(new)
        for number in forgotten:
            del self.tables[number]
        unpickler = _Unpickler(text)
        unpickler.tables = self.tables
        function, given, seconds, reports = unpickler.load()
        return function, given, seconds, reports


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.met: dict[int, Table] = {}

    def persistent_id(self, thing: Any) -> int | None:
        if not isinstance(thing, Table):
            return None
        number = _numbers.setdefault(thing, next(_next_number))
        self.met[number] = thing
        return number


class _Unpickler(pickle.Unpickler):
    tables: dict[int, Table]

    def persistent_load(self, number: Any) -> Table:
        return self.tables[number]
