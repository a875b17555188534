"""Roles are guessed from names and looks; who has none is told all of them at once, without any value."""

from __future__ import annotations

import numpy as np
import pandas as pd

import discreet as dc
from discreet.frames import adopt
from discreet.instruments.protect.proposals import propose


def guessed(frame: pd.DataFrame) -> dict[str, str]:
    table = adopt(frame)
    return {name: one.role for name, one in propose(table, table.columns).items()}


def test_the_survey() -> None:
    for n in (200, 3000):
        assert guessed(dc.datasets.survey(n, seed=2)) == {
            "person": "identifiers",
            "household": "household",
            **dict.fromkeys(["region", "dwelling", "sex", "age", "education", "employment"], "keys"),
            **dict.fromkeys(["hours", "income", "household_income", "spending", "savings"], "numeric"),
            "illness": "sensitive",
        }


def test_columns_of_many_kinds() -> None:
    n = 120
    frame = pd.DataFrame(
        {
            "mail": [f"p{i}@example.org" for i in range(n)],
            "contact": [f"+44 20 7946 {i:04d}" for i in range(n)],
            "who": [f"Anna Bell{i}" for i in range(n)],
            "address": [f"{i} High Street" for i in range(n)],
            "patient_id": [f"P{i // 3:03d}" for i in range(n)],
            "sampling_weight": [1.5 + (i % 4) for i in range(n)],
            "born": [f"19{i % 90 + 10}-03-{i % 28 + 1:02d}" for i in range(n)],
            "seen": pd.date_range("2020-01-01", periods=n),
            "row": range(n),
            "code": [f"{i % 7:03d}" for i in range(n)],
            "measure": [i * 1.37 for i in range(n)],
            "town": [f"town{i % 24}" for i in range(n)],
            "nothing": [None] * n,
            "note": [f"x{i // 2}y" for i in range(n)],
        }
    )
    assert guessed(frame) == {
        "mail": "identifiers",
        "contact": "identifiers",
        "who": "identifiers",
        "address": "identifiers",
        "patient_id": "person",
        "sampling_weight": "weight",
        "born": "keys",
        "seen": "keys",
        "row": "identifiers",
        "code": "keys",
        "measure": "numeric",
        "town": "keys",
        "nothing": "leave",
        "note": "identifiers",
    }


def test_codes_years_and_weights_of_bodies() -> None:
    """Postal codes with zeros in front are no quantity, and a weight in kilograms is none of a sample."""
    n = 600
    frame = pd.DataFrame(
        {
            "zip": [f"{(i * 37) % 200:05d}" for i in range(n)],
            "code": [f"{(i * 29) % 90:04d}" for i in range(n)],
            "year_of_birth": [1930 + (i * 7) % 80 for i in range(n)],
            "year_index": [0.5 + (i * 7) % 80 for i in range(n)],
            "weight_kg": [50 + (i * 13) % 500 / 10 for i in range(n)],
            "w": [1.0 + i % 3 for i in range(n)],
            "occupation": [f"trade {chr(97 + i % 26)}{chr(97 + i % 7)}" for i in range(n)],
        }
    )
    assert guessed(frame) == {
        "zip": "keys",
        "code": "keys",
        "year_of_birth": "keys",
        "year_index": "numeric",
        "weight_kg": "numeric",
        "w": "weight",
        "occupation": "identifiers",
    }
    assert guessed(frame.astype({"year_of_birth": str}))["year_of_birth"] == "keys"


def test_dates_that_have_no_order_are_told() -> None:
    table = adopt(pd.DataFrame({"iso": ["1950-01-03", "1961-12-24"] * 20, "other": ["03.01.1950", "24.12.1961"] * 20}))
    found = propose(table, ["iso", "other"])
    assert (found["iso"].role, found["iso"].why) == ("keys", "dates")
    assert found["other"].role == "keys" and "1950-12-31" in found["other"].why


def test_short_names_of_households_and_weights() -> None:
    home = np.repeat(np.arange(60), 3)
    frame = pd.DataFrame({"hid": 1000 + 7 * home, "w": np.linspace(1, 3, 180).round(2), "hours": home % 40})
    found = propose(adopt(frame), list(frame))
    assert found["hid"].role == "household" and found["w"].role == "weight" and found["hours"].role != "household"
