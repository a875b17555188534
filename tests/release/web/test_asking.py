"""Asking on the page: the total, layouts, links to what is public, large margins, lists that are not public."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.web.views import asking
from discreet.release.web.views.asking import SHOWN_DATASETS, SHOWN_ROWS, datasets_view, published_view
from discreet.release.web.views.crosstab import Layout

Web = Callable[..., Any]


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def test_the_total_can_be_asked(web: Web, service: Service) -> None:
    client = web("analyst")
    text = client.post("/datasets/auto/ask", data={"csrf": csrf_of(client), "total": "1"}).text
    assert "Released" in text
    assert "<strong>1,841</strong> people in all" in text
    assert service.ledger("auto")[-1].content["variables"] == []
    assert client.get("/datasets/auto/download?total=1&format=csv").text == "count\n1841\n"
    assert "1,841" in client.get("/datasets/auto?total=1").text


def test_nothing_chosen_says_what_to_do(web: Web, service: Service) -> None:
    client = web("analyst")
    told = client.post("/datasets/auto/ask", data={"csrf": csrf_of(client)})
    assert told.status_code == 422
    assert "Choose at least one variable, or ask for the total." in told.text
    assert len(service.ledger("auto")) == 1


def test_a_link_shows_what_is_public_and_decides_nothing(web: Web, service: Service, analyst: Actor) -> None:
    client = web("analyst")
    before = client.get("/datasets/auto?v=A&v=B").text
    assert "<table" not in before
    assert "not published yet" in before
    service.ask(analyst, "auto", ["A", "B", "C"])
    entries = len(service.ledger("auto"))
    text = client.get("/datasets/auto?v=A&v=B").text
    assert '<table class="cross"' in text
    assert "522" in text
    assert "Receipt" not in text
    assert len(service.ledger("auto")) == entries
    assert "<table" not in client.get("/datasets/auto?v=A&v=D").text
    assert client.get("/datasets/auto?v=Z").status_code == 422


def test_layouts_by_link(web: Web, service: Service, analyst: Actor, auto: Table) -> None:
    service.ask(analyst, "auto", ["A", "B", "C"])
    client = web("analyst")
    base = "/datasets/auto?v=A&v=B&v=C"
    text = client.get(f"{base}&columns=B&columns=C&rows=chosen&show=row").text
    assert 'colspan="4" class="of group">B × C</th>' in text
    counts = auto.margin(["A", "B"]).dense()
    share = 100 * auto.margin(["A", "B", "C"]).dense()[0, 0, 0] / counts[0].sum()
    assert f'<td class="number">{share:.1f}</td>' in text
    assert "100.0" in text
    assert "<svg class=" in client.get(base).text
    assert "<svg class=" not in client.get(f"{base}&chart=none").text
    assert client.get(f"{base}&show=odd&chart=odd&columns=odd").status_code == 200
    rows_only = client.get(f"{base}&rows=chosen").text
    assert "of group" not in rows_only
    part = client.get(base, headers={"HX-Request": "true"}).text
    assert "<html" not in part
    back = client.get(base, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"}).text
    assert "<html" in back


def test_a_refusal_says_what_can_be_asked_instead(web: Web, service: Service, analyst: Actor) -> None:
    client = web("analyst")
    service.ask(analyst, "auto", ["A", "B"])
    data = {"csrf": csrf_of(client), "v": list("ABCDEF")}
    text = client.post("/datasets/auto/ask", data=data).text
    assert "What you can do instead" in text
    assert "Answers look at the true table" in text
    assert text.count('class="chip possible"') == 6
    assert '?v=A&amp;v=B"' in text or '?v=A&v=B"' in text


def test_a_large_margin_is_shown_in_part(web: Web, service: Service) -> None:
    table = Table.from_array(np.ones((64, 64, 64), np.int64), "ABC")
    service.add("custodian", "large", table, Policy(c=0, published=(("A", "B", "C"),)))
    text = web("analyst").get("/datasets/large?v=A&v=B&v=C").text
    assert len(text) < 200_000
    assert f"{64**3 - 200:,} further rows" in text
    assert "262,144" in text
    view = published_view(service.open("large"), ["A", "B", "C"], Layout())
    assert len(view["long"]) == SHOWN_ROWS
    assert view["long"][65] == ["0", "1", "1", "1"]


def test_a_list_that_is_not_public_is_not_shown(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {"A": ["no", "yes"], **dict.fromkeys("BCDEF")}
    monkeypatch.setattr(asking, "public_categories", lambda opened: lists)
    text = web("analyst").get("/datasets/auto").text
    assert text.count("list not public: ask for it") == 5
    assert "&gt;=140" not in text


def test_labels_stand_for_codes_where_there_are_any(service: Service, analyst: Actor) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    opened = service.current("auto")
    stored = SimpleNamespace(origin=SimpleNamespace(labels={"A": ("non-smoker", "smoker")}))
    said = SimpleNamespace(stored=stored)
    assert asking.texts_of(said, "A", ("no", "yes")) == ["non-smoker", "smoker"]  # type: ignore[arg-type]
    assert asking.texts_of(said, "B", ("no", "yes")) == ["no", "yes"]  # type: ignore[arg-type]
    assert asking.texts_of(opened, "A", ("no", "yes")) == ["no", "yes"]


def test_searching_the_datasets(web: Web, service: Service, small: Table) -> None:
    many = [{"name": f"set{i:03}", "variables": ["Sex", f"V{i}"]} for i in range(150)]
    assert not datasets_view(many[:3], "", 1)["searchable"]
    assert [d["name"] for d in datasets_view(many, "sex v149", 1)["datasets"]] == ["set149"]
    assert datasets_view(many, "nothing", 1)["datasets"] == []
    pages = [datasets_view(many, "", page) for page in (1, 2, 3, 9)]
    assert [len(view["datasets"]) for view in pages] == [SHOWN_DATASETS, SHOWN_DATASETS, 30, 30]
    service.add("custodian", "small", small, Policy())
    client = web("analyst")
    text = client.get("/datasets?q=auto").text
    assert "1 of 2 datasets" in text
    assert "/datasets/small" not in text


def test_empty_lists_say_what_to_do(web: Web, monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    monkeypatch.setattr(service, "datasets", lambda actor: [])
    assert "Load a table to begin" in web("custodian").get("/datasets").text
    assert "Ask the custodian" in web("analyst").get("/datasets").text
