"""Whose turn it is, said plainly: look at everyone who waits and pick."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PlainLine:
    """Tickets are (token, dataset) by number. `turns` holds the moment of each token's last turn or entry."""

    limit: int
    waiting: list[tuple[int, int, int | None]] = field(default_factory=list)
    running: list[tuple[int, int, int | None]] = field(default_factory=list)
    turns: dict[int, int] = field(default_factory=dict)
    clock: int = 0

    def join(self, number: int, token: int, dataset: int | None) -> None:
        self.clock += 1
        if all(token != other for _, other, _ in self.waiting):
            self.turns[token] = self.clock
        self.waiting.append((number, token, dataset))

    def take(self) -> int | None:
        may = [
            ticket
            for ticket in self.waiting
            if sum(ticket[1] == other for _, other, _ in self.running) < self.limit
            and (ticket[2] is None or all(ticket[2] != dataset for _, _, dataset in self.running))
        ]
        if not may:
            return None
        chosen = min(may, key=lambda ticket: (self.turns[ticket[1]], ticket[0]))
        self.clock += 1
        self.turns[chosen[1]] = self.clock
        self.waiting.remove(chosen)
        self.running.append(chosen)
        return chosen[0]

    def leave(self, number: int) -> None:
        self.waiting = [ticket for ticket in self.waiting if ticket[0] != number]

    def done(self, number: int) -> None:
        self.running = [ticket for ticket in self.running if ticket[0] != number]
