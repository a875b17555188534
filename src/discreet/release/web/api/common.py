"""What all calls share: who is there, and how errors are told."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from discreet.release.history.store import NAME_PATTERN
from discreet.release.people.actor import Actor
from discreet.release.service import Service
from discreet.release.tokens import actor_of_token
from discreet.release.web.access import check_custodian, check_seen, check_some_custodian

bearer = HTTPBearer(auto_error=False, description="A token made with `discreet token create`.")


class Problem(BaseModel):
    """Why a request could not be served."""

    detail: str
    faults: list[str] = []


class ProposalMade(BaseModel):
    """Nothing has changed yet: another custodian must confirm the proposal of this number."""

    detail: str
    proposal: int


ERRORS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "The token is missing, unknown, expired or revoked."},
    404: {"model": Problem, "description": "There is no such dataset, or you may not see it."},
    409: {"model": Problem, "description": "The dataset is closed."},
    413: {"model": Problem, "description": "The request is too large."},
    422: {"model": Problem, "description": "The request cannot be understood."},
    429: {"model": Problem, "description": "Too many requests; Retry-After says when to come back."},
}
FORBIDDEN: dict[int | str, dict[str, Any]] = {403: {"model": Problem, "description": "For custodians only."}}

Category = str | int | float | bool | None
Name = Annotated[str, Path(pattern=NAME_PATTERN, description="Name of the dataset.")]


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
    check_seen(actor, request)
    return actor


REFUSAL = "only a custodian may do this"


def get_custodian(request: Request, actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    check_custodian(actor, request, REFUSAL)
    return actor


def get_some_custodian(actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    check_some_custodian(actor, REFUSAL)
    return actor


Serving = Annotated[Service, Depends(get_service)]
Anyone = Annotated[Actor, Depends(get_actor)]
Custodian = Annotated[Actor, Depends(get_custodian)]
SomeCustodian = Annotated[Actor, Depends(get_some_custodian)]
