"""What the person who is signed in has asked before."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from discreet.release.web.pages.common import Anyone, Serving, page
from discreet.release.web.views.history import history_view

router = APIRouter(include_in_schema=False)


@router.get("/history")
def history(
    request: Request,
    service: Serving,
    actor: Anyone,
    before: Annotated[int, Query(ge=0, le=2**62)] = 0,
) -> Response:
    names = [dataset["name"] for dataset in service.datasets() if actor.may_see(dataset["name"])]
    return page(request, "history.html", **history_view(service, actor, names, before))
