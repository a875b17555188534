"""The time limit that long work shares."""

from __future__ import annotations

import math

import pytest

from discreet import work
from discreet.work import Deadline


def test_what_is_left_can_be_a_limit_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes on between the question whether the moment has passed and the one how much is left."""
    now = 100.0
    monkeypatch.setattr(work.time, "monotonic", lambda: now)
    deadline = Deadline(2.0)
    assert deadline.remaining == 2.0 and not deadline.passed
    now = 102.0 + 1e-7
    assert deadline.passed and deadline.remaining == 0.0
    assert Deadline(deadline.remaining).passed
    assert Deadline(None).remaining == math.inf and not Deadline(None).passed
