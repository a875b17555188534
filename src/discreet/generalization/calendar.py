"""Hierarchies over dates: days, months, quarters, years and bands of years; or ages on a given day and bands of ages.

    1950-01-03  <  1950-01  <  1950-Q1  <  1950  <  [1950, 1954]  <  *
    1950-01-03  <  74  <  [70, 74]  <  [70, 79]  <  *                      (age on 2024-12-31)

Levels nest: a quarter lies in one year, and a band begins at a multiple of its width, which is a multiple of the one
before. Weeks are not offered, since they lie in two months. An age is in completed years; whoever was born on
29 February turns a year older on 1 March of other years.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise

from discreet.errors import Faults, InputError
from discreet.generalization.hierarchy import Hierarchy, band, check_widths, from_paths

STEPS = ("day", "month", "quarter", "year")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T].*)?")


def by_date(values: Iterable[str], steps: Sequence[str | int] = ("month", "quarter", "year")) -> Hierarchy:
    """Dates by ever wider steps, each one of `STEPS` or a number of years; `*` at the top."""
    days = _days(values)
    faults = Faults()
    known = [step for step in steps if step in STEPS]
    years = [step for step in steps if isinstance(step, int) and not isinstance(step, bool)]
    ordered = [*known, *years] == list(steps) and all(STEPS.index(a) < STEPS.index(b) for a, b in pairwise(known))
    faults.check(
        bool(steps) and ordered,
        f"hierarchy: the steps must be some of {', '.join(STEPS)} in this order, then numbers of years",
    )
    if years and ordered:
        check_widths(years, faults)
    faults.raise_if_any()
    paths = {text: (*(_label(day, step) for step in steps), "*") for text, day in days.items()}
    return from_paths(paths)


def by_age(values: Iterable[str], on: date, widths: Sequence[int] = ()) -> Hierarchy:
    """Birth dates by the age on the day `on`, then by bands of ages of these widths; `*` at the top."""
    days = _days(values)
    faults = Faults()
    later = sum(day > on for day in days.values())
    faults.check(later == 0, f"hierarchy: {later} dates of birth lie after the day for which ages are wanted")
    if len(widths):
        check_widths(widths, faults)
        faults.check(all(float(width).is_integer() for width in widths), "hierarchy: ages come in whole years")
    faults.raise_if_any()
    ages = {text: age(day, on) for text, day in days.items()}
    paths = {text: (str(old), *(band(old, width, True) for width in widths), "*") for text, old in ages.items()}
    return from_paths(paths)


def age(born: date, on: date) -> int:
    """Completed years."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def _days(values: Iterable[str]) -> dict[str, date]:
    """The day of each text, in ascending order; one error counts those that are no ISO dates."""
    found: dict[str, date] = {}
    wrong = 0
    for text in dict.fromkeys(values):
        parts = _ISO.fullmatch(text)
        try:
            found[text] = date(*map(int, parts.groups())) if parts else date(0, 0, 0)
        except ValueError:
            wrong += 1
    if wrong or not found:
        raise InputError(
            f"hierarchy: {wrong} of {wrong + len(found)} values are no ISO dates such as 1950-01-03: convert them first"
        )
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _label(day: date, step: str | int) -> str:
    if step == "day":
        return day.isoformat()
    if step == "month":
        return day.isoformat()[:7]
    if step == "quarter":
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    return f"{day.year:04d}" if step == "year" else band(day.year, float(step), True)
