"""The verdict on a pattern: is what was written the table that was to be protected, and is every sensitive cell safe?

The published file must be the problem itself but for the statuses of hidden cells. Each level is shown by a table of
whole numbers or the verdict is not "safe". A certificate is checked along with it: of a suppression, its cost and
bound; of an audit, its intervals, whose witnesses then also count for the levels.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.results import Judged, Verdict
from discreet.verify.tabular.attackers import check_attackers
from discreet.verify.tabular.certificate import FORMAT as SUPPRESSION
from discreet.verify.tabular.certificate import Proven, check_certificate
from discreet.verify.tabular.cuts import Rejected
from discreet.verify.tabular.holders import check_holders, seen_by
from discreet.verify.tabular.intervals import Checked, check_intervals
from discreet.verify.tabular.levels import WORDS, Level, check_levels
from discreet.verify.tabular.problem import FIXED, PRIMARY, Table, load

GUARANTEE = "protection levels"
MOST = 20


def verify_pattern(
    problem: Any,
    published: Any = None,
    *,
    certificate: Any = None,
    witnesses: Iterable[Any] = (),
    attackers: Sequence[Iterable[int]] = (),
    holders: Sequence[Mapping[int, tuple[Fraction, Fraction]]] = (),
    hidden: Sequence[int] | None = None,
    limits: Sequence[str] = (),
    time_limit: float | None = None,
) -> Verdict:
    """Whether the pattern in `published` (in `problem` itself, where it is not given) protects every sensitive cell.

    Both are paths of `.jj` files or objects with `cells` and `relations`; `certificate` is a path or the document.
    `witnesses` are moves that may help: objects with `cell`, `change` and `denominator`. `attackers` are the cells that
    each of them knows beforehand; `holders` are contributors, with the least and greatest value that each must think
    possible of the cells it has a part of. `hidden` are the cells that are not known exactly, where statuses do not say
    so; `limits` what the verdict does not speak of beside what it says itself.
    """
    end = None if time_limit is None else time.monotonic() + time_limit
    table = load(problem, "the problem")
    pattern = table if published is None else load(published, "the published pattern")
    failures = [] if published is None else _differences(table, pattern)
    hidden = np.flatnonzero(pattern.hidden).tolist() if hidden is None else [int(cell) for cell in hidden]
    if failures:
        return Verdict("unsafe", GUARANTEE, None, tuple(failures), figures={"cells": table.n, "hidden": len(hidden)})
    stated = [frozenset(int(c) for c in known) for known in attackers]
    moves = [as_move(each) for each in witnesses if each.denominator == 1]
    proof: Proven | Checked | None = None
    if certificate is not None:
        document = read_certificate(certificate)
        try:
            if isinstance(document, Mapping) and document.get("format") == SUPPRESSION:
                proof = check_certificate(table, document, hidden, stated, [seen_by(table, parts) for parts in holders])
            else:
                proof = check_intervals(pattern, document, hidden, stated)
                moves += proof.witnesses
        except Rejected as error:
            failures.append(f"the certificate is wrong: {error}")
    levels = check_levels(table, hidden, moves, (), end)
    others = check_attackers(table, hidden, moves, levels, stated, end)
    behind = check_holders(table, hidden, moves, levels, holders, end)
    asked = len(levels) + others.asked + behind.asked
    also = len(stated) + len(holders)
    found = _verdict(table, hidden, levels + others.levels + behind.levels, asked, proof, failures, also)
    return replace(found, limits=(*found.limits, *limits))


def as_move(witness: Any) -> dict[int, int]:
    """An offered move, by cell: an object with `cell` and `change`."""
    return dict(zip((int(c) for c in witness.cell), (int(v) for v in witness.change)))


def read_certificate(certificate: Any) -> Any:
    """The document at a path; what is none already is given back."""
    if not isinstance(certificate, str | os.PathLike):
        return certificate
    try:
        return json.loads(Path(certificate).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise InputError(f"the certificate cannot be read as JSON: {Path(certificate).name}") from None


def _differences(table: Table, pattern: Table) -> list[str]:
    """What the published file says otherwise than the problem, beyond what it hides."""
    found = []
    if table.n != pattern.n or table.right.size != pattern.right.size:
        return ["the pattern is of another table: it has other numbers of cells or relations"]
    scale = 10 ** (pattern.decimals - table.decimals) if pattern.decimals >= table.decimals else None
    other = 10 ** (table.decimals - pattern.decimals) if scale is None else 1
    for name in ("value", "lower", "upper", "below", "above", "sliding", "right"):
        ours, theirs = getattr(table, name), getattr(pattern, name)
        if any(int(a) * (scale or 1) != int(b) * other for a, b in zip(ours, theirs)):
            found.append(f"the pattern has another {name} than the problem")
    same = all(np.array_equal(getattr(table, name), getattr(pattern, name)) for name in ("start", "cell", "sign"))
    if not same:
        found.append("the pattern has other relations than the problem")
    shown = np.flatnonzero((table.status == PRIMARY) & (pattern.status != PRIMARY))
    found += [f"cell {c} is sensitive and not marked so in the pattern" for c in shown[:MOST]]
    never = np.flatnonzero((table.status == FIXED) & pattern.hidden)
    found += [f"cell {c} must be published and is hidden in the pattern" for c in never[:MOST]]
    undone = np.flatnonzero((table.status == 1) & ~pattern.hidden)
    found += [f"cell {c} was hidden in the problem and is published in the pattern" for c in undone[:MOST]]
    new = np.flatnonzero((table.status != PRIMARY) & (pattern.status == PRIMARY))
    found += [f"cell {c} is marked as sensitive in the pattern alone" for c in new[:MOST]]
    return found


def _verdict(
    table: Table,
    hidden: list[int],
    levels: list[Level],
    asked: int,
    proof: Proven | Checked | None,
    failures: list[str],
    also: int,
) -> Verdict:
    exposed = [level for level in levels if level.outcome == "exposed"]
    undecided = [level for level in levels if level.outcome == "undecided"]
    failures += [_sentence(level, "is not protected") for level in exposed[:MOST]]
    if len(exposed) > MOST:
        failures.append(f"{len(exposed) - MOST} more levels are not met")
    outcome: Judged = "unsafe" if failures else "cannot tell" if undecided else "safe"
    failures += [_sentence(level, "could not be shown to be protected") for level in undecided[:MOST]]
    sensitive = table.status == PRIMARY
    idle = int((sensitive & (table.below + table.above + table.sliding == 0)).sum())
    figures: dict[str, float | int | str] = {
        "cells": table.n,
        "hidden": len(hidden),
        "sensitive": int(sensitive.sum()),
        "levels": asked,
        "exposed": len({level.cell for level in exposed}),
        "undecided": len({level.cell for level in undecided}),
        "attackers": also,
    }
    proven = []
    if outcome == "safe":
        proven.append(f"{asked} levels of sensitive cells are shown by tables of whole numbers")
    if isinstance(proof, Proven):
        figures |= {"cost": proof.cost, "lower_bound": proof.lower_bound, "leaves": proof.leaves, "cuts": proof.cuts}
        word = "no protecting pattern costs less" if proof.optimal else f"the bound {proof.lower_bound} holds"
        proven.append(f"cost {proof.cost}: {word}")
    elif isinstance(proof, Checked):
        figures |= {"sides": proof.sides, "sharp": proof.sharp}
        proven.append(f"{proof.sides} ends of intervals hold, {proof.sharp} of them are attained")
    limits: tuple[str, ...] = (
        "the attacker knows all relations, all published cells and the limits in the file"
        + (f", and {also} more attackers know cells of their own" if also else ", and no hidden cell"),
    )
    if idle:
        limits += (f"{idle} sensitive cells have levels of 0: nothing is asked of their protection",)
    return Verdict(outcome, GUARANTEE, None, tuple(failures), (), figures, tuple(proven), limits)


def _sentence(level: Level, words: str) -> str:
    who = f" against who knows cell {', '.join(map(str, level.known))}" if level.known else ""
    return f"cell {level.cell} {words} ({WORDS[level.kind]}){who}"
