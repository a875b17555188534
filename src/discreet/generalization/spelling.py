"""Boxes as text: how a widened value is written in a published file.

An unchanged value stays as it was; a widened number is `[17, 39]`; widened categories are `{a, b}` in sorted order,
values that hold a comma, brace or quote quoted as in CSV; with a hierarchy, the label of the node. A missing value
among categories is an empty item; a box that holds missing values and numbers is `*`, anything. No plain value may look
like any of these (`reads_as_box`), so that each text has one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import lowest_common
from discreet.generalization.domain import INTERVAL, SET, Attribute, Codes, Domain, Integers, Tables

ANYTHING = "*"
Texts = NDArray[np.object_]
Labels = Sequence[str | None]


def spell(domain: Domain, place: int, labels: Labels, cover: Integers, *, numbers: bool) -> tuple[Texts, int]:
    """The published text of every record on one attribute, and how many were widened.

    `labels` spells each code, None where it stands for a missing value; `cover[i]` are the records that box i covers.
    With `numbers` an interval is written by its ends, otherwise by all the values in it.
    """
    attribute = domain.attributes[place]
    codes = domain.codes[:, place]
    if attribute.kind == INTERVAL:
        keys, write = _interval(attribute, codes, labels, cover, numbers)
    elif attribute.kind == SET:
        return _sets(codes, labels, cover)
    else:
        keys, write = _nodes(domain.tables, attribute, place, codes, cover)
    distinct, inverse = np.unique(keys, return_inverse=True)
    texts = np.empty(distinct.size, object)
    texts[:] = [write(int(key)) for key in distinct]
    plain = set(labels if attribute.hierarchy is None else attribute.hierarchy.leaves)
    wide = np.array([text is not None and text not in plain for text in texts], bool)
    return texts[inverse], int(wide[inverse].sum())


def _interval(
    attribute: Attribute, codes: Codes, labels: Labels, cover: Integers, numbers: bool
) -> tuple[Integers, Callable[[int], str | None]]:
    size = attribute.size
    assert attribute.position is not None
    last = size - 1 if size and np.isnan(attribute.position[-1]) else size  # from here on codes mean "missing"
    low, high, absent = interval_codes(codes, cover, last)
    span = size + 2
    keys = (low.astype(np.int64) * span + high) * 2 + absent

    def write(key: int) -> str | None:
        low, high = divmod(key // 2, span)
        if high < low:
            return None
        if key % 2:
            return ANYTHING
        if low == high:
            return labels[low]
        if numbers:
            return f"[{labels[low]}, {labels[high]}]"
        return braces([labels[code] for code in range(low, high + 1)])

    return keys, write


def interval_codes(codes: Codes, cover: Integers, last: int) -> tuple[Integers, Integers, Integers]:
    """Least and greatest code below `last` in each cover (least > greatest where there is none); any from `last` on."""
    low, high = np.full(len(cover), last + 1, np.int64), np.zeros(len(cover), np.int64)
    absent = np.zeros(len(cover), bool)
    for column in cover.T:
        code = codes[column]
        known = (code >= 0) & (code < last)
        absent |= code >= last
        np.minimum(low, code, out=low, where=known)
        np.maximum(high, code, out=high, where=known)
    return low, high, (absent & (low <= last)).astype(np.int64)


def _sets(codes: Codes, labels: Labels, cover: Integers) -> tuple[Texts, int]:
    own = np.empty(len(labels) + 1, object)
    own[:-1] = list(labels)
    own[-1] = None
    members = np.sort(codes[cover], axis=1)
    # A wildcard (−1) widens nothing: it is written as the least value of its box.
    greatest = members[:, -1:]
    members = np.where(members < 0, greatest, members)
    members[:, 1:][members[:, 1:] == members[:, :-1]] = -2
    members = np.sort(np.where(members == -2, greatest, members), axis=1)
    texts = own[members[:, 0]]
    wide = np.flatnonzero(members[:, 0] != members[:, -1])
    if wide.size:
        rows = np.ascontiguousarray(members[wide])
        packed = rows.view([("", rows.dtype)] * rows.shape[1]).ravel()
        _, first, inverse = np.unique(packed, return_index=True, return_inverse=True)
        spelled = np.empty(first.size, object)
        spelled[:] = [braces([labels[code] for code in dict.fromkeys(rows[f].tolist())]) for f in first]
        texts[wide] = spelled[inverse]
    return texts, int(wide.size)


def _nodes(
    tables: Tables, attribute: Attribute, place: int, codes: Codes, cover: Integers
) -> tuple[Integers, Callable[[int], str | None]]:
    tree = attribute.hierarchy
    assert tree is not None
    nodes = node_of(tables, int(tables.start[place]), codes, cover)
    offset = int(tables.leaf[tables.start[place]]) - int(tree.leaf_node[0]) if attribute.size else 0
    return nodes, lambda node: tree.labels[node - offset] if node >= 0 else None


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def node_of(t: Tables, first: int, codes: Codes, cover: Integers) -> Integers:
    """The lowest node over each cover, −1 where it holds wildcards only."""
    n, width = cover.shape
    out = np.full(n, -1, np.int64)
    for i in range(n):
        for r in range(width):
            code = codes[cover[i, r]]
            if code >= 0:
                out[i] = t.leaf[first + code] if out[i] < 0 else lowest_common(t, out[i], code)
    return out


def reads_as_box(text: str) -> bool:
    """Whether a plain value could be taken for a set or for anything: it must not be published as it is."""
    bare = text.strip()
    return bare == ANYTHING or (bare.startswith("{") and bare.endswith("}"))


def braces(values: Sequence[str | None]) -> str:
    """`{a, b}` in sorted order."""
    return "{" + ", ".join(_quoted(value) for value in sorted("" if v is None else v for v in values)) + "}"


def _quoted(value: str) -> str:
    if any(char in value for char in ',{}"') or value != value.strip():
        return '"' + value.replace('"', '""') + '"'
    return value
