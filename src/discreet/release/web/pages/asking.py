"""The datasets, asking for a margin, and the files of what was answered."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response

from discreet.errors import InputError
from discreet.release.web.downloads import TYPES, as_file, file_name
from discreet.release.web.pages.common import Anyone, Csrf, Serving, check_csrf, dataset_page, page, partial
from discreet.release.web.views import asking as views

router = APIRouter(include_in_schema=False)


@router.get("/datasets")
def datasets(request: Request, service: Serving, actor: Anyone) -> Response:
    return page(request, "datasets.html", datasets=service.datasets())


@router.get("/datasets/{name}")
def dataset(
    request: Request,
    name: str,
    service: Serving,
    actor: Anyone,
    v: Annotated[list[str] | None, Query(max_length=64)] = None,
) -> Response:
    opened = service.current(name)
    return dataset_page(request, "ask.html", opened, "ask", **views.ask_view(opened), chosen=v or [])


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
    return dataset_page(request, "ask.html", opened, "ask", **{k: x for k, x in values.items() if k != "name"})


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
