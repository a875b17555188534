"""Weighted totals by domain, before and after: what a tabulation of the published file gives.

A domain is a value of a column with few of them. Before, its total is Σ w over the persons who have the value. After,
it is Σ w over the published rows, w being the published weight; a row whose key was widened to m values counts 1/m for
each of them, as whoever tabulates boxes does who knows no better. Values that fewer than k persons have are not told
one by one, and not as what the others lack: they and what is missing are pooled, with so many more values that k
persons or more are behind the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.frames.exact import Entries
from discreet.generalization.domain import INTERVAL, SET, Attribute, Domain
from discreet.generalization.spelling import interval_codes, node_of

Floats = NDArray[np.float64]
MOST_VALUES = 12


@dataclass(frozen=True)
class DomainTotal:
    """The weighted total of those whose `column` has this value, before and after."""

    column: str
    value: str
    before: float
    after: float


def shares(domain: Domain, place: int, members: NDArray[np.int64]) -> Floats:
    """`out[r, v]`: the share of row r that counts for value v of an attribute, from the box over `members[r]`."""
    attribute, codes = domain.attributes[place], domain.codes[:, place]
    values = np.arange(attribute.size)
    out = np.zeros((len(members), attribute.size))
    if attribute.kind == SET:
        for column in members.T:
            known = codes[column] >= 0
            out[np.flatnonzero(known), codes[column][known]] = 1.0
    elif attribute.kind == INTERVAL:
        low, high, _ = interval_codes(codes, members, attribute.size)
        out[:] = (values >= low[:, None]) & (values <= high[:, None])
    else:
        tree = attribute.hierarchy
        assert tree is not None
        nodes = node_of(domain.tables, int(domain.tables.start[place]), codes, members)
        first = int(domain.tables.leaf[domain.tables.start[place]]) - int(tree.leaf_node[0]) if attribute.size else 0
        known = nodes >= 0
        own = nodes[known] - first
        out[known] = (values >= tree.left[own][:, None]) & (values <= tree.right[own][:, None])
    return out / np.maximum(out.sum(axis=1, keepdims=True), 1.0)


def boxed_totals(
    attribute: Attribute, labels: Sequence[str | None], parts: Floats, before: Floats, after: Floats, k: int
) -> list[DomainTotal]:
    """Totals by the values of a key; `before` are the weights of records, `after` of rows, `parts` their shares."""
    found = np.append(parts.T @ after, after @ (1.0 - parts.sum(axis=1)))
    names = [label or "(missing)" for label in labels]
    return _pooled(attribute.name, names, attribute.codes.astype(np.int64), before, found, k)


def left_totals(
    column: str, entries: Entries, origin: NDArray[np.int64], before: Floats, after: Floats, k: int
) -> list[DomainTotal]:
    """Totals by the values of a column that is left as it is; `origin` has the record of each row of the covering."""
    codes, texts = entries.codes, entries.texts
    if len(texts) > MOST_VALUES:
        return []
    return _pooled(column, texts, codes, before, _by_value(codes[origin], after, len(texts)), k)


def _by_value(codes: NDArray[np.int64], weights: Floats, size: int) -> Floats:
    """Sums of weights by value, and at the end of those without a value (code −1)."""
    return np.bincount(np.where(codes < 0, size, codes), weights, size + 1).astype(np.float64)


def _pooled(
    column: str, labels: Sequence[str], codes: NDArray[np.int64], weights: Floats, after: Floats, k: int
) -> list[DomainTotal]:
    """One line per value that k persons or more have; the others, if there are any, in one line of k or more."""
    size = len(labels)
    before = _by_value(codes, weights, size)
    counts = _by_value(codes, (weights != 0).astype(np.float64), size)  # records that are not published weigh nothing
    pooled = counts < k
    pooled[size] = True
    order = np.argsort(counts[:size], kind="stable")
    for value in order[counts[:size][order] >= k].tolist():
        if not 0 < counts[pooled].sum() < k:
            break
        pooled[value] = True
    shown = np.flatnonzero(~pooled).tolist()
    out = [DomainTotal(column, labels[v], float(before[v]), float(after[v])) for v in shown]
    if counts[pooled].sum() >= k:
        out.append(DomainTotal(column, "(others)", float(before[pooled].sum()), float(after[pooled].sum())))
    return out
