"""Loading a table: the form, a look at the file, and the table itself."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from discreet.errors import Faults, InputError
from discreet.release.loading.register import check_dataset
from discreet.release.web.pages.common import SEE_OTHER, Custodian, Serving, check_csrf, page
from discreet.release.web.uploads import parse_form, read_file, table_of_bytes
from discreet.release.web.views import loading as views

router = APIRouter(include_in_schema=False)


@router.get("/datasets/new")
def new_dataset(request: Request, actor: Custodian) -> Response:
    return page(request, "new.html", policy=views.policy_fields({}))


@router.post("/datasets/inspect")
async def inspect(request: Request, service: Serving, actor: Custodian) -> Response:
    """The columns of a chosen file, to pick the variables from."""
    form = await parse_form(request)
    check_csrf(actor, request, str(form.get("csrf", "")))
    faults = Faults()
    data, suffix = await read_file(form, faults)
    faults.raise_if_any()
    columns = await run_in_threadpool(views.columns_of_file, data, suffix)
    return page(request, "part_columns.html", columns=columns)


@router.post("/datasets/new")
async def add_dataset(request: Request, service: Serving, actor: Custodian) -> Response:
    form = await parse_form(request)
    check_csrf(actor, request, str(form.get("csrf", "")))
    given = {key: str(value) for key, value in form.items() if isinstance(value, str)}
    chosen = tuple(str(value) for value in form.getlist("variable"))

    async def load() -> str:
        faults = Faults()
        data, suffix = await read_file(form, faults)
        policy = views.policy_of_form(given, faults)
        faults.raise_if_any()

        def store_it() -> str:
            table = table_of_bytes(data, suffix, chosen or None, given.get("count") or None)
            name = given.get("name", "").strip()
            check_dataset(name, table, policy)
            service.add(actor.name, name, table, policy)
            return name

        return await run_in_threadpool(store_it)

    try:
        name = await load()
    except InputError as error:
        fields = views.policy_fields(given)
        return page(request, "new.html", 422, faults=error.faults, policy=fields, name=given.get("name", ""))
    return RedirectResponse(f"/datasets/{name}/margins", SEE_OTHER)
