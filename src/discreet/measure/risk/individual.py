"""Individual risk: the probability that a record with f like it in the file is rightly linked, estimated.

Of the F persons of the population with these keys f were drawn, each with probability p; F given f is negative binomial
and the risk is E(1/F | f), with q = 1 − p and p estimated by f/F̂ (Benedetti, Franconi 1998; Franconi, Polettini 2004):

    r_f = (p/f) · 2F1(1, 1; f+1; q)          r_1 = (p/q) ln(1/p)          r_f = (p/q) (1/(f−1) − r_{f−1})

`exact` evaluates it without cancellation: the recurrence upwards where p < 1/2 and f <= 200, since an error shrinks by
p/q at each step; elsewhere the series (p/f) Σ_j q^j j!/((f+1)⋯(f+j)), whose terms are positive and fall fast. The
relative error stays below 1e-12, and the risk in (0, 1]. `approximate` is exact for f <= 2 and p/(f − q) above: at most
4 % too high. Where F < f (weights below 1) p counts as 1, and the risk is 1/f: counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MODEL = "the negative binomial model"
_RECURRENCE = 200


def individual(f: Floats, F: Floats, *, exact: bool = False) -> Floats:
    """The risk of each class, exact or approximate."""
    p = np.minimum(f / F, 1.0)
    # 1 − f/F loses what F has beyond f.
    q = np.maximum(F - f, 0.0) / F
    out = np.empty(len(f))
    rough = np.zeros(len(f), bool) if exact else f > 2
    out[rough] = p[rough] / (f[rough] - q[rough])
    step = ~rough & (p < 0.5) & (f <= _RECURRENCE)
    out[step] = _recurrence(f[step], p[step], q[step])
    rest = ~rough & ~step
    out[rest] = _series(f[rest], p[rest], q[rest])
    return np.minimum(out, 1.0)


def _recurrence(f: Floats, p: Floats, q: Floats) -> Floats:
    """Upwards from f in [1, 2); all classes at once, in order of f, so that those that are done drop out."""
    order = np.argsort(f, kind="stable")
    f, p, q = f[order], p[order], q[order]
    start = f - np.floor(f) + 1.0
    r = p / q * np.log(1.0 / p)
    odd = start > 1.0
    if odd.any():  # matches by missing keys may count in part
        from scipy.special import hyp2f1

        r[odd] = p[odd] / start[odd] * hyp2f1(1.0, 1.0, start[odd] + 1.0, q[odd])
    ratio = p / q
    steps = np.floor(f).astype(np.int64) - 1
    for k in range(1, int(steps.max(initial=0)) + 1):
        left = int(np.searchsorted(steps, k))
        r[left:] = ratio[left:] * (1.0 / (start[left:] + (k - 1)) - r[left:])
    out = np.empty(len(f))
    out[order] = r
    return out


def _series(f: Floats, p: Floats, q: Floats) -> Floats:
    """Σ_j q^j j!/((f+1)⋯(f+j)) until nothing is added any more."""
    total, term = np.ones(len(f)), np.ones(len(f))
    j = 0
    while (term > 1e-17 * total).any():
        term = term * (q * (j + 1) / (f + 1 + j))
        total += term
        j += 1
    return p / f * total
