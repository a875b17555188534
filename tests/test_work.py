"""The time limit that long work shares."""

from __future__ import annotations

import math
import sys
import time
from types import SimpleNamespace

import pytest

from discreet import work
from discreet.work import Deadline, Moment, Progress, Reporter, WorkLimit, with_bar


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


def test_a_limit_of_work_does_not_care_for_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = WorkLimit(2.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    assert limit.remaining == 2.0
    limit.spend(WorkLimit.PER_SECOND)
    assert limit.remaining == 1.0
    assert not limit.passed
    limit.spend(WorkLimit.PER_SECOND)
    assert limit.passed
    Deadline(1.0).spend(10**12)  # a moment does not care for work


def test_a_notebook_draws_a_bar_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, html: str) -> None:
            shown.append(html)

    def display(html: str, display_id: bool) -> Handle:
        shown.append(html)
        return Handle()

    @with_bar
    def work_on(n: int, *, progress: work.ProgressCallback | None = None) -> int:
        if progress is not None:
            progress(work.Progress("step <1>", 0.5, (("loss", 2.0),)))
        return n

    assert work_on(3) == 3 and not shown and not work.in_notebook()
    shell = SimpleNamespace(kernel=None)
    pages = SimpleNamespace(display=display, HTML=str)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=pages))
    monkeypatch.setitem(sys.modules, "IPython.display", pages)
    assert work.in_notebook() and work_on(4) == 4
    assert '<progress max="1" value="0.5000"></progress> step &lt;1&gt; loss 2' in shown and shown[-1] == ""
    before = len(shown)
    assert work_on(5, progress=lambda step: None) == 5 and len(shown) == before


def test_a_reporter_keeps_the_moments_at_which_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("discreet.work.time.monotonic", lambda: now[0])
    heard: list[Progress] = []
    report = Reporter(heard.append)
    for value in (5.0, 5.0, 4.0):
        now[0] += 1.0
        report("search", None, sse=value, moves=3.0)
    report("draw", None)
    now[0] += 1.0
    report.silent()("within", None, cost=3.0, bound=2.0)
    report("bound", None, bound=2.5)
    assert repr(report.trace) == repr(
        [
            Moment(1.0, 5.0, math.nan),
            Moment(3.0, 4.0, math.nan),
            Moment(4.0, 3.0, 2.0),
            Moment(4.0, math.nan, 2.5),
        ]
    )
    assert "within" not in {step.stage for step in heard}
    assert Reporter(None).trace == []
