"""The stages that large files have and small ones skip, on small ones."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate import campaign, certify, facade, proof
from discreet.microaggregation.certificate.partitioning import Partitioned
from discreet.microaggregation.certificate.standing import Standing
from discreet.microaggregation.mdav import mdav
from discreet.microaggregation.problem import renumber
from discreet.scale import workers
from discreet.work import Deadline, Reporter


@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_the_stages_of_large_files_prove_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    points = random.standard_normal((150, 3)) * random.lognormal(size=(150, 1))
    small = certify(points, 3)
    assert small.status == "optimal"
    # Few starts and cuts, so that there is something left to do.
    little = facade.EFFORTS["default"]._replace(descents=1, annealings=0, dives=0, cut_rounds=1)
    monkeypatch.setattr(facade, "EFFORTS", {"default": little})
    for module in (campaign, proof):
        monkeypatch.setattr(module, "SMALL", 10)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        found.append(certify(points, 3))
    assert found[0].status == "optimal"
    assert found[0].detail["windows"] > 2
    assert found[0].sse == pytest.approx(small.sse, rel=1e-7)
    assert found[0].to_json() == found[1].to_json() == found[2].to_json()
    assert found[0].detail == found[1].detail == found[2].detail


@pytest.mark.parametrize("decided", [False, True])
def test_what_a_search_beside_finds_counts_where_the_program_is_cut_off(decided: bool) -> None:
    points = np.random.default_rng(1).standard_normal((30, 2))
    better = renumber(mdav(points, 3))
    standing = Standing(points, 3, np.arange(30) // 3, Deadline(None), Reporter(None))
    before = standing.sse
    cut_off = Partitioned(None, np.inf, 0.0, decided, 7, 0)

    def search(own: Standing, _: object) -> None:
        assert own.offer_partition(better)
        own.count(windows=2)
        assert standing.sse == before

    with workers(None) as pool:
        assert proof._beside(standing, pool, lambda: cut_off, search) is cut_off
    assert (standing.sse == before) == decided
    assert standing.counts.get("windows", 0) == (0 if decided else 2)


def test_a_cancelled_search_beside_keeps_what_it_found() -> None:
    points = np.random.default_rng(2).standard_normal((30, 2))
    better = renumber(mdav(points, 3))
    standing = Standing(points, 3, np.arange(30) // 3, Deadline(None), Reporter(None))

    def search(own: Standing, _: object) -> None:
        own.offer_partition(better)
        raise KeyboardInterrupt

    def cancelled() -> None:
        with workers(None) as pool:
            proof._beside(standing, pool, lambda: Partitioned(None, np.inf, 0.0, False, 0, 0), search)

    with pytest.raises(KeyboardInterrupt):
        cancelled()
    assert (standing.labels == better).all()
