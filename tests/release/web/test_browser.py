"""The pages in a real Chromium: by mouse, by keyboard, light and dark, and without help from elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from release_server import RunningServer

from discreet.datasets import autoworkers
from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token

pytestmark = pytest.mark.xdist_group("server")
api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine")
    with api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("site")
    url = str(folder / "d.db")
    database = open_database(url)
    tokens = {role: create_token(database, role, role)[0] for role in ("analyst", "custodian")}
    service = Service(database)
    auto = Table.from_counts(autoworkers())
    service.add("custodian", "auto", auto, Policy())
    service.add("custodian", "synth", auto, Policy(otherwise="simulate"))
    database.close()
    server = RunningServer(url, folder)
    yield server.url, tokens
    server.stop()


@pytest.fixture
def visit(browser: Any, site: tuple[str, dict[str, str]]) -> Iterator[Callable[..., Any]]:
    """Open the site as someone; fails on script errors, broken policies and requests to anywhere else."""
    address, tokens = site
    contexts: list[Any] = []
    troubles: list[str] = []

    def note(request: Any) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            troubles.append(f"asked {request.url}")

    def open_page(role: str | None, scheme: str = "light") -> Any:
        context = browser.new_context(color_scheme=scheme, accept_downloads=True)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", note)
        page.goto(address + "/")
        if role is not None:
            page.get_by_label("Token").fill(tokens[role])
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/datasets")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def test_an_analyst_asks(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit("analyst")
    page.get_by_role("link", name="auto").click()
    page.get_by_label("A no, yes").check()
    page.get_by_label("B no, yes").check()
    page.get_by_role("button", name="Ask").click()
    answer = page.locator("#answer")
    answer.get_by_text("Released", exact=True).wait_for()
    assert "/datasets/auto/ask" not in page.url
    assert page.locator("#answer tbody tr").count() == 4
    assert "A × B" in page.locator("#public").inner_text()
    for name, suffix in (("CSV", "csv"), ("JSON", "json"), ("Parquet", "parquet")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert download.value.suggested_filename == f"auto-A-B.{suffix}"
        assert Path(download.value.path()).stat().st_size > 20
    for variable in "CDEF":
        page.locator(f"input[value={variable}]").check()
    page.get_by_role("button", name="Ask").click()
    answer.get_by_text("Refused", exact=True).wait_for()
    assert page.locator("#answer table").count() == 0
    assert page.get_by_role("link", name="Ledger").count() == 0


def test_by_keyboard_alone(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.goto(page.url.replace("/datasets", "/datasets/auto"))
    page.locator("input[value=C]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()


def test_a_synthetic_answer_looks_different(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.get_by_role("link", name="synth").click()
    for variable in "ABCDEF":
        page.locator(f"input[value={variable}]").check()
    page.get_by_role("button", name="Ask").click()
    page.get_by_text("Synthetic counts: not those of the data").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert "synthetic" in download.value.suggested_filename


def test_progress_shows_while_a_decision_runs(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.goto(page.url + "/auto")
    page.route("**/ask", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.locator("input[value=D]").check()
    page.get_by_role("button", name="Ask").click()
    page.locator("#working progress").wait_for(state="visible")
    assert page.get_by_role("button", name="Ask").is_disabled()
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()
    assert not page.locator("#working progress").is_visible()


def test_a_custodian_loads_and_watches(visit: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "workers.csv"
    autoworkers().to_csv(file, index=False)
    page = visit("custodian")
    page.get_by_role("link", name="Load a table").click()
    page.get_by_label("Name").fill("loaded")
    page.get_by_label("File", exact=True).set_input_files(str(file))
    page.get_by_label("F 2 categories").uncheck()
    page.get_by_label("Least width").fill("2")
    page.get_by_role("button", name="Load").click()
    page.wait_for_url("**/datasets/loaded/margins")
    assert page.locator(".lattice .chip").count() == 31
    page.get_by_role("link", name="Ask", exact=True).click()
    page.locator("input[value=A]").check()
    page.get_by_role("button", name="Ask").click()
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()
    page.get_by_role("link", name="Margins", exact=True).click()
    assert page.locator(".lattice .chip.released").count() == 1
    page.get_by_role("link", name="Cells at risk").click()
    page.get_by_role("heading", name="Cells at risk").wait_for()
    page.get_by_role("link", name="Ledger").click()
    assert "proven safe" in page.locator("table").inner_text()
    page.get_by_role("link", name="Plan").click()
    page.get_by_role("button", name="Work out a plan").click()
    page.locator("#made table").wait_for()


def test_access_is_given_and_taken(visit: Callable[..., Any]) -> None:
    page = visit("custodian")
    page.get_by_role("link", name="Access").click()
    page.get_by_label("Name").fill("guest")
    page.get_by_role("button", name="Create a token").click()
    token = page.locator("#new-token").inner_text()
    guest = visit(None)
    guest.get_by_label("Token").fill(token)
    guest.get_by_role("button", name="Sign in").click()
    guest.wait_for_url("**/datasets")
    page.get_by_role("button", name="Revoke guest").click()
    page.get_by_text("revoked").wait_for()
    guest.reload()
    guest.wait_for_url("**/login")


CONTRAST = """() => {
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.offsetParent || getComputedStyle(e).visibility !== "visible") continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push(e.outerHTML.slice(0, 120));
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (!e.labels.length && !e.ariaLabel) found.push("no label: " + e.outerHTML.slice(0, 120));
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read(visit: Callable[..., Any], scheme: str) -> None:
    """Contrast of at least 4.5 for every text, and a label for every field, on every page."""
    stranger = visit(None, scheme)
    assert stranger.evaluate(CONTRAST) == []
    page = visit("custodian", scheme)
    base = page.url
    page.goto(base + "/synth")
    for variable in "ABCDEF":
        page.locator(f"input[value={variable}]").check()
    page.get_by_role("button", name="Ask").click()
    page.locator(".answer").wait_for()
    assert page.evaluate(CONTRAST) == []
    for path in ("", "/new", "/auto", "/auto/margins", "/auto/cells", "/auto/ledger", "/auto/plan", "/none"):
        if path == "/none":
            continue
        page.goto(base + path)
        assert page.evaluate(CONTRAST) == [], path
    page.goto(base.replace("/datasets", "/tokens"))
    assert page.evaluate(CONTRAST) == []
