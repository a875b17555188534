"""Identifiers: columns with a value of its own in (nearly) every row that is no measurement.

Words are one where nine of ten rows have a value of their own. Numbers are one where they repeat less often than
values drawn from their range do by chance: n numbers with r repetitions, in steps of their common divisor from a
least to a largest (equally likely ones repeat least, so that the chance of r or fewer is not underestimated); or
where they are whole, all different and of one length of seven digits and more. A name such as `person_id` is reason
enough for a column that never repeats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.chance import few_repeated, surprising
from discreet.verify.left.values import Values
from discreet.verify.readers.column import Column
from discreet.verify.values.meaning import missing, texts

Floats = NDArray[np.float64]

FEW_ROWS = 20
LONG = 7
REPEATED = 0.05
CLOSE, EVEN = 2.0, 0.1
WORDS = frozenset(
    [
        "id",
        "ids",
        "identifier",
        "uid",
        "uuid",
        "guid",
        "pid",
        "ssn",
        "sin",
        "nino",
        "nhs",
        "passport",
        "person",
        "patient",
        "respondent",
        "client",
        "customer",
        "member",
        "employee",
        "student",
        "case",
        "record",
        "serial",
        "login",
        "username",
        "user",
        "account",
        "iban",
        "name",
        "names",
        "fullname",
        "mail",
        "email",
        "phone",
    ]
)
NO_IDS = {"paid", "unpaid", "prepaid", "aid", "bid", "covid", "said", "valid", "invalid", "void", "acid", "grid"}
NO_IDS |= {"hybrid", "fluid", "kid", "mid", "rapid", "solid", "steroid", "thyroid", "opioid", "lipid", "arachnid"}


def is_called_id(name: str) -> bool:
    """Whether a column is named as an identifier: `id`, `patient_id`, `UTILITYID`."""
    return any(word == "id" or (word.endswith("id") and word not in NO_IDS) for word in tokens(name))


def tokens(name: str) -> list[str]:
    """The words of a column's name: `personId`, `person_id` and `Person ID` have two."""
    return re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).casefold())


def is_identifier(values: Values, column: Column) -> bool:
    """Whether a column is an identifier of rows."""
    n = int(values.known.sum())
    counts = np.bincount(values.codes[values.known], minlength=1) if n else np.zeros(1, np.int64)
    distinct = int((counts > 0).sum())
    if n < 3 or n - distinct > max(REPEATED, 0.1 if values.places is None else 0.0) * n:
        return False
    if values.kind == "dates":
        return False
    steps = whole_steps(values.places[values.known]) if values.places is not None else _numbered(column)
    called = WORDS.intersection(tokens(values.name)) or is_called_id(values.name)
    if distinct == n and called and (values.places is None or steps is not None):
        return True
    if values.places is None and n >= FEW_ROWS and int((counts == 1).sum()) >= 0.9 * n:
        return True
    if steps is None:
        return False
    room = (float(steps.max()) + 1.0) * (n + 1.0) / (n - 1.0)
    if surprising(few_repeated(n, n - distinct, max(room, float(distinct)))) and _given_out(steps):
        return True
    return values.places is not None and distinct == n >= FEW_ROWS and _one_length(values.places[values.known])


def whole_steps(places: Floats) -> Floats | None:
    """Numbers as whole steps of their common divisor above the least; None where they have none to speak of."""
    for digits in (0, 1, 2, 3):
        with np.errstate(over="ignore"):  # beyond every float: not whole
            scaled = places * 10.0**digits
        whole = np.rint(scaled)
        if np.abs(whole).max() < 2.0**52 and (np.abs(scaled - whole) <= 1e-9 * np.maximum(np.abs(whole), 1.0)).all():
            shifted = (whole - whole.min()).astype(np.int64)
            divisor = int(np.gcd.reduce(shifted))
            return (shifted // divisor if divisor else shifted).astype(np.float64)
    return None


def _given_out(steps: Floats) -> bool:
    """Whether numbers are spread evenly over their range, or mostly follow one another, as measurements rarely are."""
    ordered = np.sort(steps)
    even = np.linspace(0.0, ordered[-1], ordered.size)
    return bool(np.median(np.diff(ordered)) <= CLOSE or np.abs(ordered - even).max() <= EVEN * ordered[-1])


def _one_length(places: Floats) -> bool:
    """Whether numbers are whole and of one length of many digits."""
    if (places != np.rint(places)).any() or places.min() < 10.0 ** (LONG - 1) or places.max() >= 2.0**53:
        return False
    lengths = np.floor(np.log10(places))
    return bool(lengths.min() == lengths.max())


def _numbered(column: Column) -> Floats | None:
    """The steps of codes such as `p017`: texts that are alike but for one whole number; None for others."""
    away = missing(column, numeric=False).tolist()
    held = np.bincount(column.codes, minlength=column.size).tolist()
    found = numbers_in([text for text, gone, rows in zip(texts(column), away, held) if rows and not gone])
    return None if found is None else whole_steps(found)


def numbers_in(written: Sequence[str]) -> Floats | None:
    """The numbers of texts that are alike but for one whole number."""
    parts = re.fullmatch(r"(\D*)\d{1,15}(\D*)", written[0], re.ASCII) if written else None
    if parts is None:
        return None
    alike = re.compile(re.escape(parts[1]) + r"(\d{1,15})" + re.escape(parts[2]), re.ASCII)
    found = [alike.fullmatch(text) for text in written]
    return None if None in found else np.array([float(match[1]) for match in found if match is not None])
