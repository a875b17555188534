"""Parts of refused margins: what an intruder infers from all answers, by listing every table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, looks_the_same, margin, safe

from discreet.release.decision import Decision, Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.offers.offer import MOST_CELLS, find_offer, public_of
from discreet.release.policy import Policy

SHAPES = [(2, 2), (2, 3), (2, 2, 2)]


def answers(counts: np.ndarray, policy: Policy, known: Sequence[int], requests: Sequence[int]) -> list[Decision]:
    """Decisions one after the other."""
    table = Table.from_array(counts)
    frontier = Frontier()
    for mask in known:
        frontier = frontier.release(mask)
    state, made = Situation(table, frontier), []
    for request in requests:
        made.append(decide(state, policy, request))
        carried = state.carried if made[-1].carried is None else made[-1].carried
        state = Situation(table, made[-1].frontier, carried, made[-1].unresolved)
    return made


@given(
    st.data(),
    st.sampled_from(SHAPES),
    st.sampled_from(["suppress", "round"]),
    st.integers(1, 2),
    st.integers(1, 3),
    st.sampled_from([1, 1, 3]),
)
@settings(max_examples=120, deadline=None)
def test_all_that_is_told_together_keeps_the_rule(
    data: st.DataObject, shape: tuple[int, ...], otherwise: str, c: int, w: int, min_tables: int
) -> None:
    cells = int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells)))
    while counts.sum() > 7:
        counts[np.argmax(counts)] -= 1
    tables = all_tables(shape, int(counts.sum()))
    base = data.draw(st.integers(2, 9)) if otherwise == "round" else 1
    policy = Policy(c=c, w=w, otherwise=otherwise, base=base, min_tables=min_tables, time_limit=60)  # type: ignore[arg-type]
    if not safe(counts, tables, c, w, min_tables):
        return  # the total alone tells too much
    requests = data.draw(st.lists(st.integers(0, 2 ** len(shape) - 1), min_size=1, max_size=6))
    for made in answers(counts.reshape(shape), policy, [0], requests):
        released, parts = made.frontier.public
        assert safe(counts, looks_the_same(tables, shape, counts, released, parts), c, w, min_tables)
        assert len({part.mask for part in parts}) == len(parts)
        assert not any(made.frontier.covers(part.mask) for part in parts)
        assert (made.partial is not None) == (made.answer in ("suppress", "round"))


def test_offers_are_made() -> None:
    """Four margins of one table are told in part, each beside the others."""
    counts = np.array([[[1, 4], [6, 2]], [[5, 7], [3, 9]]])
    made = answers(counts, Policy(c=2, w=7, otherwise="suppress"), [0], [0b011, 0b101, 0b110, 0b111])
    assert [one.answer for one in made].count("suppress") >= 2
    rounded = answers(counts, Policy(otherwise="round", base=7), [], [0b111, 0b111])
    assert [(one.answer, one.ground, one.new) for one in rounded] == [
        ("round", "danger", True),
        ("round", "contained", False),
    ]


@pytest.mark.parametrize("otherwise", ["suppress", "round"])
@pytest.mark.parametrize(
    ("shape", "known", "total"), [((2, 3), [0b01, 0b10], 5), ((2, 2, 2), [0b011, 0b110], 4), ((3, 2), [0b01], 6)]
)
def test_simulatable_tells_nothing_by_what_it_hides(
    shape: tuple[int, ...], known: list[int], total: int, otherwise: str
) -> None:
    """An intruder who knows the algorithm runs it on every table: those with the same answers are all that is left.

    For each table, the rule holds among these; and they are those that have the same numbers, so that neither which
    counts are hidden nor what is refused tells anything more.
    """
    told_in_part = 0
    tables, whole = all_tables(shape, total), 2 ** len(shape) - 1
    requests = [whole, 1, whole - 1, whole]
    for c, w, base in ((1, 1, 3), (2, 2, 4), (1, 2, 6)):
        rounding = {"base": base} if otherwise == "round" else {}
        policy = Policy(c=c, w=w, mode="simulatable", otherwise=otherwise, **rounding)  # type: ignore[arg-type]
        groups: dict[object, list[np.ndarray]] = defaultdict(list)
        public = {}
        for counts in tables:
            made = answers(counts.reshape(shape), policy, known, requests)
            told = [(one.answer, one.ground, *_seen(counts, shape, one, at)) for one, at in zip(made, requests)]
            start = [margin(counts[None], shape, axes_of(mask)).tobytes() for mask in known]
            groups[tuple(start), tuple(told)].append(counts)
            public[counts.tobytes()] = made[-1].frontier.public
            told_in_part += sum(one.new and one.partial is not None for one in made)
        for group in groups.values():
            alike = np.array(group)
            by_numbers = looks_the_same(tables, shape, alike[0], *public[alike[0].tobytes()])
            assert sorted(map(tuple, alike)) == sorted(map(tuple, by_numbers))
            before = looks_the_same(tables, shape, alike[0], known, [])
            if all(safe(table, before, c, w) for table in before):
                assert all(safe(table, alike, c, w) for table in alike)
            else:  # what is public at the start breaks the rule for one of them: nothing more is told of any
                assert len(alike) == len(before)
    assert told_in_part


def _seen(counts: np.ndarray, shape: tuple[int, ...], made: Decision, mask: int) -> list[object]:
    own = margin(counts[None], shape, axes_of(mask))[0]
    if made.answer == "refuse":
        return []
    if made.partial is None:
        return own.tolist()
    hidden = made.partial.flags(own.size)
    return [None if gone else int(n) for n, gone in zip(made.partial.told(own), hidden)]


def test_in_mode_exact_which_count_is_hidden_does_tell() -> None:
    """What the page on decisions says is not covered: where only sensitive counts are hidden, that much is known."""
    policy = Policy(c=2, w=3, otherwise="suppress")
    (made,) = answers(np.array([[1, 8], [7, 9]]), policy, [], [0b11])
    assert made.partial is not None and made.partial.hidden == (0,)
    alike = [n for n in range(12) if answers(np.array([[n, 8], [7, 9]]), policy, [], [0b11])[0].partial == made.partial]
    assert alike == [1, 2]


@pytest.mark.parametrize("otherwise", ["suppress", "round"])
def test_what_was_told_stays_and_is_not_decided_again(otherwise: str) -> None:
    counts = np.array([[1, 4, 2], [5, 7, 3]])
    policy = Policy(otherwise=otherwise)  # type: ignore[arg-type]
    for order in permutations((0b01, 0b10, 0b11)):
        made = answers(counts, policy, [], [*order, *order])
        assert [one.partial for one in made[3:]] == [made[3].frontier.part(mask) for mask in order]
        assert not any(one.changes for one in made[3:])
        assert [one.answer for one in made[:3]] == [one.answer for one in made[3:]]


def test_a_margin_without_an_offer_is_not_searched_again() -> None:
    policy = Policy(c=2, w=3, otherwise="round", base=2)
    first, again = answers(np.array([[1, 1], [1, 1]]), policy, [], [0b11, 0b11])
    assert (first.answer, first.new, first.frontier.bare) == ("refuse", True, (0b11,))
    assert (again.answer, again.ground, again.changes) == ("refuse", "frontier", False)


def test_large_tables_get_no_offer() -> None:
    table = Table.from_array(np.zeros(MOST_CELLS + 1, np.int64))
    for otherwise in ("suppress", "round"):
        found = find_offer(public_of(table, (), ()), Policy(otherwise=otherwise), 1, 1.0)  # type: ignore[arg-type]
        assert found == (None, True)


def test_a_release_takes_the_place_of_parts_within_it() -> None:
    counts = np.array([[[1, 40], [60, 20]], [[50, 70], [30, 90]]])
    made = answers(counts, Policy(otherwise="suppress", w=9), [], [0b111, 0b011, 0b001])
    frontier = made[-1].frontier
    assert frontier.part(0b111) is not None
    whole = frontier.release(0b111)
    assert whole.partials == () and whole.released == (0b111,)
