"""What a protection says of itself: each sentence only where it is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.protect.protection import Protection
from discreet.instruments.protect.words import MOST_DOMAINS, facts, sections

ROLES = {"identifiers": ["name"], "keys": ["age", "sex"], "numeric": ["pay"], "sensitive": ["ill"]}


def frame() -> pd.DataFrame:
    random = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(36)],
            "age": random.integers(20, 60, 36),
            "sex": np.where(random.random(36) < 0.5, "f", "m"),
            "pay": random.integers(1, 99, 36) * 10,
            "ill": ["flu", "cold", "none"] * 12,
        }
    )


@pytest.fixture(scope="module")
def result() -> Protection:
    return dc.protect(frame(), 3, **ROLES)


def told(result: Protection) -> dict[str, str]:
    return dict(facts(result))


def test_facts_are_those_of_the_result(result: Protection) -> None:
    found = told(result)
    assert found["loss"] == f"{result.loss:.6f}" and "proof" not in found and "diversity" not in found
    changed = sum(result.widened.values())
    assert found["widened"].startswith(f"{changed} of {36 * len(result.widened)} values of keys")
    assert found["totals"] == "kept to the last digit: pay" and found["left out"] == "name"
    assert found["draw"].startswith("secret") and "accepted" not in found
    bounded = told(replace(result, lower_bound=0.1, gap=2.5))
    assert "lose less than 0.100000; at most 2.5 % is left" in bounded["proof"]
    assert "is left" not in told(replace(result, lower_bound=0.1, gap=0.0))["proof"]


def test_totals_that_changed_are_not_called_kept(result: Protection) -> None:
    pay = result.totals["pay"]
    wide = replace(pay, kept=False, difference="-20", published="980", original="1000")
    near = replace(pay, kept=False, difference="0.001", decimals=2)
    changed = replace(result, totals={"pay": wide, "rent": near, "w": pay})
    assert told(changed)["totals"] == (
        "kept to the last digit: w; kept: rent to 2 decimals; changed: pay by -20 (-2.00 %)"
    )
    page = next(one for one in sections(changed) if one.title == "Totals")
    assert "Not kept to the last digit: pay, rent" in page.text and "Kept to the last digit: w." in page.text
    assert page.confidential
    kept = next(one for one in sections(result) if one.title == "Totals")
    assert "Totals are those of the original, to the last digit." in kept.text
    gaps = replace(result, totals={"pay": replace(wide, gaps=3)})
    assert "over the values that are known" in next(one for one in sections(gaps) if one.title == "Totals").text


def test_a_fixed_seed_is_said_and_not_told(result: Protection) -> None:
    fixed = replace(result, recipe=replace(result.recipe, seed=4242))
    words = told(fixed)["draw"] + sections(fixed)[-1].text
    assert "fixed seed" in words and "4242" not in words
    odds = next(one for one in sections(fixed) if one.title == "What an intruder can do").text
    assert "knows everyone's record" in odds and "as likely as the other" not in odds
    odds = next(one for one in sections(result) if one.title == "What an intruder can do").text
    assert "is right with probability 33.33 %" in odds and "finds 3 disjoint ways" in odds


def test_classes_promise_classes(result: Protection) -> None:
    classes = replace(result, recipe=replace(result.recipe, guarantee="classes", l=2))
    odds = next(one for one in sections(classes) if one.title == "What an intruder can do").text
    assert "3 or more published ones that look the same" in odds and "disjoint" not in odds
    assert "Sets were chosen with a view to ill" in odds
    assert told(classes)["diversity"].startswith("each class carries 2 or more")
    assert told(replace(result, recipe=replace(result.recipe, l=2)))["diversity"].startswith("each person's matches")


@pytest.mark.parametrize(
    ("rare", "words", "fate"),
    [
        ("merge", "published with fewer members", "with fewer members"),
        ("suppress", "of rare sizes (5 rows) not published", "not published"),
        ("unlink", "row by row, without a number", "row by row, without a number"),
    ],
)
def test_rare_sizes_and_what_becomes_of_them(result: Protection, rare: str, words: str, fate: str) -> None:
    recipe = replace(result.recipe, household="h", rare=rare)
    homes = replace(result, recipe=recipe, units={1: 8, 5: 1}, shared=frozenset({"sex"}))
    assert told(homes)["households"].startswith("9 households of 2 sizes; 1 of rare sizes (5 rows)")
    assert words in told(homes)["households"]
    page = next(one for one in sections(homes) if one.title == "Households")
    assert list(page.rows) == [(1, 8, ""), (5, 1, fate)] and "have in common: sex" in page.text and page.confidential
    common = replace(homes, units={1: 8})
    assert told(common)["households"].endswith("each size has 3 or more")
    assert "published" not in next(one for one in sections(common) if one.title == "Households").columns


def test_every_column_has_a_line_and_accepted_ones_a_reason(result: Protection) -> None:
    accepted = replace(result, recipe=replace(result.recipe, accept={"ill": "it was in the paper"}))
    found = {one.title: one for one in sections(accepted)}
    assert [row[0] for row in found["What becomes of each column"].rows] == ["name", "age", "sex", "pay", "ill"]
    assert list(found["Accepted by name"].rows) == [("ill", "it was in the paper")]
    assert all(found[title].confidential for title in ("What becomes of each column", "Accepted by name"))
    assert "Accepted by name" not in {one.title for one in sections(result)}


def test_domains_are_cut_where_they_are_many(result: Protection) -> None:
    from discreet.instruments.protect.totals import DomainTotal

    many = tuple(DomainTotal("sex", f"v{i}", 10.0 * i, 11.0 * i) for i in range(MOST_DOMAINS + 5))
    page = next(one for one in sections(replace(result, domains=many)) if one.title == "Weighted totals by domain")
    assert len(page.rows) == MOST_DOMAINS
    assert page.rows[0][-1] == "" and page.rows[1][-1] == "+10.00"
