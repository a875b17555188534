"""The release server's decisions, slowly and obviously: list every table, look at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from math import prod
from typing import Any

import numpy as np

Axes = tuple[int, ...]


def all_tables(shape: tuple[int, ...], total: int) -> np.ndarray:
    """Every non-negative integer table of this shape and total, one per row."""
    return np.array(list(_compositions(prod(shape), total)), np.int64)


def _compositions(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(parts - 1, total - first):
            yield (first, *rest)


def margin(tables: np.ndarray, shape: tuple[int, ...], axes: Axes) -> np.ndarray:
    """The margin over `axes` of each table, one per row."""
    cube = tables.reshape(-1, *shape)
    drop = tuple(a + 1 for a in range(len(shape)) if a not in axes)
    return cube.sum(axis=drop).reshape(len(tables), -1)


def consistent(tables: np.ndarray, shape: tuple[int, ...], truth: np.ndarray, known: Iterable[Axes]) -> np.ndarray:
    """Those tables that have the margins of `truth` over all of `known`."""
    keep = np.ones(len(tables), bool)
    for axes in known:
        keep &= (margin(tables, shape, axes) == margin(truth[None], shape, axes)).all(axis=1)
    return tables[keep]


def look_alikes(tables: np.ndarray, shape: tuple[int, ...], known: Sequence[Axes]) -> list[np.ndarray]:
    """The tables in groups that cannot be told apart by the margins over `known`, each group one table per row."""
    groups: dict[tuple[bytes, ...], list[np.ndarray]] = {}
    for table in tables:
        groups.setdefault(tuple(margin(table[None], shape, axes).tobytes() for axes in known), []).append(table)
    return [np.array(group) for group in groups.values()]


def safe(truth: np.ndarray, fibre: np.ndarray, c: int, w: int, min_tables: int = 1) -> bool:
    """The rule for one table, given all tables that look like it."""
    width = fibre.max(axis=0) - fibre.min(axis=0)
    sensitive = (truth >= 1) & (truth <= c)
    return bool((width[sensitive] >= w).all() and len(fibre) >= min_tables)


def exact_answers(
    truth: np.ndarray, shape: tuple[int, ...], requests: Sequence[Axes], c: int, w: int, min_tables: int = 1
) -> list[str]:
    """Answers of mode "exact" to requests in order."""
    tables = all_tables(shape, int(truth.sum()))
    released: list[Axes] = []
    answers = []
    for request in requests:
        if safe(truth, consistent(tables, shape, truth, [*released, request]), c, w, min_tables):
            released.append(request)
            answers.append("release")
        else:
            answers.append("refuse")
    return answers


def simulatable_answers(
    truth: np.ndarray, shape: tuple[int, ...], requests: Sequence[Axes], c: int, w: int, known: Sequence[Axes]
) -> list[str]:
    """Answers of mode "simulatable": released if it would be for every table consistent with what is public."""
    tables = all_tables(shape, int(truth.sum()))
    public = list(known)
    answers = []
    for request in requests:
        covered = any(set(request) <= set(axes) for axes in public)
        fibre = consistent(tables, shape, truth, public)
        if covered or all(safe(t, consistent(fibre, shape, t, [request]), c, w) for t in fibre):
            public.append(request)
            answers.append("release")
        else:
            answers.append("refuse")
    return answers


def subsets(variables: int) -> list[Axes]:
    """Every non-empty set of variables."""
    return list(chain.from_iterable(combinations(range(variables), r) for r in range(1, variables + 1)))


def best_plan(truth: np.ndarray, shape: tuple[int, ...], c: int, w: int) -> int:
    """The greatest number of independent counts that a safe set of margins fixes; 0 where none is safe."""
    tables = all_tables(shape, int(truth.sum()))
    every = subsets(len(shape))
    best = 0
    for family in chain.from_iterable(combinations(every, r) for r in range(1, len(every) + 1)):
        if any(set(a) < set(b) for a in family for b in family):
            continue
        value = independent_counts(shape, family)
        if value > best and safe(truth, consistent(tables, shape, truth, family), c, w):
            best = value
    return best


def independent_counts(shape: tuple[int, ...], family: Sequence[Axes]) -> int:
    """Rank of the equations that the margins are."""
    cells = np.arange(prod(shape)).reshape(shape)
    rows = []
    for axes in family:
        drop = [a for a in range(len(shape)) if a not in axes]
        flat = np.moveaxis(cells, drop, range(len(shape) - len(drop), len(shape))) if drop else cells
        for group in flat.reshape(prod([shape[a] for a in axes]), -1):
            row = np.zeros(cells.size)
            row[group] = 1
            rows.append(row)
    return int(np.linalg.matrix_rank(np.array(rows)))


def looks_the_same(
    tables: np.ndarray, shape: tuple[int, ...], truth: np.ndarray, released: Sequence[int], parts: Sequence[Any]
) -> np.ndarray:
    """Those tables that have the released margins (bit masks) of `truth`, and of which the same is told in part.

    A part has `mask`, `kind`, the places that are `hidden` and the `base` of rounding.
    """
    found = consistent(tables, shape, truth, [_axes(mask, shape) for mask in released])
    for part in parts:
        axes = _axes(part.mask, shape)
        told = told_in_part(margin(truth[None], shape, axes)[0], part)
        found = found[[told_in_part(row, part) == told for row in margin(found, shape, axes)]]
    return found


def told_in_part(counts: np.ndarray, part: Any) -> list[int | None]:
    """What a reader sees of these counts."""
    if part.kind == "round":
        return [part.base * int((n + part.base // 2) // part.base) for n in counts]
    return [None if place in part.hidden else int(n) for place, n in enumerate(counts)]


def _axes(mask: int, shape: tuple[int, ...]) -> Axes:
    return tuple(a for a in range(len(shape)) if mask >> a & 1)
