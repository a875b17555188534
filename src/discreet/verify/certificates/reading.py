"""Reads a certificate of a microaggregation, strictly: a typed record of what the file states, or what is wrong.

A certificate is evidence that someone hands in. Of what it states, only the multipliers, cuts, root values, the
target and the list of what was searched are ever used, and any such numbers prove a true bound or none. The rest
(`lower_bound`, `sse`, `sst`, `gap`, `k`, `n`, `columns`, `scale`) is what it claims, to be compared with what the
check computes itself.

Refused: anything but one JSON object with known keys, keys said twice, NaN and infinities, numbers that float64 does
not hold, truth values in place of numbers, records that do not exist, lists of another length, more nesting or more
text than a certificate has. Nothing of the file is ever repeated in a message.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = "discreet microaggregation certificate 1"
SCALES = ("sd", "range", "none")
# Kinds of bound that rest on multipliers, and those that need the data alone.
PRICED = ("column generation", "column generation with cuts", "column generation by blocks", "target enumeration")
SIMPLE = ("only partition", "zero", "dynamic programming", "nearest neighbors")
TARGET = "target enumeration"
STATUSES = ("optimal", "converged", "time limit", "interrupted")
MISSING = ("error", "suppress")
EVIDENCE = ("multipliers", "roots", "cuts", "target", "searched", "spent")
CLAIMS = ("lower_bound", "sse", "sst", "gap", "information_loss")
KEYS = {"format", "bound", "k", "n", "columns", "scale", "missing", "status", "exponent", "tolerance"}
KEYS |= {*EVIDENCE, *CLAIMS}
# Numbers of a certificate take some hundred bytes a record; this is many times that.
MOST_BYTES = 64_000_000
MOST_BYTES_EACH = 2000
# A cut's numerators add up within 64 bits, whatever the number of records.
MOST_NUMERATOR = 2**31
# Powers of two that can make a number of one float64 into another's.
MOST_EXPONENT = 5000


class Malformed(Exception):
    """The text is not a certificate; the argument says why, in words of our own."""


@dataclass(frozen=True)
class Cut:
    """Σ_C ⌊Σ_{v∈C} numerators_v / divisor⌋ ≤ ⌊Σ numerators / divisor⌋ for every partition; its penalty is 0 or more."""

    records: tuple[int, ...]
    numerators: tuple[int, ...]
    divisor: int
    penalty: float

    @property
    def rhs(self) -> int:
        return sum(self.numerators) // self.divisor


@dataclass(frozen=True)
class Certificate:
    """What a certificate states. Multipliers, roots, penalties, target, SSE and bound are in units of 2^`exponent`."""

    bound: str
    k: int
    n: int
    exponent: int
    multipliers: tuple[float, ...]
    roots: Mapping[int, float]
    cuts: tuple[Cut, ...]
    target: float | None
    searched: int | None
    second: bool
    claims: Mapping[str, float]
    columns: tuple[str, ...] | None
    scale: str | None
    optimal: bool


def read_text(path: str | Path, records: int) -> bytes:
    """The bytes of a certificate about so many records; raises `Malformed` where there are too many or none."""
    most = MOST_BYTES + MOST_BYTES_EACH * records
    try:
        with Path(path).open("rb") as handle:
            data = handle.read(most + 1)
    except OSError:
        raise Malformed("the certificate cannot be read") from None
    if len(data) > most:
        raise Malformed("the certificate is longer than one about this many records can be")
    return data


def parse(text: str | bytes | Mapping[str, Any]) -> Certificate:
    """The certificate that a text holds; raises `Malformed`. A mapping is taken as what its JSON text would say."""
    try:
        if isinstance(text, Mapping):
            text = json.dumps(dict(text), allow_nan=False)
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        stated = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except Malformed:
        raise
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise Malformed("the certificate cannot be read as JSON") from None
    if not isinstance(stated, dict):
        raise Malformed("the certificate is not a JSON object")
    if stated.get("format") != FORMAT:
        raise Malformed("this is not a certificate of a microaggregation that this version can read")
    if set(stated) - KEYS:
        raise Malformed("the certificate has keys that a certificate of this format does not have")
    lacking = [name for name in ("bound", "k", "n", "lower_bound", "sse") if name not in stated]
    if lacking:
        raise Malformed(f"the certificate lacks {' and '.join(lacking)}")
    return _certificate(stated)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Malformed("the certificate states something twice")
    return found


def _no_constant(_: str) -> float:
    raise Malformed("the certificate holds something that is not a finite number")


def _certificate(stated: Mapping[str, Any]) -> Certificate:
    kind = stated["bound"]
    if not isinstance(kind, str) or kind not in (*PRICED, *SIMPLE):
        raise Malformed("the certificate names no kind of bound that is known")
    n = _whole(stated["n"], "number of records", 1, 2**40)
    k = _whole(stated["k"], "k", 1, 2**40)
    present = [name for name in EVIDENCE if name in stated]
    if kind in SIMPLE and present:
        raise Malformed("the certificate holds evidence that its kind of bound does not rest on")
    if kind in PRICED and "multipliers" not in present:
        raise Malformed("the certificate lacks the multipliers that its bound rests on")
    if ("target" in present) != (kind == TARGET) or ("searched" in present) < ("spent" in present):
        raise Malformed("the certificate states a target, or what was searched for it, without the rest")
    if "searched" in present and kind != TARGET:
        raise Malformed("the certificate states what was searched, but no target")
    multipliers = _list(stated.get("multipliers", []), "multipliers")
    if present and len(multipliers) != n:
        raise Malformed("the certificate must have one multiplier for every record")
    if "spent" in stated:
        _number(stated["spent"])
    if "tolerance" in stated:
        _number(stated["tolerance"])
    _word(stated.get("missing", "error"), MISSING)
    return Certificate(
        bound=kind,
        k=k,
        n=n,
        exponent=_whole(stated.get("exponent", 0), "exponent", -MOST_EXPONENT, MOST_EXPONENT),
        multipliers=tuple(_number(x) for x in multipliers),
        roots=_roots(stated.get("roots", {}), n),
        cuts=tuple(_cut(cut, n) for cut in _list(stated.get("cuts", []), "cuts")),
        target=_number(stated["target"]) if "target" in present else None,
        searched=_whole(stated["searched"], "number of records searched", 1, n) if "searched" in present else None,
        second="spent" in present,
        claims={name: _number(stated[name]) for name in CLAIMS if name in stated},
        columns=_columns(stated["columns"]) if "columns" in stated else None,
        scale=_word(stated["scale"], SCALES) if "scale" in stated else None,
        optimal=_word(stated.get("status", "converged"), STATUSES) == "optimal",
    )


def _word(value: Any, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise Malformed("the certificate uses a word for scale, status or missing values that is not known")
    return value


def _columns(value: Any) -> tuple[str, ...]:
    names = _list(value, "columns")
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise Malformed("the certificate's columns are not a list of different names")
    return tuple(names)


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(f"the certificate's {name} are not a list")
    return value


def _number(value: Any) -> float:
    """A finite float64, from a JSON number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise Malformed("the certificate holds something that is not a finite number")


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Malformed(f"the certificate's {name} is not a whole number in its range")
    return value


