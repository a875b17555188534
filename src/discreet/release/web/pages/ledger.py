"""Who did what: the server's own chain, for custodians."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from discreet.release.history.events import Wanted
from discreet.release.web.pages.common import Custodian, Serving, page
from discreet.release.web.views.chain import chain_view

router = APIRouter(include_in_schema=False)
Day = Annotated[str, Query(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]


@router.get("/ledger")
def events(
    request: Request,
    service: Serving,
    actor: Custodian,
    who: Annotated[str, Query(max_length=100)] = "",
    what: Annotated[str, Query(max_length=100)] = "",
    since: Day = "",
    until: Day = "",
    before: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Response:
    wanted = Wanted(who.strip(), what.strip(), since, until)
    return page(request, "chain.html", wanted=wanted, **chain_view(service.database, wanted, before))
