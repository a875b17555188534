"""Signing in, with a token and at a sign-in service that really runs: what is let in, and every way round it."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from openid_provider import CLIENT, SECRET, SignInService
from sqlalchemy import func, select

from discreet.release import tokens
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Session, Token
from discreet.release.people import grants
from discreet.release.people.attempts import MOST
from discreet.release.service import Service
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings

ADDRESS = "https://testserver"
START, BACK = "/login/openid", "/login/openid/callback"


@pytest.fixture
def provider() -> Iterator[SignInService]:
    made = SignInService(ADDRESS + BACK)
    yield made
    made.stop()


@pytest.fixture
def connect(
    database: Database, service: Service, people: dict[str, str], provider: SignInService, tmp_path: Path
) -> Callable[..., Any]:
    """Browsers of a server that knows the sign-in service, with more lines in its settings as asked."""
    from starlette.testclient import TestClient

    secret = tmp_path / "client.secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)

    def browser(*lines: str, like: Any = None) -> TestClient:
        if like is not None:
            return TestClient(like.app, base_url=ADDRESS, raise_server_exceptions=False)
        path = tmp_path / "openid.toml"
        told = (f'issuer = "{provider.issuer}"', f'client_id = "{CLIENT}"', 'client_secret_file = "client.secret"')
        path.write_text("\n".join((*told, f'address = "{ADDRESS}"', *lines)))
        app = create_app(Settings(warm=False, openid=str(path)), database)
        app.state.service = service
        return TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)

    return browser


def begin(browser: Any, provider: SignInService) -> str:
    """From our page to the service and back: the address that the service sends the browser to."""
    sent = browser.get(START, follow_redirects=False)
    assert sent.status_code == 303, sent.text
    parts = urlsplit(sent.headers["location"])
    assert f"{parts.scheme}://{parts.netloc}" == provider.issuer
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    assert answer.status == 302, answer.read()
    back = urlsplit(str(answer.headers["location"]))
    connection.close()
    return f"{back.path}?{back.query}"


def sign_in(browser: Any, provider: SignInService) -> Any:
    return browser.get(begin(browser, provider), follow_redirects=False)


def let_in(browser: Any) -> bool:
    return bool(browser.get("/datasets", follow_redirects=False).status_code == 200)


def entries(database: Database, what: str) -> list[dict[str, Any]]:
    with database.reading() as connection:
        found = [entry.content for entry in store.read_entries(connection, SERVER)]
    return [content for content in found if content["what"] == what]


def sessions(database: Database) -> int:
    with database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(Session)).scalar_one())


def changed(address: str, **values: str | None) -> str:
    parts = urlsplit(address)
    query = {k: v[0] for k, v in parse_qs(parts.query).items()} | values
    return parts.path + "?" + urlencode({k: v for k, v in query.items() if v is not None})


def test_nobody_has_access_until_a_custodian_gives_it(
    connect: Callable[..., Any], provider: SignInService, database: Database
) -> None:
    browser = connect()
    told = sign_in(browser, provider)
    assert told.status_code == 403
    assert "known here as ann" in told.text
    assert not let_in(browser)
    assert sessions(database) == 0
    grants.set_role(database, "ann", "analyst", who="custodian")
    told = sign_in(browser, provider)
    assert told.status_code == 200
    assert 'content="0; url=/datasets"' in told.text
    cookie = told.headers.get_list("set-cookie")
    assert any("__Host-discreet=" in c and "SameSite=strict" in c and "HttpOnly" in c and "Secure" in c for c in cookie)
    assert let_in(browser)
    assert browser.get("/tokens").status_code == 403
    assert entries(database, "signed in")[-1]["by"] == "OpenID Connect"
    assert len([c for c in entries(database, "token created") if c.get("issuer")]) == 1
    token = re.search(r'name="csrf" value="([^"]+)"', browser.get("/datasets").text)
    assert token is not None
    browser.post("/logout", data={"csrf": token[1]})
    assert not let_in(browser)
    assert entries(database, "signed out")[-1]["who"] == "ann"


def test_sessions_end_with_the_access(connect: Callable[..., Any], provider: SignInService, database: Database) -> None:
    browser = connect()
    sign_in(browser, provider)
    for take in (
        lambda: grants.set_role(database, "ann", "none", who="custodian"),
        lambda: grants.ungrant(database, "ann", "auto", who="custodian"),
        lambda: tokens.revoke_token(database, "ann", who="custodian"),
    ):
        grants.grant(database, "ann", "auto", "analyst", who="custodian")
        sign_in(browser, provider)
        assert let_in(browser)
        take()
        assert not let_in(browser)
        assert sessions(database) == 0
        assert sign_in(browser, provider).status_code == 403


def test_the_service_may_give_the_roles(
    connect: Callable[..., Any], provider: SignInService, database: Database
) -> None:
    browser = connect('role_claim = "groups"', "[roles]", '"disclosure board" = "custodian"', 'staff = "analyst"')
    for groups, code in (
        (["staff"], 403),
        (["disclosure board", "staff"], 200),
        ("staff", 403),
        (["custodian"], 303),
        ([], 303),
        ([7, None], 303),
    ):
        provider.person["groups"] = groups
        sign_in(browser, provider)
        assert browser.get("/tokens", follow_redirects=False).status_code == code, groups
    provider.person["groups"] = ["staff"]
    sign_in(browser, provider)
    assert let_in(browser)
    provider.person["groups"] = []
    sign_in(connect(like=browser), provider)  # elsewhere, and yet the session here ends
    assert not let_in(browser)


def test_the_services_roles_are_narrowed_by_grants(
    connect: Callable[..., Any], provider: SignInService, database: Database
) -> None:
    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "custodian"
    sign_in(browser, provider)
    grants.grant(database, "ann", "auto", "analyst", who="custodian")
    sign_in(browser, provider)
    assert browser.get("/datasets/auto").status_code == 200
    assert browser.get("/datasets/auto/margins").status_code == 403
    assert browser.get("/tokens").status_code == 403


def test_people_are_told_apart_by_their_subject(
    connect: Callable[..., Any], provider: SignInService, database: Database
) -> None:
    """Whoever takes another's name elsewhere does not become them here."""
    browser = connect()
    for subject, name in (("u-1", "custodian"), ("u-2", "custodian"), ("u-3", "../é"), ("u-4", None), ("u-1", "new")):
        provider.person = {"sub": subject, "preferred_username": name}
        assert sign_in(browser, provider).status_code == 403
    with database.reading() as connection:
        rows = connection.execute(select(Token.name, Token.subject).where(Token.subject.is_not(None))).all()
    assert {row.subject: row.name for row in rows} == {
        "u-1": "custodian-2",
        "u-2": "custodian-3",
        "u-3": "person",
        "u-4": "person-2",
    }


