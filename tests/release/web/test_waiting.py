"""Waiting for a ticket without a thread: until it is done, the client leaves, or patience ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from discreet.release.queue.ticket import Busy, Left, Ticket
from discreet.release.web.waiting import outcome


class Decider:
    """Where a ticket waits until it is told otherwise."""

    def __init__(self, waiting: bool) -> None:
        self.waiting, self.withdrawn = waiting, 0

    def submit(self, token: int, dataset: str | None, job: Any) -> Ticket:
        raise NotImplementedError

    def withdraw(self, ticket: Ticket) -> bool:
        self.withdrawn += 1
        return self.waiting

    def stop(self) -> None:
        raise NotImplementedError


class Client:
    """What `outcome` knows of a request: whether the client is still there."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


def ticket() -> Ticket:
    return Ticket(1, "a", lambda call: None)


def test_brings_what_the_ticket_brings() -> None:
    async def run() -> Any:
        made, decider = ticket(), Decider(waiting=True)
        asyncio.get_running_loop().run_in_executor(None, made.future.set_result, 7)
        return await outcome(Client(), decider, made), decider.withdrawn  # type: ignore[arg-type]

    assert asyncio.run(run()) == (7, 0)


@pytest.mark.parametrize("waiting", [True, False])
def test_whoever_leaves_gives_the_ticket_up(waiting: bool) -> None:
    async def run() -> Ticket:
        made, client = ticket(), Client()
        client.gone.set()
        with pytest.raises(Left):
            await outcome(client, Decider(waiting), made)  # type: ignore[arg-type]
        return made

    made = asyncio.run(run())
    if not waiting:
        with pytest.raises(Left):
            made.check()


def test_a_turn_that_does_not_come_is_not_waited_for_and_one_that_came_is() -> None:
    async def run(waiting: bool) -> Any:
        made = ticket()
        asyncio.get_running_loop().call_later(0.3, made.future.set_result, 8)
        return await outcome(Client(), Decider(waiting), made, patience=0.01)  # type: ignore[arg-type]

    with pytest.raises(Busy):
        asyncio.run(run(waiting=True))
    assert asyncio.run(run(waiting=False)) == 8


def test_a_task_that_is_ended_gives_the_ticket_up() -> None:
    async def run() -> Ticket:
        made = ticket()
        task = asyncio.create_task(outcome(Client(), Decider(waiting=False), made))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return made

    with pytest.raises(Left):
        asyncio.run(run()).check()
