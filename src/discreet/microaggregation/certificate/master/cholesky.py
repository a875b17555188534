"""Cholesky factorization in tiles, the same to the last bit for any number of threads.

A = L Lᵀ tile by tile: A_IJ − Σ_{K<J} L_IK L_JKᵀ, then the triangle of the diagonal tile. A product of two tiles is just
below the size from which BLAS hands work to other threads; for matrices of a thousand rows in a busy process that costs
far more than it brings.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.space import Floats

TILE = 64


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def factorize(tiles: Floats) -> bool:
    """Replace the lower tiles of a symmetric matrix, padded to whole tiles, by those of L; False if not positive."""
    count = tiles.shape[0]
    product = np.empty((TILE, TILE))
    for J in range(count):
        for I in range(J, count):
            tile = tiles[I, J]
            for K in range(J):
                np.dot(tiles[I, K], tiles[J, K].T, product)
                for a in range(TILE):
                    for b in range(TILE):
                        tile[a, b] -= product[a, b]
            triangle = tiles[J, J]
            if I == J:
                for a in range(TILE):
                    for b in range(a + 1):
                        s = tile[a, b]
                        for c in range(b):
                            s -= tile[a, c] * tile[b, c]
                        if a > b:
                            tile[a, b] = s / tile[b, b]
                        elif s <= 0.0:
                            return False
                        else:
                            tile[a, a] = np.sqrt(s)
                    for b in range(a + 1, TILE):
                        tile[a, b] = 0.0
            else:
                for a in range(TILE):
                    for b in range(TILE):
                        s = tile[a, b]
                        for c in range(b):
                            s -= tile[a, c] * triangle[b, c]
                        tile[a, b] = s / triangle[b, b]
    return True


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def solve(tiles: Floats, right: Floats) -> Floats:
    """x with L Lᵀ x = right."""
    count = tiles.shape[0]
    x = np.zeros(count * TILE)
    for a in range(right.size):
        x[a] = right[a]
    for I in range(count):
        for J in range(I):
            for a in range(TILE):
                s = 0.0
                for b in range(TILE):
                    s += tiles[I, J, a, b] * x[J * TILE + b]
                x[I * TILE + a] -= s
        for a in range(TILE):
            s = x[I * TILE + a]
            for b in range(a):
                s -= tiles[I, I, a, b] * x[I * TILE + b]
            x[I * TILE + a] = s / tiles[I, I, a, a]
    for I in range(count - 1, -1, -1):
        for a in range(TILE - 1, -1, -1):
            s = x[I * TILE + a] / tiles[I, I, a, a]
            x[I * TILE + a] = s
            for b in range(a):
                x[I * TILE + b] -= tiles[I, I, a, b] * s
        for J in range(I):
            for a in range(TILE):
                s = x[I * TILE + a]
                for b in range(TILE):
                    x[J * TILE + b] -= tiles[I, J, a, b] * s
    return x[: right.size]
