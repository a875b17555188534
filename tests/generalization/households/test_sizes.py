from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generalization.households.sizes import Nouns, plan


def _twin(sizes: list[int], k: int) -> list[int] | None:
    """Published sizes under merge, household after household: the largest ones that are too few lose a member."""
    out = list(sizes)
    while True:
        counts = Counter(out)
        few = [size for size, count in counts.items() if count < k]
        if not few:
            return out
        size = max(few)
        smaller = [other for other in sizes if other < size]
        if not smaller:
            return None
        out = [max(smaller) if own == size else own for own in out]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.integers(2, 5))
def test_merging_shrinks_the_largest_rare_size_first(sizes: list[int], k: int) -> None:
    expected = _twin(sizes, k)
    if expected is None:
        with pytest.raises(InputError, match="finds no smaller size"):
            plan(np.array(sizes), k, "merge")
    else:
        assert plan(np.array(sizes), k, "merge").tolist() == expected


SIZES = np.array([1] * 5 + [2] * 6 + [3] * 2 + [7])


def test_an_error_counts_households_and_persons_and_names_the_ways_out() -> None:
    with pytest.raises(InputError) as error:
        plan(SIZES, 5, "error")
    text = str(error.value)
    assert "2 households of size 3 (6 persons), 1 household of size 7 (7 persons)" in text
    assert all(f'rare="{way}"' in text for way in ("merge", "suppress", "unlink"))
    assert "leave the household out" in text


def test_units_may_be_persons() -> None:
    with pytest.raises(InputError, match=r"2 persons of size 3 \(6 rows\)"):
        plan(SIZES, 5, "error", Nouns("person", "row"))


def test_where_no_size_is_rare_the_policy_does_not_matter() -> None:
    for rare in ("error", "merge", "suppress", "unlink"):
        assert plan(SIZES[:11], 5, rare).tolist() == SIZES[:11].tolist()


def test_suppressed_and_unlinked() -> None:
    assert plan(SIZES, 5, "suppress").tolist() == [1] * 5 + [2] * 6 + [0] * 3
    assert plan(SIZES, 5, "unlink").tolist() == [1] * 5 + [2] * 6 + [-1] * 3


def test_a_policy_that_cannot_help_says_so() -> None:
    with pytest.raises(InputError, match="would publish nothing"):
        plan(np.array([3, 3]), 5, "suppress")
    with pytest.raises(InputError, match="fewer than k"):
        plan(np.array([1] * 9 + [3]), 5, "unlink")
    with pytest.raises(InputError, match="finds no smaller size") as error:
        plan(np.array([1, 1, 2, 2, 2, 2, 2]), 5, "merge")
    assert 'rare="merge" (' not in str(error.value)
    assert 'rare="suppress" (' in str(error.value)
