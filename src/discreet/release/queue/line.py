"""The line in which decisions wait: one lane per token, and the lanes take turns.

A place that becomes free goes to the lane that has waited longest since its last turn (or since it was entered), and
there to the first ticket whose dataset nobody works on: decisions on one dataset follow one another, since the second
would be made in vain. So whoever sends many requests waits for his own, and others only for the one that runs.

A token may have so many running (one less than there are places, so that one is left to others) and so many waiting:
here, and in all server processes together (`places.py`). Each of them has a line of its own. How long to stay away
depends on the number waiting alone, not on how long decisions take: that may depend on the data.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque

from discreet.release.queue.places import Place, Places
from discreet.release.queue.ticket import Busy, Stopping, Ticket

# Tickets that may wait in all lanes together.
CROWD = 512
# Seconds between two looks whether a token that has too many running elsewhere has one less.
LOOK = 0.1


class Line:
    """Whose turn it is; used from many threads.

    `running` and `waiting` limit a token here; `everywhere` is how many it may have running in all processes.
    """

    def __init__(
        self,
        running: int,
        waiting: int,
        crowd: int = CROWD,
        *,
        everywhere: int | None = None,
        places: Places | None = None,
    ) -> None:
        self.limit, self.waiting, self.crowd = running, waiting, crowd
        self.everywhere = running if everywhere is None else everywhere
        self.places = places or Places()
        self._taken: dict[Ticket, Place] = {}
        self._lanes: OrderedDict[int, deque[Ticket]] = OrderedDict()
        self._running: set[Ticket] = set()
        self._stopped = False
        self._changed = threading.Condition()

    def join(self, ticket: Ticket) -> None:
        """Wait for a turn; `Busy` where the lane or the line is full."""
        with self._changed:
            if self._stopped:
                raise Stopping
            lane = self._lanes.get(ticket.token, ())
            if sum(map(len, self._lanes.values())) >= self.crowd:
                raise Busy(max(1, len(lane) // self.limit))
            place = self.places.take(ticket.token, "waiting", self.waiting)
            if place is None:
                raise Busy(max(1, self.waiting // self.limit))
            self._taken[ticket] = place
            self._lanes.setdefault(ticket.token, deque()).append(ticket)
            self._changed.notify()

    def take(self) -> Ticket | None:
        """The next ticket, once there is one that may run; None when the line is stopped."""
        with self._changed:
            while not self._stopped:
                ticket = self._next()
                if ticket is not None:
                    self._running.add(ticket)
                    return ticket
                self._changed.wait(LOOK if self._lanes and self.places.shared else None)
        return None

    def _next(self) -> Ticket | None:
        busy = Counter(ticket.token for ticket in self._running)
        taken = {ticket.dataset for ticket in self._running} - {None}
        for token, lane in self._lanes.items():
            if busy[token] >= self.limit:
                continue
            for ticket in lane:
                if ticket.dataset not in taken:
                    place = self.places.take(token, "running", self.everywhere)
                    if place is None:  # as many run elsewhere
                        break
                    self._remove(ticket)
                    self._taken[ticket] = place
                    if token in self._lanes:
                        self._lanes.move_to_end(token)
                    return ticket
        return None

    def done(self, ticket: Ticket) -> None:
        """What was taken has been worked on: its place is free."""
        with self._changed:
            self._running.discard(ticket)
            self._free(ticket)
            self._changed.notify_all()

    def leave(self, ticket: Ticket) -> bool:
        """Go away while waiting; False where the turn has come already."""
        with self._changed:
            waits = ticket in self._lanes.get(ticket.token, ())
            if waits:
                self._remove(ticket)
        return waits

    def _remove(self, ticket: Ticket) -> None:
        lane = self._lanes[ticket.token]
        lane.remove(ticket)
        self._free(ticket)
        if not lane:
            del self._lanes[ticket.token]

    def _free(self, ticket: Ticket) -> None:
        place = self._taken.pop(ticket, None)
        if place is not None:
            self.places.leave(place)

    def stop(self) -> list[Ticket]:
        """Give nobody a turn any more; those who waited."""
        with self._changed:
            self._stopped = True
            left = [ticket for lane in self._lanes.values() for ticket in lane]
            self._lanes.clear()
            for ticket in left:
                self._free(ticket)
            self._changed.notify_all()
        return left

    def idle(self, patience: float) -> bool:
        """Wait until nothing runs; whether that came to pass."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, patience)

    @property
    def running(self) -> list[Ticket]:
        with self._changed:
            return list(self._running)

    def __len__(self) -> int:
        """How many wait."""
        with self._changed:
            return sum(map(len, self._lanes.values()))
