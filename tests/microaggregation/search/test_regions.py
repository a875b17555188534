from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from drawn import clouds
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.microaggregation.search.regions import improve_regions, regions
from discreet.microaggregation.search.restarts import Until


@given(st.integers(2, 6), st.integers(12, 400), st.integers(0, 2**32 - 1))
def test_regions_are_disjoint_and_made_of_whole_groups(k: int, n: int, seed: int) -> None:
    points = clouds(n, 3, seed)
    labels = renumber(mdav(points, k))
    cut = regions(points, labels, np.random.default_rng(seed), sizes=(4 * k, 10 * k), most=16, share=0.7)
    assert len(np.unique(cut.order)) == len(cut.order) == cut.ends[-1]
    assert (np.diff(cut.ends, prepend=0) >= k).all()
    for b in range(len(cut.ends)):
        members = cut.members(b)
        inside, numbers = cut.block(points, b)
        assert (inside == points[members]).all()
        assert numbers is not None
        assert oracle.as_groups(renumber(numbers)) == oracle.as_groups(renumber(labels[members]))
        assert np.isin(labels, labels[members]).sum() == len(members)


def test_rounds_never_make_it_worse_and_do_not_depend_on_workers() -> None:
    points = clouds(240, 4, 1)
    start = renumber(mdav(points, 4))
    found = []
    for count in (1, 3):
        labels, values, better = start, [sse(points, start)], 0
        random = np.random.default_rng(5)
        with ThreadPoolExecutor(count) as pool:
            for _ in range(3):
                labels, won, proposals = improve_regions(points, labels, 4, random, pool, Until())
                check_partition(labels, 240, 4)
                values.append(sse(points, labels))
                better += won
                assert proposals > 0
        assert values == sorted(values, reverse=True)
        assert values[-1] < 0.95 * values[0]
        assert better >= 1
        found.append(labels)
    assert (found[0] == found[1]).all()


def test_a_round_after_the_deadline_changes_nothing() -> None:
    points = clouds(60, 2, 2)
    start = renumber(mdav(points, 3))
    with ThreadPoolExecutor(1) as pool:
        labels, better, _ = improve_regions(points, start, 3, np.random.default_rng(0), pool, Until(0.0))
    assert better == 0
    assert (labels == start).all()


def test_best_goes_through_regions_where_columns_cannot_be_generated() -> None:
    points = clouds(90, 3, 3)
    thorough = solve(points, 6, effort="best")
    assert thorough.detail["rounds"] > 0
    assert thorough.sse <= solve(points, 6).sse
