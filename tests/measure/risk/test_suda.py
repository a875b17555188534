from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.suda import dis, suda
from tests.oracles import risk as oracle

TABLES = arrays(np.int64, st.tuples(st.integers(2, 15), st.integers(1, 5)), elements=st.integers(-1, 2))


@given(TABLES)
def test_scores_and_parts_are_those_of_all_minimal_uniques(keys: np.ndarray) -> None:
    d = keys.shape[1]
    uniques = oracle.minimal_uniques(keys)
    found = suda(keys, classes(keys))
    assert found.score.tolist() == [oracle.suda_score(sets, d) for sets in uniques]
    for i, sets in enumerate(uniques):
        for j in range(d):
            part = oracle.suda_score({chosen for chosen in sets if j in chosen}, d)
            assert found.part[i, j] == pytest.approx(part / found.score[i] if found.score[i] else 0)


@given(TABLES, st.integers(1, 4))
def test_only_small_sets_where_asked(keys: np.ndarray, largest: int) -> None:
    d = keys.shape[1]
    uniques = [{chosen for chosen in sets if len(chosen) <= largest} for sets in oracle.minimal_uniques(keys)]
    found = suda(keys, classes(keys), largest=largest)
    assert found.score.tolist() == [oracle.suda_score(sets, d) for sets in uniques]


def coded(columns: list[str]) -> np.ndarray:
    return np.stack([np.unique(column.split(), return_inverse=True)[1] for column in columns], axis=1)


def test_printed_examples() -> None:
    """The rows of sdcMicro's tests and of the guidelines of the IHSN."""
    book = coded(
        [
            "20 20 20 20 20 20 20 60",
            "m m m m f f f m",
            "50+ 50+ 50- 50- 50- 50- 50- 50-",
            "high high high high univ high middle univ",
        ]
    )
    assert suda(book, classes(book)).score.tolist() == [0, 0, 0, 0, 4, 2, 6, 8]
    guide = coded(
        ["U U U U R U U U U U", "F F F M F M F M F F", "SI SI PI SC SC SC PC PS SI SI", "E E N E U E N U N N"]
    )
    assert suda(guide, classes(guide)).score.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]


def test_chances_rise_with_the_score_and_the_share_that_is_found() -> None:
    score = np.array([0.0, 2.0, 24.0, 2.0])
    low, high = (dis(score, 5, pairs=6, fraction=fraction) for fraction in (0.01, 0.1))
    assert low[0] == 0 and low[1] == low[3] < low[2] < 1
    assert (low[1:] < high[1:]).all()
    assert dis(score, 5, pairs=0, fraction=0.01).tolist() == [0, 1, 1, 1], "without pairs every find is right"
    # By hand: Q = 1.15, A = 2·2^−1.15 + 24^−1.15.
    a = 2 * 2**-1.15 + 24**-1.15
    assert low[2] == pytest.approx(1 / (1 + 6 * 99 / (24**1.15 * a)), rel=1e-12)


def test_one_record_is_no_special_unique() -> None:
    keys = np.array([[1, 2]])
    assert suda(keys, classes(keys)).score.tolist() == [0]
