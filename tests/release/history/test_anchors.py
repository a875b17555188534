"""Heads that were put away betray a ledger that was rewritten as a whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.release.history.anchors import Anchor, anchor_faults, heads_text, parse_anchors
from discreet.release.history.chain import START, Entry, next_entry


def chain_of(size: int) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(size):
        entries.append(next_entry("server", number, entries[-1].hash if entries else START, {"what": str(number)}))
    return entries


@given(st.integers(0, 6), st.integers(0, 6))
def test_every_earlier_head_still_fits(early: int, more: int) -> None:
    entries = chain_of(early + more)
    head = entries[early - 1].hash if early else START
    (anchor,) = parse_anchors("\n".join(heads_text({"server": (early, head)})))
    assert anchor == Anchor("server", early, head)
    assert anchor_faults([anchor], {"server": entries}) == []


@given(st.integers(1, 6), st.integers(0, 6))
def test_a_ledger_written_anew_does_not(early: int, more: int) -> None:
    anchor = Anchor("server", early, chain_of(early)[-1].hash)
    assert len(anchor_faults([anchor], {"server": chain_of(early + more)})) == 1


def test_a_shorter_one_and_a_missing_one() -> None:
    entries = chain_of(3)
    anchor = Anchor("server", 3, entries[-1].hash)
    assert "has 2 entries" in anchor_faults([anchor], {"server": entries[:2]})[0]
    assert "is gone" in anchor_faults([anchor], {})[0]


def test_what_verify_prints_is_an_anchor_too() -> None:
    assert parse_anchors(f"# kept by ann\n\nserver  12 entries  {'a' * 64}\n") == [Anchor("server", 12, "a" * 64)]


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "server 12", f"server x {'a' * 64}", f"server 1 {'a' * 63}"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="anchor"):
        parse_anchors(text)
