"""What custodians see of a dataset: the margins, the cells at risk, the ledger, a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from discreet.errors import InputError
from discreet.release.history.events import note
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import LONGEST
from discreet.release.web.pages.common import (
    SEE_OTHER,
    Csrf,
    Custodian,
    Serving,
    check_csrf,
    dataset_page,
    page,
    partial,
)
from discreet.release.web.views import custody as views
from discreet.release.web.views.lattice import STANDINGS, View, lattice_view
from discreet.release.web.waiting import answered, outcome

if TYPE_CHECKING:
    from discreet.release.plan import ReleasePlan

router = APIRouter(include_in_schema=False)


@router.get("/datasets/{name}/margins")
def margins(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    among: Annotated[list[str] | None, Query(max_length=64)] = None,
    standing: Annotated[str, Query(max_length=20)] = "",
    level: Annotated[str, Query(pattern="^[0-9]{0,2}$")] = "",
    number: Annotated[int, Query(ge=1, le=10**9, alias="page")] = 1,
) -> Response:
    opened = service.current(name)
    known = standing if standing in STANDINGS else ""
    view = View(tuple(among or ()), known, int(level) if level else None, number)
    return dataset_page(request, "margins.html", opened, "margins", **lattice_view(opened, view))


@router.post("/datasets/{name}/retry")
async def retry(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    seconds: Annotated[float, Form(gt=0, le=LONGEST)],
    v: Annotated[list[str] | None, Form(max_length=64)] = None,
    csrf: Csrf = "",
) -> Response:
    """Have a margin tried again that was left unresolved; what is settled stays settled."""
    check_csrf(actor, request, csrf)
    opened = await run_in_threadpool(service.current, name)
    if opened.mask(v or []) not in opened.state.unresolved:
        raise InputError("this margin is not among those that a time limit left open")
    await answered(request, service, actor, name, v or [], limit=seconds)
    return RedirectResponse(f"/datasets/{name}/margins", SEE_OTHER)


@router.get("/datasets/{name}/cells")
async def cells(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = await run_in_threadpool(service.current, name)
    await run_in_threadpool(note, service.scribe, actor.name, "cells at risk viewed", dataset=name)
    ticket = await run_in_threadpool(views.look_at_cells, service, actor, opened)
    found = await outcome(request, service.decider, ticket)
    return await run_in_threadpool(
        lambda: dataset_page(request, "cells.html", opened, "cells", **views.cells_view(opened, found))
    )


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
    return dataset_page(request, "ledger.html", opened, "ledger", **view)


@router.get("/datasets/{name}/plan")
def plan_page(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    return dataset_page(request, "plan.html", service.current(name), "plan", seconds=views.PLAN_SECONDS)


@router.post("/datasets/{name}/plan")
async def make_plan(request: Request, name: str, service: Serving, actor: Custodian, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    opened = await run_in_threadpool(service.current, name)
    ticket = await run_in_threadpool(views.make_plan, service, actor, opened)
    made = await outcome(request, service.decider, ticket)
    return await run_in_threadpool(_show_plan, request, name, opened, made)


def _show_plan(request: Request, name: str, opened: OpenDataset, made: ReleasePlan) -> Response:
    values = views.plan_view(opened, made)
    if partial(request):
        return page(request, "part_plan.html", name=name, **values)
    return dataset_page(request, "plan.html", opened, "plan", **values, seconds=views.PLAN_SECONDS)
