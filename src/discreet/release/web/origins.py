"""Whether a form comes from the server's own pages, without believing the Host header, which anyone can write.

A browser says where a form stands (`Sec-Fetch-Site`, `Origin`), and no page can make it say otherwise. The origin must
be the declared public address; where none is declared, the browser's word that it is the same suffices, or the address
the connection in fact came to.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import Request

PORTS = {"http": 80, "https": 443}


def from_here(request: Request) -> bool:
    """False where a browser says that the form stands elsewhere."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site not in (None, "same-origin", "none"):
        return False
    if origin is None:  # not a form of a browser of today
        return True
    declared = request.app.state.settings.public_url
    if declared is not None:
        return _parts(origin) is not None and _parts(origin) == _parts(declared)
    return site == "same-origin" or _is_own(request, origin)


def is_origin(text: str) -> bool:
    """Whether it is a scheme and a host and nothing more."""
    return _parts(text) is not None and urlsplit(text).path in ("", "/")


def is_network(text: str) -> bool:
    """Whether it is the address of a machine or of a network."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _parts(origin: str) -> tuple[str, str, int] | None:
    """Scheme, host and port."""
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not host or "@" in parts.netloc or parts.query or parts.fragment:
        return None
    return parts.scheme, host, port or PORTS[parts.scheme]


def _is_own(request: Request, origin: str) -> bool:
    """Whether the origin is the address that the connection came to."""
    parts, server = _parts(origin), request.scope.get("server")
    if parts is None or server is None or server[1] is None or parts[2] != server[1]:
        return False
    return parts[1] == server[0] or (parts[1] == "localhost" and _is_loopback(server[0]))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
