"""Certified microaggregation: a lower bound on the SSE of every partition, and a file that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.facade import Certificate, certify
    from discreet.microaggregation.certificate.heuristic_mp import column_generation

__all__ = ["Certificate", "certify", "column_generation"]

_HOMES = {"Certificate": "facade", "certify": "facade", "column_generation": "heuristic_mp"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
