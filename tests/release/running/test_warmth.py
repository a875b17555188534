"""Compiling in the background: decisions wait for it, nothing else does."""

from __future__ import annotations

import threading
import time

import pytest

from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.queue.ticket import Busy
from discreet.release.running.warmth import Warmth
from discreet.release.service import Service


def test_nothing_to_do_is_warm() -> None:
    assert Warmth().warm


def test_warm_when_the_work_is_done() -> None:
    go = threading.Event()
    warmth = Warmth(lambda: go.wait() and None)
    assert not warmth.warm
    go.set()
    assert warmth.done.wait(10)
    assert warmth.warm


def test_a_failure_is_not_warm_and_names_no_data(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise ValueError("secret count 4711")

    warmth = Warmth(broken)
    assert warmth.done.wait(10)
    assert not warmth.warm and warmth.failed
    assert "ValueError" in caplog.text and "4711" not in caplog.text


def test_decisions_wait_and_contained_answers_do_not(database: Database, analyst: Actor, auto: Table) -> None:
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(published=(("A", "B"),)))
    service.warm = threading.Event()
    assert service.ask(analyst, "auto", ["A"]).ground == "contained"
    service.patience = 0.05
    with pytest.raises(Busy):
        service.ask(analyst, "auto", ["C"])
    service.patience = 60.0
    told: list[str] = []
    asking = threading.Thread(target=lambda: told.append(service.ask(analyst, "auto", ["C"]).answer))
    asking.start()
    time.sleep(0.05)
    assert told == []
    service.warm.set()
    asking.join(60)
    assert told == ["release"]
