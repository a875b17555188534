"""An interval certificate, checked: for every hidden cell, that no table lies outside and that tables attain the ends.

An end is proven by multipliers of relations over boxes that the checker narrows itself, by such a box alone, or by a
tree of boxes none of which holds a table beyond it; it is attained by a witness table of whole numbers. A side that is
called sharp must be both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from discreet.verify.tabular.branching import check_tree
from discreet.verify.tabular.cuts import Rejected, cells_of, numbers, whole
from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import Table

FORMAT = "discreet interval certificate"


class Checked(NamedTuple):
    """Sides that were proven, and those of them that a table attains; the witnesses, as moves of whole numbers."""

    sides: int
    sharp: int
    witnesses: list[dict[int, int]]


def check_intervals(
    table: Table, document: Any, pattern: Collection[int], attackers: Collection[frozenset[int]] = ()
) -> Checked:
    """What the certificate proves; raises `Rejected` at the first thing that is not so."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT or document.get("version") != 1:
        raise Rejected("the file is no interval certificate of version 1")
    hidden = set(cells_of(document.get("hidden"), "the hidden cells", table))
    known = cells_of(document.get("known", []), "the known cells", table)
    if hidden != set(pattern):
        raise Rejected("the certificate is about another pattern")
    if known and frozenset(known) not in set(attackers):
        raise Rejected("the certificate is about an attacker that was not stated")
    view = Hidden(table, sorted(hidden), known)
    moves = [_witness(view, entry) for entry in _list(document, "witnesses")]
    boxes = view.narrowed()
    entries = _list(document, "intervals")
    listed = cells_of([entry.get("cell") for entry in entries if isinstance(entry, Mapping)], "the intervals", table)
    if set(listed) != set(view.cells) or len(entries) != len(listed):
        raise Rejected("the intervals are not those of the hidden cells")
    sharp = 0
    for entry in entries:
        for side, word in ((1, "upper"), (-1, "lower")):
            sharp += _side(table, view, boxes, moves, entry, side, word)
    return Checked(2 * len(entries), sharp, [move for move, scale in moves if scale == 1])


def _list(document: Mapping[str, Any], name: str) -> list[Any]:
    found = document.get(name)
    if not isinstance(found, list):
        raise Rejected(f"the certificate has no list of {name}")
    return found


def _witness(view: Hidden, entry: Any) -> tuple[dict[int, int], int]:
    if not isinstance(entry, Mapping):
        raise Rejected("a witness is no object")
    cells, changes = _list(entry, "cells"), _list(entry, "changes")
    scale = whole(entry.get("denominator"), "the denominator of a witness", 1)
    found = {whole(c, "a cell of a witness", 0): whole(v, "a change of a witness") for c, v in zip(cells, changes)}
    if len(found) != len(cells) or len(cells) != len(changes) or not view.possible(found, scale):
        raise Rejected("a witness is no table that the published cells allow")
    return found, scale


def _side(
    table: Table,
    view: Hidden,
    boxes: tuple[dict[int, int], dict[int, int]],
    moves: list[tuple[dict[int, int], int]],
    entry: Mapping[str, Any],
    side: int,
    word: str,
) -> int:
    """1 where the side is called sharp and is, 0 where it holds; raises where it does not."""
    cell = int(entry["cell"])
    end = whole(entry.get(word), f"the {word} end of an interval") - int(table.value[cell])
    bound = boxes[side > 0][cell]
    proof = entry.get(f"{word}_proof")
    if proof is not None:
        if not isinstance(proof, Mapping):
            raise Rejected("a proof is no object")
        scale = whole(proof.get("denominator"), "the denominator of a proof", 1)
        multipliers = numbers(proof.get("multipliers"), "the multipliers of a proof", table.right.size)
        other = view.bound(cell, side, scale, multipliers, boxes)
        bound = other if side * (other - bound) < 0 else bound
    if side * (end - bound) < 0 and f"{word}_tree" in entry:
        check_tree(view, boxes, cell, side, end + side, entry[f"{word}_tree"])
    elif side * (end - bound) < 0:
        raise Rejected(f"the {word} end of cell {cell} is not proven")
    if entry.get(f"{word}_sharp") is not True:
        return 0
    number = whole(entry.get(f"{word}_witness"), "the number of a witness", -1)
    if number >= len(moves):
        raise Rejected("an interval names a witness that is not there")
    move, scale = moves[number] if number >= 0 else ({}, 1)
    if scale != 1 or move.get(cell, 0) != end:
        raise Rejected(f"the {word} end of cell {cell} is called sharp, and its witness does not attain it")
    return 1
