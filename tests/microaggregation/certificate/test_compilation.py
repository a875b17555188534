"""Kernels compiled beforehand, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.microaggregation.certificate import compilation

# Which kernels of the package a certificate still compiles after the warming process, in a cache of its own.
LEFT = """
import numpy as np
from numba.core import event
from discreet.microaggregation.certificate import certify
from discreet.microaggregation.certificate.compilation import warm

process = warm()
assert process is not None
assert process.wait() == 0
assert warm() is None
compiled = set()

class Listener(event.Listener):
    def on_start(self, started):
        compiled.add(started.data["dispatcher"].py_func.__module__)

    def on_end(self, ended):
        pass

with event.install_listener("numba:compile", Listener()):
    certify(np.random.default_rng(1).standard_normal((80, 4)), 4, effort="default")
print(*sorted(name for name in compiled if ".certificate." in name))
"""


def test_after_warming_nothing_of_column_generation_is_left_to_compile(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LEFT], env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_without_a_python_to_start_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compilation, "_compiled", lambda: False)
    monkeypatch.setattr(compilation.sys, "executable", str(tmp_path / "none"))
    assert compilation.warm() is None
