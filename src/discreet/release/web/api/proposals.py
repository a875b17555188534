"""What waits for a second custodian."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel

from discreet.release.people import proposals
from discreet.release.people.four_eyes import CARRIERS
from discreet.release.people.proposals import Pending
from discreet.release.web.api.common import ERRORS, FORBIDDEN, Serving, SomeCustodian

router = APIRouter(prefix="/api", responses={**ERRORS, **FORBIDDEN}, tags=["proposals"])
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the proposal.")]


class ProposalSummary(BaseModel):
    """A change that another custodian must confirm. `subject` is the dataset it is about."""

    number: int
    kind: str
    subject: str
    who: str
    created: datetime


@router.get("/proposals", response_model=list[ProposalSummary])
def list_proposals(service: Serving, actor: SomeCustodian) -> list[dict[str, Any]]:
    """What waits, the oldest first."""
    return [_summary(one) for one in proposals.pending(service.database, actor)]


@router.post("/proposals/{number}/confirm", response_model=ProposalSummary)
def confirm_proposal(number: Number, service: Serving, actor: SomeCustodian) -> dict[str, Any]:
    """Let it take effect, at once. Whoever made it cannot."""
    return _summary(proposals.confirm(service.database, actor, number, CARRIERS))


@router.post("/proposals/{number}/reject", response_model=ProposalSummary)
def reject_proposal(number: Number, service: Serving, actor: SomeCustodian) -> dict[str, Any]:
    """Let it be forgotten."""
    return _summary(proposals.reject(service.database, actor, number))


def _summary(one: Pending) -> dict[str, Any]:
    return {"number": one.number, "kind": one.kind, "subject": one.subject, "who": one.who, "created": one.created}
