"""What was told, as a file: the format by name, or by what the caller accepts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from discreet.release.web.api.common import ERRORS, Anyone, Name, Problem, Serving
from discreet.release.web.downloads import PATTERN, TYPES, accepted_format, told_file

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


@router.get(
    "/datasets/{name}/margins/file",
    response_class=Response,
    responses={
        200: {
            "description": "The margin as a file; a synthetic one says so.",
            "content": {
                kind.split(";")[0]: {"schema": {"type": "object" if "json" in kind else "string"}}
                for kind in TYPES.values()
            },
        },
        406: {"model": Problem, "description": "None of the accepted formats can be written."},
        409: {"model": Problem, "description": "This margin has not been told: ask for it first."},
    },
)
def fetch_file(
    request: Request,
    name: Name,
    service: Serving,
    actor: Anyone,
    v: Annotated[list[str] | None, Query(max_length=64, description="The variables; none is the total.")] = None,
    format: Annotated[
        str | None, Query(pattern=PATTERN, description="Name of the format; else `Accept` decides, else JSON.")
    ] = None,
) -> Response:
    """A margin that has been told before. Fetching decides nothing; the ledger gets an entry all the same."""
    return told_file(service, actor, name, v or [], format or accepted_format(request.headers.get("accept", "")))
