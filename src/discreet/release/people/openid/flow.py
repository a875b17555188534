"""One sign-in under way, kept by the browser that began it.

The cookie holds 256 random bits r. Everything that the flow needs follows from them:

    state = h("state", r),   nonce = h("nonce", r),   verifier = h("verifier", r),      h = SHA-256, in base64url

The state comes back in the address and must fit the cookie (whoever is handed somebody else's answer has another cookie
or none), the nonce comes back in the signed ID token, the verifier proves that the code was asked for by us (PKCE, RFC
7636). A flow lasts ten minutes by its cookie and serves once: a state that was carried out is kept until then.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert
from sqlalchemy.exc import IntegrityError

from discreet.release.history.database import Database
from discreet.release.history.models import SpentSignIn
from discreet.release.people.openid.provider import SignInRefused, Started

SECONDS = 600
KEPT = timedelta(days=1)
EXPIRED = "The sign-in was not begun in this browser, or too long ago: begin again."


def begin() -> Started:
    return _of(secrets.token_urlsafe(32))


def resume(secret: str, state: str) -> Started:
    """The flow of this browser, if the answer is one to it."""
    if re.fullmatch(r"[A-Za-z0-9_-]{43}", secret) is None:
        raise SignInRefused(EXPIRED)
    started = _of(secret)
    if not secrets.compare_digest(started.state.encode(), state.encode()):
        raise SignInRefused(EXPIRED)
    return started


def spend(database: Database, started: Started) -> None:
    """Let the flow serve this once."""
    now = datetime.now(UTC)
    digest = hashlib.sha256(started.state.encode()).hexdigest()
    try:
        with database.writing() as connection:
            connection.execute(delete(SpentSignIn).where(SpentSignIn.expires < now))
            connection.execute(insert(SpentSignIn).values(digest=digest, expires=now + KEPT))
    except IntegrityError:
        raise SignInRefused(EXPIRED) from None


def _of(secret: str) -> Started:
    return Started(secret, *(_derived(use, secret) for use in ("state", "nonce", "verifier")))


def _derived(use: str, secret: str) -> str:
    digest = hashlib.sha256(f"discreet sign-in {use}\n{secret}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