@pytest.mark.parametrize(
    "attack",
    [
        {"changed": {"nonce": "another"}},
        {"removed": ("nonce",)},
        {"changed": {"aud": "somebody-else"}},
        {"changed": {"aud": [CLIENT, "somebody-else"]}},
        {"changed": {"aud": [CLIENT, "somebody-else"], "azp": "somebody-else"}},
        {"changed": {"aud": None}},
        {"changed": {"iss": "https://evil.example"}},
        {"changed": {"iss": None}},
        {"changed": {"exp": 1}},
        {"changed": {"iat": 1}},
        {"changed": {"iat": 4_000_000_000, "exp": 4_000_000_300}},
        {"changed": {"exp": True}},
        {"changed": {"exp": "4000000000"}},
        {"changed": {"nbf": 4_000_000_000}},
        {"changed": {"sub": ""}},
        {"changed": {"sub": "x" * 256}},
        {"changed": {"sub": 7}},
        {"removed": ("sub",)},
        {"removed": ("exp",)},
        {"removed": ("iat",)},
        {"algorithm": "none"},
        {"algorithm": "HS256"},
        {"header": {"kid": "two"}},
        {"discovery": {"issuer": "https://evil.example"}},
        {"discovery": {"token_endpoint": "http://evil.example/token"}},
        {"answer": {"iss": "https://evil.example"}},
        {"answer": {"iss": ""}},
        {"answer": {"error": "access_denied"}},
        {"answer": {"code": ""}},
        {"answer": {"code": "guessed"}},
        {"answer": {"state": "forged"}},
        {"answer": {"state": ""}},
        {"token_status": 500},
        {"token_status": 307},
    ],
    ids=str,
)
def test_what_is_not_to_be_believed(
    connect: Callable[..., Any], provider: SignInService, database: Database, attack: dict[str, Any]
) -> None:
    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "custodian"
    started = begin(browser, provider)
    if set(attack) & {"answer", "discovery"}:
        browser = connect('role_claim = "discreet"')
        for name, value in attack.items():
            setattr(provider, name, value)
        sent = browser.get(START, follow_redirects=False)
        if sent.status_code == 503:  # it does not even begin
            return
        started = begin(browser, provider)
    for name, value in attack.items():
        setattr(provider, name, value)
    told = browser.get(started, follow_redirects=False)
    assert told.status_code in (401, 503), told.text
    assert not let_in(browser)
    assert sessions(database) == 0
    assert not entries(database, "signed in")
    assert not [c for c in entries(database, "token created") if c.get("issuer")]


