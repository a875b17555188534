"""`discreet serve` as tests start it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


class RunningServer:
    """`discreet serve` in processes of its own."""

    def __init__(
        self,
        database: str,
        folder: Path,
        *options: str,
        port: int | None = None,
        program: tuple[str, ...] = ("-m", "discreet"),
        probe: str = "/ready",
    ) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", port or 0))
            self.port = taken.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        words = ["serve", "--database", database, "--port", str(self.port), "--log", *options]
        self.process = subprocess.Popen(
            [sys.executable, *program, *words],
            stdout=subprocess.DEVNULL,
            stderr=self.log.open("w"),
            start_new_session=True,
        )
        self._await(probe)

    def _await(self, probe: str) -> None:
        for _ in range(1800):
            if self.process.poll() is not None:
                raise AssertionError("the server ended: " + self.log.read_text())
            try:
                if "serves on" in self.log.read_text():  # this very server, and nobody else's at the same port
                    urllib.request.urlopen(self.url + probe, timeout=5).read()  # ready: limits hold
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(0.1)
        raise AssertionError("the server does not answer: " + self.log.read_text())

    def kill(self) -> None:
        """End all its processes at once, without notice."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
