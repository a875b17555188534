"""Running the server in one process or several that share a listening socket.

All state is in the database, so processes need not know of one another. One that dies is replaced; when the parent
goes, however suddenly, they all go.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from types import FrameType

import uvicorn
from anyio import to_thread
from fastapi import FastAPI

from discreet.errors import InputError
from discreet.release.queue.child import follow_parent
from discreet.release.web.connections import PunctualConnection

# Seconds, from the word to stop: that answers under way have, after which a process ends itself, and is ended.
GRACEFUL = 1
LATEST = 2.5
PATIENCE = 3.2
BREATH = 1.0


def listen(host: str, port: int) -> socket.socket:
    """A listening address. Answers are not held back to be sent with more (TCP_NODELAY is inherited from here)."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror or error}; try --port") from None
    made.set_inheritable(True)
    return made


class _Server(uvicorn.Server):
    """A server that stops when it is told to: what waits is sent away, what runs is ended, in seconds."""

    def __init__(self, app: FastAPI) -> None:
        config = uvicorn.Config(
            app,
            http=PunctualConnection,
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=False,  # the application reads them, from declared proxies alone
            timeout_keep_alive=30,
            timeout_graceful_shutdown=GRACEFUL,
        )
        super().__init__(config)
        self.app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            threading.Thread(target=_end_late, daemon=True).start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await to_thread.run_sync(self.app.state.service.decider.stop)
        await to_thread.run_sync(self.app.state.loader.reader.close)
        await super().shutdown(sockets)


def _end_late() -> None:
    """All state is in the database, which survives a sudden end: a thread that hangs must not keep us from stopping."""
    time.sleep(LATEST)
    os._exit(1)


def run_one(listening: socket.socket) -> None:
    """Serve until told to stop; settings come from the environment."""
    from discreet.release.web.app import from_environment

    _Server(from_environment()).run(sockets=[listening])


def run_many(listening: socket.socket, number: int, log_level: int) -> None:
    """Keep so many processes serving until told to stop."""
    spawn = multiprocessing.get_context("spawn")
    stopping = threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        stopping.set()

    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, stop)

    def start() -> multiprocessing.process.BaseProcess:
        process = spawn.Process(target=_child, args=(listening, log_level))
        process.start()
        return process

    running = [start() for _ in range(number)]
    while not stopping.wait(BREATH):
        running = [process if process.is_alive() else start() for process in running]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in running:
        process.join(max(0.1, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()


def _child(listening: socket.socket, log_level: int) -> None:
    from discreet.release.web.logs import set_up

    follow_parent()
    set_up(log_level)
    run_one(listening)
