"""Releases of one file by several methods and k, made to be compared.

A method is named as its instrument names it (`mdav`, `mondrian`), or with the instrument in front where several know it
(`generalize:auto`). `suppress-locally` and `protect` stand for themselves, or have their semantics and guarantee behind
(`suppress-locally:cover`, `protect:classes`).

Which instrument can run depends on the roles: `microaggregate` protects numbers, `generalize` and `suppress-locally`
keys, `protect` both. A bound on the loss holds for all methods of an instrument with the same k: it is proven once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from discreet.errors import Faults, InputError, listing, shown, whole
from discreet.results import Result
from discreet.work import Deadline, Reporter

INSTRUMENTS = ("microaggregate", "generalize", "suppress-locally", "protect")
# What stands for the methods of instruments that search in one way only.
KINDS = {"suppress-locally": ("class", "cover"), "protect": ("matchings", "classes")}
# Seconds for the bound of each k, where no time limit is given: proofs have no end of their own.
BOUND_SECONDS = 10.0


@dataclass(frozen=True)
class Roles:
    """What each column is, as in a recipe; `accept` are left columns that may tell."""

    keys: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    weight: str | None = None
    household: str | None = None
    accept: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """All columns that have a role other than to be left out or as they are."""
        single = [name for name in (self.weight, self.household) if name is not None]
        return (*self.keys, *self.numeric, *self.sensitive, *single)


@dataclass(frozen=True)
class Trial:
    """An instrument and a method of it."""

    instrument: str
    method: str

    @property
    def name(self) -> str:
        plain = self.instrument in KINDS and self.method == KINDS[self.instrument][0]
        return self.instrument if plain else f"{self.instrument}:{self.method}"


@dataclass(frozen=True)
class Made:
    """Results, the name of each, and, by place, bounds on their own losses that were proven apart from them."""

    results: tuple[Result, ...] = field(repr=False)
    names: tuple[str, ...]
    bounds: dict[int, float]


def adopted(frame: Any, roles: Roles) -> Any:
    """The frame, once all the columns that have a role are there, each with one role."""
    from discreet.frames import adopt, column_faults

    table = adopt(frame)
    faults = [fault for names in (roles.named, roles.identifiers) if names for fault in column_faults(table, names)]
    both = [name for name in roles.identifiers if name in roles.named]
    faults += [f"both left out and used: {listing(both)}; choose one"] if both else []
    if faults:
        raise InputError(faults)
    return table


def methods_of(instrument: str) -> tuple[str, ...]:
    """The methods that an instrument has."""
    if instrument == "microaggregate":
        from discreet.microaggregation.methods import REGISTRY as numbers

        return tuple(numbers)
    if instrument == "generalize":
        from discreet.generalization.methods import REGISTRY as boxes

        return tuple(boxes)
    return KINDS[instrument]


def possible(roles: Roles) -> tuple[str, ...]:
    """The instruments that can protect a file with these roles."""
    out = []
    if roles.numeric and not roles.household:
        out.append("microaggregate")
    if roles.keys and not roles.household and not roles.weight:
        out += ["generalize", "suppress-locally"]
    if roles.keys or roles.numeric:
        out.append("protect")
    return tuple(out)


def trials_of(methods: Sequence[str], roles: Roles, faults: Faults) -> list[Trial]:
    """What the names of methods stand for; what they do not, is noted."""
    open_to, out = possible(roles), []
    for word in methods:
        instrument, colon, method = word.partition(":")
        if instrument in INSTRUMENTS:
            known = methods_of(instrument)
            method = method or ("auto" if "auto" in known else known[0])
            homes = [instrument] if method in known else []
        else:
            homes = [] if colon else [one for one in INSTRUMENTS[:2] if word in methods_of(one)]
            method = word
        if not faults.check(bool(homes), f"unknown method {shown(word)!r}: {_known()}"):
            continue
        there = [one for one in homes if one in open_to]
        need = "numbers (columns)" if homes[0] == "microaggregate" else "keys"
        if faults.check(bool(there), f"{shown(word)} protects {need}, and none are named"):
            out += [Trial(one, method) for one in there]
    return list(dict.fromkeys(out))


def _known() -> str:
    words = [f"{one} ({', '.join(methods_of(one))})" for one in INSTRUMENTS]
    return f"name one of {'; '.join(words)}"


def check_sizes(sizes: Sequence[int], n: int, faults: Faults) -> list[int]:
    """Each k once, in rising order."""
    found = [whole(k) for k in sizes]
    faults.check(bool(found), "give at least one k")
    faults.check(all(k is not None and k >= 2 for k in found), "every k must be a whole number, 2 or more")
    sound = sorted({k for k in found if k is not None and k >= 2})
    for k in sound:
        faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    return sound


def make(
    frame: Any,
    trials: Sequence[Trial],
    sizes: Sequence[int],
    roles: Roles,
    *,
    bounds: bool,
    seed: int | None,
    time_limit: float | None,
    report: Reporter,
) -> Made:
    """All trials for every k, not yet checked; a time limit is shared out evenly."""
    data = without(frame, roles.identifiers)
    proven = [one for one in ("microaggregate", "generalize") if any(trial.instrument == one for trial in trials)]
    proven = proven if bounds and roles.weight is None else []
    pieces = len(trials) + len(proven)
    deadline, results, names = Deadline(time_limit), [], []
    several = len({trial.instrument for trial in trials}) > 1
    for done, trial in enumerate(trials):
        report(trial.name, done / pieces)
        ask = _Ask(data, roles, bounds, seed, _left(deadline, done + 1, pieces))
        results += _run(ask, trial, sizes)
        label = trial.name if several or trial.instrument in KINDS else trial.method
        names += [f"{label} k={k}" for k in sizes]
    found: dict[int, float] = {}
    for done, instrument in enumerate(proven, len(trials)):
        report("proving what no method could beat", done / pieces)
        limit = _left(deadline, done + 1, pieces)
        ask = _Ask(data, roles, True, seed, BOUND_SECONDS if limit is None else limit / len(sizes))
        known = {k: _bound(ask, instrument, k) for k in sizes}
        places = [(trial, k) for trial in trials for k in sizes]
        found |= {place: known[k] for place, (trial, k) in enumerate(places) if trial.instrument == instrument}
    return Made(tuple(results), tuple(names), found)


@dataclass(frozen=True)
class _Ask:
    """What is the same for every method: the data, the roles, whether to prove a bound, the seed and the seconds."""

    frame: Any = field(repr=False)
    roles: Roles
    certify: bool
    seed: int | None
    limit: float | None


def _left(deadline: Deadline, done: int, pieces: int) -> float | None:
    """The seconds until so many of the pieces should be done; None where there is no limit."""
    return None if deadline.limit is None else deadline.until(done / pieces).remaining


def without(frame: Any, names: Sequence[str]) -> Any:
    """The frame without these columns."""
    from discreet.frames import adopt

    return adopt(frame).drop(list(names)).to_native() if names else frame


def _run(ask: _Ask, trial: Trial, sizes: Sequence[int]) -> list[Result]:
    """One method for every k."""
    if trial.instrument == "microaggregate":
        return list(_numbers(ask, trial.method, sizes))
    single = replace(ask, limit=None if ask.limit is None else ask.limit / len(sizes))
    run = {"generalize": _boxes, "suppress-locally": _blanks, "protect": _whole_file}[trial.instrument]
    return [run(single, trial.method, k) for k in sizes]


def _numbers(ask: _Ask, method: Any, sizes: Sequence[int]) -> tuple[Result, ...]:
    from discreet.instruments.microaggregate import microaggregate
    from discreet.microaggregation.methods import REGISTRY

    return microaggregate(
        ask.frame,
        list(sizes),
        columns=list(ask.roles.numeric),
        method=method,
        weight=ask.roles.weight,
        time_limit=ask.limit if REGISTRY[method].time_limit else None,
        random_state=ask.seed,
        accept=ask.roles.accept,
    )


def _boxes(ask: _Ask, method: Any, k: int) -> Result:
    from discreet.generalization.methods import REGISTRY
    from discreet.instruments.generalize import generalize

    return generalize(
        ask.frame,
        k,
        quasi_identifiers=list(ask.roles.keys),
        method=method,
        time_limit=ask.limit if REGISTRY[method].time_limit else None,
        random_state=ask.seed,
        accept=ask.roles.accept,
        missing="value",
        check=False,
    )


def _blanks(ask: _Ask, method: Any, k: int) -> Result:
    from discreet.instruments.local_suppression.suppress_locally import suppress_locally

    return suppress_locally(
        ask.frame,
        k,
        keys=list(ask.roles.keys),
        semantics=method,
        certify=ask.certify,
        time_limit=ask.limit,
        random_state=ask.seed,
        accept=ask.roles.accept,
        check=False,
    )


def _whole_file(ask: _Ask, method: Any, k: int) -> Result:
    from discreet.frames import adopt
    from discreet.instruments.protect.protect import protect

    roles = ask.roles
    return protect(
        ask.frame,
        k,
        keys=roles.keys,
        numeric=roles.numeric,
        sensitive=roles.sensitive,
        weight=roles.weight,
        household=roles.household,
        leave=[name for name in adopt(ask.frame).columns if name not in roles.named],
        guarantee=method,
        missing={"keys": "value", "numbers": "known"},
        rare="merge" if roles.household is not None else "error",
        accept=roles.accept,
        time_limit=ask.limit,
        random_state=ask.seed,
        check=False,
    )


def _bound(ask: _Ask, instrument: str, k: int) -> float:
    """A loss below which no method of the instrument gets: a quick release, and all the time for the proof."""
    from discreet.instruments.generalize import generalize
    from discreet.instruments.microaggregate import microaggregate

    roles = ask.roles
    same: dict[str, Any] = {"certify": True, "time_limit": ask.limit, "random_state": ask.seed, "accept": roles.accept}
    if instrument == "microaggregate":
        numbers = microaggregate(ask.frame, k, columns=list(roles.numeric), effort="fast", **same)
        return numbers.lower_bound or 0.0
    known: dict[str, Any] = {
        "quasi_identifiers": list(roles.keys),
        "method": "mondrian",
        "missing": "value",
        "check": False,
    }
    return generalize(ask.frame, k, **known, **same).lower_bound or 0.0
