"""The simulation of a run on a cluster agrees with what can be computed otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.list_scheduling import end_of_stages

from benchmarks.scale_simulation import Weather, simulate

STAGES = st.lists(st.lists(st.integers(1, 100), max_size=12), min_size=1, max_size=3)


@given(stages=STAGES, workers=st.integers(1, 5))
def test_in_fair_weather_it_is_list_scheduling(stages: list[list[int]], workers: int) -> None:
    outcome = simulate(stages, workers, Weather(), seed=0)
    assert outcome.seconds == end_of_stages(stages, workers)
    assert outcome.useful == sum(map(sum, stages))
    assert (outcome.lost, outcome.deaths) == (0, 0)
    assert outcome.seconds <= sum(sum(stage) / workers + max(stage, default=0) for stage in stages)


@given(stages=STAGES, workers=st.integers(1, 5), seed=st.integers(0, 99))
def test_every_task_ends_and_a_death_costs_one_task_at_most(stages: list[list[int]], workers: int, seed: int) -> None:
    weather = Weather(slow_share=0.2, slow_factor=3.0, deaths=30.0, restart=5.0)
    outcome = simulate(stages, workers, weather, seed)
    assert all(count >= 1 for counts in outcome.runs for count in counts)
    again = sum(sum(counts) - len(counts) for counts in outcome.runs)
    assert again <= outcome.deaths
    assert (outcome.lost > 0) == (again > 0)
    assert outcome.useful >= sum(map(sum, stages))
    assert outcome.seconds >= sum(map(sum, stages)) / workers - 1e-9
    assert outcome == simulate(stages, workers, weather, seed)


def test_one_worker_takes_as_long_as_the_formula_says() -> None:
    """Until a worker that dies λ times a second has lived through T seconds: (e^λT − 1)(1/λ + R) on the average."""
    weather = Weather(deaths=360.0, restart=4.0)
    times = np.array([simulate([[15.0]], 1, weather, seed).seconds for seed in range(4000)])
    expected = (math.exp(1.5) - 1) * (10.0 + 4.0)
    assert abs(times.mean() - expected) < 4 * times.std() / math.sqrt(len(times))


def test_slow_tasks_cost_their_share() -> None:
    weather = Weather(slow_share=0.1, slow_factor=5.0)
    outcome = simulate([[1.0] * 20000], 10, weather, seed=1)
    assert outcome.useful == pytest.approx(20000 * 1.4, rel=0.03)
