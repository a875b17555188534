"""The pages, rendered here and made livelier by htmx. The order of the routers decides where paths overlap."""

from fastapi import APIRouter

from discreet.release.web.pages import access, asking, custody, loading, sign_in

router = APIRouter()
for part in (sign_in, loading, asking, custody, access):
    router.include_router(part.router)