def test_the_clocks_may_differ_a_little(connect: Callable[..., Any], provider: SignInService) -> None:
    import time

    browser = connect('role_claim = "discreet"', "skew = 60")
    provider.person["discreet"] = "analyst"
    now = int(time.time())
    for claims, good in (
        ({"exp": now - 30}, True),
        ({"exp": now - 90}, False),
        ({"iat": now + 30}, True),
        ({"iat": now + 120}, False),
    ):
        provider.changed = claims
        fresh = connect(like=browser)
        sign_in(fresh, provider)
        assert let_in(fresh) is good, claims


def test_a_key_of_their_own_does_not_sign(connect: Callable[..., Any], provider: SignInService) -> None:
    from joserfc.jwk import RSAKey

    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "analyst"
    honest = provider.key
    provider.signing = RSAKey.generate_key(2048, {"kid": "one"}, private=True)
    assert sign_in(browser, provider).status_code == 401
    provider.header = {
        "jwk": provider.signing.as_dict(private=False)
    }  # a header may carry a key: it counts for nothing
    assert sign_in(browser, provider).status_code == 401
    provider.signing, provider.header = honest, {}
    assert sign_in(browser, provider).status_code == 200


def test_new_keys_are_learned(connect: Callable[..., Any], provider: SignInService) -> None:
    from joserfc.jwk import RSAKey

    from discreet.release.people.openid import provider as ours

    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "analyst"
    assert sign_in(browser, provider).status_code == 200
    provider.key = provider.signing = RSAKey.generate_key(2048, {"kid": "two", "use": "sig"}, private=True)
    provider.header = {"kid": "two"}
    assert sign_in(browser, provider).status_code == 401  # asked a moment ago: not again so soon
    asked = provider.asked.count("/jwks")
    later = browser.app.state.provider.clock() + ours.NOT_OFTENER
    browser.app.state.provider.clock = lambda: later
    assert sign_in(browser, provider).status_code == 200
    assert provider.asked.count("/jwks") == asked + 1


def test_a_code_and_a_state_serve_once(connect: Callable[..., Any], provider: SignInService) -> None:
    """Even where the service takes a code twice, and the browser kept its cookie."""
    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "analyst"
    provider.forget_codes = False
    address = begin(browser, provider)
    kept = dict(browser.cookies)
    assert browser.get(address).status_code == 200
    assert browser.get(address, follow_redirects=False).status_code == 401  # the cookie is gone
    again = connect(like=browser)
    again.cookies.update(kept)
    assert again.get(address, follow_redirects=False).status_code == 401
    assert not let_in(again)


def test_nobody_is_signed_in_as_somebody_else(connect: Callable[..., Any], provider: SignInService) -> None:
    """A victim who follows the attacker's answer has no flow or another one; a stolen code fits no other flow."""
    attacker = connect('role_claim = "discreet"')
    provider.person["discreet"] = "analyst"
    answer = begin(attacker, provider)
    victim = connect(like=attacker)
    assert victim.get(answer, follow_redirects=False).status_code == 401
    own = begin(victim, provider)
    assert victim.get(answer, follow_redirects=False).status_code == 401
    assert not let_in(victim)
    victim, thief = connect(like=attacker), connect(like=attacker)
    theirs, own = begin(victim, provider), begin(thief, provider)
    stolen = parse_qs(urlsplit(theirs).query)["code"][0]
    assert thief.get(changed(own, code=stolen), follow_redirects=False).status_code == 401
    provider.check_verifier = False  # and where the service forgets to look, the nonce does not fit
    victim, thief = connect(like=attacker), connect(like=attacker)
    theirs, own = begin(victim, provider), begin(thief, provider)
    stolen = parse_qs(urlsplit(theirs).query)["code"][0]
    assert thief.get(changed(own, code=stolen), follow_redirects=False).status_code == 401
    assert not let_in(thief)


