from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generalization.calendar import age, by_age, by_date


@given(st.lists(st.dates(date(1900, 1, 1), date(2030, 12, 31)), min_size=1, max_size=20, unique=True))
def test_every_label_holds_the_dates_of_its_step(days: list[date]) -> None:
    tree = by_date([day.isoformat() for day in days], ["day", "month", "quarter", "year", 5, 10])
    assert list(tree.leaves) == sorted(day.isoformat() for day in days)
    for text, *labels in tree.rows():
        day = date.fromisoformat(text)
        five, ten = day.year // 5 * 5, day.year // 10 * 10
        quarter = f"{day.year}-Q{[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][day.month - 1]}"
        bands = [f"[{five}, {five + 4}]", f"[{ten}, {ten + 9}]", "*"]
        assert labels == [text, text[:7], quarter, str(day.year), *bands]


@given(st.dates(date(1900, 1, 1), date(2020, 12, 31)), st.integers(0, 50_000))
def test_an_age_is_how_many_birthdays_have_passed(born: date, later: int) -> None:
    on = born + timedelta(days=later)
    birthdays = 0
    for year in range(born.year + 1, on.year + 1):
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        day = date(year, 3, 1) if (born.month, born.day) == (2, 29) and not leap else born.replace(year=year)
        birthdays += day <= on
    assert age(born, on) == birthdays


def test_ages_and_their_bands_nest() -> None:
    tree = by_age(["1950-01-03", "1951-06-01 12:30", "2004-12-31"], date(2024, 12, 31), [5, 10, 20])
    assert {row[0]: row[1:] for row in tree.rows()} == {
        "1950-01-03": ("74", "[70, 74]", "[70, 79]", "[60, 79]", "*"),
        "1951-06-01 12:30": ("73", "[70, 74]", "[70, 79]", "[60, 79]", "*"),
        "2004-12-31": ("20", "[20, 24]", "[20, 29]", "[20, 39]", "*"),
    }


@pytest.mark.parametrize(
    ("steps", "words"),
    [([], "steps"), (["year", "month"], "steps"), (["week"], "steps"), ([5, "year"], "steps"), ([5, 7], "multiple")],
)
def test_steps_that_do_not_nest_are_told(steps: list, words: str) -> None:
    with pytest.raises(InputError, match=words):
        by_date(["1950-01-03"], steps)


def test_what_is_no_date_is_counted() -> None:
    with pytest.raises(InputError, match="2 of 3 values are no ISO dates"):
        by_date(["1950-01-03", "3.1.1950", "1950-02-30"])
    with pytest.raises(InputError, match="1 dates of birth lie after"):
        by_age(["1950-01-03"], date(1949, 1, 1))
