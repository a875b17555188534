"""Means without the sets: totals to the last digit, and nothing that no sets of k could give."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from verify.units.cases import ROLES, claim, frame, release, survey

import discreet as dc

ALONE = replace(ROLES, unit=None, weight=None)
TABLE = survey(seed=2)
MADE = release(TABLE, ALONE)


def with_column(values: list[str]) -> dict[str, Any]:
    rows = [{**row, "x": value} for row, value in zip(MADE.rows, values)]
    verdict = dc.verify(
        frame([{n: v for n, v in r.items() if n not in "hw"} for r in TABLE]), frame(rows), **claim(ALONE)
    )
    return {"safe": verdict.safe, "words": " ".join((*verdict.failures, *verdict.limits, *verdict.proven))}


def test_totals_are_told_exactly() -> None:
    honest = [row["x"] for row in MADE.rows]
    found = with_column(honest)
    assert found["safe"] and "the total of x is that of the original" in found["words"]
    off = with_column([f"{float(honest[0]) + 0.001:.3f}", *honest[1:]])
    assert off["safe"] and "off by 0.001" in off["words"]
    assert not with_column([f"{float(honest[0]) + 10:.3f}", *honest[1:]])["safe"]


@pytest.mark.parametrize("value", ["inf", "nan", "1e999", "x", "", "0x1", "１"])
def test_what_is_no_number(value: str) -> None:
    assert not with_column([value, *(row["x"] for row in MADE.rows[1:])])["safe"]


def test_single_values_are_no_means() -> None:
    copied = with_column([f"{float(TABLE[origin]['x']):.3f}" for origin in MADE.origin])
    assert not copied["safe"] and "holds single values" in copied["words"]


def test_a_number_beyond_its_box() -> None:
    before = pd.DataFrame({"q": [0, 1, 2, 3, 4, 5], "x": [1, 2, 3, 101, 102, 103]})
    after = pd.DataFrame({"q": ["[0, 2]"] * 3 + ["[3, 5]"] * 3, "x": [2.0] * 3 + [102.0] * 3})
    names: dict[str, Any] = {"quasi_identifiers": ["q"], "numeric": ["x"], "guarantee": "matchings"}
    assert dc.verify(before, after, k=3, **names).safe
    verdict = dc.verify(before, after.assign(x=[102.0] * 3 + [2.0] * 3), k=3, **names)
    assert any("6 rows show a number that is no mean of 3 records" in words for words in verdict.failures)


def test_styles_are_signs() -> None:
    honest = [row["x"] for row in MADE.rows]
    at = next(row for row, text in enumerate(honest) if text.endswith("0"))
    marked = [*honest[:at], honest[at] + "0", *honest[at + 1 :]]
    assert not with_column(marked)["safe"]


@pytest.mark.parametrize("kind", ["float64", "str"])
def test_floats_are_the_decimals_they_show(kind: str) -> None:
    chance = random.Random(5)
    values = [chance.randrange(1000) / 100 for _ in range(6)]
    before = pd.DataFrame({"q": range(6), "x": values})
    means = [round(sum(values[a : a + 3]) / 3, 4) for a in (0, 3) for _ in range(3)]
    after = pd.DataFrame({"q": ["[0, 2]"] * 3 + ["[3, 5]"] * 3, "x": means})
    if kind == "str":
        before, after = before.assign(x=before.x.map(repr)), after.assign(x=after.x.map("{:.4f}".format))
    verdict = dc.verify(before, after, k=3, quasi_identifiers=["q"], numeric=["x"], guarantee="classes")
    assert verdict.safe, verdict.summary()
    other = after.assign(x=after.x.astype(object).where(after.index > 2, "9.9" if kind == "str" else 9.9))
    assert not dc.verify(before, other, k=3, quasi_identifiers=["q"], numeric=["x"], guarantee="classes").safe


def test_gaps() -> None:
    table = [{**row, "x": "" if at % 7 == 0 else row["x"]} for at, row in enumerate(TABLE)]
    made = release(table, ALONE)
    before = frame([{n: v for n, v in r.items() if n not in "hw"} for r in table])
    for secret in (None, made.secret("matchings")):
        verdict = dc.verify(before, frame(made.rows), **claim(ALONE, secret=secret))
        assert verdict.safe, verdict.summary()
        assert any("values are missing" in words for words in verdict.limits)
    filled = [{**row, "x": row["x"] or "500.000"} for row in made.rows]
    blank = next(at for at, row in enumerate(made.rows) if row["x"])
    emptied = [{**row, "x": "" if at == blank else row["x"]} for at, row in enumerate(made.rows)]
    rows = [emptied] + ([filled] if any(not row["x"] for row in made.rows) else [])
    for forged in rows:
        verdict = dc.verify(before, frame(forged), **claim(ALONE, secret=made.secret("matchings")))
        assert any("are blank, or are not" in words for words in verdict.failures)


def test_digits_that_no_mean_has_are_signs() -> None:
    before = pd.DataFrame({"q": range(30), "x": [7 * i % 50 for i in range(30)]})
    after = pd.DataFrame({"q": ["*"] * 30, "x": [24.5] * 30})
    names: dict[str, Any] = {"quasi_identifiers": ["q"], "numeric": ["x"], "guarantee": "matchings"}
    total = int(before["x"].sum())
    thirds = [total / 30 + (i % 3 - 1) / 3 for i in range(30)]
    honest = after.assign(x=[round(value, 2) for value in thirds])
    assert dc.verify(before, honest, k=3, **names).safe
    signed = after.assign(x=[round(total / 30 + (i - 14.5) / 100, 4) for i in range(30)])
    verdict = dc.verify(before, signed, k=3, **names)
    assert any("decimals that no mean" in words for words in verdict.failures), verdict.summary()
