"""Signing in with a token, and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from discreet.release import tokens
from discreet.release.web.pages.common import COOKIE, SEE_OTHER, Anyone, Csrf, Serving, check_csrf, check_origin, page

router = APIRouter(include_in_schema=False)


@router.get("/")
def home() -> Response:
    return RedirectResponse("/datasets", SEE_OTHER)


@router.get("/login")
def login_page(request: Request) -> Response:
    return page(request, "login.html")


@router.post("/login")
def login(request: Request, service: Serving, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    check_origin(request)
    where = request.client.host if request.client else "-"
    if request.app.state.logins.wait(where) > 0:
        return page(request, "login.html", 429, faults=["Too many attempts: wait a minute."])
    actor = tokens.actor_of_token(service.database, token.strip())
    if actor is None:
        return page(request, "login.html", 401, faults=["This token is unknown or revoked."])
    response = RedirectResponse("/datasets", SEE_OTHER)
    response.set_cookie(
        COOKIE,
        tokens.begin_session(service.database, actor),
        max_age=tokens.SESSION_HOURS * 3600,
        path="/",
        secure=True,
        httponly=True,
        samesite="strict",
    )
    return response


@router.post("/logout")
def logout(request: Request, service: Serving, actor: Anyone, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    tokens.end_session(service.database, request.cookies[COOKIE])
    response = RedirectResponse("/login", SEE_OTHER)
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
    return response
