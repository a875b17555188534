"""What custodians see of a dataset: the margins, the cells at risk, the ledger, a plan."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from discreet.release.web.pages.common import Csrf, Custodian, Serving, check_csrf, dataset_page, page, partial
from discreet.release.web.views import custody as views

router = APIRouter(include_in_schema=False)


@router.get("/datasets/{name}/margins")
def margins(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = service.current(name)
    return dataset_page(request, "margins.html", opened, "margins", **views.lattice_view(opened))


@router.get("/datasets/{name}/cells")
def cells(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = service.current(name)
    return dataset_page(request, "cells.html", opened, "cells", **views.cells_view(opened))


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
    return dataset_page(request, "plan.html", service.current(name), "plan")


@router.post("/datasets/{name}/plan")
def make_plan(request: Request, name: str, service: Serving, actor: Custodian, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    opened = service.current(name)
    values = views.plan_view(opened)
    if partial(request):
        return page(request, "part_plan.html", name=name, **values)
    return dataset_page(request, "plan.html", opened, "plan", **values)
