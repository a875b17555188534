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

from discreet.errors import InputError

PATIENCE = 20.0
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


def run_one(listening: socket.socket) -> None:
    """Serve until told to stop; settings come from the environment."""
    config = uvicorn.Config(
        "discreet.release.web.app:from_environment",
        factory=True,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=30,
    )
    uvicorn.Server(config).run(sockets=[listening])


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

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    set_up(log_level)
    run_one(listening)


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)  # whoever is being answered must not believe that someone still supervises this
