from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.classes import holds, lattice, node_labels, node_loss

from discreet.errors import InputError
from discreet.generalization.recoding.lattice import Node, best_node
from discreet.generalization.recoding.levels import Levels
from discreet.work import Deadline, Progress, Reporter


def _levels(rng: np.random.Generator, size: int, least: int = 0) -> Levels:
    """Random nested groups of values, and losses that rise, sometimes not at all."""
    rows = [np.arange(size)]
    while rows[-1].max() > 0:
        groups = int(rows[-1].max()) + 1
        joined = rng.integers(0, rng.integers(1, groups) if groups > 1 else 1, groups)
        rows.append(np.unique(joined, return_inverse=True)[1][rows[-1]])
    loss = np.concatenate([[0.0], np.cumsum(rng.integers(0, 4, len(rows) - 1) / 10)])
    return Levels(np.stack(rows), loss, min(least, len(rows) - 1))


def _file(seed: int, n: int, d: int, least: int = 0) -> tuple[np.ndarray, list[Levels]]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, d)
    codes = np.stack([rng.integers(0, size, n) for size in sizes], axis=1).astype(np.int32)
    return codes, [_levels(rng, int(size), least) for size in sizes]


def _best(codes: np.ndarray, levels: Sequence[Levels], k: int, **options: object) -> Node:
    return best_node(codes, levels, k, **{"deadline": Deadline(None), "report": Reporter(None), **options})


def _check_proof(node: Node, codes: np.ndarray, levels: Sequence[Levels], k: int, values: np.ndarray, l: int) -> None:
    """What the proof says is true, seen from the lattice as a whole."""
    for failing in node.failing:
        assert not holds(node_labels(codes, levels, failing), k, values, l)
    for other in lattice(levels):
        if node_loss(levels, other) < node.lower_bound - 1e-12:
            assert (node.failing >= other).all(axis=1).any()


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 40),
    d=st.integers(1, 4),
    k=st.integers(1, 5),
    l=st.integers(1, 3),
    least=st.integers(0, 1),
)
def test_the_node_is_the_best_of_the_lattice_and_the_proof_is_true(
    seed: int, n: int, d: int, k: int, l: int, least: int
) -> None:
    n = max(n, k, l)
    codes, levels = _file(seed, n, d, least)
    values = np.random.default_rng(seed).integers(-1, 3, n)
    values[:l] = np.arange(l)
    node = _best(codes, levels, k, values=values, l=l)
    losses = [
        node_loss(levels, other) for other in lattice(levels) if holds(node_labels(codes, levels, other), k, values, l)
    ]
    assert node.status == "optimal"
    assert node.loss == pytest.approx(min(losses))
    assert node.loss == pytest.approx(node_loss(levels, node.levels))
    assert node.lower_bound == pytest.approx(node.loss)
    assert node.nodes == len(lattice(levels))
    assert node.visited <= node.nodes
    assert all(level >= own.least for level, own in zip(node.levels, levels))
    expected = node_labels(codes, levels, node.levels)
    assert len(set(zip(node.labels.tolist(), expected.tolist()))) == len(set(expected.tolist()))
    assert node.labels.max() + 1 == len(set(expected.tolist()))
    _check_proof(node, codes, levels, k, values, l)


def test_little_of_a_large_lattice_is_looked_at() -> None:
    """Twelve columns of five levels: a quarter of a billion nodes, and still a proof."""
    rng = np.random.default_rng(4)
    halves = np.stack([np.arange(16) >> h for h in range(5)])
    levels = [Levels(halves, np.array([0.0, 0.1, 0.25, 0.5, 1.0]) * rng.uniform(0.5, 1.5)) for _ in range(12)]
    common = rng.integers(0, 16, 400)
    codes = np.stack([(common + rng.integers(0, 2, 400)) % 16 for _ in range(12)], axis=1).astype(np.int32)
    node = _best(codes, levels, 3, deadline=Deadline(60))
    assert node.nodes == 5**12
    assert node.visited < 20_000
    assert node.status == "optimal"
    assert np.bincount(node.labels).min() >= 3


def test_classes_beyond_all_whole_numbers_are_numbered_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, levels = _file(5, 200, 4)
    plain = _best(codes, levels, 4)
    monkeypatch.setattr("discreet.generalization.recoding.lattice.WIDEST", 10)
    again = _best(codes, levels, 4)
    assert again.levels == plain.levels
    assert (again.labels == plain.labels).all()


def test_at_the_deadline_a_node_that_holds_and_a_bound_that_is_one() -> None:
    codes, levels = _file(11, 60, 4)
    values = np.arange(60) % 5
    late = _best(codes, levels, 4, values=values, l=2, deadline=Deadline(0))
    best = _best(codes, levels, 4, values=values, l=2)
    assert late.status == "time limit"
    assert holds(late.labels, 4, values, 2)
    assert late.lower_bound <= best.loss <= late.loss
    _check_proof(late, codes, levels, 4, values, 2)


def test_it_says_how_far_it_is() -> None:
    told: list[Progress] = []
    codes, levels = _file(11, 60, 4)
    _best(codes, levels, 4, report=Reporter(told.append, interval=0.0))
    assert told
    assert {step.stage for step in told} == {"recoding"}


def test_what_cannot_be_is_refused_in_one_error() -> None:
    codes, levels = _file(3, 20, 2)
    with pytest.raises(InputError, match="larger than the number of records"):
        _best(codes, levels, 21)
    with pytest.raises(InputError, match="fewer in all"):
        _best(codes, levels, 2, values=np.array([-1, 0] * 10), l=2)
    with pytest.raises(InputError, match="needs the values"):
        _best(codes, levels, 2, l=2)
    with pytest.raises(InputError, match="the levels of every column"):
        _best(codes, levels[:1], 2)
    torn = Levels(np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 1, 0]]), np.array([0.0, 0.2, 0.1]))
    with pytest.raises(InputError) as caught:
        _best(np.full((5, 1), 4, np.int32), [torn], 2)
    for words in ("between 0 and the number of values", "losses must rise", "must be nested", "must be one group"):
        assert words in str(caught.value)
