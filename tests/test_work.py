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


def test_a_deadline_for_a_part_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("discreet.work.time.monotonic", lambda: now[0])
    whole = Deadline(10.0)
    now[0] += 2.0
    first = whole.until(0.5)
    assert first.limit == first.remaining == 3.0
    now[0] += 4.0
    assert first.passed and whole.until(0.5).limit == 0.0
    assert whole.until(1.0).limit == whole.remaining == 4.0
    assert Deadline(None).until(0.3).limit is None
