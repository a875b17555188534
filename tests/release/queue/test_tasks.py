"""What decision processes do besides deciding: the same as when it is done here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.plan import plan
from discreet.release.policy import Policy
from discreet.release.queue.deciders import Deciders, wait_for
from discreet.release.queue.tasks import draw, look, propose
from discreet.release.service import Service


@pytest.fixture
def elsewhere(database: Database) -> Iterator[Service]:
    decider = Deciders(1, warm=False)
    yield Service(database, decider)
    decider.stop()


def computed(service: Service, *given: Any, seconds: float) -> Any:
    return wait_for(service.decider, service.compute(*given, seconds=seconds))


def test_work_elsewhere_is_work_here(elsewhere: Service, small: Table, analyst: Actor) -> None:
    policy, pairs, cells = Policy(), Frontier((0b011, 0b110)), np.arange(8)
    made = computed(elsewhere, analyst, propose, small, policy, (1,), seconds=60.0)
    assert made.margins == plan(small, policy, released=(1,)).margins
    found, here = (
        computed(elsewhere, analyst, look, small, pairs, cells, {}, seconds=60.0),
        look(small, pairs, cells, {}, 60.0),
    )
    assert (found.lower == here.lower).all()
    assert (found.upper == here.upper).all()
    public = small.margins([["A", "B"], ["B", "C"]])
    drawn = computed(elsewhere, analyst, draw, public, 3, 0, seconds=60.0)
    assert (drawn == draw(public, 3, 0, 60.0)).all()
    assert (drawn.sum(axis=2) == small.dense().sum(axis=2)).all()


def test_answers_are_the_same_as_here(elsewhere: Service, auto: Table, analyst: Actor) -> None:
    here = Service(elsewhere.database)
    for name in ("here", "elsewhere"):
        here.add("custodian", name, auto, Policy(time_limit=600), distinct=True)
    for request in ("AB", "BCDE", "ACDEF", "ABCDEF", "ABF", "A"):
        one, other = here.ask(analyst, "here", list(request)), elsewhere.ask(analyst, "elsewhere", list(request))
        assert (one.answer, one.ground, one.json) == (other.answer, other.ground, other.json)
