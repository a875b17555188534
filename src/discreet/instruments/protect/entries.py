"""The entries of a recipe: which words and numbers each may have. Every fault is noted, none quotes the data."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from numbers import Real
from typing import Any

from discreet.errors import Faults, at_least, shown, whole
from discreet.work import SEED_FAULT, is_seed

LISTS = ("identifiers", "keys", "numeric", "sensitive", "leave")
NAMES = ("weight", "household", "person")

WORDS = {
    "guarantee": ("matchings", "classes"),
    "recoding": ("local", "global"),
    "numbers": ("mean", "range"),
    "rare": ("error", "merge", "suppress", "unlink"),
}
POLICIES = {"keys": ("error", "value", "wildcard"), "numbers": ("error", "known")}
CHECKS = ("loss", "found")
OUTPUTS = ("report", "json", "secret")
BY_NAME = "accepted by name"


def check(given: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    """The entries in the form in which they are kept; what is wrong with them is noted."""
    out = dict(given)
    for name in (*LISTS, "categorical"):
        out[name] = _names(given[name], name, faults)
    for name in NAMES:
        known = given[name] is None or isinstance(given[name], str)
        faults.check(known, f"{name} must be the name of one column")
    for name, words in WORDS.items():
        faults.check(given[name] in words, f"unknown {name}: choose one of {', '.join(words)}")
    _check_numbers(given, faults)
    out |= {name: number for name in ("k", "l", "seed") if (number := whole(given[name])) is not None}
    out["hierarchies"] = _mapping(given, "hierarchies", faults, lambda _: True, "")
    out["caps"] = _caps(given, faults)
    out["levels"] = _mapping(given, "levels", faults, lambda one: at_least(one, 0), "a whole number, 0 or more")
    out["importance"] = _mapping(given, "importance", faults, lambda one: _number(one, 0) and one > 0, "above 0")
    orders = _mapping(given, "ordered", faults, _is_list, "a list of values, from first to last")
    out["ordered"] = {name: tuple(str(one) for one in values) for name, values in orders.items() if _is_list(values)}
    out["missing"] = _missing(given["missing"], faults)
    out["accept"] = _accept(given["accept"], faults)
    out["checks"] = _mapping(given, "checks", faults, lambda one: _number(one, 0), "a number, 0 or more", CHECKS)
    out["outputs"] = _mapping(given, "outputs", faults, _is_file, "the name of a file", OUTPUTS)
    out["outputs"] = {name: os.fspath(one) for name, one in out["outputs"].items() if _is_file(one)}
    files = tuple(given["earlier"]) if _is_list(given["earlier"]) else ()
    listed = _is_list(given["earlier"]) and all(_is_file(one) for one in files)
    faults.check(listed, "earlier must be a list of the names of manifests")
    out["earlier"] = tuple(os.fspath(one) for one in files) if listed else ()
    return out


def _check_numbers(given: Mapping[str, Any], faults: Faults) -> None:
    k, l = whole(given["k"]), None if given["l"] is None else whole(given["l"])
    faults.check(k is not None and k >= 2, "k must be a whole number, 2 or more")
    if given["l"] is not None and faults.check(l is not None and l >= 1, "l must be a whole number, 1 or more"):
        assert l is not None
        faults.check(k is None or l <= k, f"l = {l} is larger than k = {k}: k matches cannot carry more than k values")
        faults.check(
            _is_list(given["sensitive"]) and len(given["sensitive"]) == 1,
            "l is about one sensitive column: name one (sensitive), and the others to be left as they are (leave)",
        )
    limit = given["time_limit"]
    faults.check(limit is None or _number(limit, 0), "time_limit must be a number of seconds, 0 or more, or None")
    faults.check(is_seed(given["seed"]), SEED_FAULT)
    faults.check(
        given["recoding"] != "global" or given["guarantee"] == "classes",
        'recoding "global" makes classes: ask for the guarantee "classes" too',
    )
    faults.check(
        given["household"] is None or given["person"] is None,
        "household and person together are not available: protect households, and name the number of the person "
        "among the identifiers",
    )


def _names(given: Any, what: str, faults: Faults) -> tuple[str, ...]:
    names = tuple(given) if _is_list(given) else ()  # once: an iterator has its names no second time
    sound = _is_list(given) and all(isinstance(name, str) for name in names)
    faults.check(sound, f"{what} must be a list of names")
    if not sound:
        return ()
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    faults.check(not twice, f"{what} names columns twice: {', '.join(map(shown, twice))}")
    return names


def _mapping(
    given: Mapping[str, Any],
    what: str,
    faults: Faults,
    takes: Callable[[Any], bool],
    words: str,
    known: tuple[str, ...] | None = None,
) -> dict[str, Any]:
    entries = given[what]
    if not faults.check(isinstance(entries, Mapping | None), f"{what} must be a mapping"):
        return {}
    for name, one in (entries or {}).items():
        if known is not None:
            faults.check(name in known, f"unknown entry {shown(name)!r} of {what}: it may have {', '.join(known)}")
        faults.check(bool(takes(one)), f"{what} of {shown(name)!r} must be {words}")
    return dict(entries or {})


def _caps(given: Mapping[str, Any], faults: Faults) -> dict[str, dict[str, float]]:
    form = 'limits such as {top = 85} or {bottom = 16, top = 85}, in Python {"top": 85}'
    found = _mapping(given, "caps", faults, lambda one: isinstance(one, Mapping) and len(one) > 0, form)
    for name, limits in found.items():
        if isinstance(limits, Mapping):
            ends = list(limits.values())
            sound = set(limits) <= {"top", "bottom"} and all(_number(one, None) or _is_moment(one) for one in ends)
            if sound and len(ends) == 2:
                alike = type(ends[0]) is type(ends[1]) or not any(map(_is_moment, ends))
                sound = alike and limits["bottom"] < limits["top"]
            faults.check(sound, f"caps of {shown(name)!r} must be {form}, the bottom below the top")
    return {name: dict(limits) for name, limits in found.items() if isinstance(limits, Mapping)}


def _missing(given: Any, faults: Faults) -> dict[str, str]:
    """Policies by what they are about. One word is for keys, and says whether numbers may be missing too."""
    if isinstance(given, str):
        given = {"keys": given, "numbers": "error" if given == "error" else "known"}
    if not faults.check(isinstance(given, Mapping | None), "missing must be a word or a mapping"):
        given = {}
    out = {"keys": "error", "numbers": "error"}
    for name, word in (given or {}).items():
        if faults.check(name in POLICIES, f"unknown entry {shown(name)!r} of missing: it may have keys, numbers"):
            faults.check(
                word in POLICIES[name],
                f"unknown policy for missing values of {name}: choose one of {', '.join(POLICIES[name])}",
            )
            out[name] = word
    return out


def _accept(given: Any, faults: Faults) -> dict[str, str]:
    """Accepted columns and why: a mapping, or a list of names."""
    if _is_list(given):
        given = dict.fromkeys(given, BY_NAME)
    if not faults.check(
        isinstance(given, Mapping) and all(isinstance(word, str) for pair in given.items() for word in pair),
        "accept must be a list of columns, or a mapping from columns to why they are accepted",
    ):
        return {}
    for name, why in given.items():
        faults.check(bool(why.strip()), f"accept must say why {shown(name)!r} is accepted")
    return dict(given)


def _is_list(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)


def _is_file(given: Any) -> bool:
    return isinstance(given, str | os.PathLike) and bool(os.fspath(given))


def _is_moment(given: Any) -> bool:
    return isinstance(given, date | time)


def _number(given: Any, least: float | None) -> bool:
    if isinstance(given, bool) or not isinstance(given, Real):
        return False
    return math.isfinite(float(given)) and (least is None or float(given) >= least)
