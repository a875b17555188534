"""The independence graph of a set of released margins, and how it falls apart.

Vertices are variables; two are joined when some margin contains both. The graph is split at its clique minimal
separators into atoms (Leimer 1993; Berry, Pogorelcnik, Simonet 2010, by a minimal triangulation with MCS-M). A split
serves the bounds only where the separator lies inside one released margin, so that its counts are known: atoms on
both sides of another separator are joined again. If every atom is then a released margin, the margins are the minimal
sufficient statistics of a decomposable log-linear model (seed, Theorem 1); if there are several atoms, of a reducible
one (Theorem 2).

Sets of variables are bit masks, which keeps 200 variables within a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Axes = tuple[int, ...]


@dataclass(frozen=True)
class Decomposition:
    """Atoms in an order with the running intersection property.

    `parents[j]` is the atom to which atom j is joined through `separators[j]` (-1 and the empty set for the first).
    `unreleased` lists clique separators of the graph that no released margin contains and that were not used.
    """

    variables: int
    generators: tuple[Axes, ...]
    atoms: tuple[Axes, ...]
    separators: tuple[Axes, ...]
    parents: tuple[int, ...]
    unreleased: tuple[Axes, ...]
    chordal: bool

    @property
    def decomposable(self) -> bool:
        return set(self.atoms) <= set(self.generators)

    @property
    def reducible(self) -> bool:
        return len(self.atoms) > 1

    @property
    def complete(self) -> bool:
        """Whether any two variables are joined, as they still are with further margins."""
        return self.chordal and not self.unreleased and len(self.atoms) == 1

    @property
    def uncovered(self) -> Axes:
        """Variables that no released margin contains."""
        seen = set().union(*map(set, self.generators)) if self.generators else set()
        return tuple(v for v in range(self.variables) if v not in seen)

    def generators_of(self, atom: int) -> tuple[Axes, ...]:
        """What is known inside an atom: every released margin restricted to it, the contained ones dropped."""
        inside = set(self.atoms[atom])
        if len(inside) == self.variables:
            return self.generators
        return reduce_generators(tuple(v for v in g if v in inside) for g in self.generators)


def reduce_generators(generators: Iterable[Iterable[int]]) -> tuple[Axes, ...]:
    """Maximal sets only, the largest first; the empty set alone where nothing else is given."""
    return maximal({tuple(sorted(set(g))) for g in generators})


def maximal(axes: Iterable[Axes]) -> tuple[Axes, ...]:
    """As `reduce_generators`, of ascending axes without repetition."""
    given = sorted(axes)
    sizes = {len(g) for g in given}
    if len(sizes) == 1:
        return tuple(given)
    kept: list[Axes] = []
    larger: list[int] = []
    for size in sorted(sizes, reverse=True):
        chosen = [(g, mask_of(g)) for g in given if len(g) == size]
        chosen = [(g, mask) for g, mask in chosen if not any(mask & other == mask for other in larger)]
        kept += [g for g, _ in chosen]
        larger += [mask for _, mask in chosen]
    return tuple(kept) or ((),)


def independence_graph(variables: int, generators: Iterable[Iterable[int]]) -> list[int]:
    """Neighbors of each variable, as bit masks."""
    adjacent = [0] * variables
    for generator in generators:
        members = tuple(generator)
        mask = mask_of(members)
        for v in members:
            adjacent[v] |= mask
    return [mask & ~(1 << v) for v, mask in enumerate(adjacent)]


def decompose(variables: int, generators: Iterable[Iterable[int]], *, reduced: bool = False) -> Decomposition:
    """Atoms of the released margins and the tree that joins them; `reduced` where `reduce_generators` made them."""
    return _decompose(variables, tuple(map(tuple, generators)) if reduced else reduce_generators(generators))


def _decompose(variables: int, reduced: tuple[Axes, ...]) -> Decomposition:
    adjacent = independence_graph(variables, reduced)
    if variables and all(mask.bit_count() == variables - 1 for mask in adjacent):
        return Decomposition(variables, reduced, (tuple(range(variables)),), ((),), (-1,), (), True)
    filled, order, chordal = minimal_triangulation(adjacent)
    masks, edges = _atom_tree(adjacent, filled, order)
    known = [mask_of(g) for g in reduced]
    group = list(range(len(masks)))
    unreleased = set()
    kept: list[tuple[int, int, int]] = []
    for child, parent, separator in edges:
        contained = separator in (masks[child], masks[parent])
        if not contained and any(separator & g == separator for g in known):
            kept.append((child, parent, separator))
            continue
        if not contained:
            unreleased.add(tuple(_bits(separator)))
        a, b = _find(group, child), _find(group, parent)
        group[max(a, b)] = min(a, b)
    return _ordered(variables, reduced, masks, kept, group, tuple(sorted(unreleased)), chordal)


def minimal_triangulation(adjacent: Sequence[int]) -> tuple[list[int], list[int], bool]:
    """A minimal chordal supergraph, a perfect elimination order of it, and whether nothing had to be added (MCS-M).

    At each step the unnumbered vertex of greatest weight is numbered; every vertex that it reaches through
    vertices of smaller weight than its own gains weight and becomes a neighbor.
    """
    n = len(adjacent)
    filled = list(adjacent)
    weight = [0] * n
    unnumbered = (1 << n) - 1
    by_weight = {0: unnumbered}
    order: list[int] = []
    for _ in range(n):
        top = max(w for w, mask in by_weight.items() if mask)
        v = (by_weight[top] & -by_weight[top]).bit_length() - 1
        by_weight[top] ^= 1 << v
        unnumbered ^= 1 << v
        near, light, through, gained = adjacent[v] & unnumbered, 0, 0, 0
        for w in sorted(by_weight):
            if not by_weight[w]:
                continue
            # Before the vertices of weight w open the way: one reached only through another is not reached lightly.
            gained |= near & by_weight[w]
            light |= by_weight[w]
            while fresh := near & light & ~through:
                through |= fresh
                for u in _bits(fresh):
                    near |= adjacent[u] & unnumbered
        for u in _bits(gained):
            by_weight[weight[u]] ^= 1 << u
            weight[u] += 1
            by_weight[weight[u]] = by_weight.get(weight[u], 0) | 1 << u
            filled[u] |= 1 << v
            filled[v] |= 1 << u
        order.append(v)
    order.reverse()
    return filled, order, filled == list(adjacent)


def maximal_cliques(adjacent: Sequence[int]) -> list[Axes]:
    """All maximal cliques of a graph (Bron and Kerbosch, with a pivot)."""
    found: list[int] = []
    stack = [(0, (1 << len(adjacent)) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            found.append(clique)
            continue
        pivot = max(_bits(candidates | excluded), key=lambda u: (candidates & adjacent[u]).bit_count())
        for v in _bits(candidates & ~adjacent[pivot]):
            stack.append((clique | 1 << v, candidates & adjacent[v], excluded & adjacent[v]))
            candidates &= ~(1 << v)
            excluded |= 1 << v
    return sorted(tuple(_bits(mask)) for mask in found)


def _atom_tree(
    adjacent: list[int], filled: list[int], order: list[int]
) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Atoms and, for each but the last, (atom, an atom that holds its separator, separator)."""
    remaining = (1 << len(adjacent)) - 1
    later = remaining
    atoms: list[int] = []
    cuts: list[int] = []
    for v in order:
        later &= ~(1 << v)
        if not remaining >> v & 1:
            continue
        separator = filled[v] & later & remaining
        if not _is_clique(adjacent, separator):
            continue
        side = _component(adjacent, v, remaining & ~separator)
        if remaining & ~separator & ~side:
            atoms.append(side | separator)
            cuts.append(separator)
            remaining &= ~side
    atoms.append(remaining)
    edges = []
    for j, separator in enumerate(cuts):
        parent = next(i for i in range(j + 1, len(atoms)) if separator & atoms[i] == separator)
        edges.append((j, parent, separator))
    return atoms, edges


