"""The settings of the sign-in service: what is wrong is said at once, and no secret in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.people.openid.settings import OpenIdSettings, is_safe, read_settings

GOOD = 'issuer = "https://login.example.org"\nclient_id = "discreet"\naddress = "https://margins.example.org/"\n'


def read(folder: Path, text: str) -> OpenIdSettings:
    path = folder / "openid.toml"
    path.write_text(text)
    return read_settings(path)


def test_what_is_needed(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert found.redirect_uri == "https://margins.example.org/login/openid/callback"
    assert found.role_of({"groups": ["custodian"], "role": "custodian"}) is None
    with pytest.raises(InputError) as caught:
        read(tmp_path, "")
    assert len(caught.value.faults) == 3


def test_what_the_guide_shows_is_accepted(tmp_path: Path) -> None:
    guide = Path(__file__).resolve().parents[4] / "docs" / "how-to" / "release-access.md"
    shown = re.search(r"```toml\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    (tmp_path / "client.secret").write_text("sesame")
    (tmp_path / "client.secret").chmod(0o600)
    found = read(tmp_path, shown[1])
    assert found.role_of({"groups": ["statisticians", "disclosure board"]}) == "custodian"


def test_the_secret_is_for_its_owner_alone(tmp_path: Path) -> None:
    secret = tmp_path / "client.secret"
    secret.write_text("sesame\n")
    secret.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        read(tmp_path, GOOD + 'client_secret_file = "client.secret"\n')
    secret.chmod(0o600)
    found = read(tmp_path, GOOD + 'client_secret_file = "client.secret"\n')
    assert found.client_secret == "sesame"
    assert "sesame" not in repr(found)
    secret.write_text("")
    with pytest.raises(InputError, match="empty"):
        read(tmp_path, GOOD + 'client_secret_file = "client.secret"\n')
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path, GOOD + 'client_secret_file = "nowhere"\n')


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        GOOD + 'more = "x"\n',
        GOOD + "skew = 301\n",
        GOOD + "skew = true\n",
        GOOD + "skew = -1\n",
        GOOD + '[roles]\nstaff = "analyst"\n',
        GOOD + 'role_claim = "groups"\n[roles]\nstaff = "king"\n',
        GOOD + 'role_claim = "groups"\n[roles]\nstaff = 7\n',
        GOOD + "role_claim = 7\n",
        GOOD + "name_claim = 7\n",
        GOOD.replace("https://login", "http://login"),
        GOOD.replace("https://margins", "http://margins"),
        GOOD.replace(".org/", ".org/here"),
        GOOD.replace('"discreet"', "7"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://x.example", True),
        ("http://localhost:80/a", True),
        ("http://127.0.0.1:8", True),
        ("http://[::1]:8", True),
        ("http://x.example", False),
        ("http://localhost.evil.example", False),
        ("https://user:word@x.example", False),
        ("https://", False),
        ("ftp://localhost", False),
        ("https://x.example:port", False),
        ("https://[", False),
        (None, False),
    ],
)
def test_safe_addresses(address: object, safe: bool) -> None:
    assert is_safe(address) is safe


@pytest.mark.parametrize(
    ("claim", "role"),
    [
        ("custodian", "custodian"),
        ("analyst", "analyst"),
        (["x", "analyst"], "analyst"),
        (["analyst", "custodian"], "custodian"),
        ("Custodian", "none"),
        ("king", "none"),
        (None, "none"),
        ({"custodian": True}, "none"),
        ([["custodian"]], "none"),
        (7, "none"),
    ],
)
def test_roles_by_a_claim(claim: object, role: str) -> None:
    found = OpenIdSettings("https://x", "c", "https://y", role_claim="role")
    assert found.role_of({"role": claim}) == role
    assert found.role_of({}) == "none"
    mapped = OpenIdSettings("https://x", "c", "https://y", role_claim="role", roles={"staff": "analyst"})
    assert mapped.role_of({"role": claim}) == "none"  # where groups are mapped, their names are no roles
    assert mapped.role_of({"role": ["staff"]}) == "analyst"
