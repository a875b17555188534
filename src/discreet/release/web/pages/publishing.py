"""Publishing a plan's margins with one button; the page goes on by itself, or by a button where scripts are off."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from discreet.release.web.pages.common import Csrf, Custodian, Serving, check_csrf, dataset_page, page, partial
from discreet.release.web.views import publishing as views
from discreet.release.web.views.custody import PLAN_SECONDS

router = APIRouter(include_in_schema=False)


@router.post("/datasets/{name}/publish")
def publish(
    request: Request,
    name: str,
    service: Serving,
    actor: Custodian,
    m: Annotated[list[int], Form(max_length=views.MOST_MARGINS)],
    asked: Annotated[int, Form(ge=0)] = 0,
    stop: Annotated[str, Form(max_length=10)] = "",
    csrf: Csrf = "",
) -> Response:
    check_csrf(actor, request, csrf)
    opened, round = service.current(name), views.Round(tuple(m), asked)
    faults: list[str] = []
    views.check_round(opened, round)
    if not stop:
        round, faults = views.publish_some(service, actor, name, round)
    values = {**views.publishing_view(service, actor, opened, round), "faults": faults, "stopped": bool(stop or faults)}
    if partial(request):
        return page(request, "part_publishing.html", name=name, **values)
    return dataset_page(request, "plan.html", opened, "plan", **values, seconds=PLAN_SECONDS)
