"""Takes the screenshots of the release server's tutorial: a server with the autoworkers' table, driven in Chromium.

python examples/release_screenshots.py docs/images
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from discreet.client import Client
from discreet.datasets import autoworkers
from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token


def take(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "demo.db")
        database = open_database(path, create=True)
        carla, _ = create_token(database, "custodian", "carla")
        ann, _ = create_token(database, "analyst", "ann")
        Service(database).add("carla", "auto", Table.from_counts(autoworkers()), Policy())
        database.close()
        table = Path(scratch) / "auto.csv"
        autoworkers().to_csv(table, index=False)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        words = [sys.executable, "-m", "discreet", "serve", "--database", path, "--port", str(port)]
        server = subprocess.Popen(words)
        try:
            address = f"http://127.0.0.1:{port}"
            client = Client(address, ann, wait=120)
            for pair in combinations("ABCDEF", 2):
                client.request("auto", pair)
            for margin in ("ABCD", "ABCDEF"):
                client.request("auto", list(margin))
            _draw(address, carla, ann, table, folder)
        finally:
            server.terminate()
            server.wait()


def _draw(address: str, carla: str, ann: str, table: Path, folder: Path) -> None:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])

        def sign_in(token: str) -> Page:
            page = browser.new_page(viewport={"width": 1100, "height": 760}, color_scheme="light")
            page.goto(address)
            page.get_by_label("Token").fill(token)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/datasets")
            return page

        page = sign_in(ann)
        page.get_by_role("link", name="auto").click()
        _ask(page, "AD")
        page.screenshot(path=folder / "release-ask.png", full_page=True)
        page.reload()
        _ask(page, "ABCDEF")
        page.screenshot(path=folder / "release-refused.png", full_page=True)

        page = sign_in(carla)
        page.goto(f"{address}/load")
        page.get_by_label("Name").fill("workers")
        page.get_by_label("File", exact=True).set_input_files(str(table))
        page.get_by_role("button", name="Send").click()
        page.wait_for_url("**/drafts/workers")
        page.screenshot(path=folder / "release-load.png", full_page=True)
        page.goto(f"{address}/datasets/auto/margins")
        page.screenshot(path=folder / "release-margins.png", full_page=True)
        page.goto(f"{address}/datasets/auto/plan")
        page.get_by_role("button", name="Work out a plan").click()
        page.get_by_role("button", name="Publish").wait_for(timeout=60_000)
        page.screenshot(path=folder / "release-plan.png", full_page=True)
        browser.close()


def _ask(page: Page, variables: str) -> None:
    for variable in variables:
        page.locator(f"fieldset input[name=v][value={variable}]").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer").wait_for()


if __name__ == "__main__":
    take(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
