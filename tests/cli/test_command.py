from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from discreet import __version__


def test_help_names_every_command(discreet: Callable) -> None:
    ran = discreet("--help")
    assert ran.code == 0
    for name in ("microaggregate", "verify", "datasets", "demo"):
        assert name in ran.out


def test_version(discreet: Callable) -> None:
    assert discreet("--version").out.strip() == f"discreet {__version__}"


def test_unknown_words(discreet: Callable) -> None:
    assert discreet("frobnicate").code == 2
    assert discreet("verify").code == 2


def test_help_imports_nothing_heavy() -> None:
    """What `discreet --help` costs is what it imports."""
    code = "import sys; from discreet.cli import app; print(' '.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "numpy",
        "numba",
        "scipy",
        "pandas",
        "polars",
        "pyarrow",
        "narwhals",
        "highspy",
        "matplotlib",
    }
