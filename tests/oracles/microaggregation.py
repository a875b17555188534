"""Slow, obvious twins of the microaggregation methods: plain Python and numpy, straight from the papers' words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

Groups = list[list[int]]


def sse_of(points: np.ndarray, group: list[int]) -> float:
    part = points[group]
    return float(((part - part.mean(axis=0)) ** 2).sum())


def sse_of_labels(points: np.ndarray, labels: np.ndarray) -> float:
    return sum(sse_of(points, np.flatnonzero(labels == p).tolist()) for p in np.unique(labels))


def as_groups(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == p).tolist()) for p in np.unique(labels)}


def frozen(groups: Groups) -> set[frozenset[int]]:
    return {frozenset(g) for g in groups}


def partitions(items: list[int], k: int) -> Iterator[Groups]:
    """Every partition into groups of k .. 2k−1."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(k, 2 * k):
        for others in itertools.combinations(rest, size - 1):
            left = [x for x in rest if x not in others]
            if not left or len(left) >= k:
                for tail in partitions(left, k):
                    yield [[first, *others], *tail]


def optimum(points: np.ndarray, k: int) -> float:
    return min(sum(sse_of(points, g) for g in p) for p in partitions(list(range(len(points))), k))


def distance(points: np.ndarray, x: int, y: int) -> float:
    total = 0.0
    for a, b in zip(points[x].tolist(), points[y].tolist()):
        total += (a - b) * (a - b)
    return total


def nearest(points: np.ndarray, rest: list[int], seed: int, k: int, never: int = -1) -> list[int]:
    others = [x for x in rest if x not in (seed, never)]
    return [seed, *sorted(others, key=lambda x: (distance(points, x, seed), x))[: k - 1]]


def farthest(points: np.ndarray, rest: list[int], center: np.ndarray) -> int:
    return min(rest, key=lambda x: (-float(((points[x] - center) ** 2).sum()), x))


def mdav(points: np.ndarray, k: int) -> Groups:
    rest, groups = list(range(len(points))), []
    while len(rest) >= 3 * k:
        r = farthest(points, rest, points[rest].mean(axis=0))
        groups.append(nearest(points, rest, r, k))
        rest = [x for x in rest if x not in groups[-1]]
        s = farthest(points, rest, points[r])
        groups.append(nearest(points, rest, s, k))
        rest = [x for x in rest if x not in groups[-1]]
    if len(rest) >= 2 * k:
        r = farthest(points, rest, points[rest].mean(axis=0))
        groups.append(nearest(points, rest, r, k))
        rest = [x for x in rest if x not in groups[-1]]
    return [*groups, rest]


def join_nearest(points: np.ndarray, groups: Groups, rest: list[int]) -> Groups:
    centers = [points[g].mean(axis=0) for g in groups]
    out = [list(g) for g in groups]
    for x in rest:
        out[min(range(len(groups)), key=lambda p: float(((points[x] - centers[p]) ** 2).sum()))].append(x)
    return out


def maximum_distance(points: np.ndarray, k: int) -> Groups:
    rest, groups = list(range(len(points))), []
    while len(rest) >= 2 * k:
        r, s = max(itertools.combinations(rest, 2), key=lambda pair: distance(points, *pair))
        for seed, other in ((r, s), (s, -1)):
            groups.append(nearest(points, rest, seed, k, other))
            rest = [x for x in rest if x not in groups[-1]]
    if len(rest) >= k:
        return [*groups, rest]
    return join_nearest(points, groups, rest)


def vmdav(points: np.ndarray, k: int, gamma: float) -> Groups:
    """Before the groups of 2k or more that the end may leave are split."""
    rest, groups, center = list(range(len(points))), [], points.mean(axis=0)
    while len(rest) >= k:
        group = nearest(points, rest, farthest(points, rest, center), k)
        rest = [x for x in rest if x not in group]
        while len(group) < 2 * k - 1 and len(rest) > 1:
            u = min(rest, key=lambda x: (min(distance(points, x, y) for y in group), x))
            inside = min(distance(points, u, y) for y in group) ** 0.5
            outside = min(distance(points, u, x) for x in rest if x != u) ** 0.5
            if inside >= gamma * outside:
                break
            group.append(u)
            rest.remove(u)
        groups.append(group)
    return join_nearest(points, groups, rest)


def two_reference_points(points: np.ndarray, k: int) -> Groups:
    rest, groups = list(range(len(points))), []
    corners = points.min(axis=0), points.max(axis=0)
    while len(rest) >= k:
        seed = farthest(points, rest, corners[len(groups) % 2])
        groups.append(nearest(points, rest, seed, k))
        rest = [x for x in rest if x not in groups[-1]]
    return join_nearest(points, groups, rest)


