"""Datasets and tokens that the server's chain does not know, or knows otherwise."""

from __future__ import annotations

from sqlalchemy import text

from discreet.release.audit import audit
from discreet.release.checks.server_chain import added
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.service import Service


def entered(service: Service, statement: str) -> list[str]:
    with service.database.writing() as connection:
        connection.execute(text(statement))
    return list(audit(service.database).faults)


def test_added_names_every_dataset(service: Service) -> None:
    with service.database.reading() as connection:
        assert added(store.read_entries(connection, SERVER)) == ["auto"]


def test_a_token_from_nowhere(service: Service, people: dict[str, str]) -> None:
    insert = "INSERT INTO tokens (name, role, digest, created) VALUES ('eve', 'custodian', 'x', '2026-01-01 00:00:00')"
    assert entered(service, insert) == ["token eve: is not as the ledger says"]


def test_a_token_that_came_back_to_life(service: Service, people: dict[str, str]) -> None:
    from discreet.release.tokens import revoke_token

    revoke_token(service.database, "analyst")
    assert audit(service.database).intact
    assert entered(service, "UPDATE tokens SET revoked = NULL") == ["token analyst: is not as the ledger says"]


def test_a_dataset_under_another_name(service: Service) -> None:
    faults = entered(service, "UPDATE datasets SET name = 'other'")
    assert faults == ["dataset auto: is gone", "dataset other: was never added"]
