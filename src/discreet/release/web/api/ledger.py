"""The ledger of a dataset and that of the server, for custodians."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from discreet.release.history import store
from discreet.release.history.chain import SERVER, Entry
from discreet.release.web.api.common import ERRORS, FORBIDDEN, Custodian, Name, Serving

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


class LedgerLine(BaseModel):
    """An entry of the ledger. `body` is the text that was hashed, `content` the same, parsed."""

    sequence: int
    previous: str
    hash: str
    body: str
    content: dict[str, Any]


@router.get("/datasets/{name}/ledger", response_model=list[LedgerLine], responses=FORBIDDEN)
def read_ledger(
    name: Name,
    service: Serving,
    actor: Custodian,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Leave out entries up to this number.")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=100_000, description="At most so many entries.")] = None,
) -> list[dict[str, Any]]:
    """Who asked what, what was answered and on which ground."""
    return [_line(entry) for entry in service.ledger(name, after=after, limit=limit)]


@router.get("/ledger", response_model=list[LedgerLine], responses=FORBIDDEN, tags=["server"])
def read_server_ledger(
    service: Serving,
    actor: Custodian,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Leave out entries up to this number.")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=100_000, description="At most so many entries.")] = None,
) -> list[dict[str, Any]]:
    """Who did what: tokens, sign-ins, loading, views of cells at risk, exports."""
    with service.database.reading() as connection:
        return [_line(entry) for entry in store.read_entries(connection, SERVER, after=after, limit=limit)]


def _line(entry: Entry) -> dict[str, Any]:
    return {
        "sequence": entry.sequence,
        "previous": entry.previous,
        "hash": entry.hash,
        "body": entry.body,
        "content": entry.content,
    }