def second_phase(points: np.ndarray, groups: Groups) -> Groups:
    return dissolve(points, groups, sorted(range(len(groups)), key=lambda p: -sse_of(points, groups[p])))


def dissolve(points: np.ndarray, groups: Groups, order: list[int]) -> Groups:
    """Send the members of a group to the nearest other centroids where that lowers SSE, group after group."""
    groups = [list(g) for g in groups]
    for p in order:
        others = [q for q in range(len(groups)) if q != p and groups[q]]
        if not others:
            break
        trial = [list(g) for g in groups]
        trial[p] = []
        for x in sorted(groups[p]):
            q = min(others, key=lambda q: float(((points[x] - points[groups[q]].mean(axis=0)) ** 2).sum()))
            trial[q].append(x)
        if sum(sse_of(points, g) for g in trial if g) < sum(sse_of(points, g) for g in groups if g):
            groups = trial
    return [g for g in groups if g]


def group_selection(points: np.ndarray, k: int) -> Groups:
    rest, groups = list(range(len(points))), []
    while len(rest) >= k:
        proposals = [nearest(points, rest, x, k) for x in rest]

        def loss(group: list[int], rest: list[int] = rest) -> float:
            left = [x for x in rest if x not in group]
            return sse_of(points, group) + (sse_of(points, left) if left else 0.0)

        groups.append(min(proposals, key=loss))
        rest = [x for x in rest if x not in groups[-1]]
    return join_nearest(points, groups, rest)


def densest_first(points: np.ndarray, k: int, p: int) -> Groups:
    """Neighborhoods of greatest SSE p times, then of least SSE."""
    rest, groups = list(range(len(points))), []
    while len(rest) >= k:
        proposals = [nearest(points, rest, x, k) for x in rest]
        groups.append((max if len(groups) < p else min)(proposals, key=lambda group: sse_of(points, group)))
        rest = [x for x in rest if x not in groups[-1]]
    return join_nearest(points, groups, rest)


def small_trees_joined(points: np.ndarray, k: int) -> dict[int, int]:
    """The edges of the k-forest, from each root that was hung up to the record above it."""
    trees = {x: {x} for x in range(len(points))}
    edges: dict[int, int] = {}
    while any(len(tree) < k for tree in trees.values()):
        for u in range(len(points)):
            if u in trees and len(trees[u]) < k:
                outside = [x for x in range(len(points)) if x not in trees[u]]
                edges[u] = min(outside, key=lambda x: (distance(points, x, u), x))
                into = next(root for root, tree in trees.items() if edges[u] in tree)
                trees[into] |= trees.pop(u)
    return edges


def tree_groups(n: int, edges: dict[int, int], k: int) -> Groups:
    """The forest cut by the four cases, on undirected links; names from n on are stand-ins."""
    links = list(edges.items())
    trees = [(root, reached(links, root)) for root in range(n) if root not in edges]
    groups: Groups = []
    name = n
    while trees:
        root, nodes = trees.pop()
        inside = [link for link in links if link[0] in nodes]
        if sum(x < n for x in nodes) <= max(2 * k - 1, 3 * k - 5):
            cut = None
        else:
            cut = where_to_cut(inside, root, n, k)
        if cut is None:
            groups.append([x for x in nodes if x < n])
            continue
        u, stay = cut
        # u keeps the neighbors in `stay`; a stand-in holds its other parts together.
        links = [link for link in links if link not in inside]
        for x, y in inside:
            if u in (x, y) and x + y - u not in stay:
                links.append((name, x + y - u))
            else:
                links.append((x, y))
        for copy in (u, name):
            tree = reached(links, copy)
            trees.append((root if root in tree else copy, tree))
        name += 1
    return groups


def where_to_cut(links: list[tuple[int, int]], root: int, n: int, k: int) -> tuple[int, set[int]] | None:
    def parts(u: int) -> dict[int, int]:
        """Records in the part of each neighbor, toward the root first, then by name."""
        others = [link for link in links if u not in link]
        out = {x + y - u: reached(others, x + y - u) for x, y in links if u in (x, y)}
        return {y: sum(x < n for x in out[y]) for y in sorted(out, key=lambda y: (root not in out[y], y))}

    u = root
    while True:
        sides = parts(u)
        s = sum(sides.values()) + (u < n)
        v = max(sides, key=lambda y: sides[y])
        if s - sides[v] >= k or (s - sides[v] == k - 1 and v < n):
            break
        u = v
    if sides[v] >= k and s - sides[v] >= k:
        return u, set(sides) - {v}
    if s - sides[v] == k - 1:
        return v, {u}
    if sides[v] == k - 1 and u < n:
        return u, {v}
    need = k - 1 if u < n else k
    first: set[int] = set()
    for y in sides:
        if sum(sides[z] for z in first) < need:
            first.add(y)
    rest = set(sides) - first
    others = sum(sides[y] for y in rest)
    if others < need:
        return None
    return u, rest if u < n and others == k - 1 else first


