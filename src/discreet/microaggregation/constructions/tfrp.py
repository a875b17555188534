"""TFRP: two fixed reference points (Chang, Li and Huang, 2007).

Phase 1. The reference points are the corner of all minima and the corner of all maxima. In turn, the record
farthest from the one and the record farthest from the other form a group with their k−1 nearest, while k or
more records remain; the last few join the groups of nearest centroid.

Phase 2. Groups are taken by falling SSE. If the partition gets better when every member moves to the nearest
other centroid, the group is dissolved that way. Groups that reach 2k records are split at the end.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.microaggregation.constructions.endings import join_nearest, split_large
from discreet.microaggregation.constructions.remaining import drop_labeled, nearest_left
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels, group_means, group_sse, renumber


def run(call: Call) -> Outcome:
    points, k = call.problem
    phases = int(call.options.get("phases", 2))
    labels = two_reference_points(points, k)
    dissolved = 0
    if phases == 2:
        labels, dissolved = second_phase(points, labels)
    detail = {"phases": phases, "dissolved groups": dissolved}
    return Outcome(split_large(points, labels, k), "tfrp", detail=detail)


def second_phase(points: Floats, labels: Labels) -> tuple[Labels, int]:
    """The partition after phase 2, with labels 0 .. g−1, and how many groups were dissolved."""
    means = group_means(points, labels, int(labels.max()) + 1)
    return dissolve(points, labels, np.argsort(-group_sse(points, labels, means), kind="stable"))


def dissolve(points: Floats, labels: Labels, order: Labels) -> tuple[Labels, int]:
    """Visit the groups in this order and dissolve each where that lowers SSE; labels 0 .. g−1 of what is
    left, and how many were dissolved."""
    labels, dissolved = _dissolve_groups(points, labels.copy(), order)
    return renumber(labels), dissolved


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def two_reference_points(points: Floats, k: int) -> Labels:
    n, d = points.shape
    low, high = points[0].copy(), points[0].copy()
    for x in range(n):
        for l in range(d):
            low[l] = min(low[l], points[x, l])
            high[l] = max(high[l], points[x, l])
    labels = np.full(n, -1, np.int64)
    rest, alive, groups = np.arange(n), n, 0
    while alive >= k:
        corner = low if groups % 2 == 0 else high
        seed, best = 0, -1.0
        for a in range(alive):
            t = between(points[rest[a]], corner)
            if t > best:
                seed, best = a, t
        for x in nearest_left(points, rest, alive, rest[seed], -1, k):
            labels[x] = groups
        groups += 1
        alive = drop_labeled(rest, alive, labels)
    if alive > 0:
        join_nearest(points, labels, groups)
    return labels


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _dissolve_groups(points: Floats, labels: Labels, order: Labels) -> tuple[Labels, int]:
    n, d = points.shape
    groups = labels.max() + 1
    means, size = np.zeros((groups, d)), np.zeros(groups)
    for x in range(n):
        _join(points, x, labels[x], means, size)
    dissolved = 0
    trial_means, trial_size = means.copy(), size.copy()
    destination = np.empty(n, np.int64)
    for p in order:
        if dissolved == groups - 1:
            break
        change = 0.0
        for x in range(n):
            if labels[x] == p:
                # The group may have grown since it was formed.
                change -= between(points[x], means[p])
                best, to = np.inf, -1
                for q in range(groups):
                    if q != p and size[q] > 0:
                        t = between(points[x], means[q])
                        if t < best:
                            best, to = t, q
                destination[x] = to
                # Several members may go to one group: each pays for the group as the others left it.
                m = trial_size[to]
                change += m / (m + 1) * between(points[x], trial_means[to])
                _join(points, x, to, trial_means, trial_size)
        if change < 0:
            dissolved += 1
            trial_size[p] = 0
        for x in range(n):
            if labels[x] == p:
                q = destination[x]
                if change < 0:
                    labels[x] = q
                    _copy_group(trial_means, trial_size, means, size, q)
                else:
                    _copy_group(means, size, trial_means, trial_size, q)
        size[p] = trial_size[p]
    return labels, dissolved


@unchecked
def _join(points: Floats, x: int, p: int, means: Floats, size: Floats) -> None:
    size[p] += 1
    for l in range(points.shape[1]):
        means[p, l] += (points[x, l] - means[p, l]) / size[p]


@unchecked
def _copy_group(means: Floats, size: Floats, to_means: Floats, to_size: Floats, p: int) -> None:
    to_size[p] = size[p]
    for l in range(means.shape[1]):
        to_means[p, l] = means[p, l]
