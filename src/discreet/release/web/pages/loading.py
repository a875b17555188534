"""Loading a table: a file is sent, looked at as a draft, and confirmed or discarded. For custodians only."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from discreet.errors import Faults, InputError
from discreet.release.loading import drafts
from discreet.release.loading.drafts import Intent, StoredDraft
from discreet.release.loading.limits import BeyondLimits
from discreet.release.loading.loader import Loader, check_version
from discreet.release.web.pages.common import SEE_OTHER, Custodian, check_csrf, page
from discreet.release.web.uploads import parse_form, read_file
from discreet.release.web.views import loading as views

router = APIRouter(include_in_schema=False)


@router.get("/load")
def new_dataset(request: Request, actor: Custodian) -> Response:
    return page(request, "new.html", drafts=drafts.list_drafts(_loader(request).database))


@router.post("/load")
async def send(request: Request, actor: Custodian) -> Response:
    """Keep the file as a draft; its page asks what is in doubt."""
    form = await parse_form(request)
    check_csrf(actor, request, str(form.get("csrf", "")))
    loader, name = _loader(request), str(form.get("name", "")).strip()
    try:
        faults = Faults()
        data, suffix = await read_file(form, faults)
        faults.raise_if_any()
        await run_in_threadpool(loader.send, actor.name, name, data, suffix, Intent())
    except InputError as error:
        status = 413 if isinstance(error, BeyondLimits) else 422
        waiting = await run_in_threadpool(drafts.list_drafts, loader.database)
        return page(request, "new.html", status, faults=error.faults, name=name, drafts=waiting)
    return RedirectResponse(f"/drafts/{name}", SEE_OTHER)


@router.get("/drafts/{name}")
def draft(request: Request, name: str, actor: Custodian) -> Response:
    return _page(request, drafts.load(_loader(request).database, name), {})


@router.post("/drafts/{name}")
async def settle(request: Request, name: str, actor: Custodian) -> Response:
    """Change the choices, or confirm them where they are those that were seen."""
    form = await request.form(max_files=0, max_fields=600)
    check_csrf(actor, request, str(form.get("csrf", "")))
    return await run_in_threadpool(_settle, request, name, actor.name, form)


@router.post("/drafts/{name}/discard")
async def discard(request: Request, name: str, actor: Custodian) -> Response:
    form = await request.form(max_files=0, max_fields=10)
    check_csrf(actor, request, str(form.get("csrf", "")))
    await run_in_threadpool(drafts.discard, _loader(request).database, actor.name, name)
    return RedirectResponse("/load", SEE_OTHER)


def _settle(request: Request, name: str, who: str, form: FormData) -> Response:
    loader = _loader(request)
    given = {key: str(value) for key, value in form.items() if isinstance(value, str)}
    known = drafts.load(loader.database, name)
    try:
        plan = views.plan_of_form(given, tuple(str(value) for value in form.getlist("variable")), known)
        confirming = given.get("do") == "confirm"
        if plan == known.plan and confirming:
            check_version(known, given.get("version"))
            loader.confirm(who, known, confirmed="confirm_published" in given)
            return RedirectResponse(f"/datasets/{name}/margins", SEE_OTHER)
        known = loader.change(who, known, plan)
    except InputError as error:
        return _page(request, known, given, status=422, faults=list(error.faults))
    if confirming:
        return _page(request, known, {}, notice="You have changed something: look at the preview, then confirm.")
    return RedirectResponse(f"/drafts/{name}", SEE_OTHER)


def _page(
    request: Request,
    known: StoredDraft,
    given: dict[str, str],
    *,
    status: int = 200,
    faults: list[str] | None = None,
    notice: str = "",
) -> Response:
    view = views.draft_view(known, given)
    return page(request, "draft.html", status, faults=faults or [], notice=notice, **view)


def _loader(request: Request) -> Loader:
    loader: Loader = request.app.state.loader
    return loader
