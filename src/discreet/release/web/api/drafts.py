"""Loading as a conversation, for programs: send a file, look at what it is taken for, change, confirm or discard."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from discreet.release.loading import drafts
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Intent, StoredDraft
from discreet.release.loading.loader import check_version, version_of
from discreet.release.policy import Policy
from discreet.release.web.api.common import ERRORS, FORBIDDEN, Custodian, Name
from discreet.release.web.api.datasets import NO_FORM, Loading
from discreet.release.web.uploads import UPLOAD, read_upload

router = APIRouter(prefix="/api", responses={**ERRORS, **FORBIDDEN}, tags=["drafts"])
VariableName = Annotated[str, Field(min_length=1, max_length=256)]


class DraftColumn(BaseModel):
    """A column of the file; `could_count` says that its entries could be counts."""

    name: str
    kind: str
    distinct: int
    could_count: bool


class DraftVariable(BaseModel):
    """A variable as analysts would have it: the number of its categories, and the first of them."""

    name: str
    number: int
    categories: list[str]


class PublishedFigures(BaseModel):
    """What the margins that the policy declares as published reveal about sensitive cells."""

    sensitive: int
    narrow: int
    fixed: int
    unsettled: int
    narrowest: int | None
    few_tables: bool


class Preview(BaseModel):
    """What the file holds under the present choices. `doubt` lists columns that could be the count."""

    rows: int
    total: int | None
    cells: int | None
    columns: list[DraftColumn]
    count: str | None
    records: bool
    doubt: list[str]
    left_out: list[str]
    variables: list[DraftVariable]
    faults: list[str]
    published: PublishedFigures | None
    published_safe: bool
    ready: bool


class DraftSummary(BaseModel):
    """A file that waits to be confirmed. `version` names the choices that `preview` shows."""

    name: str
    who: str
    created: datetime
    expires: datetime
    version: str
    policy: dict[str, Any]
    preview: Preview


class DraftChange(BaseModel):
    """Other choices; what is not given stays. `count` and `records` exclude one another; null takes a choice back."""

    model_config = ConfigDict(extra="forbid", strict=True)
    count: VariableName | None = None
    records: bool = False
    variables: list[VariableName] | None = Field(default=None, max_length=500)
    policy: str | None = Field(default=None, description="The policy as TOML.")
    codebook: str | None = None
    same_as: str | None = None
    distinct: bool = False
    population: str | None = None
    predecessor: str | None = None

    def apply(self, plan: Intent) -> Intent:
        given = {key: getattr(self, key) for key in self.model_fields_set}
        chosen = plan.choices.to_dict() | {k: v for k, v in given.items() if k in ("count", "records", "variables")}
        if given.get("count") and "records" not in given:
            chosen["records"] = False
        if given.get("records") and "count" not in given:
            chosen["count"] = None
        rest = {key: value for key, value in given.items() if key not in (*chosen, "policy")}
        policy = Policy.from_toml(self.policy or "") if "policy" in given else plan.policy
        return replace(plan, choices=Choices.from_mapping(chosen), policy=policy, **rest)


class Confirmation(BaseModel):
    """`version` is that of the preview that was seen; `confirm_published` that its figures are accepted."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: str | None = None
    confirm_published: bool = False


class Confirmed(BaseModel):
    name: str


@router.post(
    "/drafts", status_code=201, response_model=DraftSummary, responses={**FORBIDDEN, **NO_FORM}, openapi_extra=UPLOAD
)
async def send_draft(request: Request, loader: Loading, actor: Custodian) -> dict[str, Any]:
    """Send a file. Nothing of it is visible to analysts before it is confirmed."""
    upload = await read_upload(request)
    draft = await run_in_threadpool(loader.send, actor.name, upload.name, upload.data, upload.suffix, upload.plan)
    return _summary(draft)


@router.get("/drafts", response_model=list[DraftSummary])
def list_drafts(loader: Loading, actor: Custodian) -> list[dict[str, Any]]:
    """The drafts of all custodians, the latest first."""
    return [_summary(draft) for draft in drafts.list_drafts(loader.database)]


@router.get("/drafts/{name}", response_model=DraftSummary)
def read_draft(name: Name, loader: Loading, actor: Custodian) -> dict[str, Any]:
    """A draft and its preview."""
    return _summary(drafts.load(loader.database, name))


@router.patch("/drafts/{name}", response_model=DraftSummary)
def change_draft(name: Name, changed: DraftChange, loader: Loading, actor: Custodian) -> dict[str, Any]:
    """Choose otherwise; the file is read again."""
    draft = drafts.load(loader.database, name)
    return _summary(loader.change(actor.name, draft, changed.apply(draft.plan)))


@router.post("/drafts/{name}/confirm", response_model=Confirmed)
def confirm_draft(name: Name, confirmation: Confirmation, loader: Loading, actor: Custodian) -> dict[str, Any]:
    """Open the dataset to analysts, and remove the file."""
    draft = drafts.load(loader.database, name)
    check_version(draft, confirmation.version)
    loader.confirm(actor.name, draft, confirmed=confirmation.confirm_published)
    return {"name": name}


@router.delete("/drafts/{name}", status_code=204)
def discard_draft(name: Name, loader: Loading, actor: Custodian) -> Response:
    """Remove the draft and its file."""
    drafts.discard(loader.database, actor.name, name)
    return Response(status_code=204)


def _summary(draft: StoredDraft) -> dict[str, Any]:
    return {
        "name": draft.name,
        "who": draft.who,
        "created": draft.created,
        "expires": draft.expires,
        "version": version_of(draft),
        "policy": draft.plan.policy.to_dict(),
        "preview": draft.preview,
    }
