"""What waits for a second custodian: look, confirm, reject."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from discreet.release.people import proposals
from discreet.release.people.four_eyes import CARRIERS, asked_everywhere
from discreet.release.web.pages.common import SEE_OTHER, Csrf, Serving, SomeCustodian, check_csrf, page
from discreet.release.web.views.proposals import proposal_view

router = APIRouter(include_in_schema=False)
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/proposals")
def proposal_page(request: Request, service: Serving, actor: SomeCustodian) -> Response:
    waiting = [proposal_view(one) for one in proposals.pending(service.database, actor)]
    return page(request, "proposals.html", waiting=waiting, everywhere=asked_everywhere(service.database))


@router.post("/proposals/{number}/confirm")
def confirm(request: Request, number: Number, service: Serving, actor: SomeCustodian, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    proposals.confirm(service.database, actor, number, CARRIERS)
    return RedirectResponse("/proposals", SEE_OTHER)


@router.post("/proposals/{number}/reject")
def reject(request: Request, number: Number, service: Serving, actor: SomeCustodian, csrf: Csrf = "") -> Response:
    check_csrf(actor, request, csrf)
    proposals.reject(service.database, actor, number)
    return RedirectResponse("/proposals", SEE_OTHER)
