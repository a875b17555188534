"""Places are taken once over all processes, and those of a process that dies are free again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from discreet.release.queue.line import Line
from discreet.release.queue.places import MOST, Places
from discreet.release.queue.ticket import Busy, Ticket

OTHER = """
import sys
from discreet.release.queue.places import Places
places = Places(sys.argv[1])
print(*[places.take(7, kind, 2) for kind in ("waiting", "running", "running", "running")], flush=True)
sys.stdin.read()
"""


def test_so_many_and_no_more() -> None:
    places = Places()
    assert not places.shared
    taken = [places.take(7, "waiting", 2) for _ in range(3)]
    assert taken[2] is None
    assert len({places.take(7, "running", 1), places.take(8, "waiting", 1), *taken}) == 5
    assert taken[0] is not None
    places.leave(taken[0])
    assert places.take(7, "waiting", 2) == taken[0]
    found = [places.take(9, "running", 10 * MOST) for _ in range(MOST + 1)]
    assert found[-1] is None
    assert set(found[:-1]).isdisjoint(set(taken))


def test_over_processes_and_until_they_end(tmp_path: Path) -> None:
    path = str(tmp_path / "places")
    ours = Places(path)
    assert ours.shared
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    waiting, *running = other.stdout.readline().split()
    assert running[2] == "None"
    assert ours.take(7, "running", 2) is None
    assert ours.take(8, "running", 2) is not None
    free = ours.take(7, "waiting", 2)
    assert free is not None
    assert free != int(waiting)
    assert ours.take(7, "waiting", 2) is None

    here = Line(2, 2, everywhere=2, places=ours)
    with pytest.raises(Busy):
        here.join(Ticket(7, None, lambda call: None))
    ours.leave(free)
    greedy, modest = (Ticket(token, None, lambda call: None) for token in (7, 9))
    here.join(greedy)
    here.join(modest)
    assert here.take() is modest  # two of the other's run elsewhere
    other.kill()
    other.wait()
    assert here.take() is greedy  # without anybody here saying that a place is free
    here.done(greedy)
    assert ours.take(7, "running", 1) is not None
    ours.close()
    assert Places(path).take(7, "running", 1) is not None
