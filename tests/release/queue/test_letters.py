"""Tables go to a decision process once, and both sides agree on which are there."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.policy import Policy
from discreet.release.queue import letters
from discreet.release.queue.letters import Reader, Sender


def table(cells: int) -> Table:
    return Table.from_array(np.arange(cells))


def test_a_call_arrives_as_it_was_made(small: Table) -> None:
    sender, reader = Sender(), Reader()
    letter = sender.write(decide, (Situation(small), Policy(), 3), seconds=4.0, reports=True)
    function, given, seconds, reports = reader.read(letter)
    assert (function, given[1:], seconds, reports) == (decide, (Policy(), 3), 4.0, True)
    assert (given[0].table.counts == small.counts).all()
    assert function(*given).frontier == decide(Situation(small), Policy(), 3).frontier


def test_a_table_is_sent_once() -> None:
    sender, reader, large = Sender(), Reader(), table(1 << 12)
    first = sender.write(len, (Situation(large),), seconds=1.0, reports=False)
    again = sender.write(len, (Situation(large), Situation(table(3))), seconds=1.0, reports=False)
    assert len(first) > 8 << 12
    assert len(again) < 4000
    assert reader.read(first)[1][0].table is reader.read(again)[1][0].table


def test_those_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "KEPT_CELLS", 25)
    sender, reader = Sender(), Reader()
    tables = [table(10) for _ in range(4)]

    def send(*numbers: int) -> int:
        letter = sender.write(len, tuple(tables[n] for n in numbers), seconds=1.0, reports=False)
        assert all((a.counts == tables[n].counts).all() for a, n in zip(reader.read(letter)[1], numbers))
        assert list(sender._held) == list(reader.tables) or set(sender._held) == set(reader.tables)
        return len(letter)

    long = send(0)
    send(1)
    assert send(0) < long
    send(2)
    assert send(0) < long, "the first was used after the second"
    assert len(reader.tables) == 2
    send(1, 2, 3)
    assert len(reader.tables) == 3, "what a call needs is there, however large"
