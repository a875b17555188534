"""Reference data for tests: found through DISCREET_DATA or beside the checkout, else the test skips and says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def data_folder() -> Path:
    given = os.environ.get("DISCREET_DATA")
    return Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"


def reference(name: str) -> Path:
    """The path of a reference file; skips the test where it is absent."""
    path = data_folder() / name
    if not path.exists():
        pytest.skip(f"reference file {name} not found: set DISCREET_DATA to the folder that holds it")
    return path
