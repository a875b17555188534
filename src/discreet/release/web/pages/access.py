"""Tokens, people and their roles: who has access."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from discreet.release import tokens
from discreet.release.people import grants
from discreet.release.people.actor import NOBODY
from discreet.release.people.expiry import parse_expiry
from discreet.release.service import Service
from discreet.release.web.pages.common import SEE_OTHER, Csrf, Custodian, Serving, check_csrf, page

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Form(max_length=64)]
Word = Annotated[str, Form(max_length=20)]


@router.get("/tokens")
def token_page(request: Request, service: Serving, actor: Custodian) -> Response:
    return _page(request, service)


@router.post("/tokens")
def new_token(
    request: Request,
    service: Serving,
    actor: Custodian,
    role: Word,
    name: Name = "",
    expires: Annotated[str, Form(max_length=40)] = "",
    dataset: Name = "",
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    end = parse_expiry(expires) if expires.strip() else None
    only = [dataset] if dataset else []
    token, named = tokens.create_token(
        service.database, role, name.strip() or None, who=actor.name, expires=end, only=only
    )
    return _page(request, service, token=token, named=named)


@router.post("/tokens/revoke")
def revoke_token(request: Request, service: Serving, actor: Custodian, name: Name, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    tokens.revoke_token(service.database, name, who=actor.name)
    return RedirectResponse("/tokens", SEE_OTHER)


@router.post("/tokens/grant")
def give_role(
    request: Request, service: Serving, actor: Custodian, name: Name, role: Word, dataset: Name = "", csrf: Csrf = ""
) -> Response:
    """A role on one dataset, or everywhere where none is named."""
    check_csrf(actor, request, csrf)
    if dataset and role != NOBODY:
        grants.grant(service.database, name, dataset, role, who=actor.name)
    elif dataset:
        grants.ungrant(service.database, name, dataset, who=actor.name)
    else:
        grants.set_role(service.database, name, role, who=actor.name)
    return RedirectResponse("/tokens", SEE_OTHER)


@router.post("/tokens/ungrant")
def take_grant(
    request: Request, service: Serving, actor: Custodian, name: Name, dataset: Name, csrf: Csrf = ""
) -> Response:
    check_csrf(actor, request, csrf)
    grants.ungrant(service.database, name, dataset, who=actor.name)
    return RedirectResponse("/tokens", SEE_OTHER)


def _page(request: Request, service: Service, **fresh: Any) -> Response:
    names = [dataset["name"] for dataset in service.datasets()]
    return page(request, "tokens.html", tokens=tokens.list_tokens(service.database), datasets=names, **fresh)
