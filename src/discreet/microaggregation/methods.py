"""The methods by name, what each can honour, and how a call is checked before it runs.

A method is a function `(points, k, call) -> Outcome` in the module of its algorithm, imported when it is
first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet.errors import Faults
from discreet.work import Deadline, Reporter

if TYPE_CHECKING:
    from discreet.microaggregation.problem import Floats, Labels

EFFORTS: Mapping[str, str] = {
    "fast": "a construction and local search",
    "default": "one annealing",
    "best": "restarts, reheats and pooling until the time limit",
}


@dataclass(frozen=True)
class Call:
    """What a method is asked for besides points and k. `effort` is None where the method has no effort
    levels."""

    effort: str | None
    deadline: Deadline
    seed: int
    executor: Executor | None
    report: Reporter
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a method hands back: labels of any numbering, what ran, how it ended, counts of work."""

    labels: Labels
    method: str
    status: str = "complete"
    detail: Mapping[str, float | int | str] = field(default_factory=dict)


Run = Callable[["Floats", int, Call], Outcome]


@dataclass(frozen=True)
class Method:
    """A method's one-line description, where its function is, and what it can honour besides points and k."""

    summary: str
    home: str
    effort: bool = False
    time_limit: bool = False
    executor: bool = False
    options: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)

    def load(self) -> Run:
        module, function = self.home.split(":")
        run: Run = getattr(import_module(f"discreet.microaggregation.{module}"), function)
        return run


REGISTRY: Mapping[str, Method] = {
    "auto": Method(
        "picks a method by the number of records and columns, k and effort",
        "automatic:run",
        effort=True,
        time_limit=True,
        executor=True,
    ),
    "mdav": Method("maximum distance to average vector: two groups of k a step", "automatic:run_mdav"),
}

METHODS: Mapping[str, str] = {name: method.summary for name, method in REGISTRY.items()}


def check_call(
    faults: Faults,
    method: str,
    effort: str | None,
    time_limit: float | None,
    executor: Executor | None,
    options: Mapping[str, Any],
) -> None:
    """Note everything that the named method does not know or cannot honour."""
    if effort is not None and effort not in EFFORTS:
        faults.add(f"unknown effort {effort!r}: choose one of {', '.join(EFFORTS)}")
    if time_limit is not None and not time_limit >= 0:
        faults.add("time_limit must be a number of seconds, 0 or more, or None")
    chosen = REGISTRY.get(method)
    if chosen is None:
        faults.add(f"unknown method {method!r}: choose one of {', '.join(REGISTRY)}")
        return
    faults.check(
        effort is None or effort == "default" or chosen.effort,
        f"method {method!r} has no effort levels: leave effort out, or use one of {_that_take('effort')}",
    )
    faults.check(
        time_limit is None or chosen.time_limit,
        f"method {method!r} cannot stop early: leave time_limit out, or use {_that_take('time_limit')}",
    )
    faults.check(
        executor is None or chosen.executor,
        f"method {method!r} has no work for an executor: leave executor out, or use {_that_take('executor')}",
    )
    for name, value in options.items():
        valid = chosen.options.get(name)
        if valid is None:
            known = f"it knows {', '.join(chosen.options)}" if chosen.options else "it has none"
            faults.add(f"method {method!r} has no option {name!r}: {known}")
        elif not valid(value):
            faults.add(f"option {name!r} of method {method!r} is out of range")


def _that_take(what: str) -> str:
    return ", ".join(name for name, method in REGISTRY.items() if getattr(method, what))
