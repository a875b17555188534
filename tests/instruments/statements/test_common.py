"""Words that several statements share."""

from __future__ import annotations

from discreet.instruments.statements.common import columns, once_in


def test_words() -> None:
    assert columns(["a"]) == "the column a" and columns(["a", "b"]) == "the columns a, b"
    assert once_in(1) == "always" and once_in(5) == "once in 5 times at most"