def _ordered(
    variables: int,
    generators: tuple[Axes, ...],
    masks: list[int],
    kept: list[tuple[int, int, int]],
    group: list[int],
    unreleased: tuple[Axes, ...],
    chordal: bool,
) -> Decomposition:
    """Join atoms of one group and list the groups from a root outward."""
    joined: dict[int, int] = {}
    for j, mask in enumerate(masks):
        root = _find(group, j)
        joined[root] = joined.get(root, 0) | mask
    links: dict[int, list[tuple[int, int]]] = {root: [] for root in joined}
    for child, parent, separator in kept:
        a, b = _find(group, child), _find(group, parent)
        links[a].append((b, separator))
        links[b].append((a, separator))
    start = max(joined, key=lambda r: (joined[r].bit_count(), -r))
    place = {start: 0}
    atoms, separators, parents = [joined[start]], [0], [-1]
    queue = [start]
    for root in queue:
        for other, separator in links[root]:
            if other not in place:
                place[other] = len(atoms)
                atoms.append(joined[other])
                separators.append(separator)
                parents.append(place[root])
                queue.append(other)
    return Decomposition(
        variables,
        generators,
        tuple(tuple(_bits(a)) for a in atoms),
        tuple(tuple(_bits(s)) for s in separators),
        tuple(parents),
        unreleased,
        chordal,
    )


def _is_clique(adjacent: Sequence[int], mask: int) -> bool:
    return all(mask & ~adjacent[v] == 1 << v for v in _bits(mask))


def _component(adjacent: Sequence[int], start: int, within: int) -> int:
    reached = frontier = 1 << start
    while frontier:
        v = (frontier & -frontier).bit_length() - 1
        frontier ^= 1 << v
        fresh = adjacent[v] & within & ~reached
        reached |= fresh
        frontier |= fresh
    return reached


def _find(group: list[int], j: int) -> int:
    while group[j] != j:
        j = group[j]
    return j


def mask_of(axes: Iterable[int]) -> int:
    mask = 0
    for v in axes:
        mask |= 1 << v
    return mask


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
