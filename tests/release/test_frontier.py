"""Frontiers against plain lists of everything that was released and refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from discreet.release.frontier import Frontier, axes_of, mask_of

masks = st.integers(0, 63)


@given(st.lists(st.tuples(st.booleans(), masks), max_size=20), masks)
def test_knows_what_plain_lists_know(history: list[tuple[bool, int]], asked: int) -> None:
    frontier, released, refused = Frontier(), [], []
    for good, mask in history:
        if good:
            frontier = frontier.release(mask)
            released.append(mask)
        else:
            frontier = frontier.refuse(mask)
            refused.append(mask)
    assert frontier.covers(asked) == any(set(axes_of(asked)) <= set(axes_of(m)) for m in released)
    assert frontier.forbids(asked) == any(set(axes_of(m)) <= set(axes_of(asked)) for m in refused)


@given(st.lists(masks, max_size=20))
def test_keeps_only_what_is_needed(history: list[int]) -> None:
    frontier = Frontier()
    for mask in history:
        frontier = frontier.release(mask).refuse(mask)
    assert not any(a & b == a and a != b for a in frontier.released for b in frontier.released)
    assert not any(a & b == a and a != b for a in frontier.refused for b in frontier.refused)


def test_refusals_can_be_forgotten() -> None:
    frontier = Frontier().refuse(0b110)
    assert frontier.release(0b1).refused == (0b110,)
    assert frontier.release(0b1, forget_refusals=True).refused == ()


@given(st.sets(st.integers(0, 60)))
def test_masks_and_axes_are_the_same(axes: set[int]) -> None:
    assert axes_of(mask_of(axes)) == tuple(sorted(axes))
