"""Tallies of the lattice against a list of all margins, and pages that list each margin once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.web.views.lattice import SHOWN, View, lattice_view, margins_of, sets_within, tallies

masks = st.integers(0, 63)


def frontier_of(released: list[int], refused: list[int]) -> Frontier:
    made = Frontier()
    for mask in released:
        made = made.release(mask)
    for mask in refused:
        if not made.covers(mask):
            made = made.refuse(mask)
    return made


@given(st.lists(masks, max_size=6))
def test_sets_within_by_listing_them(family: list[int]) -> None:
    counted = [0] * 7
    for mask in range(64):
        counted[mask.bit_count()] += any(mask & ~known == 0 for known in family)
    assert sets_within(family, 6) == counted


@given(st.lists(masks, max_size=4), st.lists(masks, max_size=4), masks)
def test_tallies_by_listing_all_margins(released: list[int], refused: list[int], among: int) -> None:
    frontier = frontier_of(released, refused)
    listed = [{"released": 0, "refused": 0, "possible": 0} for _ in range(7)]
    for mask in range(64):
        if among & ~mask == 0:
            listed[mask.bit_count()][frontier.status(mask)] += 1
    assert tallies(frontier, 6, among) == listed


@given(st.lists(masks, max_size=4), st.lists(masks, max_size=4), masks, st.integers(0, 6))
def test_each_margin_is_listed_once(released: list[int], refused: list[int], among: int, size: int) -> None:
    frontier = frontier_of(released, refused)
    for standing in ("released", "refused", "possible", ""):
        found = list(margins_of(frontier, 6, size, among, standing))
        expected = [
            mask
            for mask in range(64)
            if mask.bit_count() == size and among & ~mask == 0 and standing in ("", frontier.status(mask))
        ]
        assert sorted(found) == expected


def test_sixty_variables_are_counted_too() -> None:
    frontier = frontier_of([(1 << 20) - 1, 7 << 30], [1 << 59 | 1 << 58, 3 << 40])
    assert [sum(level.values()) for level in tallies(frontier, 60)][2] == 60 * 59 // 2
    assert tallies(frontier, 60)[2] == {"released": 190 + 3, "refused": 2, "possible": 1770 - 195}


def sixteen(service: Service) -> None:
    names = tuple(f"v{i:02}" for i in range(16))
    table = Table(names, (("a", "b"),) * 16, np.ones((2,) * 16, np.int64))
    service.add("custodian", "wide", table, Policy(c=0, published=(names[:8], names[7:10])))


def test_sixteen_variables_are_paged(service: Service) -> None:
    sixteen(service)
    opened = service.open("wide")
    view = lattice_view(opened, View())
    assert view["listed"] == []
    assert [level["all"] for level in view["levels"]][8] == 12870
    seen: list[tuple[str, ...]] = []
    for page in range(1, 11):
        (listed,) = lattice_view(opened, View(level=3, page=page))["listed"]
        assert listed["pages"] == 10
        seen += [tuple(chip["names"]) for chip in listed["chips"]]
    assert len(seen) == len(set(seen)) == 560
    (last,) = lattice_view(opened, View(level=3, page=99))["listed"]
    assert last["page"] == 10
    (few,) = lattice_view(opened, View(("v07", "v08"), "released", 3))["listed"]
    assert [chip["names"] for chip in few["chips"]] == [["v07", "v08", "v09"]]
    assert few["chips"][0]["edge"]


@dataclass(frozen=True)
class Left:
    """A state with a question that was left open."""

    frontier: Frontier
    unresolved: dict[int, Any]
    version: int = 0


def test_what_was_left_open_can_be_tried_again(
    web: Callable[..., Any], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = service.open("auto")
    left = Left(opened.state.frontier, {7: SimpleNamespace(tries=2, limit=20.0)})
    monkeypatch.setattr(
        service,
        "current",
        lambda name: SimpleNamespace(
            state=left,
            table=opened.table,
            stored=opened.stored,
            names=opened.names,
            policy=opened.policy,
            mask=opened.mask,
        ),
    )
    asked: list[Any] = []

    def at_once(*words: Any, **options: Any) -> object:
        asked.append((words[1:], options))
        return object()

    monkeypatch.setattr(service, "at_once", at_once)
    client = web("custodian")
    text = client.get("/datasets/auto/margins").text
    assert "Not settled in time" in text
    assert 'value="80"' in text
    csrf = re.search(r'name="csrf" value="([^"]+)"', text)
    assert csrf is not None
    data = {"csrf": csrf[1], "v": list("ABC"), "seconds": "80"}
    done = client.post("/datasets/auto/retry", data=data, follow_redirects=False)
    assert done.headers["location"] == "/datasets/auto/margins"
    assert asked == [(("auto", ["A", "B", "C"]), {"limit": 80.0})]
    assert client.post("/datasets/auto/retry", data={**data, "v": ["A"]}).status_code == 422
    assert client.post("/datasets/auto/retry", data={**data, "csrf": ""}).status_code == 403
    assert web("analyst").post("/datasets/auto/retry", data=data).status_code == 403
    assert len(asked) == 1


def test_the_page_filters_and_stays_small(web: Callable[..., Any], service: Service) -> None:
    sixteen(service)
    client = web("custodian")
    text = client.get("/datasets/wide/margins?level=8").text
    assert len(re.findall('<li><a class="chip', text)) == SHOWN + 2
    assert len(text) < 60_000
    assert "12,870" not in client.get("/datasets/wide/margins?level=8&among=v00").text
    assert client.get("/datasets/wide/margins?among=nobody").status_code == 422
    assert client.get("/datasets/wide/margins?level=99").status_code == 200
    assert client.get("/datasets/wide/margins?standing=odd").status_code == 200
