"""The life of a dataset: its stage and its rule, for custodians."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from discreet.release.life.stages import change_stage
from discreet.release.people.four_eyes import change_rule
from discreet.release.policy import Policy
from discreet.release.web.api.common import ERRORS, FORBIDDEN, Custodian, Name, Serving

router = APIRouter(prefix="/api", responses=ERRORS, tags=["datasets"])


class StageChange(BaseModel):
    """Where the dataset goes: open, closed or retired."""

    model_config = ConfigDict(extra="forbid", strict=True)
    stage: Literal["open", "closed", "retired"]


class PolicyChange(BaseModel):
    """The new policy as TOML. `confirm` changes it though what is released breaks the new rule."""

    model_config = ConfigDict(extra="forbid", strict=True)
    policy: str = Field(max_length=64 << 10)
    confirm: bool = False


class Life(BaseModel):
    """Where a dataset stands. `notes` say what came of a change."""

    name: str
    stage: str
    policy: dict[str, Any]
    notes: list[str] = []


@router.get("/datasets/{name}/life", response_model=Life, responses=FORBIDDEN)
def read_life(name: Name, service: Serving, actor: Custodian) -> dict[str, Any]:
    """The stage and the rule of a dataset."""
    opened = service.current(name, actor)
    return {"name": name, "stage": opened.stage, "policy": opened.policy.to_dict()}


@router.post("/datasets/{name}/stage", response_model=Life, responses=FORBIDDEN)
def move(name: Name, asked: StageChange, service: Serving, actor: Custodian) -> dict[str, Any]:
    """Open, close or retire a dataset."""
    change_stage(service.database, actor.name, name, asked.stage)
    return read_life(name, service, actor)


@router.post("/datasets/{name}/policy", response_model=Life, responses=FORBIDDEN)
def set_policy(name: Name, asked: PolicyChange, service: Serving, actor: Custodian) -> dict[str, Any]:
    """Change the rule from now on. What is released already is judged by it, and stays released."""
    policy = Policy.from_toml(asked.policy)
    notes = change_rule(service.database, actor.name, name, policy, confirm=asked.confirm)
    return {**read_life(name, service, actor), "notes": notes}
