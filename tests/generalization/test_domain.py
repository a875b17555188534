from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.generalization import domain as domains
from discreet.generalization.domain import FINEST, MEAN
from discreet.solvers.assignment import GREATEST


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.floats(-1e300, 1e300) | st.just(float("nan")), min_size=1, max_size=30),
    offset=st.sampled_from([0.0, 1e6]),
)
def test_a_mean_has_ranks_and_standard_deviations(values: list[float], offset: float) -> None:
    numbers = np.array(values) + offset
    attribute = domains.mean("x", numbers)
    known = np.unique(numbers[~np.isnan(numbers)])
    assert attribute.kind == MEAN
    assert attribute.position is not None
    assert attribute.size == attribute.position.size == known.size + int(np.isnan(numbers).any())
    assert (np.isnan(attribute.position[attribute.codes]) == np.isnan(numbers)).all()
    assert (known[attribute.codes[~np.isnan(numbers)]] == numbers[~np.isnan(numbers)]).all()
    x = attribute.position[attribute.codes][~np.isnan(numbers)]
    assert np.isfinite(x).all()
    if known.size > 1 and x.any():
        assert x.var() == pytest.approx(1.0)
        assert (np.diff(attribute.position[: known.size]) >= 0).all()
    else:
        assert not x.any()
    domains.domain([attribute])


def test_positions_are_differences_in_standard_deviations_however_far_from_zero() -> None:
    values = 1e15 + np.arange(8.0)
    attribute = domains.mean("x", values)
    assert attribute.position is not None
    assert np.diff(attribute.position) == pytest.approx(1 / np.arange(8.0).std())


def test_weights_scale_variances() -> None:
    domain = domains.domain([domains.mean("x", np.arange(4.0), weight=3.0), domains.numeric("y", np.arange(4.0))])
    t = domain.tables
    assert (t.position[3] - t.position[0]) ** 2 == pytest.approx(1.5 * (3 / np.arange(4.0).std()) ** 2)


def test_the_scale_leaves_room_for_distant_numbers_down_to_the_finest() -> None:
    boxes = domains.domain([domains.numeric("y", np.arange(4.0)), domains.numeric("z", np.arange(4.0))])
    assert boxes.tables.scale == GREATEST / 2
    near = domains.domain([domains.mean("x", np.arange(4.0))]).tables
    span = float(np.nanmax(near.position) - np.nanmin(near.position))
    assert near.scale == pytest.approx(GREATEST / (1 + span**2 / 4))
    far = np.zeros(1_000_000)
    far[0] = 1.0
    assert domains.domain([domains.mean("x", far)]).tables.scale == FINEST


def test_what_a_mean_cannot_be() -> None:
    with pytest.raises(InputError, match="infinite"):
        domains.domain([domains.mean("x", np.array([1.0, np.inf, 2.0, np.nan]))])
    wrong = domains.Attribute("x", MEAN, np.array([0, -1], np.int32), 1, np.zeros(1))
    with pytest.raises(InputError, match="gap is a value"):
        domains.domain([wrong])
