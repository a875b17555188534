"""For whatever watches the server: does it live (`/health`), can it work (`/ready`), what has it done (`/metrics`).

The first two tell nobody anything about data and need no token. Metrics are for custodians; a scraper on the same
machine may use `--metrics-port` instead.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from discreet.release.running.metrics import TYPE
from discreet.release.web.api.common import Custodian

router = APIRouter(include_in_schema=False)
PATHS = ("/health", "/ready", "/metrics")


@router.get("/health")
async def health() -> dict[str, str]:
    """The process lives. Needs no thread and no database, so that it answers whatever else is going on."""
    return {"status": "alive"}


@router.get("/ready")
def ready(request: Request) -> Response:
    found = request.app.state.probe.look()
    body: dict[str, Any] = {"ready": found.ready, **asdict(found)}
    headers = {} if found.ready else {"Retry-After": "2"}
    return JSONResponse(body, 200 if found.ready else 503, headers)


@router.get("/metrics")
def metrics(request: Request, actor: Custodian) -> Response:
    return Response(request.app.state.metrics.text(), headers={"Content-Type": TYPE})
