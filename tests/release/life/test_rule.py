"""Changes of the rule: forward only, judged against what is out, each an entry that `ledger verify` follows."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from oracles.release import all_tables, consistent
from release_tables import declared

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history.database import Database
from discreet.release.life.rule import change_policy, judge
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service


def test_judgment_agrees_with_enumeration() -> None:
    rng = np.random.default_rng(4)
    tables = all_tables((2, 2, 2), 7)
    for _ in range(25):
        truth = tables[rng.integers(len(tables))]
        table = Table.from_array(truth.reshape(2, 2, 2))
        margins = [axes for size in (1, 2) for axes in combinations(range(3), size) if rng.random() < 0.5]
        c, w = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        told = Frontier(tuple(sum(1 << a for a in axes) for axes in margins))
        found = judge(table, told, Policy(c=c, w=w))
        fibre = consistent(tables, (2, 2, 2), truth, margins)
        width = fibre.max(axis=0) - fibre.min(axis=0)
        sensitive = (truth >= 1) & (truth <= c)
        narrow = int((width[sensitive] < w).sum()) if margins else 0
        assert (found.sensitive, found.narrow, found.unsettled) == (int(sensitive.sum()), narrow, 0)


@pytest.fixture
def told(service: Service, analyst: Actor) -> Service:
    for request in ("ABC", "CDE", "ABCDEF"):
        service.ask(analyst, "auto", list(request))
    assert service.current("auto").state.frontier.refused
    return service


def test_a_stricter_rule_keeps_refusals_and_holds_elsewhere_at_once(told: Service, analyst: Actor) -> None:
    other = Service(told.database)
    other.open("auto")
    refused = told.current("auto").state.frontier.refused
    said = change_policy(told.database, "boss", "auto", Policy(c=2, w=4))
    assert said[-1] == "Earlier refusals are kept."
    assert other.current("auto").policy == Policy(c=2, w=4)
    assert other.current("auto").state.frontier.refused == refused
    assert other.ask(analyst, "auto", ["A"]).answer == "release"
    assert audit(told.database).intact


def test_a_looser_rule_forgets_refusals(told: Service, analyst: Actor) -> None:
    assert told.ask(analyst, "auto", list("ABCDEF")).answer == "refuse"
    said = change_policy(told.database, "boss", "auto", Policy(c=0))
    assert said[-1] == "Earlier refusals are forgotten."
    assert told.current("auto").state.frontier.refused == ()
    assert told.ask(analyst, "auto", list("ABCDEF")).answer == "release"
    assert audit(told.database).intact


def test_what_is_out_and_breaks_the_new_rule_must_be_confirmed(told: Service, analyst: Actor) -> None:
    strict = Policy(c=2, w=500)
    before = told.ledger("auto")
    with pytest.raises(InputError, match="narrower than the new rule") as error:
        change_policy(told.database, "boss", "auto", strict)
    assert "Confirm" in str(error.value)
    assert told.ledger("auto") == before
    change_policy(told.database, "boss", "auto", strict, confirm=True)
    entry = told.ledger("auto")[-1].content
    assert (entry["what"], entry["who"]) == ("policy changed", "boss")
    assert 0 < entry["narrow"] <= entry["sensitive"]
    assert told.ask(analyst, "auto", ["A"]).ground == "contained"
    assert told.ask(analyst, "auto", ["A", "F"]).answer == "refuse"
    assert audit(told.database).intact


def test_published_margins_can_be_added_and_never_taken_back(told: Service, analyst: Actor) -> None:
    change_policy(told.database, "boss", "auto", Policy(published=(("A", "F"),)))
    assert told.ask(analyst, "auto", ["F"]).ground == "contained"
    with pytest.raises(InputError, match="stays so"):
        change_policy(told.database, "boss", "auto", Policy(w=4))
    assert audit(told.database).intact


@pytest.mark.parametrize(
    ("policy", "fault"),
    [
        (Policy(), "the rule already"),
        (Policy(published=(("Z",),)), "no variable 'Z'"),
    ],
)
def test_changes_that_cannot_be(told: Service, policy: Policy, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        change_policy(told.database, "boss", "auto", policy)


def test_to_simulatable_lists_must_be_public(database: Database, small: Table) -> None:
    service = Service(database)
    service.add("custodian", "bare", small, Policy())
    with pytest.raises(InputError, match="codebook"):
        change_policy(database, "boss", "bare", Policy(mode="simulatable"))
    service.add("custodian", "coded", small, Policy(), codebook=declared(small), distinct=True)
    change_policy(database, "boss", "coded", Policy(mode="simulatable"))
    assert audit(database).intact


def test_views_and_relatives(service: Service, auto: Table, small: Table) -> None:
    service.add("custodian", "view", auto.margin(["A"]), Policy(), unit="auto")
    with pytest.raises(InputError, match="change auto"):
        change_policy(service.database, "boss", "view", Policy(c=9))
    change_policy(service.database, "boss", "auto", Policy(c=9))
    assert service.current("view").policy == Policy(c=9)
    service.add("custodian", "one", small, Policy(), codebook=declared(small), population="p")
    part = small.margin(["A", "B"])
    service.add("custodian", "two", part, Policy(), codebook=declared(part), population="p")
    with pytest.raises(InputError, match="cannot take other tables"):
        change_policy(service.database, "boss", "one", Policy(mode="simulatable"))


def test_a_rule_changed_behind_the_ledger_shows(told: Service) -> None:
    change_policy(told.database, "boss", "auto", Policy(c=2, w=4))
    raw = sqlite3.connect(str(told.database.engine.url.database))
    raw.execute("UPDATE states SET policy = ?", (json.dumps(replace(Policy(), w=1).to_dict()),))
    raw.commit()
    raw.close()
    assert any("policy" in fault for fault in audit(told.database).faults)
