"""The pages in a real Chromium: by mouse, by keyboard, light and dark, and without help from elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from release_server import RunningServer
from release_tables import declared

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
    database = open_database(url, create=True)
    tokens = {role: create_token(database, role, role)[0] for role in ("analyst", "custodian")}
    service = Service(database)
    auto = Table.from_counts(autoworkers())
    service.add("custodian", "auto", auto, Policy(), codebook=declared(auto))
    service.add("custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True)
    service.add("custodian", "plain", auto, Policy(), codebook=declared(auto), distinct=True)
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
    page.get_by_role("button", name="Ask", exact=True).click()
    answer = page.locator("#answer")
    answer.get_by_text("Released", exact=True).wait_for()
    assert "/datasets/auto/ask" not in page.url
    assert page.locator("#answer .cross tbody tr").count() == 2
    assert page.locator("#answer .long tbody tr").count() == 4
    assert page.locator("#answer svg.bars rect").count() == 4
    assert "A × B" in page.locator("#public").inner_text()
    for name, suffix in (("CSV", "csv"), ("JSON", "json"), ("Parquet", "parquet")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert download.value.suggested_filename == f"auto-A-B.{suffix}"
        assert Path(download.value.path()).stat().st_size > 20
    for variable in "CDEF":
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    answer.get_by_text("Refused", exact=True).wait_for()
    assert page.locator("#answer table").count() == 0
    assert page.get_by_role("link", name="Ledger").count() == 0


def test_a_table_is_laid_out_anew_where_the_reader_stands(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.goto(page.url + "/auto")
    for variable in "AC":
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()
    assert page.locator("#announced").inner_text() == "Released: A × C."
    chosen = page.get_by_label("Show")
    chosen.focus()
    chosen.select_option("row percentages")
    page.locator("#cross-title").get_by_text("Row percentages").wait_for()
    assert page.evaluate("document.activeElement.id") == "show"
    assert "show=row" in page.url
    page.get_by_role("checkbox", name="A", exact=True).last.uncheck()
    page.locator("#answer").get_by_text("Row percentages by A, C").wait_for()
    page.go_back()
    page.get_by_role("heading", name="auto").wait_for()
    page.reload()
    assert page.locator("html > body > main").count() == 1


def test_a_suggestion_is_one_press_away(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.goto(page.url + "/auto")
    for variable in "ABCDEF":
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#answer").get_by_text("Refused", exact=True).wait_for()
    page.get_by_role("button", name="Ask for A × B × C × D × E", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("#answer .verdict").get_by_text("A × B × C × D × E", exact=True).wait_for()
    assert "Refused" in page.locator("#recent").inner_text()


def test_without_scripts(browser: Any, site: tuple[str, dict[str, str]]) -> None:
    """Every form is a form: asking, laying out, filtering, planning and publishing."""
    address, tokens = site
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Token").fill(tokens["custodian"])
    page.get_by_role("button", name="Sign in").click()
    page.goto(address + "/datasets/plain")
    for variable in "AB":
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_label("Show").select_option("column percentages")
    page.get_by_role("button", name="Lay out").click()
    assert "Column percentages" in page.locator("#cross-title").inner_text()
    page.get_by_role("button", name="Ask for the total").click()
    assert "1,841 people in all" in page.locator("#answer").inner_text()
    page.goto(address + "/datasets/plain/margins")
    page.get_by_label("Standing").select_option("released")
    page.get_by_role("button", name="Filter").click()
    assert page.locator(".lattice .chip").count() == 4
    page.goto(address + "/datasets/plain/plan")
    page.get_by_role("button", name="Work out a plan").click()
    page.get_by_role("button", name="Publish").click()
    while page.get_by_role("button", name="Go on").count():
        page.get_by_role("button", name="Go on").click()
    assert "Done:" in page.locator("#made").inner_text()
    context.close()


def test_by_keyboard_alone(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.goto(page.url.replace("/datasets", "/datasets/auto"))
    page.locator("fieldset input[name=v][value=C]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()


def test_a_synthetic_answer_looks_different(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.get_by_role("link", name="synth").click()
    for variable in "ABCDEF":
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_text("Synthetic counts: not those of the data").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert "synthetic" in download.value.suggested_filename


def test_progress_shows_while_a_decision_runs(visit: Callable[..., Any]) -> None:
    page = visit("analyst")
    page.goto(page.url + "/auto")
    page.route("**/ask", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.locator("fieldset input[name=v][value=D]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#working progress").wait_for(state="visible")
    assert page.get_by_role("button", name="Ask", exact=True).is_disabled()
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()
    assert not page.locator("#working progress").is_visible()


def test_a_custodian_loads_and_watches(visit: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "workers.csv"
    autoworkers().to_csv(file, index=False)
    page = visit("custodian")
    page.get_by_role("link", name="Load a table").click()
    page.get_by_label("Name").fill("loaded")
    page.get_by_label("File", exact=True).set_input_files(str(file))
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/drafts/loaded")
    page.get_by_label("F 2 categories").uncheck()
    page.locator("details:has(#codebook) > summary").click()
    page.locator("input[name=distinct]").check()
    page.get_by_label("Least width").fill("2")
    page.get_by_role("button", name="Update the preview").click()
    page.get_by_text("1,841 persons in 32 cells").wait_for()
    page.get_by_role("button", name="Confirm and open to analysts").click()
    page.wait_for_url("**/datasets/loaded/margins")
    assert page.locator(".lattice .chip").count() == 32
    page.get_by_role("link", name="Ask", exact=True).click()
    page.locator("fieldset input[name=v][value=A]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#answer").get_by_text("Released", exact=True).wait_for()
    page.get_by_role("link", name="Margins", exact=True).click()
    assert page.locator(".lattice .chip.released").count() == 2  # A and the total
    page.get_by_role("link", name="Cells at risk").click()
    page.get_by_role("heading", name="Cells at risk").wait_for()
    page.get_by_role("link", name="Ledger").click()
    assert "proven safe" in page.locator("table").inner_text()
    page.get_by_role("link", name="Plan").click()
    page.get_by_role("button", name="Work out a plan").click()
    page.locator("#made table").wait_for()
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("Done:").wait_for()
    assert page.locator("#made .state.release").count() == page.locator("#made tbody tr").count()


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
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer").wait_for()
    assert page.evaluate(CONTRAST) == []
    for path in ("", "/auto", "/auto/margins", "/auto/cells", "/auto/ledger", "/auto/plan", "/none"):
        if path == "/none":
            continue
        page.goto(base + path)
        assert page.evaluate(CONTRAST) == [], path
    for path in ("/tokens", "/load"):
        page.goto(base.replace("/datasets", path))
        assert page.evaluate(CONTRAST) == [], path
