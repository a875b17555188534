"""Equal rows put together, and the graph of classes against all pairs of rows."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.matchings.classes import NO_CAP, classes, edges, unique_rows
from discreet.verify.matchings.reading import Reading


@pytest.mark.parametrize("seed", range(8))
def test_distinct_rows_their_numbers_and_counts(seed: int) -> None:
    rows = np.random.default_rng(seed).integers(-1, 3, (30, 2))
    distinct, inverse, counts = unique_rows(rows)
    assert (distinct[inverse] == rows).all()
    assert len(set(map(tuple, distinct.tolist()))) == len(distinct)
    assert counts.tolist() == np.bincount(inverse, minlength=len(distinct)).tolist()


def readings(seed: int, n: int = 40) -> tuple[list[Reading], np.ndarray]:
    """Two attributes with a run a text, and whether box r holds original p, by definition."""
    rng = np.random.default_rng(seed)
    found, holds = [], np.ones((n, n), bool)
    for _ in range(2):
        codes, texts = rng.integers(-1, 5, n), rng.integers(0, 6, n)
        low = rng.integers(0, 5, 6)
        high = low + rng.integers(0, 3, 6)
        found.append(Reading(codes, texts, np.arange(7), low, high))
        inside = (low[texts][:, None] <= codes) & (codes <= high[texts][:, None])
        holds &= inside | (codes < 0)[None, :]
    return found, holds


@pytest.mark.parametrize("seed", range(6))
def test_the_graph_of_classes_is_that_of_rows(seed: int) -> None:
    found, holds = readings(seed)
    c = classes(found)
    assert c.original_count[c.original_of].sum() == np.square(c.original_count).sum()
    graph, whole = edges(c, NO_CAP, 10**6)
    assert whole and graph is not None
    pairs = np.zeros((c.box_count.size, c.original_count.size), bool)
    for box in range(c.box_count.size):
        pairs[box, graph.original[graph.ends[box] : graph.ends[box + 1]]] = True
    assert (pairs[c.box_of][:, c.original_of] == holds).all()


def test_a_graph_beyond_its_limit_is_not_made() -> None:
    found, _ = readings(0)
    assert edges(classes(found), NO_CAP, 3) == (None, False)
