"""μ-Approx: a polynomial-time approximation to optimal microaggregation (Domingo-Ferrer, Sebé and Solanas,
2008), after the k-forest of Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas and Zhu (2005).

Forest. Every record begins as a tree of its own. While a tree has fewer than k records, its root gets an edge
to the nearest record outside, so that the tree hangs below that record. One of the root's k−1 nearest lies
outside, which is what bounds the length of the edges.

Decompose. A tree of more than max(2k−1, 3k−5) records is cut in two. With s its records, begin at the root u
and let φ be the records of the largest part that would be left if u were taken out, v the neighbor of u in
that part. While s − φ < k−1, go on to v. Then
  1. φ ≥ k and s − φ ≥ k: cut between u and v;
  2. s − φ = k−1: v goes with the k−1 others, and the rest of its part is the other tree;
  3. φ = k−1: u goes with that part, and all other parts are the other tree;
  4. else all parts are smaller: take parts until they have k−1 records or more. u goes with the side that has
     only k−1 records, or with the first.
The side that loses the record which held it together gets a stand-in, which is no record and counts as none.

At the end groups of 2k .. 3k−5 records are split as in MDAV: k around the record farthest from the centroid,
and the others.

The papers take trees and parts in any order; here records are swept in their order, and parts are taken toward
the root first, then in the order of records. At a stand-in cases 2 and 3 have no record to give: the search
goes on, or parts are taken until they have k; a tree that cannot be cut there so that both sides keep k is
left to the split at the end.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.sorting import stable_order
from discreet.microaggregation.constructions.endings import split_large
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Labels
from discreet.solvers.neighbours import Indices, nearest


def run(call: Call) -> Outcome:
    points, k = call.problem
    up = forest(nearest(points, k - 1)[0], k)
    labels = split_large(points, decompose(up, k), k)
    return Outcome(labels, "mu-approx", detail={"trees": int((up < 0).sum())})


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def forest(near: Indices, k: int) -> Labels:
    """The record each record hangs below, −1 at roots; every tree has k or more. `near` holds the k−1 nearest
    of each record."""
    n = near.shape[0]
    up, size = np.full(n, -1, np.int64), np.ones(n, np.int64)
    # A shortcut to the root, shortened further on every use.
    leader = np.arange(n)
    again = True
    while again:
        again = False
        for u in range(n):
            if up[u] >= 0 or size[u] >= k:
                continue
            for v in near[u]:
                root = v
                while leader[root] != root:
                    leader[root] = leader[leader[root]]
                    root = leader[root]
                if root != u:
                    up[u] = v
                    leader[u] = root
                    size[root] += size[u]
                    break
            again = True
    return up


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def decompose(up: Labels, k: int) -> Labels:
    """The parts of a forest: groups of k .. max(2k−1, 3k−5) records, more only where a stand-in prevents a
    cut."""
    n = up.size
    # Both sides of a cut keep k records, so there are fewer than n/k cuts, with one stand-in each.
    above = np.full(2 * n, -1, np.int64)
    above[:n] = up
    place = np.empty(2 * n, np.int64)
    tree_of = _roots(up)
    order = stable_order(tree_of)
    labels = np.empty(n, np.int64)
    groups, stand_in, begin = 0, n, 0
    for end in range(1, n + 1):
        if end < n and tree_of[order[end]] == tree_of[order[begin]]:
            continue
        todo = [order[begin:end].copy()]
        begin = end
        while len(todo) > 0:
            tree = todo.pop()
            upper, lower = _cut(tree, above, place, n, k, stand_in)
            if lower.size > 0:
                stand_in += 1
                todo.append(upper)
                todo.append(lower)
                continue
            for x in tree:
                if x < n:
                    labels[x] = groups
            groups += 1
    return labels


@unchecked
def _roots(up: Labels) -> Labels:
    """The root above every record."""
    out = np.full(up.size, -1, np.int64)
    for x in range(up.size):
        y = x
        while out[y] < 0 and up[y] >= 0:
            y = up[y]
        root = out[y] if out[y] >= 0 else y
        y = x
        while out[y] < 0:
            out[y] = root
            if up[y] >= 0:
                y = up[y]
    return out


@unchecked
def _parents_first(tree: Labels, above: Labels, place: Labels) -> tuple[Labels, Labels]:
    """With nodes named by their place in `tree`: the parent of each (−1 at the root), and all nodes, parents
    before children."""
    m = tree.size
    for a in range(m):
        place[tree[a]] = a
    parent = np.full(m, -1, np.int64)
    begin = np.zeros(m + 1, np.int64)
    order = np.empty(m, np.int64)
    for a in range(m):
        if above[tree[a]] < 0:
            order[0] = a
        else:
            parent[a] = place[above[tree[a]]]
            begin[parent[a] + 1] += 1
    for a in range(m):
        begin[a + 1] += begin[a]
    children, fill = np.empty(m, np.int64), begin.copy()
    for a in range(m):
        if parent[a] >= 0:
            children[fill[parent[a]]] = a
            fill[parent[a]] += 1
    known = 1
    for i in range(m):
        for j in range(begin[order[i]], begin[order[i] + 1]):
            order[known] = children[j]
            known += 1
    return parent, order


@unchecked
def _cut(tree: Labels, above: Labels, place: Labels, n: int, k: int, stand_in: int) -> tuple[Labels, Labels]:
    """The part that keeps the root and the part below, with `above` brought up to date; the second is empty
    where the tree stays whole. Numbers from n on are stand-ins."""
    m = tree.size
    parent, order = _parents_first(tree, above, place)
    weight, heavy = np.zeros(m, np.int64), np.full(m, -1, np.int64)
    for i in range(m - 1, -1, -1):
        a = order[i]
        weight[a] += tree[a] < n
        if parent[a] >= 0:
            weight[parent[a]] += weight[a]
    for a in order:
        p = parent[a]
        if p >= 0 and (heavy[p] < 0 or weight[a] > weight[heavy[p]]):
            heavy[p] = a
    s = weight[order[0]]
    nothing = tree[:0]
    if s <= max(2 * k - 1, 3 * k - 5):
        return tree, nothing
    u = order[0]
    while True:
        # The part toward the root never has more than k−1 records: larger ones are not left behind.
        v, phi = -1, s - weight[u]
        if heavy[u] >= 0 and weight[heavy[u]] > phi:
            v, phi = heavy[u], weight[heavy[u]]
        if s - phi >= k or (s - phi == k - 1 and tree[v] < n):
            break
        u = v

    # The cut: at `u`, off with the marked children and what hangs below them, with u itself if `leaves`.
    record = tree[u] < n
    below, leaves = np.zeros(m, np.bool_), False
    if phi >= k and s - phi >= k:
        below[v] = True
    elif s - phi == k - 1:
        u = v
        for a in range(m):
            below[a] = parent[a] == u
    elif phi == k - 1 and record:
        for a in range(m):
            below[a] = a == v or (v < 0 and parent[a] == u)
        leaves = v >= 0
    else:
        need = k - 1 if record else k
        taken = s - weight[u]
        at_root = parent[u] < 0
        for a in order:
            if parent[a] == u:
                with_first = taken < need
                if with_first:
                    taken += weight[a]
                below[a] = with_first == at_root
        others = s - taken - record
        if others < need:
            return tree, nothing
        with_others = record and others == k - 1
        leaves = with_others != at_root
    for a in order:
        if parent[a] >= 0 and below[parent[a]]:
            below[a] = True

    for a in range(m):
        if parent[a] == u and below[a] != leaves:
            above[tree[a]] = stand_in
    if leaves:
        above[stand_in] = above[tree[u]]
        above[tree[u]] = -1
        below[u] = True
        return np.append(tree[~below], stand_in), tree[below]
    above[stand_in] = -1
    return tree[~below], np.append(tree[below], stand_in)
