"""A small sign-in service (OpenID Connect) with a real port, for the tests; it can be told to misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT, SECRET = "discreet", "a secret between the two"


@cache
def new_key(name: str) -> RSAKey:
    """A key of this name, made once."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig"}, private=True)


@dataclass
class SignInService:
    """Whoever is sent here is `person`, at once. `changed` overrides claims; `removed` leaves some out."""

    redirect_uri: str
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "u-1", "preferred_username": "ann"})
    changed: dict[str, Any] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    algorithm: str = "RS256"
    header: dict[str, Any] = field(default_factory=dict)
    forget_codes: bool = True
    check_verifier: bool = True
    discovery: dict[str, Any] = field(default_factory=dict)
    answer: dict[str, str] = field(default_factory=dict)
    token_status: int = 200
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.key = new_key("one")
        self.signing = self.key
        self.codes: dict[str, dict[str, str]] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.get(self)

            def do_POST(self) -> None:
                service.post(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def get(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        self.asked.append(parts.path)
        if parts.path == "/.well-known/openid-configuration":
            described = {
                "issuer": self.issuer,
                "authorization_endpoint": self.issuer + "/authorize",
                "token_endpoint": self.issuer + "/token",
                "jwks_uri": self.issuer + "/jwks",
                "authorization_response_iss_parameter_supported": True,
            }
            send(request, 200, {**described, **self.discovery})
        elif parts.path == "/jwks":
            send(request, 200, {"keys": [self.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            given = {k: v[0] for k, v in parse_qs(parts.query).items()}
            good = (
                given.get("client_id") == CLIENT
                and given.get("redirect_uri") == self.redirect_uri
                and given.get("response_type") == "code"
                and given.get("code_challenge_method") == "S256"
                and "openid" in given.get("scope", "").split()
            )
            if not good:
                send(request, 400, {"error": "invalid_request"})
                return
            code = secrets.token_urlsafe(16)
            self.codes[code] = {"nonce": given["nonce"], "challenge": given["code_challenge"]}
            answer = {"code": code, "state": given["state"], "iss": self.issuer, **self.answer}
            request.send_response(302)
            request.send_header("Location", self.redirect_uri + "?" + urlencode({k: v for k, v in answer.items() if v}))
            request.end_headers()
        else:
            send(request, 404, {})

    def post(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0))).decode()
        self.asked.append(request.path)
        given = {k: v[0] for k, v in parse_qs(body).items()}
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        code = given.get("code", "")
        known = self.codes.pop(code, None) if self.forget_codes else self.codes.get(code)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if self.token_status != 200:
            send(request, self.token_status, {"error": "temporarily_unavailable"})
        elif request.path != "/token" or request.headers.get("Authorization") != f"Basic {basic}":
            send(request, 401, {"error": "invalid_client"})
        elif (
            known is None
            or given.get("redirect_uri") != self.redirect_uri
            or (self.check_verifier and challenge != known["challenge"])
        ):
            send(request, 400, {"error": "invalid_grant"})
        else:
            token = self.id_token(known["nonce"])
            send(request, 200, {"access_token": "x", "token_type": "Bearer", "id_token": token})

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        claims = {**claims, **self.person, **self.changed}
        claims = {name: value for name, value in claims.items() if name not in self.removed}
        header = {"alg": self.algorithm, "kid": "one", **self.header}
        if self.algorithm == "none":
            parts = (
                base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in (header, claims)
            )
            return ".".join((*parts, ""))
        if self.algorithm == "HS256":  # the public key as the secret of a MAC
            secret = OctKey.import_key(self.key.as_pem(private=False))
            return jwt.encode(header, claims, secret, algorithms=["HS256"])
        return jwt.encode(header, claims, self.signing, algorithms=[self.algorithm])


def send(request: BaseHTTPRequestHandler, status: int, content: object) -> None:
    body = json.dumps(content).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
