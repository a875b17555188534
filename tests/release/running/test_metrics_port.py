"""Metrics at a port of their own: only on this machine, the counts of all processes, and a taken port is said."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from discreet.release.running.metrics_port import ADDRESS, FOLDER

SERVE = """
import sys, urllib.request
from prometheus_client import Counter
from discreet.errors import InputError
from discreet.release.running.metrics_port import serve_metrics
made = Counter("answers", "so many")
made.inc(3)
port = int(sys.argv[1])
serve_metrics(port)
print(urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
try:
    serve_metrics(port)
except InputError as error:
    print("refused:", error)
"""


def test_counts_are_told_and_a_taken_port_is_said(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, FOLDER: str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SERVE, str(port)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "answers_total 3.0" in done.stdout
    assert f"refused: cannot serve metrics on 127.0.0.1, port {port}" in done.stdout
    assert "--metrics-port" in done.stdout
    assert list(tmp_path.glob("*.db")), "what processes share lies in that folder"
    assert ADDRESS == "127.0.0.1"
