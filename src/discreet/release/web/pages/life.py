"""The life of a dataset, for custodians: its stage, its rule, what it belongs to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from discreet.errors import InputError
from discreet.release.life.stages import RETIRED, change_stage
from discreet.release.people.four_eyes import change_rule
from discreet.release.policy import Policy
from discreet.release.web.pages.common import SEE_OTHER, Csrf, Custodian, Serving, check_csrf, dataset_page
from discreet.release.web.views.life import life_view

router = APIRouter(include_in_schema=False)


@router.get("/datasets/{name}/life")
def life(request: Request, name: str, service: Serving, actor: Custodian) -> Response:
    opened = service.current(name, actor)
    return dataset_page(request, "life.html", opened, "life", **life_view(service, opened))


@router.post("/datasets/{name}/stage")
def move(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    stage: Annotated[str, Form(max_length=20)],
    sure: Annotated[str, Form(max_length=8)] = "",
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    if stage == RETIRED and not sure:
        raise InputError("Retiring is for good: say that you know.")
    change_stage(service.database, actor.name, name, stage)
    return RedirectResponse(f"/datasets/{name}/life", SEE_OTHER)


@router.post("/datasets/{name}/policy")
def set_policy(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    policy: Annotated[str, Form(max_length=64 << 10)],
    confirm: Annotated[str, Form(max_length=8)] = "",
    csrf: Csrf = "",
) -> Response:
    """Judge and change the rule; what cannot be is told on the page, with what was written."""
    check_csrf(actor, request, csrf)
    faults: tuple[str, ...] = ()
    notes: list[str] = []
    try:
        rule = Policy.from_toml(policy)
        notes = change_rule(service.database, actor.name, name, rule, confirm=bool(confirm))
    except InputError as error:
        faults = error.faults
    opened = service.current(name, actor)
    view = life_view(service, opened)
    if faults:
        view["toml"] = policy
    return dataset_page(request, "life.html", opened, "life", **view, notes=notes, faults=faults)
