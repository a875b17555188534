"""Shared by all tests: Hypothesis settings, and the command run in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "discreet", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
settings.load_profile("discreet")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def discreet(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run the command with these words; returns its exit code and what it printed."""
    from discreet.cli import app
    from discreet.cli.console import run

    def call(*words: object) -> Ran:
        capfd.readouterr()
        code = run(app, [str(word) for word in words])
        printed = capfd.readouterr()
        return Ran(code, printed.out, printed.err)

    return call
