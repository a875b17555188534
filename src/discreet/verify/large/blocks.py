"""k disjoint perfect matchings in files that do not fit: blocks are cut until they fit, and each is judged in memory.

The release is safe if every block is, and unsafe if one is not that exact cuts lead to (`cuts.py` has the argument).
Another block that fails, or one that fits no memory and cannot be cut, leaves the question open. Nothing that the
method knew is used, and no block is published: the cuts are found in the published boxes themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from discreet.results import Verdict
from discreet.verify.large.codes import rows_at_once
from discreet.verify.large.cuts import Block, NoMatchingError, best_cut, split
from discreet.verify.large.database import OWN
from discreet.verify.matchings.check import GUARANTEE, Figures, judge_classes, with_likelihood
from discreet.verify.matchings.classes import Classes, from_distinct, unique_rows
from discreet.verify.matchings.reading import Integers, Reading
from discreet.verify.readers.column import shown

PER_EDGE, PER_ROW = 32, 400  # bytes that a pair of a person and a box takes, and a row, while matchings are looked for
LEAST_EDGES, LEAST_ROWS = 1 << 20, 1 << 15
MORE = "give more memory (--memory)"


class Allowance(NamedTuple):
    """How many different rows, and how many pairs of a person and a box, may be held at once."""

    rows: int
    edges: int


def room_within(memory: int) -> Allowance:
    room = memory - min(OWN, memory // 2)
    return Allowance(max(LEAST_ROWS, room // 2 // PER_ROW), max(LEAST_EDGES, room * 3 // 4 // PER_EDGE))


def needed(rows: int, k: int) -> int:
    """The bytes that the check of so many rows may take: it lists a few times k pairs for each before it lists all."""
    return rows * (PER_ROW + (4 * k + 44) * PER_EDGE)


def judge_blocks(
    whole: Block, readings: list[Reading], names: tuple[str, ...], k: int, room: Allowance, folder: Path
) -> Verdict:
    """The verdict on the boxes."""
    if k > whole.rows:
        failure = f"k = {k} is more than the {whole.rows} records"
        return Verdict("unsafe", GUARANTEE, k, (failure,), ("lower k",), {"n": whole.rows})
    figures: Figures = {"n": whole.rows, "distinct_originals": 0, "distinct_boxes": 0, "edges": 0, "blocks": 0}
    fewest = whole.rows
    open_rows = number = 0
    stack = [whole]
    while stack:
        block = stack.pop()
        found = _judge(block, readings, k, room) if block.rows <= room.rows else None
        if found is None:
            try:
                cut = best_cut(block, readings)
            except NoMatchingError as error:
                return _no_matching(figures, k, names[error.column], error.torn)
            if cut is not None:
                number += 1
                stack += split(block, cut, len(readings), folder, number)
            elif block.rows > room.rows:  # many alike, perhaps
                found = _judge(block, readings, k, room)
            if cut is None and found is None:
                open_rows += block.rows
        if block is not whole:
            block.before.unlink()
            block.after.unlink()
        if found is None:
            continue
        if not found.safe and not block.exact:
            open_rows += block.rows
            continue
        if not found.safe:
            return Verdict(found.outcome, GUARANTEE, k, found.failures, found.advice, {"n": whole.rows})
        for name in ("distinct_originals", "distinct_boxes", "edges"):
            figures[name] = int(figures[name]) + int(found.figures[name])
        figures["blocks"] = int(figures["blocks"]) + 1
        fewest = min(fewest, int(found.figures["fewest_candidates"]))
    if open_rows:
        words = (
            f"boxes of {open_rows} rows do not fall apart into groups that fit into memory and have matchings: {MORE}"
        )
        return Verdict("cannot tell", GUARANTEE, k, (words,), (MORE,), {"n": whole.rows})
    figures["fewest_candidates"] = fewest
    proven = (f"{k} candidates each: every person lies in {k} disjoint perfect matchings",)
    return with_likelihood(Verdict("safe", GUARANTEE, k, (), (), figures, proven), None, k)


def _no_matching(figures: Figures, k: int, name: str, torn: int) -> Verdict:
    failure = (
        f"there are no {k} disjoint perfect matchings: in column {shown(name)} boxes and people that only fit one "
        f"another differ in number, by {torn} in all"
    )
    advice = "publish wider boxes: run the method again and change nothing by hand"
    return Verdict("unsafe", GUARANTEE, k, (failure,), (advice,), {"n": figures["n"]})


def _judge(block: Block, readings: list[Reading], k: int, room: Allowance) -> Verdict | None:
    """The verdict on one block in memory; None where it takes more than there is."""
    c = _classes(block, readings, room.rows)
    if c is None:
        return None
    found = judge_classes(c, k, most=room.edges)
    return None if found.outcome == "cannot tell" else found


def _classes(block: Block, readings: list[Reading], most: int) -> Classes | None:
    sides = []
    for path in (block.before, block.after):
        found = distinct(path, len(readings), most)
        if found is None:
            return None
        sides.append(found)
    return from_distinct(sides[0], sides[1], readings)


def distinct(path: Path, width: int, most: int) -> tuple[Integers, Integers] | None:
    """The different rows of a file of codes, and how often each occurs; None where there are more than `most`."""
    rows, counts = np.zeros((0, width), np.int64), np.zeros(0, np.int64)
    for piece in rows_at_once(path, width):
        rows, counts = _joined(rows, counts, piece.astype(np.int64))
        if len(rows) > most:
            return None
    return rows, counts


def _joined(rows: Integers, counts: Integers, piece: Integers) -> tuple[Integers, Integers]:
    both, of, _ = unique_rows(np.concatenate([rows, piece]))
    weights = np.concatenate([counts, np.ones(len(piece), np.int64)])
    return both, np.bincount(of, weights, minlength=len(both)).astype(np.int64)
