"""Households as units: honest releases are confirmed, what gives households away is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from verify.units.cases import ROLES, claim, frame, release, survey

import discreet as dc


@pytest.mark.parametrize("guarantee", ["matchings", "classes"])
@pytest.mark.parametrize("kind", ["household", "person"])
def test_an_honest_release_is_confirmed(guarantee: str, kind: str) -> None:
    roles = replace(ROLES, guarantee=guarantee, kind=kind)
    table = survey(seed=2)
    made = release(table, roles)
    verdict = dc.verify(frame(table), frame(made.rows), **claim(roles))
    assert verdict.safe, verdict.summary()
    assert any("custodian" in words for words in verdict.limits)
    shown = dc.verify(frame(table), frame(made.rows), **claim(roles, secret=made.secret(guarantee)))
    assert shown.safe, shown.summary()
    assert any("mean of its row's set" in words for words in shown.proven)
    assert not any("only the custodian" in words for words in shown.limits)
    assert not dc.verify(frame(table), frame(made.rows), **claim(roles, k=4 if guarantee == "matchings" else 9)).safe


def test_persons_may_fit_where_households_do_not() -> None:
    before = frame([{"h": h, "q": q, "s": "x"} for h, q in (("a", "p"), ("a", "q"), ("b", "r"), ("b", "t"))])
    torn = frame([{"h": h, "q": q, "s": "x"} for h, q in zip("1122", ("{p, r}", "{p, r}", "{q, t}", "{q, t}"))])
    claim_of = {"quasi_identifiers": ["q"], "guarantee": "matchings"}
    assert dc.verify(before.drop(columns="h"), torn.drop(columns="h"), k=2, **claim_of).safe
    assert not dc.verify(before, torn, k=1, household="h", **claim_of).safe
    whole = torn.assign(q=["{p, r}", "{q, t}", "{p, r}", "{q, t}"])
    assert dc.verify(before, whole, k=2, household="h", **claim_of).safe


def test_l_is_about_the_rows_that_a_person_may_be() -> None:
    roles = replace(ROLES, numeric=(), weight=None)
    table = survey(seed=2)
    made = release(table, roles)
    rows = [dict(row) for row in made.rows]
    assert dc.verify(frame(table), frame(rows), **claim(roles, sensitive="s", l=1)).safe
    alike = frame(table).assign(s="u"), frame(rows).assign(s="u")
    assert not dc.verify(*alike, **claim(roles, sensitive="s", l=2)).safe
    missing = frame(table).assign(s=""), frame(rows).assign(s="")
    assert not dc.verify(*missing, **claim(roles, sensitive="s", l=1)).safe


@pytest.mark.parametrize("rare", ["error", "merge", "suppress", "unlink"])
def test_rare_sizes(rare: str) -> None:
    roles = replace(ROLES, rare=rare, k=3)
    table = [*survey(12, seed=2), *({**row, "h": "K" + row["h"]} for row in survey(2, seed=4, size=3))]
    if rare == "error":
        made = release(survey(12, seed=2), roles)
        verdict = dc.verify(frame(table), frame(made.rows), **claim(roles))
        assert any("2 households are of a size" in words for words in verdict.failures)
        return
    made = release(table, roles)
    for secret in (None, made.secret("matchings")):
        verdict = dc.verify(frame(table), frame(made.rows), **claim(roles, secret=secret))
        assert verdict.safe, verdict.summary()
        assert any("rare sizes" in words for words in verdict.limits)
    for other in {"merge", "suppress", "unlink"} - {rare}:
        assert not dc.verify(frame(table), frame(made.rows), **claim(replace(roles, rare=other))).safe


def test_units_of_another_size_and_doubled_ones() -> None:
    table = survey(seed=2)
    rows = release(table).rows
    moved = [dict(row) for row in rows]
    first = next(at for at, row in enumerate(moved) if row["h"] != moved[0]["h"])
    moved[first]["h"] = moved[0]["h"]
    doubled = [*rows, *({**row, "h": "31"} for row in rows if row["h"] == "1")]
    for forged in (moved, doubled, rows[1:]):
        assert not dc.verify(frame(table), frame(forged), **claim()).safe


def test_household_columns_agree() -> None:
    table = [{**row, "q1": "abc"[int(row["h"][1:]) % 3]} for row in survey(seed=2)]
    rows = [dict(row) for row in release(table).rows]
    wide = [{**row, "q1": "{a, b, c}"} for row in rows]
    assert dc.verify(frame(table), frame(wide), **claim()).safe
    wide[0]["q1"] = "*"
    verdict = dc.verify(frame(table), frame(wide), **claim())
    assert any("agree within every household" in words for words in verdict.failures)
