"""Errors as people and programs see them: one sentence, nothing confidential; a database that fails is a 503."""

from __future__ import annotations

import logging

from fastapi import FastAPI
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.requests import Request
from starlette.responses import Response

from discreet.release.web.pages.common import error_page
from discreet.release.web.probes import PATHS

log = logging.getLogger("discreet.release")
# Seconds after which to come back when the database is down, locked or full.
RETRY_AFTER = 10
UNAVAILABLE = "the database cannot be reached or written now: nothing was decided, come back later"
# Our own mistakes, which waiting does not mend.
MISTAKES = (DataError, IntegrityError, ProgrammingError)


def error_answer(request: Request, status: int, detail: str, faults: list[str] | None = None) -> Response:
    """JSON for programs, a page or a fragment of one for people."""
    if request.url.path.startswith(("/api/", *PATHS)):
        return JSONResponse({"detail": detail, "faults": faults or [detail]}, status)
    return error_page(request, status, faults or [detail])


def explain_database_errors(app: FastAPI) -> None:
    """A database that is down, locked or full is no defect: whoever asked may come back."""

    async def unavailable(request: Request, error: Exception) -> Response:
        if isinstance(error, MISTAKES):
            raise error
        kind = type(getattr(error, "orig", None) or error).__name__
        log.error("the database fails (%s)", kind)  # the text of the error might quote values
        answer = error_answer(request, 503, UNAVAILABLE)
        answer.headers["Retry-After"] = str(RETRY_AFTER)
        return answer

    app.add_exception_handler(DBAPIError, unavailable)
    app.add_exception_handler(PoolTimeout, unavailable)
