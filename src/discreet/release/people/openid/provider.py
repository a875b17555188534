"""The sign-in service: where it is, its keys, and exchanging a code for what it says about a person.

Discovery (OpenID Connect Discovery 1.0, section 4) must be about the very issuer of the settings; its endpoints are
reached by HTTPS and without following redirects. Answers are limited in size and time, and few exchanges run at once,
so that neither a slow service nor somebody who sends codes at random holds the server up. The answer's `iss`, where it
comes or was promised, must be the issuer (RFC 9207: no code of one service is taken to another).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discreet.release.people.openid.id_token import BadToken, UnknownKey, read_id_token
from discreet.release.people.openid.settings import OpenIdSettings, is_safe

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 1 << 20
SECONDS = 10.0
AT_ONCE = 4
FRESH = 600.0
NOT_OFTENER = 30.0
UNREACHABLE = "The sign-in service cannot be reached, or answers in a way that cannot be trusted: try again later."
REFUSED = "The sign-in service did not confirm who you are: begin again."


class SignInRefused(Exception):
    """Nobody is signed in; the text is for the person, and tells an attacker nothing."""

    def __init__(self, text: str, status: int = 401) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class Started:
    """A sign-in under way; `secret` stays in the browser that began it."""

    secret: str
    state: str
    nonce: str
    verifier: str


class Provider:
    """The service of the settings. What it publishes about itself is asked again every ten minutes."""

    def __init__(self, settings: OpenIdSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.clock = clock
        self._known: dict[str, tuple[float, dict[str, Any]]] = {}
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def authorization_url(self, started: Started) -> str:
        """Where the browser goes to sign in."""
        endpoint = self._endpoint("authorization_endpoint")
        with self._session() as session:
            url, _ = session.create_authorization_url(
                endpoint, state=started.state, nonce=started.nonce, code_verifier=started.verifier
            )
        return str(url)

    def check_answer(self, issuer: str | None, error: str | None) -> None:
        """Whether the answer is of this service and says yes."""
        promised = self._discovered().get("authorization_response_iss_parameter_supported") is True
        if issuer != self.settings.issuer and (promised or issuer is not None):
            raise SignInRefused(REFUSED)
        if error is not None:
            raise SignInRefused(REFUSED)

    def claims_of(self, code: str, started: Started) -> dict[str, Any]:
        """What the service says about the person, checked."""
        if not code:
            raise SignInRefused(REFUSED)
        token = self._exchange(code, started)
        for again in (False, True):  # a service may have new keys since we asked
            try:
                return read_id_token(token, self._keys(again=again), self.settings, started.nonce)
            except UnknownKey:
                continue
            except BadToken:
                break
        raise SignInRefused(REFUSED)

    def _exchange(self, code: str, started: Started) -> str:
        from authlib.integrations.base_client import OAuthError
        from requests import RequestException

        endpoint = self._endpoint("token_endpoint")
        with self._session() as session:
            try:
                answer = session.fetch_token(
                    endpoint, code=code, code_verifier=started.verifier, timeout=SECONDS, allow_redirects=False
                )
            except OAuthError:  # the code is spent, unknown, or was asked for by somebody else
                raise SignInRefused(REFUSED) from None
            except (RequestException, ValueError):
                raise SignInRefused(UNREACHABLE, 503) from None
        token = answer.get("id_token") if isinstance(answer, dict) else None
        if not isinstance(token, str):
            raise SignInRefused(REFUSED)
        return token

    def _endpoint(self, name: str) -> str:
        found = self._discovered().get(name)
        if not isinstance(found, str) or not is_safe(found):
            raise SignInRefused(UNREACHABLE, 503)
        return found

    def _discovered(self) -> dict[str, Any]:
        address = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
        found = self._published(address, FRESH)
        if found.get("issuer") != self.settings.issuer:
            raise SignInRefused(UNREACHABLE, 503)
        return found

    def _keys(self, *, again: bool) -> dict[str, Any]:
        return self._published(self._endpoint("jwks_uri"), NOT_OFTENER if again else FRESH)

    def _published(self, address: str, age: float) -> dict[str, Any]:
        """A JSON document of the service, not older than `age`."""
        from requests import RequestException

        known = self._known.get(address)
        if known is not None and self.clock() - known[0] < age:
            return known[1]
        with self._session() as session:
            try:
                answer = session.get(address, timeout=SECONDS, allow_redirects=False, stream=True, withhold_token=True)
                text = answer.raw.read(LARGEST + 1, decode_content=True)
                document = json.loads(text) if answer.status_code == 200 and len(text) <= LARGEST else None
            except (RequestException, OSError, ValueError, RecursionError):
                document = None
        if not isinstance(document, dict):
            raise SignInRefused(UNREACHABLE, 503)
        self._known[address] = (self.clock(), document)
        return document

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """A connection of its own, in one of the few places."""
        from authlib.integrations.requests_client import OAuth2Session

        if not self._places.acquire(timeout=SECONDS):
            raise SignInRefused("Too many people are signing in: try again in a moment.", 503)
        try:
            secret = self.settings.client_secret
            with OAuth2Session(
                self.settings.client_id,
                secret or None,
                token_endpoint_auth_method="client_secret_basic" if secret else "none",
                scope="openid profile email",
                redirect_uri=self.settings.redirect_uri,
                code_challenge_method="S256",
            ) as session:
                yield session
        finally:
            with suppress(ValueError):
                self._places.release()
