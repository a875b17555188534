"""The HTTP interface for programs: tokens as `Authorization: Bearer`, JSON in and out."""

from fastapi import APIRouter

from discreet.release.web.api import datasets, drafts, files, ledger, life, proposals, requests

router = APIRouter()
for part in (datasets, drafts, requests, files, ledger, life, proposals):
    router.include_router(part.router)
