"""Waiting for an answer without holding a thread, and only as long as the client does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from discreet.release.people.actor import Actor
from discreet.release.queue.deciders import PATIENCE, Decider, give_up
from discreet.release.queue.ticket import Busy, Left, Ticket
from discreet.release.service import Answer, Service


async def answered(
    request: Request, service: Service, actor: Actor, name: str, variables: Sequence[str], limit: float | None = None
) -> Answer:
    """The answer to a request for a margin, at once or when its turn has come."""
    answer = await run_in_threadpool(service.at_once, actor, name, variables, limit=limit)
    if answer is None:
        ticket = await run_in_threadpool(service.enqueue, actor, name, variables, limit=limit)
        answer = await outcome(request, service.decider, ticket)
    return answer


async def outcome(request: Request, decider: Decider, ticket: Ticket, patience: float = PATIENCE) -> Any:
    """What the ticket brings. It is given up where the client leaves, or its turn does not come in time."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(done.set)

    ticket.future.add_done_callback(tell)
    told, gone = asyncio.create_task(done.wait()), asyncio.create_task(_leaving(request))
    try:
        await asyncio.wait((told, gone), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if not told.done() and not gone.done():
            if decider.withdraw(ticket):
                raise Busy(1)
            await asyncio.wait((told, gone), return_when=asyncio.FIRST_COMPLETED)
        if not told.done():
            raise Left
        return ticket.future.result()
    finally:
        for task in (told, gone):
            task.cancel()
        if not ticket.future.done():
            give_up(decider, ticket)


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
