"""The datasets, and loading one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from discreet.release.web.api.common import ERRORS, FORBIDDEN, Anyone, Category, Custodian, Problem, Serving
from discreet.release.web.uploads import UPLOAD_SCHEMA, read_upload

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


class DatasetSummary(BaseModel):
    """A dataset: its variables and their categories. Nothing here depends on the counts."""

    name: str
    variables: list[str]
    categories: dict[str, list[Category]]


@router.get("/datasets", response_model=list[DatasetSummary])
def list_datasets(service: Serving, actor: Anyone) -> list[dict[str, Any]]:
    """Names, variables and categories of all datasets."""
    return service.datasets()


@router.post(
    "/datasets",
    status_code=201,
    response_model=DatasetSummary,
    responses={**FORBIDDEN, 415: {"model": Problem, "description": "The body must be a form with a file."}},
    openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": UPLOAD_SCHEMA}}}},
)
async def add_dataset(request: Request, service: Serving, actor: Custodian) -> dict[str, Any]:
    """Load a table: a long table with a column of counts, or records to be counted; CSV or Parquet."""
    upload = await read_upload(request)

    def load() -> dict[str, Any]:
        table = upload.table()
        service.add(actor.name, upload.name, table, upload.policy)
        categories = {n: list(c) for n, c in zip(table.names, table.categories)}
        return {"name": upload.name, "variables": list(table.names), "categories": categories}

    return await run_in_threadpool(load)
