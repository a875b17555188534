"""The pages, rendered here and made livelier by htmx. The order of the routers decides where paths overlap."""

from fastapi import APIRouter

from discreet.release.web.pages import (
    access,
    asking,
    custody,
    history,
    ledger,
    life,
    loading,
    proposals,
    publishing,
    sign_in,
)

router = APIRouter()
for part in (sign_in, loading, asking, custody, publishing, life, history, ledger, access, proposals):
    router.include_router(part.router)