@pytest.mark.parametrize("where", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_nobody_is_sent_elsewhere(connect: Callable[..., Any], provider: SignInService, where: str) -> None:
    browser = connect('role_claim = "discreet"')
    provider.person["discreet"] = "analyst"
    for name in ("next", "return_to", "redirect_uri", "url"):
        sent = browser.get(f"{START}?{name}={where}", headers={"Host": "evil.example"}, follow_redirects=False)
        asked = parse_qs(urlsplit(sent.headers["location"]).query)
        assert asked["redirect_uri"] == [ADDRESS + BACK]
        assert "evil" not in sent.headers["location"]
    told = browser.get(changed(begin(browser, provider), next=where, redirect_uri=where), follow_redirects=False)
    assert told.status_code == 200
    assert "evil" not in told.text
    assert "location" not in told.headers


def test_what_is_asked_for(connect: Callable[..., Any], provider: SignInService) -> None:
    browser = connect()
    sent = browser.get(START, follow_redirects=False)
    asked = {k: v[0] for k, v in parse_qs(urlsplit(sent.headers["location"]).query).items()}
    assert asked["code_challenge_method"] == "S256"
    assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3
    assert min(map(len, (asked["state"], asked["nonce"], asked["code_challenge"]))) == 43
    secret = browser.cookies["__Host-discreet-sign-in"]
    assert secret not in sent.headers["location"]
    assert SECRET not in sent.headers["location"]
    again = connect(like=browser).get(START, follow_redirects=False)
    other = {k: v[0] for k, v in parse_qs(urlsplit(again.headers["location"]).query).items()}
    assert not {other[k] for k in ("state", "nonce")} & {asked[k] for k in ("state", "nonce")}
    cookie = sent.headers["set-cookie"]
    for word in ("HttpOnly", "Secure", "SameSite=lax", "Path=/", "Max-Age=600"):
        assert word in cookie


def test_a_service_that_is_down(connect: Callable[..., Any], provider: SignInService, people: dict[str, str]) -> None:
    browser = connect()
    provider.stop()
    told = browser.get(START, follow_redirects=False)
    assert told.status_code == 503
    assert "cannot be reached" in told.text
    done = browser.post("/login", data={"token": people["analyst"]}, follow_redirects=False)
    assert done.status_code == 303  # tokens work all the same


def test_without_a_service_there_is_no_way_there(web: Callable[..., Any]) -> None:
    assert web().get(START).status_code == 404
    assert web().get(BACK).status_code == 404
    assert "office account" not in web().get("/login").text


def test_failures_lock_nobody_out(web: Callable[..., Any], people: dict[str, str], database: Database) -> None:
    """Whoever fails a hundred times at an office's proxy must not keep its people from their work."""
    codes = [web().post("/login", data={"token": f"wrong{i}"}).status_code for i in range(MOST + 5)]
    assert codes == [401] * MOST + [429] * 5
    assert "retry-after" in web().post("/login", data={"token": "wrong"}).headers
    done = web().post("/login", data={"token": people["analyst"]}, follow_redirects=False)
    assert done.status_code == 303
    assert [c["number"] for c in entries(database, "sign-ins failed")] == [1]  # the rest at the next minute


def test_an_account_does_not_fill_the_database(
    web: Callable[..., Any], people: dict[str, str], database: Database
) -> None:
    codes = [
        web().post("/login", data={"token": people["analyst"]}, follow_redirects=False).status_code
        for _ in range(MOST + 2)
    ]
    assert codes == [303] * MOST + [429] * 2
    assert sessions(database) == MOST
    assert web().post("/login", data={"token": people["custodian"]}, follow_redirects=False).status_code == 303


def test_a_session_lasts_as_long_as_is_set(database: Database, people: dict[str, str]) -> None:
    from datetime import UTC, datetime, timedelta

    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, session_hours=0.5), database), base_url=ADDRESS)
    done = client.post("/login", data={"token": people["analyst"]}, follow_redirects=False)
    assert "Max-Age=1800" in done.headers["set-cookie"]
    with database.reading() as connection:
        end = connection.execute(select(Session.expires)).scalar_one()
    assert timedelta(minutes=29) < end.replace(tzinfo=UTC) - datetime.now(UTC) <= timedelta(minutes=30)
