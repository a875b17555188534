"""The ledger, for custodians."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

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
    return [
        {
            "sequence": entry.sequence,
            "previous": entry.previous,
            "hash": entry.hash,
            "body": entry.body,
            "content": entry.content,
        }
        for entry in service.ledger(name, after=after, limit=limit)
    ]
