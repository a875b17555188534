"""Open questions: when they may be tried again, and how they are kept."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from discreet.release.frontier import Frontier
from discreet.release.policy import LONGEST
from discreet.release.unresolved import (
    LONGEST_PAUSE,
    PAUSE,
    Attempt,
    Unresolved,
    next_limit,
    pause_after,
    read_back,
    still_open,
    tried,
    waits,
    write_down,
)


def test_pauses_double_up_to_a_day() -> None:
    known: Unresolved = {}
    moment, pauses = 1000.0, []
    for _ in range(14):
        assert not waits(known, 5, moment)
        known = tried(known, 5, moment, 10.0)
        pauses.append(known[5].until - moment)
        assert waits(known, 5, known[5].until - 0.01)
        assert not waits(known, 6, moment)
        moment = known[5].until
    assert pauses[:3] == [PAUSE, 2 * PAUSE, 4 * PAUSE]
    assert pauses[-1] == LONGEST_PAUSE == pause_after(10**9)
    assert known[5].tries == 14


def test_limits_double_up_to_eight_times_that_of_the_policy() -> None:
    def after(tries: int, first: float) -> float:
        return next_limit({3: Attempt(tries, 0.0, first)}, 3, first)

    assert next_limit({}, 3, 10.0) == 10.0
    assert [after(tries, 10.0) for tries in (1, 2, 3, 4, 2000)] == [20.0, 40.0, 80.0, 80.0, 80.0]
    assert after(3, 3000.0) == LONGEST


def test_what_is_settled_is_not_open() -> None:
    known = {mask: Attempt(1, 0.0, 1.0) for mask in (0b1, 0b11, 0b110, 0b1110, 0b1000)}
    assert set(still_open(known, Frontier((0b11,), (0b110,)))) == {0b1000}


@given(
    st.dictionaries(
        st.integers(0, 2**62 - 1),
        st.builds(
            Attempt,
            st.integers(1, 100),
            st.floats(0, 1e10).map(lambda x: round(x, 3)),
            st.floats(0.001, LONGEST),
        ),
    )
)
def test_kept_as_text(known: dict[int, Attempt]) -> None:
    assert read_back(json.loads(json.dumps(write_down(known)))) == known
