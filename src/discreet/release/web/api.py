"""The HTTP interface for programs: tokens as `Authorization: Bearer`, JSON in and out."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from discreet.release.decision import Reply
from discreet.release.history.store import NAME_PATTERN
from discreet.release.service import Service
from discreet.release.tokens import Actor, actor_of_token
from discreet.release.web.uploads import UPLOAD_SCHEMA, read_upload

bearer = HTTPBearer(auto_error=False, description="A token made with `discreet token create`.")


class Problem(BaseModel):
    """Why a request could not be served."""

    detail: str
    faults: list[str] = []


ERRORS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "The token is missing, unknown or revoked."},
    404: {"model": Problem, "description": "There is no such dataset."},
    413: {"model": Problem, "description": "The request is too large."},
    422: {"model": Problem, "description": "The request cannot be understood."},
    429: {"model": Problem, "description": "Too many requests; Retry-After says when to come back."},
}
FORBIDDEN: dict[int | str, dict[str, Any]] = {403: {"model": Problem, "description": "For custodians only."}}

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])
Category = str | int | float | bool | None
Name = Annotated[str, Path(pattern=NAME_PATTERN, description="Name of the dataset.")]


class DatasetSummary(BaseModel):
    """A dataset: its variables and their categories. Nothing here depends on the counts."""

    name: str
    variables: list[str]
    categories: dict[str, list[Category]]


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


class LedgerLine(BaseModel):
    """An entry of the ledger. `body` is the text that was hashed, `content` the same, parsed."""

    sequence: int
    previous: str
    hash: str
    body: str
    content: dict[str, Any]


def get_service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def get_actor(
    request: Request,
    service: Annotated[Service, Depends(get_service)],
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Actor:
    actor = None if given is None else actor_of_token(service.database, given.credentials)
    if actor is None:
        raise HTTPException(401, "a valid token is needed", {"WWW-Authenticate": "Bearer"})
    wait = request.app.state.rate.wait(actor.id)
    if wait > 0:
        raise HTTPException(429, "too many requests: slow down", {"Retry-After": str(int(wait) + 1)})
    return actor


def get_custodian(actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    if not actor.custodian:
        raise HTTPException(403, "only a custodian may do this")
    return actor


Serving = Annotated[Service, Depends(get_service)]
Anyone = Annotated[Actor, Depends(get_actor)]
Custodian = Annotated[Actor, Depends(get_custodian)]


@router.get("/datasets", response_model=list[DatasetSummary])
def list_datasets(service: Serving, actor: Anyone) -> list[dict[str, Any]]:
    """Names, variables and categories of all datasets."""
    return service.datasets()


@router.post(
    "/datasets",
    status_code=201,
    response_model=DatasetSummary,
    responses={**FORBIDDEN, 415: {"model": Problem, "description": "The body must be a form with a file."}},
    openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": UPLOAD_SCHEMA}}}},
)
async def add_dataset(request: Request, service: Serving, actor: Custodian) -> dict[str, Any]:
    """Load a table: a long table with a column of counts, or records to be counted; CSV or Parquet."""
    upload = await read_upload(request)

    def load() -> dict[str, Any]:
        table = upload.table()
        service.add(actor.name, upload.name, table, upload.policy)
        categories = {n: list(c) for n, c in zip(table.names, table.categories)}
        return {"name": upload.name, "variables": list(table.names), "categories": categories}

    return await run_in_threadpool(load)


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
