"""Entries written many at a time: each is in its chain once, in one transaction with those that waited."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from discreet.release.history import store
from discreet.release.history.chain import Entry
from discreet.release.history.database import Database
from discreet.release.history.scribe import Scribe

ONE, TWO = "server", store.chain_of("auto")  # chains that are there

pytestmark = pytest.mark.usefixtures("service")


def contents(database: Database, chain: str) -> list[int]:
    with database.reading() as connection:
        return [entry.content["n"] for entry in store.read_entries(connection, chain) if "n" in entry.content]


def test_an_entry_is_committed_when_it_returns(database: Database) -> None:
    scribe = Scribe(database)
    first, second = scribe.write(ONE, {"n": 1}), scribe.write(ONE, {"n": 2})
    assert contents(database, ONE) == [1, 2] and second.previous == first.hash
    scribe.write(TWO, {"n": 3})
    assert contents(database, TWO) == [3] and contents(database, ONE) == [1, 2]


def test_whoever_waits_shares_a_transaction(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one commit is held up, everybody else queues: they all come with the next one."""
    scribe = Scribe(database)
    sizes: list[int] = []
    gate, begun = threading.Event(), threading.Event()
    commit = scribe._commit

    def held(batch: list[object]) -> None:
        sizes.append(len(batch))
        begun.set()
        assert gate.wait(60)
        commit(batch)  # type: ignore[arg-type]

    monkeypatch.setattr(scribe, "_commit", held)
    made: dict[int, Entry] = {}

    def write(n: int) -> None:
        made[n] = scribe.write((ONE, TWO)[n % 2], {"n": n})

    threads = [threading.Thread(target=write, args=(n,)) for n in range(9)]
    threads[0].start()
    assert begun.wait(60)
    for thread in threads[1:]:
        thread.start()
    while len(scribe._waiting) < 8:
        threading.Event().wait(0.01)
    gate.set()
    for thread in threads:
        thread.join(60)
    assert sizes == [1, 8]
    written = contents(database, ONE), contents(database, TWO)
    assert Counter(written[0]) == Counter(range(0, 9, 2)) and Counter(written[1]) == Counter(range(1, 9, 2))
    assert {n: entry.content["n"] for n, entry in made.items()} == {n: n for n in range(9)}


def test_an_error_reaches_everybody_and_the_next_is_written(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = Scribe(database)

    def broken(*_: object) -> None:
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append_all", broken)
        with pytest.raises(OSError, match="disk"):
            scribe.write(ONE, {"n": 1})
    scribe.write(ONE, {"n": 2})
    assert contents(database, ONE) == [2]
