"""Signing in at another site in a real Chromium: what cookies do on the way there and back is the browser's to say."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openid_provider import CLIENT, SECRET, SignInService
from release_server import RunningServer

from discreet.datasets import autoworkers
from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.people import grants
from discreet.release.policy import Policy
from discreet.release.service import Service

pytestmark = pytest.mark.xdist_group("server")
api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, SignInService, str]]:
    """The server at localhost and the service at 127.0.0.1: two sites, as far as a browser knows."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address, url = f"http://localhost:{port}", str(tmp_path / "d.db")
    database = open_database(url, create=True)
    Service(database).add("custodian", "auto", Table.from_counts(autoworkers()), Policy())
    database.close()
    service = SignInService(address + "/login/openid/callback")
    secret = tmp_path / "client.secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    path = tmp_path / "openid.toml"
    path.write_text(
        f'issuer = "{service.issuer}"\nclient_id = "{CLIENT}"\nclient_secret_file = "client.secret"\n'
        f'address = "{address}"\n'
    )
    server = RunningServer(url, tmp_path, "--oidc", str(path), "--session-hours", "2", port=port)
    yield address, service, url
    server.stop()
    service.stop()


def test_there_and_back(site: tuple[str, SignInService, str]) -> None:
    address, _, url = site
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine")
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page: Any = browser.new_page()
        page.set_default_timeout(20_000)
        page.goto(address + "/")
        page.get_by_role("link", name="Sign in with your office account").click()
        page.get_by_text("You are known here as ann, and have no access yet").wait_for()
        database = open_database(url, create=True)
        grants.grant(database, "ann", "auto", "analyst", who="custodian")
        database.close()
        page.goto(address + "/")
        page.get_by_role("link", name="Sign in with your office account").click()
        page.wait_for_url("**/datasets")
        assert page.get_by_role("link", name="auto").is_visible()
        left = {cookie["name"]: cookie for cookie in page.context.cookies()}
        assert set(left) == {"__Host-discreet"}
        assert left["__Host-discreet"]["sameSite"] == "Strict"
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("link", name="Sign in with your office account").wait_for()
        page.goto(address + "/datasets")
        assert page.url.endswith("/login")
        browser.close()