def greedy_edges(points: np.ndarray) -> set[frozenset[int]]:
    """The greedy tour without its last edge."""
    edges: list[tuple[int, int]] = []
    for x, y in sorted(itertools.combinations(range(len(points)), 2), key=lambda pair: distance(points, *pair)):
        free = all(sum(z in edge for edge in edges) < 2 for z in (x, y))
        if free and y not in reached(edges, x):
            edges.append((x, y))
    return {frozenset(edge) for edge in edges}


def shorter_by_exchange(points: np.ndarray, tour: list[int]) -> bool:
    """Whether the tour with some stretch of it turned around is shorter."""

    def length(order: list[int]) -> float:
        return sum(distance(points, x, y) ** 0.5 for x, y in zip(order, order[1:] + order[:1]))

    n = len(tour)
    turned = (tour[:i] + tour[i:j][::-1] + tour[j:] for i in range(n) for j in range(i + 2, n + 1))
    return min(length(order) for order in turned) < length(tour) * (1 - 1e-9)


def tree_parts(points: np.ndarray, k: int) -> Groups:
    """Kruskal's tree, its edges cut by falling length where both sides keep k records."""
    n = len(points)
    component = list(range(n))
    tree = []
    for x, y in sorted(itertools.combinations(range(n), 2), key=lambda pair: distance(points, *pair)):
        if component[x] != component[y]:
            tree.append((x, y))
            component = [component[x] if c == component[y] else c for c in component]
    for edge in sorted(tree, key=lambda pair: -distance(points, *pair)):
        fewer = [e for e in tree if e != edge]
        if all(len(reached(fewer, end)) >= k for end in edge):
            tree = fewer
    parts: Groups = []
    for x in range(n):
        if not any(x in part for part in parts):
            parts.append(sorted(reached(tree, x)))
    return parts


def reached(edges: list[tuple[int, int]], x: int) -> set[int]:
    found, todo = {x}, [x]
    while todo:
        at = todo.pop()
        for a, b in edges:
            for here, there in ((a, b), (b, a)):
                if here == at and there not in found:
                    found.add(there)
                    todo.append(there)
    return found


def run_lengths(n: int, k: int) -> Iterator[list[int]]:
    if n == 0:
        yield []
    for length in range(k, min(2 * k - 1, n) + 1):
        for rest in run_lengths(n - length, k):
            yield [length, *rest]


def best_cut(points: np.ndarray, order: list[int], k: int) -> float:
    best = np.inf
    for lengths in run_lengths(len(order), k):
        ends = np.cumsum(lengths)
        best = min(best, sum(sse_of(points, order[e - m : e]) for e, m in zip(ends, lengths)))
    return best


def best_tour_cut(points: np.ndarray, order: list[int], k: int) -> float:
    return min(best_cut(points, order[s:] + order[:s], k) for s in range(len(order)))


def path_through(points: np.ndarray, labels: np.ndarray) -> list[int]:
    """Nearest point next that finishes a group before it leaves it."""
    left = list(range(len(points)))
    order = [farthest(points, left, points.mean(axis=0))]
    left.remove(order[0])
    while left:
        inside = [x for x in left if labels[x] == labels[order[-1]]]
        order.append(min(inside or left, key=lambda x: (distance(points, x, order[-1]), x)))
        left.remove(order[-1])
    return order


def best_of_pool(points: np.ndarray, groups: list[frozenset[int]]) -> float:
    """Least SSE of a partition made of the given groups, by exhaustive search."""

    def search(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first = min(left)
        return min(
            (sse_of(points, sorted(g)) + search(left - g) for g in groups if first in g and g <= left),
            default=np.inf,
        )

    return search(frozenset(range(len(points))))


def consistent(state: Any) -> None:
    """Members, places, sizes, labels, free groups and means of groups in the making tell the same story."""
    for p in range(state.size.size):
        members = state.members[p, : state.size[p]]
        assert (state.labels[members] == p).all()
        assert (state.place[members] == np.arange(len(members))).all()
        if len(members):
            np.testing.assert_allclose(state.means[p], state.points[members].mean(axis=0), atol=1e-9)
    assert state.size.sum() == len(state.labels)
    free = state.free[: state.height[0]]
    assert sorted(free) == np.flatnonzero(state.size == 0).tolist()
