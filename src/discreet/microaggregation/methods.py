"""The methods by name, what each can honor, and how a call is checked before it runs.

A method is a function `(points, k, call) -> Outcome` in the module of its algorithm, imported when it is
first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from discreet.errors import Faults
from discreet.work import Deadline, Reporter

if TYPE_CHECKING:
    from discreet.microaggregation.problem import Floats, Labels

EFFORTS: Mapping[str, str] = {
    "fast": "a construction and local search",
    "default": "two annealings, the better is kept",
    "best": "slow annealings, pooling, annealing in regions, column generation; until the time limit",
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
    """A method's one-line description, where its function is, and what it can honor besides points and k."""

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


def _whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 0


def _positive(value: Any) -> bool:
    return _whole(value) and value >= 1


def _whole_or_none(value: Any) -> bool:
    return value is None or _whole(value)


def _at_least_zero(value: Any) -> bool:
    return isinstance(value, Real) and 0 <= float(value) < float("inf")


REGISTRY: Mapping[str, Method] = {
    "auto": Method(
        "picks a method by the number of records and columns, k and effort",
        "automatic:run",
        effort=True,
        time_limit=True,
        executor=True,
    ),
    "mdav": Method("maximum distance to average vector: two groups of k a step", "constructions.mdav:run"),
    "md": Method("maximum distance: groups around the two most distant records", "constructions.maximum_distance:run"),
    "v-mdav": Method(
        "MDAV with groups that grow while a near record is closer to them than to others",
        "constructions.vmdav:run",
        options={"gamma": _at_least_zero},
    ),
    "tfrp": Method(
        "two fixed reference points, then dissolving groups where that helps",
        "constructions.tfrp:run",
        options={"phases": lambda value: value in (1, 2)},
    ),
    "gsms": Method("successive selection of the group that leaves least SSE behind", "constructions.gsms:run"),
    "gsms-t2": Method("gsms, then the second phase of tfrp", "constructions.gsms:run_t2"),
    "dba": Method(
        "groups around the densest records first, then dissolving groups, the last formed first",
        "constructions.density:run",
        options={"phases": lambda value: value in (1, 2)},
    ),
    "dba-2p": Method(
        "dba after p groups around the records of least density",
        "constructions.density:run_2p",
        options={"p": _whole_or_none},
    ),
    "mst": Method(
        "cuts the longest edges of a minimum spanning tree, then splits by md", "constructions.spanning_tree:run"
    ),
    "npn-mhm": Method("nearest point next, cut optimally", "constructions.orderings:run_npn"),
    "md-mhm": Method("a path through the groups of md, cut optimally", "constructions.orderings:run_md"),
    "mdav-mhm": Method("a path through the groups of mdav, cut optimally", "constructions.orderings:run_mdav"),
    "fdm": Method("a short tour through all records, the same for every k, cut optimally", "constructions.fdm:run"),
    "mu-approx": Method(
        "trees of at least k near records, cut into groups (a polynomial-time approximation)",
        "constructions.approximation:run",
    ),
    "column-generation": Method(
        "the rounding heuristics of Gentile, Spagnolo-Arrizabalaga and Castro, for up to 300 records",
        "certificate.paper.heuristic_mp:run",
        time_limit=True,
    ),
    "univariate": Method("the optimum for one column (Hansen-Mukherjee)", "constructions.univariate:run"),
    "icsm": Method(
        "iterative constraint satisfaction: exchanges, migrations and cyclic shifts from mdav",
        "search.icsm:run",
        time_limit=True,
        executor=True,
        options={"max_iterations": _whole_or_none, "pool_size": _positive, "sources": _positive, "restarts": _whole},
    ),
    "ils": Method(
        "iterated local search: disturb a few groups, improve, keep what is better",
        "search.iterated:run",
        time_limit=True,
        options={"iterations": _whole, "strength": _positive},
    ),
    "annealing": Method(
        "simulated annealing over neighbor lists, then local search",
        "search.portfolio:run_annealing",
        effort=True,
        time_limit=True,
        executor=True,
    ),
    "pool": Method(
        "annealings whose groups are combined by set partitioning",
        "search.portfolio:run_pool",
        effort=True,
        time_limit=True,
        executor=True,
    ),
    "blocks": Method(
        "large data: annealing in blocks that are cut anew every round",
        "search.blocks:run",
        effort=True,
        time_limit=True,
        executor=True,
    ),
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
    """Note everything that the named method does not know or cannot honor."""
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
