"""The protocol that all instruments share: registries whose methods exist, calls that are checked once."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from discreet.errors import Faults, InputError
from discreet.generalization.methods import REGISTRY as GENERALIZATION
from discreet.methods import Call, Method, Outcome, Registry, Shared, Wanted, count, number, one_of
from discreet.microaggregation.methods import REGISTRY as MICROAGGREGATION
from discreet.tables.methods import REGISTRY as TABLES

ROOMS = {
    "discreet.microaggregation": MICROAGGREGATION,
    "discreet.generalization": GENERALIZATION,
    "discreet.tables": TABLES,
}
EVERY = [(room, name) for room, registry in ROOMS.items() for name in registry]


def doubled(call: Call[int]) -> Outcome[int, str]:
    return Outcome(2 * call.problem, "double", detail={"seed": call.seed})


TOY: Registry[int, int, str] = Registry(
    __name__.rpartition(".")[0] or "tests",
    {
        "plain": Method("twice", "test_methods:doubled", options={"size": count(2), "share": number(0)}),
        "timed": Method(
            "twice", "test_methods:doubled", effort=True, time_limit=True, executor=True, options={"p": one_of(1, 2)}
        ),
    },
    {"fast": "quick", "default": "usual"},
)


@pytest.mark.parametrize(("room", "name"), EVERY)
def test_every_method_is_a_function_of_a_call(room: str, name: str) -> None:
    method = ROOMS[room][name]
    module, function = method.home.split(":")
    run = getattr(import_module(f"{room}.{module}"), function)
    assert list(inspect.signature(run).parameters) == ["call"]
    assert method.summary


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_has_an_automatic_method_that_takes_a_time_limit(room: str) -> None:
    assert next(iter(ROOMS[room])) == "auto"
    assert ROOMS[room]["auto"].time_limit


def faults_of(**wanted: Any) -> list[str]:
    faults = Faults()
    certify = wanted.pop("certify", False)
    TOY.check(faults, Wanted(**wanted), certify=certify)
    try:
        faults.raise_if_any()
    except InputError as error:
        return list(error.faults)
    return []


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"method": "plian"}, "unknown method 'plian': choose one of plain, timed"),
        ({"method": "timed", "effort": "most"}, "unknown effort 'most': choose one of fast, default"),
        ({"method": "plain", "effort": "fast"}, "no effort levels: leave effort out, or use timed"),
        ({"method": "plain", "time_limit": 1}, "cannot stop early: leave time_limit out, or use timed"),
        ({"method": "timed", "time_limit": -1}, "time_limit must be a number of seconds"),
        ({"method": "timed", "time_limit": float("nan")}, "time_limit must be a number of seconds"),
        ({"method": "timed", "time_limit": "1"}, "time_limit must be a number of seconds"),
        ({"method": "plain", "executor": ThreadPoolExecutor(1)}, "no work for an executor"),
        ({"method": "timed", "executor": object()}, "interface of concurrent.futures.Executor"),
        ({"method": "plain", "options": {"sise": 3}}, "no option 'sise': it knows size, share"),
        ({"method": "timed", "options": {"p": 3}}, "'p' of method 'timed' is out of range: it takes one of 1, 2"),
        ({"method": "plain", "options": {"size": 1}}, "out of range: it takes a whole number, 2 or more"),
        ({"method": "plain", "options": {"size": True}}, "a whole number"),
        ({"method": "plain", "options": {"size": 3.0}}, "a whole number"),
        ({"method": "plain", "options": {"share": -0.5}}, "a number, 0 or more"),
        ({"method": "plain", "options": {"share": float("inf")}}, "a number, 0 or more"),
    ],
)
def test_what_is_wrong_is_named_once(wanted: dict[str, Any], words: str) -> None:
    (fault,) = faults_of(**wanted)
    assert words in fault


def test_what_can_be_honored_passes() -> None:
    assert not faults_of(method="plain", effort="default", options={"size": np.int8(2), "share": np.float64(0.5)})
    assert not faults_of(method="timed", effort="fast", time_limit=0, executor=ThreadPoolExecutor(1))
    assert not faults_of(method="plain", time_limit=1, executor=ThreadPoolExecutor(1), certify=True)


def test_everything_wrong_at_once() -> None:
    assert len(faults_of(method="plain", effort="most", time_limit=-1, executor=object(), options={"a": 1})) == 7


def test_a_call_runs_where_its_method_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.methods.import_module", lambda name: inspect.getmodule(doubled))
    outcome = TOY.run("plain", Call(problem=21, seed=5))
    assert (outcome.answer, outcome.status, outcome.detail, outcome.proof) == (42, "complete", {"seed": 5}, None)


def test_effort_is_default_where_there_are_levels() -> None:
    assert TOY.effort_of(Wanted("timed")) == "default"
    assert TOY.effort_of(Wanted("timed", "fast")) == "fast"
    assert TOY.effort_of(Wanted("plain", "default")) is None


def test_what_is_shared_is_made_once() -> None:
    shared, made = Shared(), []
    for _ in range(3):
        assert shared.once("tour", lambda: made.append(1) or len(made)) == 1
    assert shared.once("tree", lambda: "tree") == "tree"
    assert made == [1]
