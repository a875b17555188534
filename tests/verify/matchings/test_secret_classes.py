"""The custodian's file of a release in classes: honest ones are confirmed, changed and malformed ones are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from verify.units.cases import ROLES, claim, frame, release, survey

import discreet as dc

ROLES_IN_CLASSES = replace(ROLES, guarantee="classes")
TABLE = survey(seed=2)
MADE = release(TABLE, ROLES_IN_CLASSES)
Lines = list[list[str]]


def judged(lines: Lines) -> dc.Verdict:
    text = "\n".join(",".join(fields) for fields in lines) + "\n"
    return dc.verify(frame(TABLE), frame(MADE.rows), **claim(ROLES_IN_CLASSES, secret=text))


def honest() -> Lines:
    return [line.split(",") for line in MADE.secret("classes").splitlines()]


def test_an_honest_one_is_confirmed() -> None:
    assert judged(honest()).safe
    head, *rows = honest()
    assert judged([head, *reversed(rows)]).safe


def swapped(lines: Lines, place: int) -> None:
    other = next(at for at in range(2, len(lines)) if lines[at][2] != lines[1][2])
    lines[1][place], lines[other][place] = lines[other][place], lines[1][place]


CHANGED: dict[str, Callable[[Lines], object]] = {
    "origins swapped": lambda lines: swapped(lines, 1),
    "classes swapped": lambda lines: swapped(lines, 2),
    "an origin twice": lambda lines: lines[1].__setitem__(1, lines[2][1]),
    "a class of its own": lambda lines: lines[1].__setitem__(2, "999"),
    "one class for all": lambda lines: [fields.__setitem__(2, "0") for fields in lines[1:]],
}


@pytest.mark.parametrize("name", CHANGED)
def test_changed_ones_are_refused(name: str) -> None:
    lines = honest()
    CHANGED[name](lines)
    assert judged(lines).outcome == "unsafe"


MALFORMED: dict[str, Callable[[Lines], object]] = {
    "the header of matchings": lambda lines: lines.__setitem__(0, ["published_row", "origin", "drawn", "match_1"]),
    "a row less": lambda lines: lines.pop(),
    "a row named twice": lambda lines: lines[1].__setitem__(0, lines[2][0]),
    "an original that is not there": lambda lines: lines[1].__setitem__(1, "60"),
    "a negative original": lambda lines: lines[1].__setitem__(1, "-1"),
    "a class that is no number": lambda lines: lines[1].__setitem__(2, "a"),
    "an empty field": lambda lines: lines[1].__setitem__(2, ""),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_ones_are_an_error(name: str) -> None:
    lines = honest()
    MALFORMED[name](lines)
    with pytest.raises(dc.InputError, match="secret file is malformed"):
        judged(lines)
