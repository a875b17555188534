"""Sentences that several instruments have in common."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.errors import listing

OTHER_RELEASES = (
    "Other releases about the same people, and files that somebody else holds: whoever combines them with this one may "
    "learn more than from this one."
)
SHARED = "What all of them have in common, in whatever column, is told about each of them."


def columns(names: Sequence[str]) -> str:
    """`the column a`, or `the columns a, b and c`."""
    return f"the column {names[0]}" if len(names) == 1 else f"the columns {listing(names)}"


def once_in(k: int) -> str:
    """How often a guess among k is right."""
    return "always" if k == 1 else f"once in {k} times at most"
