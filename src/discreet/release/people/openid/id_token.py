"""Reading an ID token (OpenID Connect Core 1.0, section 3.1.3.7).

Signed with one of the service's public keys by an asymmetric algorithm: neither "none" nor a MAC, for which the public
key would do as the secret. Issuer and audience must be exactly ours (an audience of several needs `azp`), the nonce
that of this browser's flow, `exp` ahead and `iat` recent, both up to the skew of the clocks.
"""

from __future__ import annotations

import time
from typing import Any

from discreet.release.people.openid.settings import OpenIdSettings

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
OLDEST = 600
LONGEST = 1 << 16


class BadToken(Exception):
    """The token is not one to believe."""


class UnknownKey(BadToken):
    """It is signed with a key that we do not know (yet)."""


def read_id_token(
    token: str, keys: dict[str, Any], settings: OpenIdSettings, nonce: str, now: float | None = None
) -> dict[str, Any]:
    """The claims of a token; `keys` is the JSON Web Key Set that the service publishes."""
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError, JoseError

    if len(token) > LONGEST:
        raise BadToken
    try:
        read = jwt.decode(token, _key_set(keys), algorithms=list(ALGORITHMS))
    except InvalidKeyIdError:
        raise UnknownKey from None
    except (JoseError, ValueError, TypeError, KeyError):
        raise BadToken from None
    claims = read.claims
    if not isinstance(claims, dict):
        raise BadToken
    _check(claims, settings, nonce, time.time() if now is None else now)
    return claims


def _key_set(keys: dict[str, Any]) -> Any:
    """The public keys for signatures; what cannot be read is of no use, and secrets have no place there."""
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet, import_key

    found = []
    listed = keys.get("keys")
    for entry in listed if isinstance(listed, list) else []:
        if not isinstance(entry, dict) or entry.get("kty") not in ("RSA", "EC", "OKP"):
            continue
        if entry.get("use", "sig") != "sig":
            continue
        try:
            found.append(import_key(entry))
        except (JoseError, ValueError, TypeError, KeyError):
            continue
    if not found:
        raise UnknownKey
    return KeySet(found)


def _check(claims: dict[str, Any], settings: OpenIdSettings, nonce: str, now: float) -> None:
    audience = claims.get("aud")
    several = audience if isinstance(audience, list) else [audience]
    party = claims.get("azp", settings.client_id if len(several) == 1 else None)
    subject: Any = claims.get("sub")
    expires: Any = claims.get("exp")
    issued: Any = claims.get("iat")
    before: Any = claims.get("nbf", 0)
    good = (
        claims.get("iss") == settings.issuer
        and settings.client_id in several
        and party == settings.client_id
        and isinstance(subject, str)
        and 0 < len(subject) <= 255
        and claims.get("nonce") == nonce
        and _number(expires)
        and _number(issued)
        and _number(before)
        and expires > now - settings.skew
        and now - OLDEST - settings.skew <= issued <= now + settings.skew
        and before <= now + settings.skew
    )
    if not good:
        raise BadToken


def _number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 1e15
