"""`certify` from the outside: valid bounds, honest status, the same figures every time."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from oracles.certificate import optimum, random_points
from references import reference

from discreet.errors import InputError
from discreet.microaggregation.certificate import certify
from discreet.microaggregation.certificate.neighbor_bound import neighbor_bound
from discreet.microaggregation.problem import check_partition, sse, standardize


def test_nearest_neighbors_may_prove_as_much_as_any_multipliers() -> None:
    """Cuts then begin with multipliers that are not those of the best proof."""
    points = np.array(
        [[0, 0, 1], [0, 0, -1], [-1, 0, 0], [1, -1, 1], [-1, -1, 1], [-2, -1, 0], [0, -1, -1]], dtype=np.float64
    )
    for effort in ("default", "best"):
        found = certify(points, 2, effort=effort)
        assert found.status == "optimal" and found.sse == pytest.approx(optimum(points, 2), rel=2e-7)
        assert found.lower_bound <= optimum(points, 2) * (1 + 1e-12)


@pytest.mark.parametrize("block", range(4))
def test_bounds_hold_and_optimal_means_optimal(block: int) -> None:
    for seed in range(30 * block, 30 * block + 30):
        random = np.random.default_rng(seed)
        n = int(random.integers(4, 12))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        best = optimum(points, k)
        found = certify(points, k, effort=str(random.choice(["fast", "default"])))
        assert found.lower_bound <= best * (1 + 1e-12) + 1e-300
        assert found.sse >= best * (1 - 1e-12)
        assert found.sse == sse(points, found.labels)
        check_partition(found.labels, n, k)
        if found.status == "optimal":
            assert found.sse == pytest.approx(best, rel=2e-7, abs=1e-12)
            assert found.lower_bound == pytest.approx(best, rel=2e-7, abs=1e-12)


def test_most_small_instances_are_proven() -> None:
    states = []
    for seed in range(12):
        points = np.random.default_rng(seed).standard_normal((25, 3))
        states.append(certify(points, 3).status)
    assert states.count("optimal") >= 11


def test_a_partition_that_is_given_is_never_made_worse() -> None:
    points = np.random.default_rng(1).standard_normal((40, 3))
    best = certify(points, 4)
    again = certify(points, 4, labels=best.labels, effort="fast")
    assert again.sse <= best.sse
    assert again.lower_bound <= best.sse


def test_no_time_still_gives_a_bound() -> None:
    points = np.random.default_rng(2).standard_normal((60, 3))
    found = certify(points, 3, time_limit=0)
    assert found.status == "time limit"
    assert found.bound == "nearest neighbors"
    assert found.lower_bound == pytest.approx(neighbor_bound(points, 3))
    assert 0 < found.lower_bound < certify(points, 3).sse


def test_interruption_returns_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.microaggregation.certificate.master import cut_master

    def interrupt(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    points = np.random.default_rng(5).standard_normal((60, 3))
    whole = certify(points, 4)
    monkeypatch.setattr(cut_master.CutMaster, "separate", interrupt)
    found = certify(points, 4)
    assert found.status in ("interrupted", "optimal")
    assert neighbor_bound(points, 4) < found.lower_bound <= whole.sse


def test_scale_moves_every_figure_and_nothing_else() -> None:
    points = np.random.default_rng(6).standard_normal((40, 2))
    one, large = certify(points, 3), certify(points * 2.0**20, 3)
    assert np.array_equal(one.labels, large.labels)
    assert large.lower_bound == one.lower_bound * 2.0**40
    tiny = certify(points * 1e-8, 3)
    assert tiny.status == one.status
    assert tiny.lower_bound == pytest.approx(one.lower_bound * 1e-16)


def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(7).standard_normal((50, 3))
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        found.append(certify(points, 3).to_json())
    assert found[0] == found[1]


def test_special_cases() -> None:
    points = np.random.default_rng(8).standard_normal((9, 2))
    assert certify(points, 1).lower_bound == 0.0
    alone = certify(points, 5)
    assert alone.bound == "only partition"
    assert alone.lower_bound == alone.sse > 0
    line = certify(points[:, :1], 2)
    assert line.bound == "dynamic programming"
    assert line.sse == pytest.approx(optimum(points[:, :1], 2))
    twins = certify(np.repeat(points[:4], 3, axis=0), 3, labels=np.repeat(np.arange(4), 3))
    assert twins.status == "optimal"
    assert twins.lower_bound == 0.0
    equal = certify(np.zeros((12, 3)), 3)
    assert equal.lower_bound == equal.sse == 0.0


def test_faults_come_together() -> None:
    with pytest.raises(InputError) as caught:
        certify(np.full((5, 2), np.nan), 9, effort="heroic")
    assert len(caught.value.faults) == 3


def test_progress_shows_partition_bound_and_gap() -> None:
    seen = []
    points = np.random.default_rng(9).standard_normal((50, 3))
    found = certify(points, 3, progress=seen.append)
    figures = [dict(step.figures) for step in seen if step.figures]
    assert {"sse", "bound", "gap"} <= set(figures[-1])
    assert figures[-1]["bound"] == pytest.approx(found.lower_bound, rel=1e-2)
    assert all(a["bound"] <= b["bound"] for a, b in pairwise(figures))


def test_payload_is_json_and_says_what_it_is() -> None:
    found = certify(np.random.default_rng(10).standard_normal((40, 3)), 3)
    payload = json.loads(found.to_json())
    assert payload["lower_bound"] == found.lower_bound
    assert len(payload["multipliers"]) == 40


@pytest.mark.parametrize(("name", "loss"), [("census.csv", 8.934836), ("tarragona.csv", 27.914528)])
def test_the_first_200_rows_are_solved(name: str, loss: float) -> None:
    values = np.loadtxt(reference(name), delimiter=",", skiprows=1)[:200]
    points = standardize(values)
    found = certify(points, 3)
    assert found.status == "optimal"
    assert 100 * found.sse / np.square(points).sum() == pytest.approx(loss, abs=2e-6)
