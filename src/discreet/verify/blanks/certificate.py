"""A certificate of local suppression: prices that prove how few blanks any release needs, checked from the original.

    {"format": "discreet local suppression", "version": 1, "k", "keys", "importance", "semantics", "combinations",
     "scale", "prices", "total", "relief", "lower_bound"}

`prices` has a whole number for each distinct combination of keys in the order of its first appearance in the original,
over `scale`; `importance` the whole-number weight of a blank in each key. Nothing in it is believed: `total` (the sum
of prices over all records), `relief` and `lower_bound` are computed again and must be the same to the last unit, so
that a price, or the bound, that is raised or lowered is refused.

| claim | the prices prove |
|---|---|
| class, all keys | Σ n p + Σ min(0, v), of `prices.py` |
| cover, or combinations | Σ n p, where no price exceeds what its combination must cost by itself (`cheapest.py`) |

Costs are whole, so the bound is rounded up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.verify.blanks.cheapest import cheapest
from discreet.verify.blanks.prices import priced
from discreet.verify.blanks.sharing import distinct
from discreet.verify.readers import shown_list

Integers = NDArray[np.int64]

FORMAT, VERSION = "discreet local suppression", 1
NAMES = {"format", "version", "k", "keys", "importance", "semantics", "combinations"}
NAMES |= {"scale", "prices", "total", "relief", "lower_bound"}
MOST_BYTES = 512 << 20
MOST_SCALE, MOST_WEIGHT = 2**40, 2**31
MOST_WORK = 1 << 33
"""Sets of keys times distinct combinations: beyond that the check says that it cannot tell."""


class Rejected(Exception):
    """The certificate is not one, or claims what its prices do not prove; the argument says why."""


class Undecided(Exception):
    """The prices cannot be checked here; the argument says why."""


class Question(NamedTuple):
    """What is claimed about the keys `names` of an original with these `codes` (0 is missing)."""

    names: tuple[str, ...]
    codes: Integers
    k: int
    semantics: str
    combinations: int | None


class Bound(NamedTuple):
    """What prices prove: their sum, what classes take off it (both over the scale), and the least cost of a release."""

    total: int
    relief: int
    least: int


def prove(question: Question, weights: Integers, prices: Sequence[int], scale: int) -> Bound:
    """The bound that prices prove; raises `Rejected` where they are no proof."""
    codes, _, count = distinct(question.codes)
    if len(prices) != len(codes):
        raise Rejected("the certificate has not one price for each combination of keys in the original")
    if 2 ** codes.shape[1] * len(codes) > MOST_WORK:
        raise Undecided("there are too many keys and combinations to check the prices")
    plain = [int(price) for price in prices]
    if question.semantics == "class" and question.combinations is None:
        total, relief = priced(codes, count, question.k, weights, plain, scale)
    else:
        own = cheapest(codes, count, question.k, weights, question.combinations)
        if any(price > scale * int(most) for price, most in zip(plain, own.tolist())):
            raise Rejected("the certificate has a price above what its combination of keys must cost")
        total, relief = sum(int(n) * price for n, price in zip(count.tolist(), plain)), 0
    return Bound(total, relief, max(0, -(-(total + relief) // scale)))


def document(question: Question, weights: Integers, prices: Sequence[int], scale: int) -> dict[str, Any]:
    """The certificate as it is written, with what the check computes."""
    bound = prove(question, weights, prices, scale)
    return {
        "format": FORMAT,
        "version": VERSION,
        "k": question.k,
        "keys": list(question.names),
        "importance": dict(zip(question.names, weights.tolist())),
        "semantics": question.semantics,
        "combinations": question.combinations,
        "scale": scale,
        "prices": [int(price) for price in prices],
        "total": bound.total,
        "relief": bound.relief,
        "lower_bound": bound.least,
    }


def verify_certificate(path: str | os.PathLike[str], question: Question, blanked: Integers | None) -> Verdict:
    """The verdict on the certificate in a file; `blanked` has the blanks of the release per key, where it is sound."""
    try:
        weights, bound = _checked(_read(path), question)
    except Rejected as error:
        advice = ("give the certificate that was written with this very release, or suppress anew",)
        return Verdict("unsafe", "certificate", question.k, (str(error),), advice)
    except Undecided as error:
        return Verdict("cannot tell", "certificate", question.k, (str(error),), ("name fewer keys",))
    figures: dict[str, float | int | str] = {"lower_bound": bound.least}
    heavy = sorted({*weights.tolist()}) != [1]
    unit = "weighted blanks" if heavy else "blanks"
    proven = [
        f"no release of these keys by {question.semantics} with k = {question.k} has fewer than {bound.least} {unit}"
    ]
    if heavy:
        counted = [f"{name}: {weight}" for name, weight in zip(question.names, weights.tolist())]
        proven.append(f"a blank counts by its column: {shown_list(counted)}")
    if blanked is not None:
        cost = int(blanked @ weights)
        if cost < bound.least:
            return Verdict("unsafe", "certificate", question.k, ("the release has fewer blanks than are proven",))
        gap = 100.0 * (cost - bound.least) / cost if cost else 0.0
        figures |= {"cost": cost, "gap": gap}
        proven.append(f"this release has {cost}: at most {gap:.3g} % too many")
    return Verdict("safe", "certificate", question.k, (), (), figures, tuple(proven))


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError
        return found

    def refuse(_: str) -> Any:
        raise ValueError

    try:
        raw = Path(path).read_bytes()
        if len(raw) > MOST_BYTES:
            raise ValueError
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=once, parse_constant=refuse, parse_float=refuse)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it is damaged"
        raise Rejected(f"the certificate cannot be read: {reason}") from None
    except (ValueError, RecursionError):
        raise Rejected("the certificate is malformed: it is not JSON of whole numbers with every name once") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or not _is(found.get("version"), VERSION):
        raise Rejected(f"the file is no certificate of local suppression of version {VERSION}")
    if set(found) != NAMES:
        raise Rejected("the certificate lacks a part, or has one that is not known")
    return found


def _checked(found: dict[str, Any], question: Question) -> tuple[Integers, Bound]:
    """Weights and bound of a certificate that claims what it proves, about this very question."""
    same = (
        _is(found["k"], question.k)
        and found["keys"] == list(question.names)
        and found["semantics"] == question.semantics
        and (
            found["combinations"] is None
            if question.combinations is None
            else _is(found["combinations"], question.combinations)
        )
    )
    if not same:
        raise Rejected("the certificate is about other keys, another k, or another kind of release")
    importance = found["importance"]
    if not isinstance(importance, dict) or list(importance) != list(question.names):
        raise Rejected("the certificate does not say what a blank in each key costs")
    weights = [_whole(importance[name], 1, MOST_WEIGHT) for name in question.names]
    scale = _whole(found["scale"], 1, MOST_SCALE)
    if not isinstance(found["prices"], list):
        raise Rejected("the certificate has no list of prices")
    prices = [_whole(price, -(2**62), 2**62) for price in found["prices"]]
    bound = prove(question, np.array(weights, np.int64), prices, scale)
    stated = [found[name] for name in ("total", "relief", "lower_bound")]
    if not all(_is(value, computed) for value, computed in zip(stated, bound)):
        raise Rejected("the certificate states another bound than its prices prove")
    return np.array(weights, np.int64), bound


def _whole(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Rejected("the certificate has a price, weight or scale that is no whole number of its range")
    return value


def _is(value: Any, number: int) -> bool:
    return type(value) is int and value == number
