from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet.measure.risk.frequencies import classes, frequencies
from tests.oracles import risk as oracle


@pytest.mark.parametrize("missing", ["value", "wildcard"])
@given(
    keys=arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(-1, 2)),
    alpha=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_f_and_F_are_those_of_the_definition(missing: str, keys: np.ndarray, alpha: float) -> None:
    weights = np.arange(1, len(keys) + 1).astype(np.float64)
    found = classes(keys)
    f, F = frequencies(keys, found, weights, missing=missing, alpha=alpha)
    expected = oracle.frequencies(keys, weights, missing, alpha)
    assert np.allclose(f[found.of], expected[0], rtol=1e-12)
    assert np.allclose(F[found.of], expected[1], rtol=1e-12)


def test_without_weights_the_file_is_the_population() -> None:
    keys = np.array([[0], [0], [1]])
    found = classes(keys)
    f, F = frequencies(keys, found, None)
    assert f[found.of].tolist() == F[found.of].tolist() == [2, 2, 1]
    assert found.first.tolist() == [0, 2]


def test_more_combinations_than_a_code_can_number() -> None:
    """Fifty keys with many values each: classes are numbered anew on the way."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 1000, (40, 50))
    keys = rows[rng.integers(0, 40, 300)]
    found = classes(keys)
    for i in range(300):
        assert ((keys == keys[i]).all(axis=1) == (found.of == found.of[i])).all()
