"""The datasets, and loading one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from discreet.release.loading.loader import Loader
from discreet.release.web.api.common import (
    ERRORS,
    FORBIDDEN,
    Anyone,
    Category,
    Custodian,
    Problem,
    ProposalMade,
    Serving,
)
from discreet.release.web.uploads import UPLOAD, read_upload

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])
NO_FORM: dict[int | str, dict[str, Any]] = {
    415: {"model": Problem, "description": "The body must be a form with a file."}
}


def get_loader(request: Request) -> Loader:
    loader: Loader = request.app.state.loader
    return loader


Loading = Annotated[Loader, Depends(get_loader)]


class DatasetSummary(BaseModel):
    """A dataset: its variables, and the categories of those whose lists are public.

    A list is public if it is declared (`labels` then has the label of each category) or in a released margin. `unit`
    names the table of which this is a view, `population` the people, `predecessor` the edition before.
    """

    name: str
    variables: list[str]
    categories: dict[str, list[Category]]
    labels: dict[str, list[str]] = {}
    stage: str = "open"
    unit: str | None = None
    population: str | None = None
    predecessor: str | None = None


class LoadedDataset(DatasetSummary):
    """What was loaded, for the custodian. `count` is the column of counts, null where rows were counted."""

    count: str | None
    rows: int
    left_out: list[str]


@router.get("/datasets", response_model=list[DatasetSummary])
def list_datasets(service: Serving, actor: Anyone) -> list[dict[str, Any]]:
    """Names and variables of the datasets that you may see, and the categories that are public."""
    return service.datasets(actor)


@router.post(
    "/datasets",
    status_code=201,
    response_model=LoadedDataset,
    responses=FORBIDDEN | NO_FORM | {202: {"model": ProposalMade, "description": "Another custodian must confirm it."}},
    openapi_extra=UPLOAD,
)
async def add_dataset(request: Request, loader: Loading, service: Serving, actor: Custodian) -> dict[str, Any]:
    """Load a table: a long table with a column of counts, or records to be counted; CSV or Parquet.

    Opens at once where nothing is in doubt: a column `count`, or the field `count` or `records`, or a file in which no
    column could hold counts. Else 422 says which columns could; `/api/drafts` holds the conversation.
    """
    upload = await read_upload(request)

    def load() -> dict[str, Any]:
        reading = loader.add(
            actor.name, upload.name, upload.data, upload.suffix, upload.plan, confirmed=upload.confirmed
        )
        taken = reading.taken
        assert taken is not None
        found = next(one for one in service.datasets(actor) if one["name"] == upload.name)
        return {**found, "count": taken.count, "rows": reading.rows, "left_out": list(taken.left_out)}

    return await run_in_threadpool(load)
