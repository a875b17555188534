"""Metrics at a port of their own, for a scraper on the same machine: bound to 127.0.0.1, without a token.

The library that counts looks for the folder that processes share when it is imported: it is imported here late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import InputError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
ADDRESS = "127.0.0.1"


def shared_registry() -> CollectorRegistry:
    """The counts of all processes of this server."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def serve_metrics(port: int) -> None:
    """Answer at this port from a thread, until the process ends."""
    from prometheus_client import start_http_server

    try:
        start_http_server(port, ADDRESS, shared_registry())
    except OSError as error:
        raise InputError(
            f"cannot serve metrics on {ADDRESS}, port {port}: {error.strerror or error}; try another --metrics-port"
        ) from None
