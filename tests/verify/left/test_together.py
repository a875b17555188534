"""All left columns together: what tells a key finds people, what tells nothing finds one in k."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.left.candidates import in_classes
from discreet.verify.left.together import found_together
from tests.verify.left.made import numbers, words


def found(telling: bool, n: int = 2000, k: int = 4) -> tuple[float, float]:
    rng = np.random.default_rng(3)
    key = rng.integers(0, 8, n)
    classes = rng.permutation(n) // k
    column = words((key if telling else rng.integers(0, 8, n)).tolist())
    salt = numbers(rng.random(n).tolist())
    candidates = in_classes(classes)
    own = np.arange(n)
    same = own[candidates.row] == candidates.persons[candidates.person]
    result = found_together([column, salt], [words(key.tolist())], candidates, own, same)
    assert result is not None
    return result


def test_a_column_that_tells_the_key_finds_most() -> None:
    share, error = found(telling=True)
    # Alone with the key among four: (7/8)³, and less where others have it too.
    assert share == pytest.approx(
        sum((7 / 8) ** (3 - j) / 8**j * c / (j + 1) for j, c in enumerate((1, 3, 3, 1))), abs=0.05
    )
    assert 0 < error < 0.02


def test_a_column_that_tells_nothing_finds_one_in_k() -> None:
    share, error = found(telling=False)
    assert abs(share - 0.25) < 4 * error


def test_rows_with_the_same_left_values_are_one_found_among_them() -> None:
    rng = np.random.default_rng(5)
    n, k = 2000, 4
    sick = rng.random(n) < 0.1
    candidates = in_classes(rng.permutation(n) // k)
    same = sick[candidates.row] == sick[candidates.persons[candidates.person]]
    key = words(rng.integers(0, 8, n).tolist())
    result = found_together([words(sick.tolist())], [key], candidates, np.arange(n), same)
    assert result is not None
    assert abs(result[0] - 1 / k) < 4 * result[1]


def test_nothing_to_go_by_is_no_figure() -> None:
    candidates = in_classes(np.zeros(10, np.int64))
    assert found_together([], [], candidates, np.arange(10), np.ones(100, bool)) is None
