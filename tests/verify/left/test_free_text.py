"""Free text about people is recognized by how it is written; labels, bands and dates are not."""

from __future__ import annotations

import pandas as pd
import pytest

from discreet.verify.left.free_text import free_text
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table


def judged(values: list[str], name: str = "x") -> str | None:
    column = open_table(pd.DataFrame({name: values}), "a frame").column(name)
    return free_text(read_values(column), column)


TEXTS = {
    "mail addresses": [f"anna.{i}@example.org" for i in range(8)],
    "phone numbers": ["+49 30 123456", "030/1234567", "(555) 123-4567", "0171 2345678", "+1 555 987 6543"],
    "street addresses": ["12 High Street", "4a Mill Lane", "Hauptstraße 7", "Rue de Rivoli 3", "99 Oak Ave"],
    "web addresses": [f"https://example.org/{i}" for i in range(6)],
    "network addresses": [f"10.0.{i}.17" for i in range(6)],
    "sentences": [f"the patient said on day {i} that it hurts" for i in range(12)],
}


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_written_about_people(kind: str) -> None:
    assert judged(TEXTS[kind]) == kind
    assert judged([*TEXTS[kind] * 2, ""]) == kind


def test_names_of_people_are_known_by_the_name_of_the_column() -> None:
    names = ["Meier", "Smith", "Dubois", "Rossi", "Novak"] * 4
    assert judged(names, "surname") == judged(names, "last_name") == judged(names, "Nachname") == "names of people"
    assert judged(names, "brand") is None
    assert judged([f"Ann {i}" for i in range(9)], "name") == "names"


@pytest.mark.parametrize(
    "values",
    [
        ["10000-19999", "20000-29999", "30000-39999", "40000-49999", "50000-59999"] * 20,
        ["never married", "married", "divorced"] * 10,
        [f"{d:02d}.05.1980" for d in range(1, 29)],
        ["agree strongly and without any doubt", "do not agree at all with it"] * 15,
        ["1234567", "2345678", "3456789", "4567890", "5678901", "x"],
    ],
)
def test_labels_are_no_free_text(values: list[str]) -> None:
    assert judged(values) is None
