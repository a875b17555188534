"""The service as a client sees it: what it publishes is kept for a while, and few talk to it at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openid_provider import CLIENT, SECRET, SignInService

from discreet.release.people.openid import flow, provider
from discreet.release.people.openid.provider import Provider, SignInRefused
from discreet.release.people.openid.settings import OpenIdSettings

ADDRESS = "https://margins.example.org"


@pytest.fixture
def service() -> Iterator[SignInService]:
    made = SignInService(ADDRESS + "/login/openid/callback")
    yield made
    made.stop()


def client(service: SignInService, **more: Any) -> Provider:
    return Provider(OpenIdSettings(service.issuer, CLIENT, ADDRESS, client_secret=SECRET), **more)


def test_discovery_is_asked_now_and_then(service: SignInService) -> None:
    now = [0.0]
    ours = client(service, clock=lambda: now[0])
    for moment, asked in ((0.0, 1), (1.0, 1), (provider.FRESH - 1, 1), (provider.FRESH, 2)):
        now[0] = moment
        ours.authorization_url(flow.begin())
        assert len(service.asked) == asked


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"more": "x" * (provider.LARGEST + 1)},
    ],
    ids=lambda found: next(iter(found)),
)
def test_what_a_service_must_not_say(service: SignInService, discovery: dict[str, Any]) -> None:
    service.discovery = discovery
    with pytest.raises(SignInRefused) as caught:
        client(service).authorization_url(flow.begin())
    assert caught.value.status == 503


def test_the_answers_issuer(service: SignInService) -> None:
    ours = client(service)
    ours.check_answer(service.issuer, None)
    for issuer, error in (("https://evil.example", None), (None, None), (service.issuer, "access_denied")):
        with pytest.raises(SignInRefused):
            ours.check_answer(issuer, error)
    service.discovery = {"authorization_response_iss_parameter_supported": False}
    older = client(service)
    older.check_answer(None, None)
    with pytest.raises(SignInRefused):
        older.check_answer("https://evil.example", None)


def test_few_talk_to_it_at_once(service: SignInService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider, "SECONDS", 0.05)
    ours = client(service)
    for _ in range(provider.AT_ONCE):
        assert ours._places.acquire(blocking=False)
    with pytest.raises(SignInRefused, match="Too many"):
        ours.authorization_url(flow.begin())
    ours._places.release()
    assert ours.authorization_url(flow.begin())
    assert ours._places.acquire(blocking=False)  # the place was given back
