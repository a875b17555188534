"""Tokens: who has access."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from discreet.release import tokens
from discreet.release.web.pages.common import SEE_OTHER, Csrf, Custodian, Serving, check_csrf, page

router = APIRouter(include_in_schema=False)


@router.get("/tokens")
def token_page(request: Request, service: Serving, actor: Custodian) -> Response:
    return page(request, "tokens.html", tokens=tokens.list_tokens(service.database))


@router.post("/tokens")
def new_token(
    request: Request,
    service: Serving,
    actor: Custodian,
    role: Annotated[str, Form(max_length=20)],
    name: Annotated[str, Form(max_length=64)] = "",
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    token, named = tokens.create_token(service.database, role, name.strip() or None)
    known = tokens.list_tokens(service.database)
    return page(request, "tokens.html", tokens=known, token=token, named=named)


@router.post("/tokens/revoke")
def revoke_token(
    request: Request,
    service: Serving,
    actor: Custodian,
    name: Annotated[str, Form(max_length=64)],
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    tokens.revoke_token(service.database, name)
    return RedirectResponse("/tokens", SEE_OTHER)
