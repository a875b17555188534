"""Headers of every answer: what a browser may load, and to whom it may show it."""

from __future__ import annotations

from discreet.release.web.settings import Settings

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
YEAR = 365 * 24 * 3600


def headers_for(settings: Settings) -> dict[str, str]:
    """A server that is declared to be reached by HTTPS tells browsers to keep to it."""
    if settings.public_url is not None and settings.public_url.startswith("https:"):
        return {**HEADERS, "Strict-Transport-Security": f"max-age={YEAR}"}
    return HEADERS
