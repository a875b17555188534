"""The HTTP interface for programs: tokens as `Authorization: Bearer`, JSON in and out."""

from fastapi import APIRouter

from discreet.release.web.api import datasets, ledger, requests

router = APIRouter()
for part in (datasets, requests, ledger):
    router.include_router(part.router)
