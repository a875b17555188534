from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.perturbed.linkage import as_numbers, found_again
from discreet.verify.readers import open_table
from tests.oracles import perturbation as oracle


def columns(frame: pd.DataFrame) -> list:
    return open_table(frame, "a frame").columns(list(frame.columns))


@given(st.integers(2, 12), st.integers(0, 999))
def test_categories_are_linked_as_in_the_slow_way(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    old, new, block = rng.integers(0, 3, (n, 2)), rng.integers(0, 3, (n, 2)), rng.integers(0, 2, n)
    names = dict(enumerate("xyz"))
    before, after = (pd.DataFrame(table, columns=["a", "b"]).replace(names).astype(str) for table in (old, new))
    share, asked = found_again(columns(before), columns(after), columns(pd.DataFrame({"k": block})))
    assert asked == n
    assert share == pytest.approx(np.mean(oracle.category_linked(old, new, block)))


def test_numbers_are_linked_by_distance_and_gaps_to_gaps() -> None:
    before = pd.DataFrame({"x": [1.0, 2.0, 9.0, None]})
    assert found_again(columns(before), columns(before))[0] == 1.0
    after = pd.DataFrame({"x": [1.2, 1.9, 5.0, None]})
    assert found_again(columns(before), columns(after))[0] == 1.0
    swapped = pd.DataFrame({"x": [2.0, 1.0, 9.0, None]})
    assert found_again(columns(before), columns(swapped))[0] == 0.5


def test_texts_are_no_numbers() -> None:
    words, numbers = columns(pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}))
    assert as_numbers(words) is None
    assert as_numbers(numbers).tolist() == [1.0, 2.0]
