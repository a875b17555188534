"""The web application: limits, headers, errors that give nothing away, and the routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from discreet._version import __version__
from discreet.errors import InputError
from discreet.release import engine
from discreet.release.history.database import Database, open_database
from discreet.release.life.stages import ClosedDataset
from discreet.release.loading import drafts
from discreet.release.loading.apart import Reader, ReaderBusy
from discreet.release.loading.drafts import UnknownDraft
from discreet.release.loading.limits import BeyondLimits
from discreet.release.loading.loader import Loader
from discreet.release.people.attempts import MOST, Attempts
from discreet.release.people.four_eyes import Waits
from discreet.release.people.openid.provider import Provider
from discreet.release.people.openid.settings import read_settings
from discreet.release.queue.deciders import Deciders
from discreet.release.queue.ticket import Busy, CutOff, Left, Stopping
from discreet.release.running.hold import Held
from discreet.release.running.metrics import Measured, Metrics
from discreet.release.running.readiness import Probe
from discreet.release.running.warmth import Warmth
from discreet.release.service import Service, UnknownDataset
from discreet.release.web import api, pages, probes
from discreet.release.web.envelope import Envelope
from discreet.release.web.errors import error_answer, explain_database_errors
from discreet.release.web.headers import headers_for
from discreet.release.web.limits import BodyLimit, RateLimit
from discreet.release.web.settings import Settings

# Requests that read or write at the same time; those that wait for a decision hold no thread.
THREADS = 128
DESCRIPTION = """Ask for margins of confidential tables. Every request is answered *release*, *refuse* or *simulate*
in the light of everything released before. Send the token as `Authorization: Bearer`."""


def create_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The application on an open database, or on the one that the settings name."""
    opened = database or open_database(settings.database)
    reader = Reader(settings.read_limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        service: Service = app.state.service
        if settings.deciders:
            deciders = Deciders(settings.deciders, warm=settings.warm, servers=settings.workers, places=settings.places)
            service.decider = deciders
            app.state.probe = Probe(opened, Warmth(deciders.wait_ready))
        else:
            warmth = Warmth(engine.warm_up if settings.warm else None)
            app.state.probe = Probe(opened, warmth)
            service.warm = warmth.done
        drafts.expire(opened)
        yield
        await to_thread.run_sync(service.decider.stop)
        reader.close()
        opened.close()

    app = FastAPI(
        title="discreet release server",
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # the usual pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # such a redirect would be made up from the Host header
    )
    app.state.service = Service(opened)
    app.state.loader = Loader(opened, reader)
    app.state.settings = settings
    app.state.probe = Probe(opened, Warmth())
    app.state.metrics = Metrics()
    shared = max(1, settings.workers)
    app.state.rate = RateLimit(settings.rate / shared, max(1.0, settings.burst / shared))
    app.state.attempts = Attempts(max(1, MOST // shared))
    app.state.provider = None if settings.openid is None else Provider(read_settings(Path(settings.openid)))
    app.include_router(probes.router)
    app.include_router(api.router)
    app.include_router(pages.router)
    static = Path(__file__).parent / "static"
    app.mount("/static", StaticFiles(directory=static), name="static")
    _explain_errors(app)
    explain_database_errors(app)
    app.add_middleware(
        BodyLimit,
        small=settings.max_body,
        uploads=settings.max_upload,
        upload_paths=frozenset({"/api/datasets", "/api/drafts", "/load"}),
    )
    app.add_middleware(Envelope, headers=headers_for(settings))
    app.add_middleware(Measured, metrics=app.state.metrics)
    if settings.proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.proxies))
    return app


def from_environment() -> FastAPI:
    """For worker processes: the parent has put the settings into the environment and migrated the database."""
    return create_app(Settings.from_environment())


def _explain_errors(app: FastAPI) -> None:
    @app.exception_handler(UnknownDataset)
    async def unknown(request: Request, error: UnknownDataset) -> Response:
        return error_answer(request, 404, str(error))

    @app.exception_handler(Waits)
    async def waits(request: Request, error: Waits) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": str(error), "proposal": error.number}, 202)
        return RedirectResponse("/proposals", 303)

    @app.exception_handler(UnknownDraft)
    async def unknown_draft(request: Request, error: UnknownDraft) -> Response:
        return error_answer(request, 404, str(error))

    @app.exception_handler(BeyondLimits)
    async def beyond_limits(request: Request, error: BeyondLimits) -> Response:
        return error_answer(request, 413, str(error), list(error.faults))

    @app.exception_handler(ClosedDataset)
    async def closed(request: Request, error: ClosedDataset) -> Response:
        return error_answer(request, 409, str(error))

    @app.exception_handler(InputError)
    async def bad_input(request: Request, error: InputError) -> Response:
        return error_answer(request, 422, str(error), list(error.faults))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated: it might end up in someone's log.
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        return error_answer(request, 422, "; ".join(faults), faults)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> Response:
        response = error_answer(request, 429, "too many of your requests are waiting for a decision: come back later")
        response.headers["Retry-After"] = str(error.retry_after)
        return response

    @app.exception_handler(Left)
    async def left(request: Request, error: Left) -> Response:
        return Response(status_code=499)  # nobody reads it

    @app.exception_handler(CutOff)
    async def cut_off(request: Request, error: CutOff) -> Response:
        return error_answer(request, 503, "this could not be computed within its time limit")

    @app.exception_handler(Stopping)
    async def stopping(request: Request, error: Stopping) -> Response:
        response = error_answer(request, 503, "the server is being stopped: come back later")
        response.headers["Retry-After"] = "10"
        return response

    @app.exception_handler(Held)
    async def held(request: Request, error: Held) -> Response:
        response = error_answer(request, 503, "nothing new is decided before a custodian resumes: it was restored")
        response.headers["Retry-After"] = "600"
        return response

    @app.exception_handler(ReaderBusy)
    async def reader_busy(request: Request, error: ReaderBusy) -> Response:
        response = error_answer(request, 429, "other files are being read: come back later")
        response.headers["Retry-After"] = "10"
        return response

    @app.exception_handler(HTTPException)
    async def told(request: Request, error: HTTPException) -> Response:
        response = error_answer(request, error.status_code, str(error.detail))
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response
