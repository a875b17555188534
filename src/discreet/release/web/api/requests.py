"""Asking for a margin, and what has been released."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from discreet.release.decision import Reply
from discreet.release.policy import LONGEST
from discreet.release.service import Answer
from discreet.release.web.api.common import ERRORS, FORBIDDEN, Anyone, Category, Custodian, Name, Serving
from discreet.release.web.waiting import answered

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


class MarginRequest(BaseModel):
    """A request for the margin over some variables; none asks for the total."""

    model_config = ConfigDict(extra="forbid", strict=True)
    variables: list[Annotated[str, Field(min_length=1, max_length=256)]] = Field(
        max_length=64, json_schema_extra={"uniqueItems": True}
    )


class RetryRequest(MarginRequest):
    """A margin that was left unresolved, and the seconds that it may take now."""

    time_limit: float = Field(gt=0, le=LONGEST)


class MarginAnswer(BaseModel):
    """`margin` has one row per cell with a column per variable and `count`; null where refused.

    With "simulate" the counts are synthetic. With "suppress" so many counts are `hidden`: null. With "round" they are
    rounded, one by one, to the nearest multiple of `base`. `entry` is the hash of the ledger's entry: keep it as a
    receipt.
    """

    answer: Reply
    reason: str
    variables: list[str]
    synthetic: bool
    hidden: int
    base: int
    margin: list[dict[str, Category]] | None
    entry: str


class ReleasedMargin(BaseModel):
    """A margin that is public: whole ("release"), with some counts hidden ("suppress"), or rounded ("round")."""

    answer: Reply
    variables: list[str]
    synthetic: bool
    hidden: int
    base: int
    margin: list[dict[str, Category]]


@router.post("/datasets/{name}/requests", response_model=MarginAnswer)
async def request_margin(
    request: Request, name: Name, asked: MarginRequest, service: Serving, actor: Anyone
) -> Response:
    """Ask for a margin. The answer has been written into the ledger when it arrives."""
    return _told(await answered(request, service, actor, name, asked.variables))


@router.post("/datasets/{name}/retry", response_model=MarginAnswer, responses=FORBIDDEN)
async def retry_margin(
    request: Request, name: Name, asked: RetryRequest, service: Serving, actor: Custodian
) -> Response:
    """Have a margin tried again that was left unresolved, at once and with another limit.

    What is settled stays settled: a margin that is released or was refused as dangerous is answered as before.
    """
    return _told(await answered(request, service, actor, name, asked.variables, limit=asked.time_limit))


def _told(answer: Answer) -> Response:
    head = {
        "answer": answer.answer,
        "reason": answer.reason,
        "variables": list(answer.variables),
        "synthetic": answer.synthetic,
        "hidden": 0 if answer.margin is None else answer.margin.missing,
        "base": 1 if answer.margin is None else answer.margin.base,
        "entry": answer.entry,
    }
    # The rows are kept as text from answer to answer: joined here rather than built again.
    text = json.dumps(head, ensure_ascii=False)[:-1] + ', "margin": ' + answer.json + "}"
    return Response(text, media_type="application/json")


@router.get("/datasets/{name}/margins", response_model=list[ReleasedMargin])
def list_margins(name: Name, service: Serving, actor: Anyone) -> list[dict[str, Any]]:
    """What has been released: the largest margins (all that they contain is public too), and what was told in part."""
    return service.released(name, actor)
