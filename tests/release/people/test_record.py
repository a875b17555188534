"""Tokens, grants and proposals that were changed behind the ledger's back are noticed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.history.database import Database
from discreet.release.history.models import Grant, Proposal, Setting, Token
from discreet.release.people import grants, proposals
from discreet.release.people.four_eyes import ask_everywhere
from discreet.release.people.proposals import POLICY
from discreet.release.service import Service

AHEAD = datetime.now(UTC) + timedelta(days=9)
CHANGES: dict[str, Any] = {
    "a role": update(Token).where(Token.name == "analyst").values(role="custodian"),
    "an expiry lifted": update(Token).where(Token.name == "brief").values(expires=None),
    "an expiry put off": update(Token).where(Token.name == "brief").values(expires=AHEAD + timedelta(days=1)),
    "a revocation undone": update(Token).where(Token.name == "gone").values(revoked=None),
    "another person": update(Token).where(Token.name == "analyst").values(issuer="https://x", subject="y"),
    "a grant more": insert(Grant).values(token_id=1, dataset="other", role="analyst"),
    "a grant less": delete(Grant),
    "a better grant": update(Grant).values(role="custodian"),
    "a proposal's content": update(Proposal).values(content='{"c":1}'),
    "a proposal's outcome": update(Proposal).values(outcome="confirmed"),
    "a proposal gone": delete(Proposal),
    "another proposer": update(Proposal).values(who="analyst"),
    "a proposal for another dataset": update(Proposal).values(subject="other"),
    "another maker of a token": update(Token).where(Token.name == "moved").values(creator=None),
    "four eyes no longer asked": delete(Setting).where(Setting.name == "four_eyes"),
}


@pytest.fixture
def office(database: Database, people: dict[str, str], service: Service) -> Database:
    tokens.create_token(database, "analyst", "brief", expires=AHEAD)
    tokens.create_token(database, "analyst", "of-one", only=["auto"])
    tokens.create_token(database, "analyst", "gone")
    tokens.revoke_token(database, "gone")
    tokens.create_token(database, "analyst", "moved")
    grants.grant(database, "moved", "auto", "custodian", who="custodian")
    grants.ungrant(database, "moved", "auto", who="custodian")
    grants.set_role(database, "moved", "custodian", who="custodian")
    proposals.propose(database, "custodian", POLICY, "auto", {"c": 3})
    ask_everywhere(database, False, who="custodian")
    ask_everywhere(database, True, who="custodian")
    return database


def test_what_was_done_properly_is_intact(office: Database) -> None:
    assert audit(office).faults == ()


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_not_is_noticed(office: Database, change: str) -> None:
    with office.writing() as connection:
        connection.execute(CHANGES[change])
    faults = audit(office).faults
    assert len(faults) == 1
    assert "not as the ledger says" in faults[0]
