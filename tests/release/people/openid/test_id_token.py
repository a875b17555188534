"""ID tokens with keys of every kind; those that must not be believed are in tests/release/web/test_sign_in.py."""

from __future__ import annotations

from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from discreet.release.people.openid.id_token import BadToken, UnknownKey, read_id_token
from discreet.release.people.openid.settings import OpenIdSettings

NOW = 1_800_000_000
SETTINGS = OpenIdSettings("https://login.example.org", "discreet", "https://margins.example.org", skew=60)
CLAIMS = {
    "iss": SETTINGS.issuer,
    "aud": "discreet",
    "sub": "u",
    "nonce": "n",
    "iat": NOW,
    "exp": NOW + 300,
}


def signed(key: Any, algorithm: str, header: dict[str, Any] | None = None, **claims: Any) -> str:
    return jwt.encode({"alg": algorithm, **(header or {})}, {**CLAIMS, **claims}, key, algorithms=[algorithm])


def keys(*found: Any) -> dict[str, Any]:
    return {"keys": [key if isinstance(key, dict) else key.as_dict(private=False) for key in found]}


def read(token: str, known: dict[str, Any]) -> dict[str, Any]:
    return read_id_token(token, known, SETTINGS, "n", NOW)


RSA = RSAKey.generate_key(2048, {"kid": "r"}, private=True)
EC = ECKey.generate_key("P-256", {"kid": "e"}, private=True)
ED = OKPKey.generate_key("Ed25519", {"kid": "o"}, private=True)
OCT = OctKey.generate_key(256, {"kid": "s"}, private=True)


@pytest.mark.parametrize(("key", "algorithm"), [(RSA, "RS256"), (RSA, "PS256"), (EC, "ES256"), (ED, "Ed25519")])
def test_public_keys(key: Any, algorithm: str) -> None:
    token = signed(key, algorithm, {"kid": key.kid})
    assert read(token, keys(RSA, EC, ED))["sub"] == "u"
    assert read(signed(key, algorithm), keys(key))["sub"] == "u"  # one key needs no name
    broken = {"kty": "RSA", "n": "!", "e": 7}
    assert read(token, keys(broken, {"kty": "new"}, key))["sub"] == "u"
    with pytest.raises(BadToken):
        read(token[:-3] + "AAA", keys(key))


def test_a_secret_in_the_set_signs_nothing() -> None:
    token = signed(OCT, "HS256", {"kid": "s"})
    with pytest.raises(BadToken):
        read(token, {"keys": [OCT.as_dict(private=True), RSA.as_dict(private=False)]})


def test_a_key_for_something_else_does_not_sign() -> None:
    with pytest.raises(UnknownKey):
        read(signed(RSA, "RS256"), keys({**RSA.as_dict(private=False), "use": "enc"}))


@pytest.mark.parametrize("known", [{}, {"keys": None}, {"keys": []}, {"keys": [7]}, {"keys": {"a": 1}}])
def test_no_keys(known: dict[str, Any]) -> None:
    with pytest.raises(UnknownKey):
        read(signed(RSA, "RS256"), known)


def test_an_unknown_name_is_an_unknown_key() -> None:
    with pytest.raises(UnknownKey):
        read(signed(RSA, "RS256", {"kid": "other"}), keys(RSA, EC))


@pytest.mark.parametrize("token", ["", "a.b.c", "e30.e30.", "x" * 70_000, "...", "é.é.é"])
def test_what_is_no_token(token: str) -> None:
    with pytest.raises(BadToken):
        read(token, keys(RSA))


@pytest.mark.parametrize(
    ("claims", "good"),
    [
        ({"exp": NOW - 59}, True),
        ({"exp": NOW - 60}, False),
        ({"iat": NOW + 60}, True),
        ({"iat": NOW + 61}, False),
        ({"iat": NOW - 660}, True),
        ({"iat": NOW - 661}, False),
        ({"nbf": NOW + 60}, True),
        ({"nbf": NOW + 61}, False),
        ({"aud": ["discreet"]}, True),
        ({"aud": ["discreet", "x"], "azp": "discreet"}, True),
        ({"aud": ["discreet", "x"]}, False),
        ({"azp": "x"}, False),
        ({"aud": {"discreet": 1}}, False),
        ({"aud": "discreet2"}, False),
        ({"iss": SETTINGS.issuer + "/"}, False),
        ({"nonce": "m"}, False),
        ({"nonce": ["n"]}, False),
        ({"exp": 1e300}, False),
    ],
)
def test_claims(claims: dict[str, Any], good: bool) -> None:
    token = signed(RSA, "RS256", **claims)
    if good:
        assert read(token, keys(RSA))["sub"] == "u"
    else:
        with pytest.raises(BadToken):
            read(token, keys(RSA))
