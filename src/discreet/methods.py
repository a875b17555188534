"""Methods by name: one protocol for all instruments.

An instrument checks what it is asked for against the room's `Registry`, once, and makes a `Call` of it. A method is a
function from a call to an `Outcome`; it stands in the module of its algorithm, which is imported when it is first used.
Rooms say what a problem, an answer and a proof are: points and k, labels and a certificate; a domain and k, matches and
prices; margins, bounds of cells and the tables that attain them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Real
from typing import Any, Generic, Literal, TypeVar

from discreet.errors import Faults, whole
from discreet.work import Deadline, Reporter

Problem = TypeVar("Problem")
Answer = TypeVar("Answer")
Proof = TypeVar("Proof")
T = TypeVar("T")

Status = Literal["complete", "time limit", "optimal"]
"""The method ran to its end; it was stopped, and this is the best it had; nothing better exists."""

Detail = Mapping[str, float | int | str]


class Shared:
    """What calls on the same data have in common: made by the first that asks for it, kept for the others."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made


@dataclass(frozen=True, kw_only=True)
class Call(Generic[Problem]):
    """What a method is asked for.

    | field | |
    |---|---|
    | problem | what is to be solved, as the room has it |
    | deadline | when to stop |
    | report | where to tell how it goes |
    | seed | of everything random |
    | executor | where independent work runs; None: on threads |
    | effort | how thorough to be; None where the method has no levels |
    | options | parameters of the method, under the names of its paper |
    | shared | what does not change from call to call on the same data |
    """

    problem: Problem
    deadline: Deadline = field(default_factory=lambda: Deadline(None))
    report: Reporter = field(default_factory=lambda: Reporter(None))
    seed: int = 0
    executor: Executor | None = None
    effort: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    shared: Shared = field(default_factory=Shared)


@dataclass(frozen=True)
class Outcome(Generic[Answer, Proof]):
    """What a method hands back: its answer, what ran, how it ended, counts of work, and what it proved on the way."""

    answer: Answer
    method: str
    status: Status = "complete"
    detail: Detail = field(default_factory=dict)
    proof: Proof | None = None


@dataclass(frozen=True)
class Option:
    """A parameter of a method: which values it takes, and how to say that."""

    takes: Callable[[Any], bool]
    words: str


def count(least: int, *, below: int = 2**63, none: bool = False) -> Option:
    """A whole number from `least` on; with `none`, None too."""

    def takes(value: Any) -> bool:
        number = whole(value)
        return (none and value is None) or (number is not None and least <= number < below)

    return Option(takes, f"a whole number, {least} or more" + (", or None" if none else ""))


def number(least: float) -> Option:
    """A finite number from `least` on."""

    return Option(lambda value: _is_number(value, least), f"a number, {least:g} or more")


def _is_number(value: Any, least: float) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and least <= float(value) < float("inf")


def one_of(*values: Any) -> Option:
    """One of these values."""
    return Option(lambda value: any(value == one for one in values), f"one of {', '.join(map(str, values))}")


@dataclass(frozen=True)
class Method(Generic[Problem, Answer, Proof]):
    """A method's one-line description, where its function is in the room ("module:function"), what it can honor."""

    summary: str
    home: str
    effort: bool = False
    time_limit: bool = False
    executor: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted:
    """Which method a user wants, and all that not every method can honor."""

    method: str
    effort: str | None = None
    time_limit: float | None = None
    executor: Executor | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Registry(Mapping[str, Method[Problem, Answer, Proof]]):
    """The methods of a room by name; `efforts` are the levels of those that have some, each with a sentence."""

    def __init__(
        self,
        room: str,
        methods: Mapping[str, Method[Problem, Answer, Proof]],
        efforts: Mapping[str, str] | None = None,
    ) -> None:
        self._room = room
        self._methods = dict(methods)
        self._efforts = dict(efforts or {})

    def __getitem__(self, name: str) -> Method[Problem, Answer, Proof]:
        return self._methods[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)

    def run(self, name: str, call: Call[Problem]) -> Outcome[Answer, Proof]:
        """The outcome of a call that was checked."""
        module, function = self._methods[name].home.split(":")
        method: Callable[[Call[Problem]], Outcome[Answer, Proof]]
        method = getattr(import_module(f"{self._room}.{module}"), function)
        return method(call)

    def effort_of(self, wanted: Wanted) -> str | None:
        """The level that a method works at: the one that is wanted or "default", None where it has no levels."""
        return (wanted.effort or "default") if self._methods[wanted.method].effort else None

    def check(self, faults: Faults, wanted: Wanted, *, certify: bool = False) -> bool:
        """Note everything that the method does not know or cannot honor; returns whether there is such a method.

        With `certify` there is more to do than the method does, and that keeps to a time limit and uses an executor.
        """
        name, effort, seconds = wanted.method, wanted.effort, wanted.time_limit
        if effort is not None and effort not in self._efforts:
            faults.add(f"unknown effort {effort!r}: choose one of {', '.join(self._efforts)}")
        faults.check(
            seconds is None or seconds == float("inf") or _is_number(seconds, 0),
            "time_limit must be a number of seconds, 0 or more, or None",
        )
        faults.check(
            wanted.executor is None or callable(getattr(wanted.executor, "submit", None)),
            "executor must have the interface of concurrent.futures.Executor (for Dask, pass client.get_executor())",
        )
        chosen = self._methods.get(name)
        if chosen is None:
            faults.add(f"unknown method {name!r}: choose one of {', '.join(self._methods)}")
            return False
        faults.check(
            effort is None or effort == "default" or chosen.effort,
            f"method {name!r} has no effort levels: leave effort out, or use {self._that(lambda m: m.effort)}",
        )
        faults.check(
            seconds is None or certify or chosen.time_limit,
            f"method {name!r} cannot stop early: leave time_limit out, or use {self._that(lambda m: m.time_limit)}",
        )
        faults.check(
            wanted.executor is None or certify or chosen.executor,
            f"method {name!r} has no work for an executor: leave executor out, or use "
            f"{self._that(lambda m: m.executor)}",
        )
        self._check_options(faults, name, chosen, wanted.options)
        return True

    def _check_options(
        self, faults: Faults, name: str, method: Method[Problem, Answer, Proof], options: Mapping[str, Any]
    ) -> None:
        for key, value in options.items():
            option = method.options.get(key)
            if option is None:
                known = f"it knows {', '.join(method.options)}" if method.options else "it has none"
                faults.add(f"method {name!r} has no option {key!r}: {known}")
            else:
                faults.check(
                    option.takes(value), f"option {key!r} of method {name!r} is out of range: it takes {option.words}"
                )

    def _that(self, can: Callable[[Method[Problem, Answer, Proof]], bool]) -> str:
        return ", ".join(name for name, method in self._methods.items() if can(method)) or "none"
