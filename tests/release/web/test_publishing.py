"""A plan's margins published with one button: each decided and recorded, step by step, stopped when told to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.errors import InputError
from discreet.release.people.actor import Actor
from discreet.release.queue.ticket import Busy
from discreet.release.service import Service
from discreet.release.web.views import publishing
from discreet.release.web.views.publishing import Round, check_round, publish_some, publishing_view

Web = Callable[..., Any]


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def masks_on(text: str) -> list[int]:
    return [int(m) for m in re.findall(r'name="m" value="(\d+)"', text)]


def test_with_the_button_and_without_scripts(web: Web, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "STEP_SECONDS", 0.0)  # one margin a step
    client = web("custodian")
    csrf = csrf_of(client)
    text = client.post("/datasets/auto/plan", data={"csrf": csrf}).text
    masks = masks_on(text)
    assert len(masks) == 5
    for step in range(1, 6):
        text = client.post("/datasets/auto/publish", data={"csrf": csrf, "m": masks, "asked": step - 1}).text
        assert f'value="{step}"></progress>' in text
        assert text.count("Released") == step
        assert text.count("Waits") == 5 - step
    assert "Done: 5 of 5 margins published." in text
    opened = service.current("auto")
    assert set(opened.state.frontier.released) == set(masks)
    entries = [entry.content for entry in service.ledger("auto")[1:]]
    assert [entry["who"] for entry in entries] == ["custodian"] * 5
    assert [opened.mask(entry["variables"]) for entry in entries] == masks
    again = client.post("/datasets/auto/plan", data={"csrf": csrf}).text
    assert "Nothing can be published safely beyond" in again


def test_stopping_asks_for_nothing_more(web: Web, service: Service) -> None:
    client = web("custodian")
    data = {"csrf": csrf_of(client), "m": [3, 12], "asked": 0, "stop": "1"}
    text = client.post("/datasets/auto/publish", data=data, headers={"HX-Request": "true"}).text
    assert "Stopped: 0 of 2 margins published, 2 not asked." in text
    assert 'hx-trigger="load' not in text
    assert len(service.ledger("auto")) == 1


def test_a_step_goes_on_by_itself(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "STEP_SECONDS", 0.0)
    client = web("custodian")
    data = {"csrf": csrf_of(client), "m": [3, 12]}
    text = client.post("/datasets/auto/publish", data=data, headers={"HX-Request": "true"}).text
    assert "<html" not in text
    assert 'hx-trigger="load, submit"' in text
    assert 'name="asked" value="1"' in text
    data = {**data, "asked": "1"}
    text = client.post("/datasets/auto/publish", data=data, headers={"HX-Request": "true"}).text
    assert "hx-trigger" not in text


def test_a_refused_margin_does_not_end_the_round(service: Service, analyst: Actor) -> None:
    after, faults = publish_some(service, analyst, "auto", Round((63, 3, 12)))
    while after.asked < 3:
        after, faults = publish_some(service, analyst, "auto", after)
    assert faults == []
    view = publishing_view(service, analyst, service.current("auto"), after)
    assert [line["answer"] for line in view["lines"]] == ["refuse", "release", "release"]
    assert (view["told"], view["left"]) == (2, 0)


@pytest.mark.parametrize("error", [Busy(1), InputError("the dataset is closed")])
def test_trouble_stops_the_round_cleanly(
    service: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def ask(*_: object) -> None:
        raise error

    monkeypatch.setattr(service, "ask", ask)
    after, faults = publish_some(service, analyst, "auto", Round((3, 12)))
    assert after.asked == 0
    assert len(faults) == 1


@pytest.mark.parametrize("masks", [(), (64,), (-1,), (3, 3)])
def test_a_changed_form_is_refused(service: Service, masks: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        check_round(service.open("auto"), Round(masks))
    with pytest.raises(InputError):
        check_round(service.open("auto"), Round((3,), 2))


def test_for_custodians_with_their_secret_only(web: Web, service: Service) -> None:
    client = web("analyst")
    assert client.post("/datasets/auto/publish", data={"csrf": csrf_of(client), "m": [3]}).status_code == 403
    assert web("custodian").post("/datasets/auto/publish", data={"m": [3]}).status_code == 403
    assert len(service.ledger("auto")) == 1
