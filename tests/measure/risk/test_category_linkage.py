from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.risk.category_linkage import asked, category_linkage
from tests.oracles import perturbation as oracle


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n, d = draw(st.integers(1, 15)), draw(st.integers(1, 3))
    cells = st.lists(st.integers(-1, 2), min_size=n * d, max_size=n * d).map(lambda c: np.array(c).reshape(n, d))
    blocks = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    return draw(cells), draw(cells), np.unique(blocks, return_inverse=True)[1].ravel()


@given(tables())
def test_links_are_those_of_all_pairs_ties_shared(table: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    original, published, blocks = table
    assert category_linkage(original, published) == pytest.approx(
        oracle.category_linked(original, published, np.zeros(len(blocks)))
    )
    assert category_linkage(original, published, blocks=blocks) == pytest.approx(
        oracle.category_linked(original, published, blocks)
    )


def test_in_a_large_file_some_persons_are_asked_from_the_first_to_the_last() -> None:
    assert asked(50, 10**12).tolist() == list(range(50))
    some = asked(10**6, 10**6)
    assert len(some) == 200 and some[0] == 0 and some[-1] == 10**6 - 1
    assert len(asked(10**6, 10**5)) == 2000
