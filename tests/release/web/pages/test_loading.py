"""The pages on which a table is loaded: sent, looked at, changed, confirmed as it was seen, or discarded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.datasets import autoworkers
from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]
FREQ = b"A,B,Freq\nsecret-one,1,41\ny,2,1\nsecret-one,2,37\ny,1,93\n"
RULE = {"c": "2", "w": "3", "min_tables": "1", "time_limit": "10", "mode": "exact", "otherwise": "refuse"}


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def test_a_custodian_loads_a_table_on_pages(web: Web, service: Service) -> None:
    client = web("custodian")
    csv = autoworkers().to_csv(index=False).encode()
    token = csrf_of(client)
    sent = client.post("/load", data={"csrf": token, "name": "fresh"}, files={"file": ("t.csv", csv)})
    assert sent.url.path == "/drafts/fresh"
    assert sent.text.count('name="variable"') == 6
    assert "1,841 persons in 64 cells" in sent.text
    assert "fresh" in client.get("/load").text
    version = re.findall(r'name="version" value="([^"]+)"', sent.text)[0]
    form = {"csrf": token, "version": version, "count": "=count", "variable": list("ABC"), "do": "confirm"}
    own = {
        **form,
        "distinct": "true",
        "c": "3",
        "w": "4",
        "min_tables": "1",
        "time_limit": "5",
        "mode": "exact",
        "otherwise": "simulate",
    }
    looked = client.post("/drafts/fresh", data={**own, "published": "A\nB:C"})
    assert looked.url.path == "/drafts/fresh"
    assert "You have changed something" in looked.text
    assert "would reveal" in looked.text
    version = re.findall(r'name="version" value="([^"]+)"', looked.text)[0]
    done = client.post("/drafts/fresh", data={**own, "published": "A\r\nB:C", "version": version})
    assert done.url.path == "/datasets/fresh/margins"
    opened = service.open("fresh")
    assert opened.table.names == ("A", "B", "C")
    policy = opened.stored.policy
    assert (policy.c, policy.w, policy.otherwise, policy.published) == (3, 4, "simulate", (("A",), ("B", "C")))
    assert service.ledger("fresh")[0].content["who"] == "custodian"
    assert client.get("/drafts/fresh").status_code == 404


def test_the_page_asks_what_is_in_doubt(web: Web) -> None:
    client = web("custodian")
    token = csrf_of(client)
    sent = client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    assert "Not settled yet" in sent.text
    assert "Confirm and open" not in sent.text
    unsaid = client.post("/drafts/t", data={"csrf": token, "do": "confirm", **RULE})
    assert unsaid.status_code == 422 and "Say which column" in unsaid.text
    form = {"csrf": token, "count": "=Freq", "variable": ["A", "B"], "do": "look", **RULE}
    shown = client.post("/drafts/t", data=form)
    assert "172 persons in 4 cells" in shown.text
    bad = client.post("/drafts/t", data={**form, "c": "some", "w": "7"})
    assert bad.status_code == 422
    assert "c must be a whole number" in bad.text and 'value="7"' in bad.text
    other = web("custodian")
    assert other.get("/drafts/t").status_code == 200
    gone = other.post("/drafts/t/discard", data={"csrf": csrf_of(other)})
    assert gone.url.path == "/load"
    assert client.get("/drafts/t").status_code == 404


def test_the_page_shows_what_declared_margins_reveal(web: Web, service: Service) -> None:
    client = web("custodian")
    token = csrf_of(client)
    client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    form = {"csrf": token, "count": "=Freq", "variable": ["A", "B"], **RULE, "published": "A:B"}
    shown = client.post("/drafts/t", data={**form, "do": "look"})
    assert "1 would be known exactly" in shown.text
    assert 'name="confirm_published"' in shown.text
    version = re.findall(r'name="version" value="([^"]+)"', shown.text)[0]
    final = {**form, "version": version, "do": "confirm"}
    refused = client.post("/drafts/t", data=final)
    assert refused.status_code == 422 and "breaks its own rule" in refused.text
    assert client.post("/drafts/t", data={**final, "confirm_published": "true"}).url.path == "/datasets/t/margins"
    assert service.ledger("t")[0].content["confirmed"] is True


@pytest.mark.parametrize("path", ["/load", "/drafts/t", "/drafts/t/discard"])
def test_forms_need_the_sessions_secret(web: Web, path: str) -> None:
    client = web("custodian")
    token = csrf_of(client)
    client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    files = {"file": ("t.csv", FREQ)} if path == "/load" else None
    data = {"csrf": "no", "name": "forged", "count": "=Freq", "do": "confirm"}
    assert client.post(path, data=data, files=files).status_code == 403
    foreign = {"Origin": "https://evil.example"}
    assert client.post(path, data={**data, "csrf": token}, files=files, headers=foreign).status_code == 403
    assert client.get("/drafts/t").status_code == 200


def test_what_is_confirmed_is_what_was_seen(web: Web, service: Service) -> None:
    """Another custodian has changed the draft meanwhile: the button on the old page confirms nothing."""
    client, other = web("custodian"), web("custodian")
    token = csrf_of(client)
    client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    form = {"csrf": token, "count": "=Freq", "variable": ["A", "B"], **RULE}
    seen = client.post("/drafts/t", data={**form, "do": "look"})
    version = re.findall(r'name="version" value="([^"]+)"', seen.text)[0]
    other.post("/drafts/t", data={**form, "csrf": csrf_of(other), "variable": ["A"], "do": "look"})
    late = client.post("/drafts/t", data={**form, "version": version, "do": "confirm"})
    assert "You have changed something" in late.text
    assert [one["name"] for one in service.datasets()] == ["auto"]
    for wrong in ("", "x", version[::-1]):
        told = client.post("/drafts/t", data={**form, "version": wrong, "do": "confirm"})
        assert told.status_code == 422, wrong
    assert [one["name"] for one in service.datasets()] == ["auto"]


@pytest.mark.parametrize(
    ("name", "file", "said"),
    [
        ("t", ("t.exe", FREQ), "must end in one of"),
        ("../t", ("t.csv", FREQ), "name must begin"),
        ("", ("t.csv", FREQ), "name must begin"),
        ("auto", ("t.csv", FREQ), "already a dataset"),
        ("t", ("t.parquet", FREQ), "Parquet"),
        ("<b>", ("t.csv", FREQ), "name must begin"),
    ],
)
def test_what_cannot_be_sent_is_told_on_the_page(web: Web, name: str, file: tuple[str, bytes], said: str) -> None:
    client = web("custodian")
    told = client.post("/load", data={"csrf": csrf_of(client), "name": name}, files={"file": file})
    assert told.status_code == 422 and said in told.text and "<b>" not in told.text
    assert "secret-one" not in told.text
    assert client.get("/drafts/t").status_code == 404


def test_a_form_without_a_file(web: Web) -> None:
    client = web("custodian")
    token = csrf_of(client)
    assert client.post("/load", data={"csrf": token, "name": "t"}).status_code == 415
    told = client.post("/load", data={"csrf": token, "name": "t"}, files={"other": ("t.csv", FREQ)})
    assert told.status_code == 422 and "needs a file" in told.text


def test_a_draft_that_is_gone_is_not_there(web: Web) -> None:
    client = web("custodian")
    token = csrf_of(client)
    for path in ("/drafts/none", "/drafts/none/discard"):
        assert client.post(path, data={"csrf": token, "do": "confirm"}).status_code == 404
