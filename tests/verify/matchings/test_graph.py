"""Which originals lie in which box: the tree finds what looking at every pair finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.matchings.graph import Boxes, build, query

MANY = 1 << 40


def boxes_of(runs: list[list[list[tuple[int, int]]]]) -> Boxes:
    """Boxes by box, attribute and run of codes; each text stands once per box."""
    attributes = len(runs[0])
    ends, low, high = [0], [], []
    first_text = []
    texts = np.zeros((len(runs), attributes), np.int64)
    for a in range(attributes):
        first_text.append(len(ends) - 1)
        for box, parts in enumerate(runs):
            texts[box, a] = box
            for least, most in parts[a]:
                low.append(least)
                high.append(most)
            ends.append(len(low))
    return Boxes(texts, *(np.array(each, np.int64) for each in (first_text, ends, low, high)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, list[list[list[tuple[int, int]]]]]:
    d = draw(st.integers(1, 3))
    points = draw(st.lists(st.lists(st.integers(-1, 6), min_size=d, max_size=d), min_size=1, max_size=40))
    run = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))
    box = st.lists(st.lists(run, min_size=1, max_size=2), min_size=d, max_size=d)
    return np.array(points, np.int32), draw(st.lists(box, min_size=1, max_size=6))


def held(point: np.ndarray, box: list[list[tuple[int, int]]]) -> bool:
    """Code −1 lies in every box."""
    return all(code < 0 or any(low <= code <= high for low, high in runs) for code, runs in zip(point.tolist(), box))


@settings(deadline=None)
@given(cases())
def test_the_tree_lists_what_every_pair_says(case: tuple[np.ndarray, list[list[list[tuple[int, int]]]]]) -> None:
    points, boxes = case
    order, tree = build(points)
    assert sorted(order.tolist()) == list(range(len(points)))
    assert (tree.points == points[order]).all()
    counts, found, complete = query(tree, boxes_of(boxes), 0, len(boxes), np.full(len(boxes), MANY), 1)
    assert complete and counts.sum() == found.size
    ends = np.concatenate([[0], np.cumsum(counts)])
    for b, box in enumerate(boxes):
        listed = order[found[ends[b] : ends[b + 1]]].tolist()
        assert sorted(listed) == [i for i, point in enumerate(points) if held(point, box)]


def test_a_part_of_the_boxes_is_asked_for() -> None:
    _, tree = build(np.arange(20, dtype=np.int32)[:, None])
    boxes = boxes_of([[[(0, 4)]], [[(5, 9)]], [[(0, 19)]]])
    counts, _, complete = query(tree, boxes, 1, 3, np.full(3, MANY), 1)
    assert counts.tolist() == [5, 20] and complete


@pytest.mark.parametrize("seed", [1, 2])
def test_no_more_than_the_cap_are_chosen_and_all_have_a_chance(seed: int) -> None:
    n, cap = 50, 5
    order, tree = build(np.arange(n, dtype=np.int32)[:, None])
    boxes = boxes_of([[[(0, n)]]] * 400)
    counts, found, complete = query(tree, boxes, 0, 400, np.full(400, cap), seed)
    assert not complete and (counts == cap).all()
    lines = order[found].reshape(400, cap)
    assert all(len(set(line)) == cap for line in lines.tolist())
    often = np.bincount(lines.ravel(), minlength=n)
    assert often.min() > 15 and often.max() < 75, "400 * 5 / 50 = 40 each, give or take"
