"""Entries that change no state, written many at a time.

Reaching the disk is what an answer from a released margin costs most. Requests that arrive while a transaction is being
committed wait for the next one and share it: the first of them writes for all.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from discreet.release.history import store
from discreet.release.history.chain import Entry
from discreet.release.history.database import Database


class _Ticket:
    def __init__(self, chain: str, content: Mapping[str, Any]) -> None:
        self.chain, self.content = chain, content
        self.entry: Entry | None = None
        self.error: BaseException | None = None


class Scribe:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._waiting: list[_Ticket] = []
        self._guard = threading.Lock()
        self._turn = threading.Lock()

    def write(self, chain: str, content: Mapping[str, Any]) -> Entry:
        """Append the entry; it is committed when this returns."""
        ticket = _Ticket(chain, content)
        with self._guard:
            self._waiting.append(ticket)
        with self._turn:
            if ticket.entry is None and ticket.error is None:
                with self._guard:
                    batch, self._waiting = self._waiting, []
                self._commit(batch)
        if ticket.error is not None:
            raise ticket.error
        assert ticket.entry is not None
        return ticket.entry

    def _commit(self, batch: list[_Ticket]) -> None:
        batch.sort(key=lambda ticket: ticket.chain)  # always locked in this order: no deadlock between processes
        made: list[Entry] = []
        try:
            with self.database.writing() as connection:
                for chain, tickets in groupby(batch, key=lambda ticket: ticket.chain):
                    made += store.append_all(connection, chain, [ticket.content for ticket in tickets])
        except BaseException as error:
            for ticket in batch:
                ticket.error = error
            return
        for ticket, entry in zip(batch, made):
            ticket.entry = entry
