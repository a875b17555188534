"""A regression the user names, as in "income ~ age + C(sex) + log(spending)".

On the left stands a number, on the right columns joined by +: numbers as they are, `log(x)` of them, categories and
`C(x)` by a mark for each of their values but the first (in sorted order). There is always an intercept. A published
range counts by its middle, a set by the share that each of its values has in it. Records with a blank have no part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from discreet.errors import Faults, InputError
from discreet.instruments.measured.columns import Pair
from discreet.measure.utility.columns import MISSING, Categories, Floats, Marks, Numbers, by_value

MOST_COEFFICIENTS = 500
_TERM = re.compile(r"(?:(C|log)\((.+)\)|(.+))", re.DOTALL)
FORM = "write it as in 'income ~ age + C(sex) + log(spending)'"


@dataclass(frozen=True)
class Formula:
    """What is explained, and by which columns; each with what is done to it, "" for nothing."""

    text: str
    response: tuple[str, str]
    terms: tuple[tuple[str, str], ...] = field(repr=False)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for _, name in (self.response, *self.terms)))


def parse(text: str) -> Formula:
    """The parts of a formula; `InputError` where it is none."""
    left, tilde, right = text.partition("~")
    parts = [part.strip() for part in (left, *right.split("+"))]
    if not tilde or "~" in right or not all(parts):
        raise InputError(f"the regression cannot be read: {FORM}")
    found = []
    for part in parts:
        match = _TERM.fullmatch(part)
        assert match is not None
        found.append((match[1] or "", (match[2] or match[3]).strip()))
    faults = Faults()
    faults.check(found[0][0] != "C", "the regression explains a number: C(...) may not stand on its left side")
    faults.check(len(set(found)) == len(found), "a column stands twice in the regression")
    faults.raise_if_any()
    return Formula(text.strip(), found[0], tuple(found[1:]))


@dataclass(frozen=True)
class Design:
    """The matrix of a regression in one file, what it explains, which records are complete, names of coefficients."""

    matrix: Floats = field(repr=False)
    response: Floats = field(repr=False)
    complete: Marks = field(repr=False)
    names: tuple[str, ...]


def designs(formula: Formula, pairs: Mapping[str, Pair]) -> tuple[Design, Design]:
    """The regression in both files, with the same coefficients; `InputError` where columns do not fit it."""
    how, name = formula.response
    pair = pairs[name]
    if not isinstance(pair.before, Numbers) or not isinstance(pair.after, Numbers):
        raise InputError(f"the regression explains {name!r}, which holds no numbers: name a column of numbers")
    responses = [_number(column, how) for column in (pair.before, pair.after)]
    blocks: list[tuple[Sequence[str], Floats, Floats]] = []
    for how, name in formula.terms:
        pair = pairs[name]
        if isinstance(pair.before, Numbers) and isinstance(pair.after, Numbers) and how != "C":
            label = f"{how}({name})" if how else name
            blocks.append(([label], _number(pair.before, how)[:, None], _number(pair.after, how)[:, None]))
        elif how == "log":
            raise InputError(f"log({name}) is for numbers, and the column holds categories")
        else:
            blocks.append(_marks(pair, name))
    names = ("intercept", *(label for labels, _, _ in blocks for label in labels))
    if len(names) > MOST_COEFFICIENTS:
        raise InputError(f"the regression has {len(names)} coefficients: {MOST_COEFFICIENTS} are the most")
    out = []
    for side, response in enumerate(responses):
        parts = [block[1 + side] for block in blocks]
        matrix = np.concatenate([np.ones((response.size, 1)), *parts], axis=1)
        complete = np.isfinite(response) & np.isfinite(matrix).all(axis=1)
        out.append(Design(matrix, response, complete, names))
    return out[0], out[1]


def _number(column: Numbers, how: str) -> Floats:
    """The middle of every entry, NaN where it is not known; its logarithm, where that is asked for and there is one."""
    values = column.middle
    if how != "log":
        return values
    return np.log(values, out=np.full(values.shape, np.nan), where=values > 0)


def _marks(pair: Pair, name: str) -> tuple[list[str], Floats, Floats]:
    """Per value but the first the part it has in every entry."""
    if isinstance(pair.before, Numbers):
        assert isinstance(pair.after, Numbers)
        before, after, values = by_value(pair.before, pair.after)
        labels = [f"{value:.15g}" for value in values]
    else:
        assert isinstance(pair.after, Categories)
        before, after, labels = pair.before, pair.after, list(pair.labels)
    used = np.flatnonzero(np.bincount(before.plain()[~before.missing], minlength=before.size))
    order = sorted(used.tolist(), key=lambda code: code if isinstance(pair.before, Numbers) else labels[code])
    if len(order) > MOST_COEFFICIENTS:
        raise InputError(f"{name!r} has {len(order)} values: the regression allows {MOST_COEFFICIENTS} coefficients")
    names = [f"C({name})[{labels[code]}]" for code in order[1:]]
    return names, _parts(before, order)[:, 1:], _parts(after, order)[:, 1:]


def _parts(column: Categories, order: Sequence[int]) -> Floats:
    """The share of each value in every entry; NaN where it is blank, anything, or a value that the original has not."""
    sets = column.width.size
    place = np.full(int(max(column.member.max(initial=0), column.size)) + 2, -1, np.int64)
    place[np.asarray(order, np.int64)] = np.arange(len(order))
    shares = np.zeros((sets + 1, len(order)))
    owner, at = np.repeat(np.arange(sets), column.width), place[np.where(column.member == MISSING, -1, column.member)]
    shares[owner[at < 0]] = np.nan
    np.add.at(shares, (owner[at >= 0], at[at >= 0]), 1 / column.width[owner[at >= 0]])
    shares[sets] = np.nan
    return shares[np.where(column.codes < 0, sets, column.codes)]
