"""L Lᵀ = A in tiles, against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate.master.cholesky import TILE, factorize, solve


def tiled(matrix: np.ndarray) -> np.ndarray:
    """Padded to whole tiles with ones on the diagonal; tile I, J stands at [I, J]."""
    count = -(-len(matrix) // TILE)
    whole = np.eye(count * TILE)
    whole[: len(matrix), : len(matrix)] = matrix
    return np.ascontiguousarray(whole.reshape(count, TILE, count, TILE).transpose(0, 2, 1, 3))


def flat(tiles: np.ndarray) -> np.ndarray:
    size = len(tiles) * TILE
    return tiles.transpose(0, 2, 1, 3).reshape(size, size)


def positive(n: int, seed: int) -> np.ndarray:
    root = np.random.default_rng(seed).normal(size=(n, n + 5))
    return root @ root.T + n * np.eye(n)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_the_factor_is_numpys_and_the_solution_solves(n: int) -> None:
    matrix = positive(n, n)
    tiles = tiled(matrix)
    assert factorize(tiles)
    np.testing.assert_allclose(np.tril(flat(tiles))[:n, :n], np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-9)
    right = np.random.default_rng(n).normal(size=n)
    np.testing.assert_allclose(matrix @ solve(tiles, right), right, atol=1e-9)


def test_twice_the_same_to_the_last_bit() -> None:
    first, second = tiled(positive(150, 1)), tiled(positive(150, 1))
    assert factorize(first) and factorize(second)
    assert np.tril(flat(first)).tobytes() == np.tril(flat(second)).tobytes()


@pytest.mark.parametrize("place", [0, 70, 129])
def test_a_matrix_that_is_not_positive_is_told(place: int) -> None:
    matrix = positive(130, 0)
    matrix[place, place] = -1.0
    assert not factorize(tiled(matrix))
    assert not factorize(tiled(np.ones((2, 2)))), "singular"
