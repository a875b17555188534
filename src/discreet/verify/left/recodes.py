"""Recodes: left columns that are one to one with a key or with a dropped column that sorts rows into groups.

Two columns are one to one where each value of the one goes with one value of the other. By chance a column with m_v
rows of value v sorts n rows as another does in one of n!/(Π m_v! · Π c_s!) ways, where c_s values have s rows each.

A key that is published as it was needs nobody to tell it. But who knows it is likely to know what it was made from: a
date of birth beside an age, a postal code beside a region. Dates and codes that tell such a key, and have more values
than it has, are finer than what was to be known.
"""

from __future__ import annotations

import re
from math import lgamma

import numpy as np

from discreet.verify.left.chance import surprising
from discreet.verify.left.identifier import tokens
from discreet.verify.left.skill import Key, Teller
from discreet.verify.left.values import Values
from discreet.verify.readers.column import Column
from discreet.verify.values.meaning import missing, texts

FINER = 0.9
POSTAL = frozenset(["zip", "zipcode", "postal", "postcode", "plz", "postleitzahl"])
_CODE = re.compile(r"\S*\d\S*")


def one_to_one(a: Values, b: Values) -> bool:
    """Whether each value of the one column goes with one value of the other, and that is no accident."""
    if a.size != b.size or a.size < 2:
        return False
    counts = np.bincount(a.codes)
    pairs = np.unique(a.codes * b.size + b.codes).size
    return pairs == a.size and surprising(_ways(counts))


def _ways(counts: np.ndarray) -> float:
    """The logarithm of the number of ways to sort rows into unnamed groups of these sizes."""
    sizes, times = np.unique(counts, return_counts=True)
    within = sum(lgamma(int(size) + 1) * int(many) for size, many in zip(sizes, times))
    return lgamma(int(counts.sum()) + 1) - within - sum(lgamma(int(many) + 1) for many in times)


def finer(values: Values, column: Column, key: Values) -> bool:
    """Whether a column of dates or codes tells a key and has more values than it."""
    if values.size < 2 * key.size or key.size < 2 or not (values.kind == "dates" or _are_codes(values, column)):
        return False
    skill = Teller(values).tells(Key(key))
    return skill.value >= FINER and surprising(skill.surprise, 100)


def _are_codes(values: Values, column: Column) -> bool:
    """Whether a column is named as a postal code, or holds texts without blanks that all have digits, no numbers."""
    if values.places is not None or POSTAL.intersection(tokens(column.name)):
        return bool(POSTAL.intersection(tokens(column.name)))
    gone = missing(column, numeric=False).tolist()
    written = [text for text, away in zip(texts(column), gone) if not away]
    return bool(written) and all(_CODE.fullmatch(text) for text in written)
