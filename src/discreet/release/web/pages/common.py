"""What all pages share: who is there, protected forms, rendering. Every form works without scripts too.

A session begins with a token. Its cookie is out of reach of scripts and of other sites (HttpOnly, Secure, SameSite =
Strict), and every change must carry the session's own secret (`csrf`), so that no other page can act for the user.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Form, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape

from discreet._version import __version__
from discreet.release import tokens
from discreet.release.open_dataset import OpenDataset
from discreet.release.people.actor import Actor
from discreet.release.service import Service
from discreet.release.tokens import same
from discreet.release.web.access import check_custodian, check_seen, check_some_custodian
from discreet.release.web.origins import from_here

templates = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
    autoescape=select_autoescape(default=True),
    trim_blocks=True,
    lstrip_blocks=True,
)
COOKIE = "__Host-discreet"
SEE_OTHER = 303


class SignedOut(HTTPException):
    def __init__(self) -> None:
        super().__init__(401, "sign in first")


def get_service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Serving = Annotated[Service, Depends(get_service)]


def get_actor(request: Request, service: Serving) -> Actor:
    session = request.cookies.get(COOKIE, "")
    actor = tokens.actor_of_session(service.database, session) if session else None
    if actor is None:
        raise SignedOut
    wait = request.app.state.rate.wait(actor.id)
    if wait > 0:
        raise HTTPException(429, "too many requests: slow down", {"Retry-After": str(int(wait) + 1)})
    request.state.actor = actor
    check_seen(actor, request)
    return actor


REFUSAL = "only a custodian may see this page"


def get_custodian(request: Request, actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    check_custodian(actor, request, REFUSAL)
    return actor


def get_some_custodian(actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    check_some_custodian(actor, REFUSAL)
    return actor


def check_origin(request: Request) -> None:
    """A browser says where a form comes from; elsewhere than here is refused."""
    if not from_here(request):
        raise HTTPException(403, "the form comes from another site; behind a proxy the server needs --public-url")


def check_csrf(actor: Actor, request: Request, given: str) -> None:
    check_origin(request)
    if not same(given or request.headers.get("x-csrf", ""), actor.csrf):
        raise HTTPException(403, "the form has expired: load the page again")


Anyone = Annotated[Actor, Depends(get_actor)]
Custodian = Annotated[Actor, Depends(get_custodian)]
SomeCustodian = Annotated[Actor, Depends(get_some_custodian)]
Csrf = Annotated[str, Form(max_length=100)]


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    values.setdefault("actor", getattr(request.state, "actor", None))
    text = templates.get_template(template).render(request=request, version=__version__, **values)
    return Response(text, status, media_type="text/html")


def partial(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    going_back = request.headers.get("hx-history-restore-request") == "true"
    return request.headers.get("hx-request") == "true" and not going_back


def error_page(request: Request, status: int, faults: list[str]) -> Response:
    if status == 401 and not partial(request):
        return RedirectResponse("/login", SEE_OTHER)
    if status == 401:
        return Response("", 200, {"HX-Redirect": "/login"})
    template = "part_faults.html" if partial(request) else "error.html"
    # htmx shows only what arrives with success: the fault is in the text.
    return page(request, template, 200 if partial(request) else status, faults=faults, code=status)


def dataset_page(request: Request, template: str, opened: OpenDataset, tab: str, **values: Any) -> Response:
    return page(request, template, name=opened.stored.name, tab=tab, **values)
