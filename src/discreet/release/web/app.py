"""The web application: limits, headers, errors that give nothing away, and the routes of `api.py` and `pages.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from discreet._version import __version__
from discreet.errors import InputError
from discreet.release import engine
from discreet.release.history.database import Database, open_database
from discreet.release.open_dataset import WAITING, Busy
from discreet.release.service import Service, UnknownDataset
from discreet.release.web import api, pages
from discreet.release.web.envelope import Envelope
from discreet.release.web.limits import BodyLimit, RateLimit
from discreet.release.web.pages.common import error_page
from discreet.release.web.settings import Settings

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
DESCRIPTION = """Ask for margins of confidential tables. Every request is answered *release*, *refuse* or *simulate*
in the light of everything released before. Send the token as `Authorization: Bearer`."""


def create_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The application on an open database, or on the one that the settings name."""
    opened = database or open_database(settings.database)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # Requests that wait for their turn must not keep others from being answered.
        to_thread.current_default_thread_limiter().total_tokens = 2 * WAITING
        if settings.warm:
            engine.warm_up()
        yield
        opened.close()

    app = FastAPI(
        title="discreet release server",
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # the usual pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.service = Service(opened)
    app.state.settings = settings
    shared = max(1, settings.workers)
    app.state.rate = RateLimit(settings.rate / shared, max(1.0, settings.burst / shared))
    app.state.logins = RateLimit(2.0 / shared, 20.0)
    app.include_router(api.router)
    app.include_router(pages.router)
    static = Path(__file__).parent / "static"
    app.mount("/static", StaticFiles(directory=static), name="static")
    _explain_errors(app)
    app.add_middleware(Envelope, headers=HEADERS)
    app.add_middleware(
        BodyLimit,
        small=settings.max_body,
        uploads=settings.max_upload,
        upload_paths=frozenset({"/api/datasets", "/datasets/new", "/datasets/inspect"}),
    )
    return app


def from_environment() -> FastAPI:
    """For worker processes: the parent has put the settings into the environment and migrated the database."""
    return create_app(Settings.from_environment())


def _explain_errors(app: FastAPI) -> None:
    @app.exception_handler(UnknownDataset)
    async def unknown(request: Request, error: UnknownDataset) -> Response:
        return _error(request, 404, str(error))

    @app.exception_handler(InputError)
    async def bad_input(request: Request, error: InputError) -> Response:
        return _error(request, 422, str(error), list(error.faults))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated: it might end up in someone's log.
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        return _error(request, 422, "; ".join(faults), faults)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> Response:
        response = _error(request, 429, "too many decisions on this dataset are waiting: come back later")
        response.headers["Retry-After"] = "10"
        return response

    @app.exception_handler(HTTPException)
    async def told(request: Request, error: HTTPException) -> Response:
        response = _error(request, error.status_code, str(error.detail))
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response


def _error(request: Request, status: int, detail: str, faults: list[str] | None = None) -> Response:
    """JSON for programs, a page or a fragment of one for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": detail, "faults": faults or [detail]}, status)
    return error_page(request, status, faults or [detail])
