"""Signing in with a token or at the office's own sign-in service, and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from discreet.release import tokens
from discreet.release.history.chain import SERVER
from discreet.release.people.actor import SERVER_ITSELF, Actor
from discreet.release.people.openid import flow, person
from discreet.release.people.openid.provider import Provider, SignInRefused
from discreet.release.service import Service
from discreet.release.web.pages.common import COOKIE, SEE_OTHER, Anyone, Csrf, Serving, check_csrf, check_origin, page

router = APIRouter(include_in_schema=False)
FLOW_COOKIE = "__Host-discreet-sign-in"
NO_ACCESS = (
    "You are known here as {name}, and have no access yet. Ask a custodian to give you some, and sign in again then."
)


@router.get("/")
def home() -> Response:
    return RedirectResponse("/datasets", SEE_OTHER)


@router.get("/login")
def login_page(request: Request) -> Response:
    return _login_page(request)


@router.post("/login")
def login(request: Request, service: Serving, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    check_origin(request)
    actor = tokens.actor_of_token(service.database, token.strip())
    if actor is None:
        wait = _failed(request, service)
        if wait > 0:
            return _slow_down(request, wait)
        return _login_page(request, 401, "This token is unknown, expired or revoked.")
    wait = request.app.state.attempts.begun(actor.id)
    if wait > 0:
        return _slow_down(request, wait)
    response = RedirectResponse("/datasets", SEE_OTHER)
    _begin(request, response, service, actor, "token")
    return response


@router.get("/login/openid")
async def begin_openid(request: Request) -> Response:
    """Off to the sign-in service. A link and not a form: the page's own rules let forms go nowhere else."""
    provider = _provider(request)
    started = flow.begin()
    try:
        address = await run_in_threadpool(provider.authorization_url, started)
    except SignInRefused as error:
        return _login_page(request, error.status, str(error))
    response = RedirectResponse(address, SEE_OTHER)
    # The answer comes from another site, so this cookie cannot be as strict as the session's.
    response.set_cookie(
        FLOW_COOKIE, started.secret, max_age=flow.SECONDS, path="/", secure=True, httponly=True, samesite="lax"
    )
    return response


@router.get("/login/openid/callback")
async def end_openid(
    request: Request,
    service: Serving,
    state: Annotated[str, Query(max_length=200)] = "",
    code: Annotated[str, Query(max_length=4000)] = "",
    iss: Annotated[str | None, Query(max_length=400)] = None,
    error: Annotated[str | None, Query(max_length=200)] = None,
) -> Response:
    """Back from the sign-in service, with a code that we exchange for a signed statement who it is."""
    provider = _provider(request)

    def come_in() -> Response:
        started = flow.resume(request.cookies.get(FLOW_COOKIE, ""), state)
        provider.check_answer(iss, error)
        claims = provider.claims_of(code, started)
        flow.spend(service.database, started)
        known = person.meet(service.database, provider.settings, claims)
        if known.actor is None:
            return _login_page(request, 403, NO_ACCESS.format(name=known.name))
        wait = request.app.state.attempts.begun(known.actor.id)
        if wait > 0:
            return _slow_down(request, wait)
        # A page and not a redirect: a strict cookie does not travel in a chain that began on another site.
        response = page(request, "signed_in.html")
        _begin(request, response, service, known.actor, "OpenID Connect")
        return response

    try:
        response = await run_in_threadpool(come_in)
    except SignInRefused as refused:
        await run_in_threadpool(_failed, request, service)
        response = _login_page(request, refused.status, str(refused))
    response.delete_cookie(FLOW_COOKIE, path="/", secure=True, httponly=True, samesite="lax")
    return response


@router.post("/logout")
def logout(request: Request, service: Serving, actor: Anyone, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    tokens.end_session(service.database, request.cookies[COOKIE], who=actor.name)
    response = RedirectResponse("/login", SEE_OTHER)
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
    return response


def _login_page(request: Request, status: int = 200, fault: str | None = None) -> Response:
    elsewhere = request.app.state.provider is not None
    return page(request, "login.html", status, faults=[] if fault is None else [fault], elsewhere=elsewhere)


def _slow_down(request: Request, wait: float) -> Response:
    response = _login_page(request, 429, "Too many attempts: wait a minute.")
    response.headers["Retry-After"] = str(int(wait) + 1)
    return response


def _provider(request: Request) -> Provider:
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise HTTPException(404, "this server has no other sign-in service")
    return provider


def _failed(request: Request, service: Service) -> float:
    """Count the failure, enter what is due into the ledger, and say how long the address has to wait."""
    wait: float = request.app.state.attempts.failed(request.client.host if request.client else "-")
    _enter_failures(request, service)
    return wait


def _enter_failures(request: Request, service: Service) -> None:
    number = request.app.state.attempts.due()
    if number:
        service.scribe.write(SERVER, {"what": "sign-ins failed", "who": SERVER_ITSELF, "number": number})


def _begin(request: Request, response: Response, service: Service, actor: Actor, by: str) -> None:
    hours = request.app.state.settings.session_hours
    _enter_failures(request, service)
    response.set_cookie(
        COOKIE,
        tokens.begin_session(service.database, actor, by=by, hours=hours),
        max_age=int(hours * 3600),
        path="/",
        secure=True,
        httponly=True,
        samesite="strict",
    )
