"""The judgement on tiny delimited releases by brute force, from the fields' bytes: the slow twin of `discreet.verify`.

Nothing here is clever: a field is what stands between two delimiters, a number is a `Fraction`, a box is
asked about every original, and matchings are counted by the exhaustive flow of `oracles.generalization`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from fractions import Fraction

import numpy as np

from oracles.generalization import has_regular_subgraph

NUMBER = re.compile(r"[ \t]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)
NOTHING = {"", "NA", "NaN", "nan", "null", "NULL"}
ANYTHING = "anything"
ZERO = re.compile(r"\s*[+-]?0[0-9]", re.ASCII)


def number(text: str) -> Fraction | None:
    if not NUMBER.fullmatch(text):
        return None
    digits, _, power = text.strip(" \t").lower().partition("e")
    return None if abs(int(power or 0)) > 400 else Fraction(digits) * Fraction(10) ** int(power or 0)


def bare(field: str) -> str:
    return field[1:-1].replace('""', '"') if field.startswith('"') else field


def value(field: str, numeric: bool) -> object:
    """What an original field means: a number, a text, or None."""
    text = bare(field)
    if numeric:
        return None if text.strip() in NOTHING else number(text)
    return text or None


def meaning(field: str, numeric: bool, known: set[object]) -> object:
    """What a published field means: ("set", values), ("range", low, high), ANYTHING; "unreadable" otherwise."""
    text = bare(field)
    if numeric:
        if text.strip() in NOTHING:
            return "set", frozenset([None])
        if number(text) is not None:
            return "set", frozenset([number(text)])
        ends = text[1:-1].split(",") if text[:1] == "[" and text[-1:] == "]" else []
        if len(ends) == 2 and number(ends[0]) is not None and number(ends[1]) is not None:
            low, high = number(ends[0]), number(ends[1])
            return ("set", frozenset([low])) if low == high else ("range", low, high)
    elif text == "" or text in known:
        return "set", frozenset([text or None])
    if text == "*":
        return ANYTHING
    if text[:1] == "{" and text[-1:] == "}":
        items = [item.removeprefix(" ") for item in text[1:-1].split(",")]
        items = [items[0], *items[1:]]
        members = frozenset((number(i) if i else None) if numeric else (i or None) for i in items)
        if numeric and any(i and number(i) is None for i in items):
            return "unreadable"
        return "set", members
    return "unreadable"


def covers(meant: object, original: object) -> bool:
    if meant == ANYTHING:
        return True
    assert isinstance(meant, tuple)
    if meant[0] == "range":
        return original is not None and meant[1] <= original <= meant[2]
    return original in meant[1]


def is_numeric(fields: list[str]) -> bool:
    texts = [bare(field) for field in fields]
    there = [text for text in texts if text.strip() not in NOTHING]
    return bool(there) and all(number(text) is not None for text in there)


def codes(was: list[str], now: list[str]) -> bool:
    """Whether digits with zeros in front were published as text: as sets, or in their own spellings, and no range."""
    known, shown = {bare(field) for field in was}, {bare(field) for field in now}
    fresh = shown - known
    if not any(ZERO.match(text) for text in known) or any(text[:1] == "[" and text[-1:] == "]" for text in fresh):
        return False
    return shown == known or any(text[:1] == "{" and text[-1:] == "}" for text in fresh)


def judge_matchings(original: list[list[str]], published: list[list[str]], k: int) -> str:
    """ "safe", "unsafe" or "cannot tell" for two lists of columns."""
    n = len(original[0])
    inside = np.ones((n, n), bool)
    respelled = False
    for was, now in zip(original, published):
        numeric = is_numeric(was) and not codes(was, now)
        values = [value(field, numeric) for field in was]
        meant = [meaning(field, numeric, set(values)) for field in now]
        if "unreadable" in meant:
            return "cannot tell"
        pairs = set(zip(meant, now))
        respelled |= len(pairs) > len(set(meant))
        inside &= np.array([[covers(box, one) for one in values] for box in meant])
    if respelled or k > n or not has_regular_subgraph(inside, k):
        return "unsafe"
    return "safe"


def judge_classes(original: list[list[str]], published: list[list[str]], k: int) -> str:
    """Whether every combination of bytes stands in k rows, and no value is spelled in two ways."""
    if min(Counter(zip(*published)).values()) < k:
        return "unsafe"
    for was, now in zip(original, published):
        numeric = is_numeric(was)
        plain = [(value(f, numeric) if not numeric or number(bare(f)) is not None else bare(f).strip()) for f in now]
        plain = [None if isinstance(v, str) and numeric and v in NOTHING else v for v in plain]
        if len(set(zip(plain, now))) > len(set(plain)):
            return "unsafe"
    return "safe"


def fold(text: str) -> object:
    """A sensitive value by what it says."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    plain = " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())
    found = number(plain)
    return found if found is not None else plain or None
