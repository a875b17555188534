"""What a custodian sets about the sign-in service, as a TOML file.

    issuer = "https://login.example.org/realms/office"
    client_id = "discreet"
    client_secret_file = "client.secret"       # beside this file; for its owner alone
    address = "https://margins.example.org"    # of this server, as browsers see it
    name_claim = "preferred_username"
    role_claim = "groups"                      # without it a custodian gives the roles
    skew = 60                                  # seconds that two clocks may differ

    [roles]                                    # group = role; without it the claim itself holds the role
    "disclosure board" = "custodian"
    statisticians = "analyst"

The address of this server stands here and is never taken from a request, so that nobody can have the answer sent
elsewhere. Plain HTTP is for services on this machine alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from discreet.errors import Faults, InputError
from discreet.release.people.actor import CUSTODIAN, NOBODY, ROLES, Role

MOST_SKEW = 300
LOCAL = ("localhost", "127.0.0.1", "::1")
CALLBACK = "/login/openid/callback"


@dataclass(frozen=True)
class OpenIdSettings:
    """`client_secret` is empty for a client that has none."""

    issuer: str
    client_id: str
    address: str
    client_secret: str = field(default="", repr=False)
    name_claim: str = "preferred_username"
    role_claim: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    skew: int = 60

    def __post_init__(self) -> None:
        faults = Faults()
        for name in ("issuer", "client_id", "address", "name_claim"):
            given = getattr(self, name)
            faults.check(isinstance(given, str) and 0 < len(given) <= 255, f"{name} must be a text")
        for name in ("issuer", "address"):
            faults.check(is_safe(getattr(self, name)), f"{name} must be an address that begins with https://")
        parts = urlsplit(self.address) if isinstance(self.address, str) else urlsplit("")
        bare = parts.path in ("", "/") and not parts.query and not parts.fragment
        faults.check(bare, "address must be that of the server alone, such as https://margins.example.org")
        claim = self.role_claim
        faults.check(claim is None or (isinstance(claim, str) and claim != ""), "role_claim must be a text")
        mapped = isinstance(self.roles, Mapping) and all(role in ROLES for role in self.roles.values())
        faults.check(mapped, f'[roles] must have lines such as group = "analyst"; known are {", ".join(ROLES)}')
        faults.check(not self.roles or claim is not None, "[roles] needs role_claim, the claim that lists the groups")
        skew = self.skew
        fits = isinstance(skew, int) and not isinstance(skew, bool) and 0 <= skew <= MOST_SKEW
        faults.check(fits, f"skew must be a whole number of seconds, at most {MOST_SKEW}")
        faults.raise_if_any()

    @property
    def redirect_uri(self) -> str:
        return self.address.rstrip("/") + CALLBACK

    def role_of(self, claims: Mapping[str, Any]) -> Role | None:
        """The role that the service gives; None where it is not the service that gives roles."""
        if self.role_claim is None:
            return None
        held = claims.get(self.role_claim)
        said = [one for one in (held if isinstance(held, list) else [held]) if isinstance(one, str)]
        found = {self.roles.get(one, NOBODY) for one in said} if self.roles else set(said)
        if CUSTODIAN in found:
            return CUSTODIAN
        return "analyst" if "analyst" in found else NOBODY


def read_settings(path: Path) -> OpenIdSettings:
    """The settings in a file, with the secret from the file that it names."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the settings {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"the settings {path} are not valid TOML: {error}") from None
    known = [one.name for one in fields(OpenIdSettings) if one.name != "client_secret"]
    faults = Faults()
    for key in given:
        faults.check(
            key in (*known, "client_secret_file"),
            f"there is no setting {key[:40]!r}; known are {', '.join((*known, 'client_secret_file'))}",
        )
    for key in ("issuer", "client_id", "address"):
        faults.check(key in given, f"the setting {key} is missing")
    secret = ""
    if "client_secret_file" in given:
        try:
            secret = _secret(path.parent / str(given["client_secret_file"]))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return OpenIdSettings(**{key: given[key] for key in known if key in given}, client_secret=secret)


def is_safe(address: object) -> bool:
    """Whether nobody on the way can read or change what is sent there."""
    if not isinstance(address, str):
        return False
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.password is not None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOCAL)


def _secret(path: Path) -> str:
    try:
        if path.stat().st_mode & 0o077:
            raise InputError(f"the secret {path} can be read by others: chmod 600 it")
        secret = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise InputError(f"the secret {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the secret {path} is not UTF-8 text") from None
    if not secret:
        raise InputError(f"the secret {path} is empty")
    return secret
