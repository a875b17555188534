"""The pages, rendered here and made livelier by htmx; every form works without scripts too.

A session begins with a token. Its cookie is out of reach of scripts and of other sites (HttpOnly, Secure, SameSite =
Strict), and every change must carry the session's own secret (`csrf`), so that no other page can act for the user.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape

from discreet._version import __version__
from discreet.errors import Faults, InputError
from discreet.release import tokens
from discreet.release.open_dataset import OpenDataset
from discreet.release.service import Service, check_dataset
from discreet.release.tokens import Actor, same
from discreet.release.web import views
from discreet.release.web.downloads import TYPES, as_file, file_name
from discreet.release.web.uploads import parse_form, read_file, table_of_bytes

router = APIRouter(include_in_schema=False)
templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
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
    if request.app.state.rate.wait(actor.id) > 0:
        raise HTTPException(429, "too many requests: slow down")
    request.state.actor = actor
    return actor


def get_custodian(actor: Annotated[Actor, Depends(get_actor)]) -> Actor:
    if not actor.custodian:
        raise HTTPException(403, "only a custodian may see this page")
    return actor


def check_origin(request: Request) -> None:
    """A browser says where a form comes from; elsewhere than here is refused."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise HTTPException(403, "the form comes from another site")


def check_csrf(actor: Actor, request: Request, given: str) -> None:
    check_origin(request)
    if not same(given or request.headers.get("x-csrf", ""), actor.csrf):
        raise HTTPException(403, "the form has expired: load the page again")


Anyone = Annotated[Actor, Depends(get_actor)]
Custodian = Annotated[Actor, Depends(get_custodian)]
Csrf = Annotated[str, Form(max_length=100)]


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    values.setdefault("actor", getattr(request.state, "actor", None))
    text = templates.get_template(template).render(request=request, version=__version__, **values)
    return Response(text, status, media_type="text/html")


def partial(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


def error_page(request: Request, status: int, faults: list[str]) -> Response:
    if status == 401 and not partial(request):
        return RedirectResponse("/login", SEE_OTHER)
    if status == 401:
        return Response("", 200, {"HX-Redirect": "/login"})
    template = "part_faults.html" if partial(request) else "error.html"
    # htmx shows only what arrives with success: the fault is in the text.
    return page(request, template, 200 if partial(request) else status, faults=faults, code=status)


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


@router.get("/datasets")
def datasets(request: Request, service: Serving, actor: Anyone) -> Response:
    return page(request, "datasets.html", datasets=service.datasets())


@router.get("/datasets/new")
def new_dataset(request: Request, actor: Custodian) -> Response:
    return page(request, "new.html", policy=views.policy_fields({}))


@router.post("/datasets/inspect")
async def inspect(request: Request, service: Serving, actor: Custodian) -> Response:
    """The columns of a chosen file, to pick the variables from."""
    form = await parse_form(request)
    check_csrf(actor, request, str(form.get("csrf", "")))
    faults = Faults()
    data, suffix = await read_file(form, faults)
    faults.raise_if_any()
    columns = await run_in_threadpool(views.columns_of_file, data, suffix)
    return page(request, "part_columns.html", columns=columns)


@router.post("/datasets/new")
async def add_dataset(request: Request, service: Serving, actor: Custodian) -> Response:
    form = await parse_form(request)
    check_csrf(actor, request, str(form.get("csrf", "")))
    given = {key: str(value) for key, value in form.items() if isinstance(value, str)}
    chosen = tuple(str(value) for value in form.getlist("variable"))

    async def load() -> str:
        faults = Faults()
        data, suffix = await read_file(form, faults)
        policy = views.policy_of_form(given, faults)
        faults.raise_if_any()

        def store_it() -> str:
            table = table_of_bytes(data, suffix, chosen or None, given.get("count") or None)
            name = given.get("name", "").strip()
            check_dataset(name, table, policy)
            service.add(actor.name, name, table, policy)
            return name

        return await run_in_threadpool(store_it)

    try:
        name = await load()
    except InputError as error:
        fields = views.policy_fields(given)
        return page(request, "new.html", 422, faults=error.faults, policy=fields, name=given.get("name", ""))
    return RedirectResponse(f"/datasets/{name}/margins", SEE_OTHER)


def _dataset_page(request: Request, template: str, opened: OpenDataset, tab: str, **values: Any) -> Response:
    return page(request, template, name=opened.stored.name, tab=tab, **values)


@router.get("/datasets/{name}")
def dataset(
    request: Request,
    name: str,
    service: Serving,
    actor: Anyone,
    v: Annotated[list[str] | None, Query(max_length=64)] = None,
) -> Response:
    opened = service.current(name)
    return _dataset_page(request, "ask.html", opened, "ask", **views.ask_view(opened), chosen=v or [])


@router.post("/datasets/{name}/ask")
def ask(
    request: Request,
    name: str,
    service: Serving,
    actor: Anyone,
    v: Annotated[list[str] | None, Form(max_length=64)] = None,
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    if not v:
        raise InputError("Choose at least one variable.")
    answer = service.ask(actor, name, v)
    opened = service.open(name)
    values = {**views.ask_view(opened), **views.answer_view(answer), "name": name, "chosen": v}
    if partial(request):
        return page(request, "part_answer.html", **values, fresh=True)
    return _dataset_page(request, "ask.html", opened, "ask", **{k: x for k, x in values.items() if k != "name"})


@router.get("/datasets/{name}/download")
def download(
    name: str,
    service: Serving,
    actor: Anyone,
    v: Annotated[list[str], Query(max_length=64)],
    format: Annotated[str, Query(pattern="^(csv|json|parquet)$")] = "csv",
) -> Response:
    """A file of what has been told. Following a link decides nothing new, and does not tell what was refused.

    It asks again, so that the ledger knows of the file too.
    """
    opened = service.current(name)
    mask = opened.mask(v)
    frontier, policy = opened.state.frontier, opened.stored.policy
    told = frontier.covers(mask) or (policy.otherwise == "simulate" and frontier.forbids(mask))
    answer = service.ask(actor, name, v) if told else None
    if answer is None or answer.margin is None:
        raise HTTPException(409, "there is no file of this margin: ask for it first")
    disposition = f'attachment; filename="{file_name(name, answer, format)}"'
    return Response(as_file(answer, format), media_type=TYPES[format], headers={"Content-Disposition": disposition})


@router.get("/datasets/{name}/margins")
def margins(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = service.current(name)
    return _dataset_page(request, "margins.html", opened, "margins", **views.lattice_view(opened))


@router.get("/datasets/{name}/cells")
def cells(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = service.current(name)
    return _dataset_page(request, "cells.html", opened, "cells", **views.cells_view(opened))


@router.get("/datasets/{name}/ledger")
def ledger(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    before: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Response:
    opened = service.open(name)
    view = views.ledger_view(service, name, before)
    return _dataset_page(request, "ledger.html", opened, "ledger", **view)


@router.get("/datasets/{name}/plan")
def plan_page(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    return _dataset_page(request, "plan.html", service.current(name), "plan")


@router.post("/datasets/{name}/plan")
def make_plan(request: Request, name: str, service: Serving, actor: Custodian, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    opened = service.current(name)
    values = views.plan_view(opened)
    if partial(request):
        return page(request, "part_plan.html", name=name, **values)
    return _dataset_page(request, "plan.html", opened, "plan", **values)


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
