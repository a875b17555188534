"""Asking for a margin, and what has been released."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from discreet.release.decision import Reply
from discreet.release.web.api.common import ERRORS, Anyone, Category, Name, Serving

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


class MarginRequest(BaseModel):
    """A request for the margin over some variables; none asks for the total."""

    model_config = ConfigDict(extra="forbid", strict=True)
    variables: list[Annotated[str, Field(min_length=1, max_length=256)]] = Field(
        max_length=64, json_schema_extra={"uniqueItems": True}
    )


class MarginAnswer(BaseModel):
    """`margin` has one row per cell with a column per variable and `count`; null where refused.

    With "simulate" the counts are synthetic. `entry` is the hash of the ledger's entry: keep it as a receipt.
    """

    answer: Reply
    reason: str
    variables: list[str]
    synthetic: bool
    margin: list[dict[str, Category]] | None
    entry: str


class ReleasedMargin(BaseModel):
    variables: list[str]
    synthetic: bool
    margin: list[dict[str, Category]]


@router.post("/datasets/{name}/requests", response_model=MarginAnswer)
def request_margin(name: Name, asked: MarginRequest, service: Serving, actor: Anyone) -> Response:
    """Ask for a margin. The answer has been written into the ledger when it arrives."""
    answer = service.ask(actor, name, asked.variables)
    head = {
        "answer": answer.answer,
        "reason": answer.reason,
        "variables": list(answer.variables),
        "synthetic": answer.synthetic,
        "entry": answer.entry,
    }
    # The rows are kept as text from answer to answer: joined here rather than built again.
    text = json.dumps(head, ensure_ascii=False)[:-1] + ', "margin": ' + answer.json + "}"
    return Response(text, media_type="application/json")


@router.get("/datasets/{name}/margins", response_model=list[ReleasedMargin])
def list_margins(name: Name, service: Serving, actor: Anyone) -> list[dict[str, Any]]:
    """What has been released: the largest margins; all that they contain is public too."""
    return service.released(name)
