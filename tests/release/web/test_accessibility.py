"""Every page through axe-core in Chromium, light and wide, dark and narrow: no violation, and nothing beyond the edge.

axe-core is not part of this repository. `.ci/run` fetches it from the npm registry and says where it is in
`DISCREET_AXE`; by hand: `npm pack axe-core@4`, unpack it, and name its `axe.min.js` there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from release_server import RunningServer
from release_tables import declared

from discreet.datasets import autoworkers
from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import actor_of_token, create_token

pytestmark = pytest.mark.xdist_group("server")
api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def axe() -> str:
    path = os.environ.get("DISCREET_AXE", "")
    if not Path(path).is_file():
        pytest.skip("axe-core is missing: DISCREET_AXE must name axe.min.js")
    return Path(path).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("site")
    url = str(folder / "d.db")
    database = open_database(url, create=True)
    tokens = {role: create_token(database, role, role)[0] for role in ("analyst", "custodian")}
    service = Service(database)
    auto = Table.from_counts(autoworkers())
    service.add("custodian", "auto", auto, Policy(), codebook=declared(auto))
    service.add("custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True)
    names = tuple(f"variable {letter}" for letter in "ABCDEFGHIJKLMNOP")
    counts = np.random.default_rng(0).poisson(1.0, (2,) * 16)
    published = (names[:5], names[3:6])
    service.add("custodian", "sixteen", Table(names, (("no", "yes"),) * 16, counts), Policy(c=0, published=published))
    analyst = actor_of_token(database, tokens["analyst"])
    assert analyst is not None
    for margin in ("AB", "BCD", "ABCDEF"):
        service.ask(analyst, "auto", list(margin))
    database.close()
    server = RunningServer(url, folder)
    yield server.url, tokens
    server.stop()


@pytest.fixture(params=[("light", 1280), ("dark", 390)], ids=str)
def look(request: pytest.FixtureRequest, axe: str, site: tuple[str, dict[str, str]]) -> Iterator[Any]:
    """Open pages as someone, and check each: what axe finds, and whether the page is wider than the screen."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine")
    (scheme, width), (address, tokens) = request.param, site
    found: list[str] = []
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])

        class Looking:
            def __init__(self, role: str | None) -> None:
                context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
                context.set_default_timeout(30_000)
                self.page = context.new_page()
                self.page.goto(address)
                if role is not None:
                    self.page.get_by_label("Token").fill(tokens[role])
                    self.page.get_by_role("button", name="Sign in").click()
                    self.page.wait_for_url("**/datasets")

            def at(self, path: str) -> None:
                self.page.goto(address + path)
                self.check(path)

            def check(self, where: str) -> None:
                self.page.evaluate(axe)
                result = self.page.evaluate("rules => axe.run(document, rules)", RULES)
                for fault in result["violations"]:
                    found.extend(f"{where}: {fault['id']}: {node['html'][:160]}" for node in fault["nodes"])
                wide = self.page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{where}: {wide} pixels wide on a screen of {width}")

        yield Looking
        browser.close()
    assert found == []


def test_pages_for_everybody(look: Any) -> None:
    stranger = look(None)
    stranger.check("sign in")
    seen = look("analyst")
    for path in (
        "/datasets",
        "/datasets?q=nothing+of+the+kind",
        "/history",
        "/datasets/auto",
        "/datasets/auto?total=1",
        "/datasets/auto?v=A",
        "/datasets/auto?v=A&v=B&show=row",
        "/datasets/auto?v=A&v=B&rows=1&columns=A&columns=B",
        "/datasets/auto?v=B&v=C&v=D&columns=B&columns=C&rows=1&show=column&chart=grouped",
        "/datasets/auto?v=E&v=F",
        "/datasets/sixteen",
        "/datasets/none",
    ):
        seen.at(path)


def test_answers(look: Any) -> None:
    seen = look("analyst")
    for name, kind in (("auto", "refuse"), ("synth", "simulate")):
        seen.page.goto(seen.page.url.partition("/datasets")[0] + f"/datasets/{name}")
        for variable in "ABCDEF":
            seen.page.locator(f"fieldset input[value={variable}]").check()
        seen.page.get_by_role("button", name="Ask", exact=True).click()
        seen.page.locator(f".answer.{kind}").wait_for()
        for summary in seen.page.locator(".answer summary").all():
            summary.click()
        seen.check(f"{name} {kind}")


def test_pages_for_custodians(look: Any) -> None:
    seen = look("custodian")
    for path in (
        "/load",
        "/ledger",
        "/proposals",
        "/datasets/auto/life",
        "/datasets/auto/margins",
        "/datasets/sixteen/margins",
        "/datasets/sixteen/margins?level=3&among=variable+A&standing=released",
        "/datasets/auto/cells",
        "/datasets/auto/ledger",
        "/tokens",
        "/datasets/auto/plan",
    ):
        seen.at(path)
    seen.page.get_by_role("button", name="Work out a plan").click()
    seen.page.locator("#made p").first.wait_for(timeout=60_000)
    seen.check("a plan")
