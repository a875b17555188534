"""The datasets, asking for a margin, and the files of what was answered."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from discreet.errors import InputError
from discreet.release.people.actor import Actor
from discreet.release.service import Answer, Service
from discreet.release.web.downloads import PATTERN, told_file
from discreet.release.web.pages.common import Anyone, Csrf, Serving, check_csrf, dataset_page, page, partial
from discreet.release.web.views import asking as views
from discreet.release.web.views.crosstab import CHARTS, SHOWS, Layout
from discreet.release.web.views.history import recent_view
from discreet.release.web.waiting import answered

router = APIRouter(include_in_schema=False)

Names = Annotated[list[str] | None, Query(max_length=64)]
Chosen = Annotated[list[str] | None, Form(max_length=64)]
Word = Annotated[str, Query(max_length=20)]
Choice = Annotated[str, Form(max_length=20)]


def layout_of_link(columns: Names = None, rows: Word = "", show: Word = "counts", chart: Word = "stacked") -> Layout:
    """How a table is laid out, from a link; `rows` says that no variable in columns is a choice, not a silence."""
    return _layout(columns, rows, show, chart)


def layout_of_form(
    columns: Chosen = None, rows: Choice = "", show: Choice = "counts", chart: Choice = "stacked"
) -> Layout:
    return _layout(columns, rows, show, chart)


def _layout(columns: list[str] | None, rows: str, show: str, chart: str) -> Layout:
    chosen = tuple(columns or ()) if columns or rows else None
    return Layout(chosen, show if show in SHOWS else "counts", chart if chart in CHARTS else "stacked")


@router.get("/datasets")
def datasets(
    request: Request,
    service: Serving,
    actor: Anyone,
    q: Annotated[str, Query(max_length=200)] = "",
    page_number: Annotated[int, Query(ge=1, le=10**6, alias="page")] = 1,
) -> Response:
    return page(request, "datasets.html", **views.datasets_view(service.datasets(actor), q, page_number))


@router.get("/datasets/{name}")
def dataset(
    request: Request,
    name: str,
    service: Serving,
    actor: Anyone,
    layout: Annotated[Layout, Depends(layout_of_link)],
    v: Names = None,
    total: Word = "",
) -> Response:
    """The page to ask on; with variables that are published already, their table. That is public: no entry is made."""
    opened = service.current(name, actor)
    values = {**views.ask_view(opened), "chosen": v or []}
    if v or total:
        values |= views.published_view(opened, v or [], layout)
    if partial(request):
        return page(request, "part_answer.html", name=name, **values)
    return dataset_page(request, "ask.html", opened, "ask", **values, recent=recent_view(service, actor, opened))


@router.post("/datasets/{name}/ask")
async def ask(
    request: Request,
    name: str,
    service: Serving,
    actor: Anyone,
    layout: Annotated[Layout, Depends(layout_of_form)],
    v: Chosen = None,
    total: Choice = "",
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    if not v and not total:
        raise InputError("Choose at least one variable, or ask for the total.")
    answer = await answered(request, service, actor, name, [] if total else v or [])
    return await run_in_threadpool(_show, request, service, actor, name, answer, layout)


def _show(request: Request, service: Service, actor: Actor, name: str, answer: Answer, layout: Layout) -> Response:
    opened = service.current(name, actor)
    values = {
        **views.ask_view(opened),
        **views.answer_view(service, actor, opened, answer, layout),
        "chosen": list(answer.variables),
        "recent": recent_view(service, actor, opened),
    }
    if partial(request):
        return page(request, "part_answer.html", name=name, **values, fresh=True)
    return dataset_page(request, "ask.html", opened, "ask", **values)


@router.get("/datasets/{name}/download")
def download(
    name: str,
    service: Serving,
    actor: Anyone,
    v: Names = None,
    format: Annotated[str, Query(pattern=PATTERN)] = "csv",
) -> Response:
    return told_file(service, actor, name, v or [], format)
