"""Is a column that was spelled anew spelled in one style? Else the style could be a sign on single rows.

Other tools quote fields and write numbers in their own way, and so do other formats. That is one rule for all entries
of a column: quotes around all, none, or those that need them; numbers with as many decimals each, or with no more
digits than they need. Where values differ in every row anything else could tell, field by field, what was to be hidden.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from discreet.verify.readers.column import DELIMITED, Column
from discreet.verify.values.meaning import TEXTUAL, is_numeric, missing, numbers, texts

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")
SPECIAL = frozenset(',;|\t"\r\n ')
# Tools write numbers with an exponent only beyond these.
SMALL, LARGE = 1e-2, 1e5


def one_style(was: Column, now: Column) -> bool:
    """Whether the published column is spelled as the original is, or by one rule for all its entries."""
    if now.kind not in TEXTUAL:
        return True
    if was.kind == now.kind and set(now.entries.to_pylist()) <= set(was.entries.to_pylist()):
        return True
    words, number = texts(now), numbers(now).valid.tolist()
    gone = missing(now, numeric=is_numeric(now)).tolist()
    if now.kind == DELIMITED:
        marks: dict[object, set[bool]] = {}
        for entry, text, figure, away in zip(now.entries.to_pylist(), words, number, gone):
            kind = "missing" if away else (figure, SPECIAL.intersection(text), text != text.strip())
            marks.setdefault(kind, set()).add(entry[:1] == b'"')
        if any(len(found) > 1 for found in marks.values()):
            return False
    if was.kind in TEXTUAL and set(words) <= set(texts(was)):
        return True
    figures = [text for text, figure, away in zip(words, number, gone) if figure and not away]
    return _one_notation([text.replace(",", ".") if now.comma else text for text in figures])


def _one_notation(figures: Sequence[str]) -> bool:
    """Whether numbers are written by one rule: one count of decimals, or the fewest, with or without `.0` for whole."""
    plain = [text.strip(" ") for text in figures]
    if plain != list(figures) and len(set(map(len, figures))) > 1:
        return False
    decimals: list[str] = []
    for text in plain:
        if "e" in text.casefold():
            if SMALL <= abs(float(text)) < LARGE:
                return False
            continue
        found = NUMBER.fullmatch(text)
        if found is None or (text[0] == "-" and not text.strip("-0.")):
            return False
        decimals.append(found[1] or "")
    if len(set(map(len, decimals))) <= 1:
        return True
    whole = {part for part in decimals if not part.strip("0")}
    return len(whole) <= 1 and whole <= {"", "0"} and not any(part[-1:] == "0" and part != "0" for part in decimals)
