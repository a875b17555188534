"""What a text means, the slow way: exact numbers as fractions, digit by digit, and text folded letter by letter."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

MISSING = ("", "NA", "NaN", "nan", "null", "NULL")
DIGITS = "0123456789"


def number(text: str) -> Fraction | None:
    """The number that a text spells in ASCII, None if it spells none or its exponent is beyond ±400."""
    rest = text.strip(" \t")
    sign = 1
    if rest[:1] in ("+", "-"):
        sign = -1 if rest[0] == "-" else 1
        rest = rest[1:]
    mantissa, mark, exponent = rest.partition("e") if "e" in rest else rest.partition("E")
    power = 0
    if mark:
        minus = exponent[:1] == "-"
        figures = exponent[1:] if exponent[:1] in ("+", "-") else exponent
        if not figures or any(char not in DIGITS for char in figures):
            return None
        for char in figures:
            power = min(10 * power + DIGITS.index(char), 10_000)
        if power > 400:
            return None
        power = -power if minus else power
    whole, _, part = mantissa.partition(".")
    if not whole + part or any(char not in DIGITS for char in whole + part):
        return None
    value = Fraction(0)
    for char in whole + part:
        value = 10 * value + DIGITS.index(char)
    return sign * value * Fraction(10) ** (power - len(part))


def meanings(texts: list[str | None]) -> list[object]:
    """Per entry of a column what it means: a fraction where all that is not missing are numbers, else the text."""
    words = [text for text in texts if text is not None and text.strip(" \t") not in MISSING]
    if words and all(number(word) is not None for word in words):
        return [None if text is None or text.strip(" \t") in MISSING else number(text) for text in texts]
    return [None if text in (None, "") else text for text in texts]


def folded(text: str) -> str:
    """A text without regard to compatibility forms, case and spacing."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words, word = [], ""
    for char in plain:
        if char.isspace():
            words.append(word)
            word = ""
        else:
            word += char
    return " ".join(word for word in [*words, word] if word)
