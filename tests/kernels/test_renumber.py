"""Labels by first appearance, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.renumber import renumber


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@given(st.lists(st.integers(0, 9), max_size=40))
def test_labels_by_first_appearance(dtype: type, labels: list[int]) -> None:
    names: dict[int, int] = {}
    expected = [names.setdefault(label, len(names)) for label in labels]
    found = renumber(np.array(labels, dtype))
    assert found.tolist() == expected
    assert found.dtype == dtype
