"""The pages of a dataset for its custodians: margins, cells at risk, ledger, plan, and a margin tried again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def ask(client: Any, variables: str, **headers: str) -> Any:
    data = {"csrf": csrf_of(client), "v": list(variables)}
    return client.post("/datasets/auto/ask", data=data, headers={k.replace("_", "-"): v for k, v in headers.items()})


def test_custodian_pages_show_what_they_should(web: Web) -> None:
    client = web("custodian")
    ask(client, "AB")
    ask(client, "ABCDEF")
    margins = client.get("/datasets/auto/margins").text
    assert margins.count('class="chip released') == 4 + 1  # the total, A, B, A × B, and the legend
    assert margins.count('class="chip refused') == 1 + 1
    assert margins.count('class="chip edge') == 2
    cells = client.get("/datasets/auto/cells").text
    assert "3 of 64 cells" in cells
    ledger = client.get("/datasets/auto/ledger").text
    assert "a sensitive cell would be too narrow" in ledger


@pytest.fixture
def unresolved(service: Service, analyst: Any, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The margin of A and B was left open for lack of time."""
    from discreet.release import engine

    flags = np.zeros(3, bool)
    with monkeypatch.context() as patched:
        patched.setattr(engine, "judge_widths", lambda *_: engine.Verdicts(flags, flags, "exact", {}))
        assert service.ask(analyst, "auto", ["A", "B"]).ground == "unresolved"
    return service


def test_an_open_margin_is_tried_again_with_another_limit(web: Web, unresolved: Service) -> None:
    client = web("custodian")
    form = {"csrf": csrf_of(client), "v": ["A", "B"], "seconds": "60"}
    for wrong in (
        *({"seconds": text} for text in ("0", "3601", "nan", "")),
        {"v": ["A"]},
        {"v": ["Z"]},
    ):
        assert client.post("/datasets/auto/retry", data={**form, **wrong}).status_code == 422, wrong
    assert client.post("/datasets/auto/retry", data={**form, "csrf": "x"}).status_code == 403
    assert len(unresolved.ledger("auto")) == 2
    done = client.post("/datasets/auto/retry", data=form)
    assert done.url.path == "/datasets/auto/margins"
    last = unresolved.ledger("auto")[-1].content
    assert (last["who"], last["answer"], last["limit"]) == ("custodian", "release", 60.0)
    again = client.post("/datasets/auto/retry", data=form)
    assert again.status_code == 422 and "not among those" in again.text
    assert web("analyst").post("/datasets/auto/retry", data=form).status_code == 403


def test_who_looked_at_the_cells_is_written_down_before_they_are_shown(web: Web, service: Service) -> None:
    from discreet.release.history import store
    from discreet.release.history.chain import SERVER

    client = web("custodian")
    assert "3 of 64 cells" in client.get("/datasets/auto/cells").text
    with service.database.reading() as connection:
        last = [entry.content for entry in store.read_entries(connection, SERVER)][-1]
    assert (last["what"], last["who"], last["dataset"]) == ("cells at risk viewed", "custodian", "auto")


def test_the_margins_are_picked_by_what_the_address_says(web: Web) -> None:
    client = web("custodian")
    ask(client, "AB")
    released = client.get("/datasets/auto/margins?standing=released").text
    assert "A × B" in released
    for query in ("standing=<script>", "level=", "level=99", "among=A&among=B", "page=1000000000"):
        assert client.get(f"/datasets/auto/margins?{query}").status_code == 200, query
    for query in ("level=x", "level=123", "page=0", "page=x", "among=Z", "standing=" + "x" * 21):
        assert client.get(f"/datasets/auto/margins?{query}").status_code == 422, query


def test_the_ledger_page_goes_back_in_steps(web: Web, service: Service, analyst: Any) -> None:
    for _ in range(51):
        service.ask(analyst, "auto", [])
    client = web("custodian")
    first = client.get("/datasets/auto/ledger").text
    assert ">52<" in first and ">3<" in first and ">2<" not in first
    assert "before=3" in first
    rest = client.get("/datasets/auto/ledger?before=3").text
    assert ">2<" in rest and "Opened" in rest and "before=" not in rest
    assert client.get("/datasets/auto/ledger?before=-1").status_code == 422


def test_a_plan_is_made_by_a_form_and_decides_nothing(web: Web, service: Service) -> None:
    client = web("custodian")
    assert "<form" in client.get("/datasets/auto/plan").text
    assert client.post("/datasets/auto/plan", data={"csrf": "x"}).status_code == 403
    part = client.post("/datasets/auto/plan", data={"csrf": csrf_of(client)}, headers={"HX-Request": "true"})
    assert "<html" not in part.text and 'name="m"' in part.text
    assert len(service.ledger("auto")) == 1
