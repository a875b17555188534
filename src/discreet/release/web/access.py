"""Whether a person may do what a route is for: the one place where roles meet datasets.

A route whose path has a `{name}` is about that dataset: it is not there for whoever may not see it, and its custodians
are those of this dataset. All other routes for custodians are for those of everything. The dependencies of calls and
pages (`Anyone`, `Custodian`) come here, so that no route has to think of it.
"""

from __future__ import annotations

from fastapi import HTTPException, Request

from discreet.release.people.actor import CUSTODIAN, Actor
from discreet.release.service import UnknownDataset


def check_seen(actor: Actor, request: Request) -> None:
    """Nothing, where the path names no dataset or one that the person may see."""
    name = request.path_params.get("name")
    if name is not None and not actor.may_see(name):
        raise UnknownDataset("there is no dataset of this name")


def check_custodian(actor: Actor, request: Request, refusal: str) -> None:
    check_seen(actor, request)
    name = request.path_params.get("name")
    if not (actor.custodian if name is None else actor.role_for(name) == CUSTODIAN):
        raise HTTPException(403, refusal)


def check_some_custodian(actor: Actor, refusal: str) -> None:
    """For what concerns several datasets, of which each custodian sees their own."""
    if not actor.some_custodian:
        raise HTTPException(403, refusal)