def _roots(value: Any, n: int) -> dict[int, float]:
    if not isinstance(value, dict):
        raise Malformed("the certificate's roots are not values by record")
    found: dict[int, float] = {}
    for key, number in value.items():
        if not (key.isascii() and key.isdigit() and len(key) <= 13 and str(int(key)) == key and int(key) < n):
            raise Malformed("a root of the certificate is not a record")
        found[int(key)] = _number(number)
        if found[int(key)] > 0:
            raise Malformed("a root of the certificate has a value above zero")
    return found


def _cut(value: Any, n: int) -> Cut:
    if not isinstance(value, dict) or set(value) != {"records", "numerators", "divisor", "penalty"}:
        raise Malformed("a cut of the certificate does not have records, numerators, divisor and penalty")
    records = tuple(_whole(v, "record of a cut", 0, n - 1) for v in _list(value["records"], "records of a cut"))
    tops = tuple(_whole(a, "numerator", 1, MOST_NUMERATOR) for a in _list(value["numerators"], "numerators"))
    divisor, penalty = _whole(value["divisor"], "divisor", 1, MOST_NUMERATOR), _number(value["penalty"])
    if len(set(records)) < len(records) or len(tops) != len(records) or penalty < 0:
        raise Malformed("a cut of the certificate is not a rank-1 cut with a penalty of zero or more")
    return Cut(records, tops, divisor, penalty)
