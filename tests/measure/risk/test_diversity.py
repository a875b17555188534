from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet.measure.risk.diversity import closeness, diversity
from discreet.measure.risk.frequencies import classes
from tests.oracles import risk as oracle

COLUMNS = arrays(np.int64, st.tuples(st.integers(1, 25), st.just(2)), elements=st.integers(0, 4))


@given(COLUMNS, st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_diversity_of_every_class(columns: np.ndarray, c: float) -> None:
    found = classes(columns[:, :1])
    of = diversity(found, columns[:, 1], c=c)
    for number in range(len(found.size)):
        counts = np.unique(columns[found.of == number, 1], return_counts=True)[1].tolist()
        distinct, entropy, recursive = oracle.diversity(counts, c)
        assert (of.distinct[number], of.recursive[number]) == (distinct, recursive)
        assert of.entropy[number] == pytest.approx(entropy)


@given(COLUMNS)
def test_closeness_is_the_cost_of_moving_shares(columns: np.ndarray) -> None:
    found, values = classes(columns[:, :1]), columns[:, 1]
    span = int(values.max()) + 1
    overall = np.bincount(values, minlength=span) / len(values)
    equal, ordered = closeness(found, values), closeness(found, values, ordered=True)
    for number in range(len(found.size)):
        inside = values[found.of == number]
        apart = np.bincount(inside, minlength=span) / len(inside) - overall
        assert equal[number] == pytest.approx(0.5 * np.abs(apart).sum(), abs=1e-12)
        moved = np.abs(np.cumsum(apart)).sum() / max(1, span - 1)
        assert ordered[number] == pytest.approx(moved, abs=1e-12)
