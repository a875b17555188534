"""Whether tokens, roles, grants and proposals are as the ledger says: what `discreet ledger verify` asks of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from discreet.release.history.chain import Entry
from discreet.release.history.models import Grant, Proposal, Setting, Token
from discreet.release.people.actor import NOBODY
from discreet.release.people.expiry import aware

# What the ledger says when two custodians are asked for everything, and when no longer.
FOUR_EYES = {"four eyes asked for everything": True, "four eyes no longer asked for everything": False}


@dataclass(frozen=True)
class _Person:
    role: str
    expires: str | None = None
    person: tuple[str, str] | None = None
    ended: bool = False
    grants: dict[str, str] = field(default_factory=dict)
    creator: str | None = None


@dataclass(frozen=True)
class _Proposal:
    who: str
    kind: str
    subject: str
    digest: str
    outcome: str | None = None


def people_faults(connection: Connection, entries: Iterable[Entry]) -> list[str]:
    """What differs between the tables of people and the server's chain."""
    told: dict[str, _Person] = {}
    proposed: dict[int, _Proposal] = {}
    everywhere = False
    for entry in entries:
        content = entry.content
        if content["what"] in FOUR_EYES:
            everywhere = FOUR_EYES[content["what"]]
        elif str(content["what"]).startswith("proposal "):
            _follow_proposal(proposed, content["what"], content)
        elif content.get("name") in told or content["what"] == "token created":
            told[content["name"]] = _follow(told.get(content["name"], _Person(NOBODY)), content)
    stored = _stored(connection)
    faults = [
        f"token {name}: is not as the ledger says"
        for name in sorted(set(stored) | set(told))
        if stored.get(name) != told.get(name)
    ]
    kept = {
        row.id: _Proposal(
            row.who,
            row.kind,
            row.subject,
            content_digest(row.content),
            "confirmed" if row.outcome == "claimed" else row.outcome,
        )
        for row in connection.execute(select(Proposal.__table__))
    }
    faults += [
        f"proposal {number}: is not as the ledger says"
        for number in sorted(set(kept) | set(proposed))
        if kept.get(number) != proposed.get(number)
    ]
    asked = connection.execute(select(Setting.value).where(Setting.name == "four_eyes")).scalar_one_or_none()
    if (asked == "true") != everywhere:
        faults.append("whether two custodians are needed for everything is not as the ledger says")
    return faults


def content_digest(content: str) -> str:
    """What the ledger keeps of a proposal's content."""
    return hashlib.sha256(content.encode()).hexdigest()


def _follow(person: _Person, content: dict[str, object]) -> _Person:
    what, role = content["what"], str(content.get("role", NOBODY))
    if what == "token created":
        by = content.get("issuer"), content.get("subject")
        known = (str(by[0]), str(by[1])) if by[0] is not None else None
        only = content.get("only") or {}
        expires = content.get("expires")
        # Earlier versions made no mark, and kept no maker.
        maker = str(content["who"]) if "mark" in content and content.get("who") is not None else None
        return _Person(role, None if expires is None else str(expires), known, grants=dict(only), creator=maker)  # type: ignore[call-overload]
    if what in ("token revoked", "token expired"):
        return replace(person, ended=True)
    if what == "role changed":
        return replace(person, role=role, grants={})
    if what == "grant given":
        return replace(person, role=NOBODY, grants={**person.grants, str(content["dataset"]): role})
    if what == "grant taken":
        return replace(person, grants={k: v for k, v in person.grants.items() if k != content["dataset"]})
    return person


def _follow_proposal(proposed: dict[int, _Proposal], what: str, content: dict[str, object]) -> None:
    number = int(str(content["number"]))
    if what == "proposal made":
        proposed[number] = _Proposal(*(str(content[key]) for key in ("who", "kind", "subject", "digest")))
    elif number in proposed:
        outcome = {"proposal confirmed": "confirmed", "proposal rejected": "rejected"}.get(what)
        proposed[number] = replace(proposed[number], outcome=outcome)


def _stored(connection: Connection) -> dict[str, _Person]:
    held: dict[int, dict[str, str]] = {}
    for row in connection.execute(select(Grant.token_id, Grant.dataset, Grant.role)):
        held.setdefault(row.token_id, {})[row.dataset] = row.role
    columns = (
        Token.id,
        Token.name,
        Token.role,
        Token.expires,
        Token.revoked,
        Token.issuer,
        Token.subject,
        Token.creator,
    )
    return {
        row.name: _Person(
            row.role,
            None if row.expires is None else aware(row.expires).isoformat(timespec="seconds"),
            None if row.issuer is None else (row.issuer, row.subject),
            row.revoked is not None,
            held.get(row.id, {}),
            row.creator if row.issuer is None else None,
        )
        for row in connection.execute(select(*columns))
    }
