"""What a person asked before: on her page, nobody else's, without grounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from release_tables import declared

from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import Actor, actor_of_token, create_token
from discreet.release.web.views.history import SHOWN, own_refusals, recent_view

Web = Callable[..., Any]


def test_the_page_is_ones_own(web: Web, service: Service, analyst: Actor) -> None:
    client = web("analyst")
    assert "You have not asked for anything yet" in client.get("/history").text
    receipt = service.ask(analyst, "auto", ["A", "B"]).entry
    service.ask(analyst, "auto", list("ABCDEF"))
    service.ask(analyst, "auto", [])
    text = client.get("/history").text
    assert receipt in text
    assert text.count("Released") == 2
    assert text.count("Refused") == 1
    assert "v=A&amp;v=B" in text or "v=A&v=B" in text
    for word in ("danger", "too narrow", "proven", "sensitive"):
        assert word not in text
    assert "You have not asked for anything yet" in web("custodian").get("/history").text
    assert web().get("/history").url.path == "/login"


def test_earlier_pages(web: Web, service: Service, analyst: Actor) -> None:
    receipts = [service.ask(analyst, "auto", ["A"]).entry for _ in range(SHOWN + 3)]
    client = web("analyst")
    first = client.get("/history").text
    link = re.search(r'href="(/history\?before=\d+)"', first)
    assert link is not None
    second = client.get(link[1]).text
    assert [r in first for r in receipts] == [False] * 3 + [True] * SHOWN
    assert [r in second for r in receipts] == [True] * 3 + [False] * SHOWN
    assert "before=" not in second


def test_the_last_few_on_the_datasets_page(web: Web, service: Service, analyst: Actor, auto: Table) -> None:
    service.add("custodian", "second", auto, Policy(), distinct=True)
    service.ask(analyst, "auto", ["A", "B"])
    assert "Nothing yet on this dataset" in web("analyst").get("/datasets/second").text
    assert "Nothing yet on this dataset" not in web("analyst").get("/datasets/auto").text
    assert [line["variables"] for line in recent_view(service, analyst, service.open("auto"))] == [["A", "B"]]


def test_a_refusal_in_mode_simulatable_stands_until_a_release(
    database: Database, service: Service, small: Table
) -> None:
    ann = actor_of_token(database, create_token(database, "analyst", "ann")[0])
    assert ann is not None
    service.add("custodian", "public", small, Policy(c=1, w=1, mode="simulatable"), codebook=declared(small))
    assert service.ask(ann, "public", ["A", "B", "C"]).answer == "refuse"
    opened = service.current("public")
    assert own_refusals(service, ann, opened) == [7]
    assert service.ask(ann, "public", ["A"]).answer == "release"
    assert own_refusals(service, ann, service.current("public")) == []


def test_what_was_asked_of_a_view_is_hers_in_the_views_terms(
    database: Database, service: Service, auto: Table, web: Web
) -> None:
    """Whoever may see the view alone learns neither what its table is called nor its variables."""
    view = Table(("U", "V", "W", "X", "Y", "Z"), auto.categories, auto.dense())
    service.add("custodian", "view", view, Policy(), unit="auto")
    token, _ = create_token(database, "analyst", "ann", only=["view"])
    ann = actor_of_token(database, token)
    assert ann is not None
    told = service.ask(ann, "view", ["U"])
    assert service.ask(ann, "view", list("UVWXYZ")).answer == "refuse"
    client = web()
    client.post("/login", data={"token": token})
    text = client.get("/history").text
    assert told.entry in text
    assert "auto" not in text
    opened = service.current("view", ann)
    assert [line["variables"] for line in recent_view(service, ann, opened)] == [list("UVWXYZ"), ["U"]]
    assert own_refusals(service, ann, opened) == [opened.mask(list("UVWXYZ"))]
