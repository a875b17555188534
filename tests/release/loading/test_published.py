"""What declared margins reveal: the figures equal those of all tables with these margins."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.release.engine import Table
from discreet.release.loading.checks import published_masks
from discreet.release.loading.published import explain_unsafe, judge
from discreet.release.policy import Policy


def slow(table: Table, policy: Policy) -> tuple[int, int, int, int | None]:
    """Sensitive, narrow, fixed, narrowest: by listing every table with the declared margins."""
    counts = table.dense()
    wanted = [table.margin(margin).dense() for margin in policy.published]
    names = table.names
    drops = [tuple(a for a, name in enumerate(names) if name not in margin) for margin in policy.published]
    alike = []
    for cells in product(range(int(counts.sum()) + 1), repeat=counts.size):
        other = np.array(cells).reshape(counts.shape)
        if all((other.sum(axis=drop) == known).all() for drop, known in zip(drops, wanted)):
            alike.append(other.reshape(-1))
    spread = np.ptp(np.array(alike), axis=0)
    sensitive = (counts.reshape(-1) >= 1) & (counts.reshape(-1) <= policy.c)
    widths = spread[sensitive]
    narrowest = int(widths.min()) if widths.size else None
    return int(sensitive.sum()), int((widths < policy.w).sum()), int((widths == 0).sum()), narrowest


@settings(max_examples=25, deadline=None)
@given(
    cells=st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(lambda c: 0 < sum(c) <= 7),
    published=st.sampled_from([(("A",),), (("A",), ("B",)), (("A", "B"),), ((),)]),
    w=st.integers(1, 4),
)
def test_figures_are_those_of_all_tables(cells: list[int], published: tuple[tuple[str, ...], ...], w: int) -> None:
    table = Table(("A", "B"), (("x", "y"),) * 2, np.array(cells).reshape(2, 2))
    policy = Policy(c=2, w=w, published=published, time_limit=60)
    found = judge(table, policy, published_masks(table, policy))
    assert found is not None
    assert (found.sensitive, found.narrow, found.fixed, found.narrowest) == slow(table, policy)
    assert found.unsettled == 0
    assert found.safe is (found.narrow == 0)


def test_nothing_declared_nothing_judged(small: Table) -> None:
    assert judge(small, Policy(), []) is None


def test_too_few_tables(small: Table) -> None:
    whole = Policy(c=0, w=1, min_tables=2, published=(("A", "B", "C"),))
    figures = judge(small, whole, published_masks(small, whole))
    assert figures is not None and figures.few_tables and not figures.safe


def test_the_refusal_names_no_category_and_no_count(auto: Table) -> None:
    policy = Policy(published=(tuple("ABCDEF"),))
    figures = judge(auto, policy, published_masks(auto, policy))
    assert figures is not None
    told = " ".join(explain_unsafe(figures, policy))
    for levels in auto.categories:
        for level in levels:
            assert f" {level} " not in told
    assert str(auto.total) not in told
