"""The restricted master by a primal-dual interior point method, for multipliers in the middle of the optimal face.

    minimize c·x + U·p + L·q   subject to   A x + p − q = 1,   x, p, q ≥ 0

with A the members of the groups. The slacks keep the multipliers within −L ≤ λ ≤ U, the box that stabilizes column
generation. Mehrotra's predictor and corrector; the normal matrix A D Aᵀ is n × n and factored densely, in tiles.
Multipliers from the interior of the optimal face make far better pricing problems than the vertices that the simplex
method returns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.master.cholesky import TILE, factorize, solve
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.groups import Groups

# Up to this many records the dense factorization wins.
DENSE = 1500
# Of the method, at most.
STEPS = 60


class Interior(NamedTuple):
    """Objective, multipliers, weights of the groups, and the slacks that widen the box where they are in use."""

    value: float
    multipliers: Floats
    x: Floats
    above: Floats
    below: Floats


def solve_master(
    groups: Groups, upper: Floats, lower: Floats, *, tolerance: float, time_limit: float | None = None
) -> Interior:
    n, m = upper.size, groups.costs.size
    if n > DENSE:
        return _sparse(groups, upper, lower, tolerance, time_limit)
    members = np.ascontiguousarray(groups.members, np.int32)
    sizes = np.ascontiguousarray(groups.sizes, np.int32)
    c = np.concatenate([upper, lower, groups.costs])
    total = m + 2 * n
    count = -(-n // TILE)
    tiles = np.zeros((count, count, TILE, TILE))

    def forward(x: Floats) -> Floats:
        out: Floats = x[:n] - x[n : 2 * n] + _times(members, sizes, np.ascontiguousarray(x[2 * n :]), n)
        return out

    def backward(y: Floats) -> Floats:
        return np.concatenate([y, -y, _transposed(members, sizes, y)])

    def factor(d: Floats) -> bool:
        _normal_matrix(members, sizes, np.ascontiguousarray(d[2 * n :]), d[:n] + d[n : 2 * n], tiles)
        return bool(factorize(tiles))

    def direction(
        target: Floats, x: Floats, s: Floats, d: Floats, primal: Floats, dual: Floats
    ) -> tuple[Floats, Floats, Floats]:
        dy = solve(tiles, primal + forward(d * dual - target / s))
        ds = dual - backward(dy)
        return (target - x * ds) / s, dy, ds

    b = np.ones(n)
    factor(np.ones(total))
    x = backward(solve(tiles, b))
    y = solve(tiles, forward(c))
    s = c - backward(y)
    x += max(-1.5 * x.min(), 0.0)
    s += max(-1.5 * s.min(), 0.0)
    both = x @ s
    x += 0.5 * both / s.sum() + 1e-8
    s += 0.5 * both / x.sum() + 1e-8
    size_b, size_c = 1 + np.linalg.norm(b), 1 + np.linalg.norm(c)
    for _ in range(STEPS):
        primal = b - forward(x)
        dual = c - backward(y) - s
        value, other = float(c @ x), float(b @ y)
        if (
            abs(value - other) / (1 + abs(value)) < tolerance
            and np.linalg.norm(primal) / size_b < 1e-5
            and np.linalg.norm(dual) / size_c < 1e-7
        ):
            break
        mu = x @ s / total
        d = x / s
        if not factor(d):
            break
        dx, dy, ds = direction(-x * s, x, s, d, primal, dual)
        near = (x + _step(x, dx) * dx) @ (s + _step(s, ds) * ds) / total
        dx, dy, ds = direction((near / mu) ** 3 * mu - x * s - dx * ds, x, s, d, primal, dual)
        ahead, aside = min(1.0, 0.99 * _step(x, dx)), min(1.0, 0.99 * _step(s, ds))
        x = x + ahead * dx
        y = y + aside * dy
        s = s + aside * ds
    return Interior(float(c @ x), y, x[2 * n :], x[:n], x[n : 2 * n])


def _sparse(groups: Groups, upper: Floats, lower: Floats, tolerance: float, time_limit: float | None) -> Interior:
    """The same by HiGHS, whose factors stay sparse: far faster where records have few partners among many.

    Raises TimeoutError where the time limit leaves no multipliers at all.
    """
    from discreet.solvers.master_lp import interior_point

    n, (members, sizes, costs) = upper.size, groups
    start = np.concatenate([np.arange(2 * n), 2 * n + np.concatenate([[0], np.cumsum(sizes)])])
    index = np.concatenate([np.arange(n), np.arange(n), members[members >= 0]])
    value = np.concatenate([np.ones(n), -np.ones(n), np.ones(int(sizes.sum()))])
    c = np.concatenate([upper, lower, costs])
    found = interior_point(
        c, n, start.astype(np.int32), index.astype(np.int32), value, tolerance=0.1 * tolerance, time_limit=time_limit
    )
    if found.duals.size != n or found.x.size != c.size or not np.isfinite(found.duals).all():
        raise TimeoutError
    x = found.x
    return Interior(float(c @ x), found.duals, x[2 * n :], x[:n], x[n : 2 * n])


def _step(v: Floats, dv: Floats) -> float:
    falling = dv < 0
    return min(1.0, float((-v[falling] / dv[falling]).min())) if falling.any() else 1.0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _normal_matrix(members: Ints, sizes: Ints, d: Floats, diagonal: Floats, tiles: Floats) -> None:
    """The lower tiles of A diag(d) Aᵀ + diag(diagonal); members are sorted, and the padding is a unit matrix."""
    n = diagonal.size
    for I in range(tiles.shape[0]):
        for J in range(I + 1):
            for a in range(TILE):
                for b in range(TILE):
                    tiles[I, J, a, b] = 0.0
        for a in range(TILE):
            i = I * TILE + a
            tiles[I, I, a, a] = diagonal[i] if i < n else 1.0
    for g in range(sizes.size):
        for p in range(sizes[g]):
            i = members[g, p]
            for q in range(p + 1):
                j = members[g, q]
                tiles[i // TILE, j // TILE, i % TILE, j % TILE] += d[g]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _times(members: Ints, sizes: Ints, x: Floats, n: int) -> Floats:
    out = np.zeros(n)
    for g in range(sizes.size):
        for a in range(sizes[g]):
            out[members[g, a]] += x[g]
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _transposed(members: Ints, sizes: Ints, y: Floats) -> Floats:
    out = np.zeros(sizes.size)
    for g in range(sizes.size):
        s = 0.0
        for a in range(sizes[g]):
            s += y[members[g, a]]
        out[g] = s
    return out
