"""Candidates by boxes and classes are all pairs that fit; what is counted from them is what loops count."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discreet.verify.left import candidates as module
from discreet.verify.left.candidates import in_boxes, in_classes, some_persons, spans
from discreet.verify.matchings.reading import read_attribute
from discreet.verify.readers import open_table


def readings(original: pd.DataFrame, published: pd.DataFrame) -> list[object]:
    a, b = open_table(original, "a"), open_table(published, "b")
    return [
        read_attribute(a.column(name), b.column(name), categorical=False, labels=None, missing="value")[0]
        for name in original
    ]


def boxes(n: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Ages and towns, boxes around them in another order, and which person lies in which box."""
    rng = np.random.default_rng(seed)
    age, town = rng.integers(0, 20, n), rng.choice(list("abc"), n)
    order = rng.permutation(n)
    low, high = age[order] - rng.integers(0, 4, n), age[order] + rng.integers(0, 4, n)
    sets = [sorted({town[i], *rng.choice(list("abc"), rng.integers(0, 3))}) for i in order]
    published = pd.DataFrame(
        {
            "age": [f"[{a}, {b}]" if a < b else str(a) for a, b in zip(low, high)],
            "town": ["{" + ", ".join(s) + "}" if len(s) > 1 else s[0] for s in sets],
        }
    )
    fits = np.array([[low[r] <= age[i] <= high[r] and town[i] in sets[r] for r in range(n)] for i in range(n)])
    return pd.DataFrame({"age": age.astype(str), "town": town}), published, fits


@pytest.mark.parametrize("seed", range(6))
def test_boxes_give_all_pairs_that_fit(seed: int) -> None:
    original, published, fits = boxes(40, seed)
    found = in_boxes(readings(original, published))
    assert found is not None and found.whole
    pairs = np.zeros_like(fits)
    pairs[found.persons[found.person], found.row] = True
    assert (pairs == fits).all() and found.row.size == fits.sum() and (np.diff(found.person) >= 0).all()


def test_classes_give_their_members() -> None:
    of_row = np.random.default_rng(0).integers(0, 6, 50)
    found = in_classes(of_row)
    pairs = np.zeros((50, 50), bool)
    pairs[found.persons[found.person], found.row] = True
    assert (pairs == (of_row[:, None] == of_row)).all()


def test_large_files_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PERSONS", 30)
    monkeypatch.setattr(module, "FEWER_PERSONS", 20)
    original, published, fits = boxes(60, 1)
    found = in_boxes(readings(original, published))
    assert found is not None and not found.whole and found.persons.size == 20 and found.all_of(5) == 15
    assert found.count(np.ones(found.row.size, bool)).tolist() == fits[found.persons].sum(axis=1).tolist()
    monkeypatch.setattr(module, "MOST_PAIRS", 100)
    fewer = in_classes(np.zeros(60, np.int64))
    assert fewer.row.size <= 100 and fewer.persons.size == 1


def test_some_persons_are_the_same_every_time() -> None:
    assert some_persons(5, 9).tolist() == [0, 1, 2, 3, 4]
    assert some_persons(1000, 10).tolist() == some_persons(1000, 10).tolist() and some_persons(1000, 10).size == 10
    assert spans(np.array([3, 10]), np.array([2, 3])).tolist() == [3, 4, 10, 11, 12]
