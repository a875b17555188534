"""The command as a process: what it is given at its start, what it leaves at its end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

CANCELLED = 130


def prepare() -> None:
    """A request to end is like Ctrl-C, so that it leaves no half-written file; no file takes a standard number.

    Whoever starts the command with standard output closed would else have the next file that is opened in its place,
    and every stray line of a library in that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)


def _end(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def leave(code: int) -> NoReturn:
    """Exit with this code. What cannot be flushed any more is dropped: Python would exit with a code of its own.

    So it would where Ctrl-C came while a library ran code from text, though it was dealt with: hence the plain end.
    """
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):  # all is done: another request changes nothing
            signal.signal(number, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            void = os.open(os.devnull, os.O_WRONLY)
            os.dup2(void, stream.fileno())
            code = code or (2 if stream is sys.stdout else 0)
    if code == CANCELLED:
        os._exit(code)
    sys.exit(code)
