"""The check of a rounded table, from the files alone: sums, multiples, how far each cell moved, and the bound.

The bound is proven by multipliers λ/D of relations, in whole numbers. With g the sum of the signed multipliers of the
relations that a cell is in, every additive rounding whose cells stay at the multiples next to their values has

    D Σ |z - a| ≥ Σ over cells of the smaller of D |y| - g y at its two deviations y = z - a.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import Any

from discreet.errors import InputError
from discreet.results import Verdict

Labels = tuple[str, ...]
Values = Mapping[Labels, int]
GUARANTEE = "the rounded table adds up"
TOTAL = "Total"
_NUMBERS = ("count", "value", "largest", "second", "contributors", "status", "cost", "lower", "upper", "below", "above",
            "sliding")  # fmt: skip
_HEADS = (["child", "parent"], ["label", "parent"], ["code", "parent"])
_NAMED = 5


def verify_rounding(
    original: str | os.PathLike[str],
    published: str | os.PathLike[str],
    *,
    certificate: Mapping[str, Any],
    hierarchies: Mapping[str, str | os.PathLike[str]] | None = None,
) -> Verdict:
    """Check a published long CSV file against the original.

    `certificate` says base, distance, bound and multipliers: it is evidence, and every claim in it is checked.
    """
    names, true, places = _read(original)
    other, told, more = _read(published)
    if set(names) != set(other):
        raise InputError("the two files are by different variables")
    order = [other.index(name) for name in names]
    decimals = max(places, more)
    before = {labels: int(number.scaleb(decimals)) for labels, number in true.items()}
    after = {tuple(labels[at] for at in order): int(number.scaleb(decimals)) for labels, number in told.items()}
    given = hierarchies or {}
    parents = [_parents(given.get(name), {labels[v] for labels in true}) for v, name in enumerate(names)]
    return check_rounding(before, after, parents, names, certificate=certificate, decimals=decimals)


def check_rounding(
    true: Values,
    told: Values,
    parents: Sequence[Mapping[str, str]],
    variables: Sequence[str],
    *,
    certificate: Mapping[str, Any],
    decimals: int = 0,
) -> Verdict:
    """The same for values in whole numbers of 10^-`decimals` and the label above each label, variable by variable."""
    try:
        unit = {name: _whole(certificate[name], decimals) for name in ("base", "distance", "lower_bound")}
        allowed = {tuple(map(str, labels)) for labels in certificate["outside"]}
        small = bool(certificate["small"])
    except (KeyError, TypeError, ValueError, InvalidOperation):
        raise InputError("the certificate does not say base, distance, lower_bound and outside") from None
    base, failures = unit["base"], []
    if base < 1:
        raise InputError("the certificate's base is below 1")
    if true.keys() != told.keys():
        return Verdict("unsafe", GUARANTEE, None, failures=("the files do not list the same cells",))
    relations = _relations(told, parents)
    wrong = [total for (_, total), parts in relations.items() if told[total] != sum(told[part] for part in parts)]
    failures += _named(wrong, variables, "does not add up")
    inner = told.keys() - {total for _, total in relations}
    for labels, value in told.items():
        change = value - true[labels]
        if small:
            fault = _small_fault(true[labels], value, base, labels in inner)
        elif value % base:
            fault = "is no multiple of the base"
        else:
            fault = "is a base or more away" if abs(change) >= base and labels not in allowed else ""
        if fault:
            failures += _named([labels], variables, fault)
    distance = sum(abs(value - true[labels]) for labels, value in told.items())
    if distance != unit["distance"]:
        failures.append("the distance is not the one that is claimed")
    bound = _bound(true, relations, base, certificate, variables) if not small and not allowed else 0
    plain = sum(min(-value % base, value % base) for labels, value in true.items() if not small or labels in inner)
    bound = max(bound, 0 if small else plain)
    proven = ["every total is the sum of its parts"]
    proven.append("small counts are 0 or the base" if small else "every cell is a multiple of the base")
    if not small:
        left = f", but for {len(allowed)} cells that are listed" if allowed else ""
        proven.append(f"every cell is less than one base from its value{left}")
    limits = ["what can be inferred from the rounded table"]
    if bound >= unit["lower_bound"]:
        proven.append("no such table is nearer than the lower bound")
    else:
        limits.append("the lower bound is not proven here")
    if failures:
        hidden = len(failures) - 4 * _NAMED
        failures = [*failures[: 4 * _NAMED], *([f"{hidden} more faults"] if hidden > 0 else [])]
        return Verdict("unsafe", GUARANTEE, None, failures=tuple(failures))
    figures = {"cells": len(told), "distance": certificate["distance"], "lower_bound": certificate["lower_bound"]}
    return Verdict("safe", GUARANTEE, None, proven=tuple(proven), limits=tuple(limits), figures=figures)


def _small_fault(true: int, told: int, base: int, inner: bool) -> str:
    """Small-count rounding: an innermost cell stays unless it is below the base; then it is 0 or the base."""
    if 0 < abs(told) < base:
        return "is a small count"
    if not inner:
        return ""
    if 0 < abs(true) < base:
        return "" if told in (0, base if true > 0 else -base) else "is neither 0 nor the base"
    return "" if told == true else "was changed without need"


def _relations(values: Values, parents: Sequence[Mapping[str, str]]) -> dict[tuple[int, Labels], list[Labels]]:
    """For each variable and total the parts that are in the table."""
    found: dict[tuple[int, Labels], list[Labels]] = {}
    for labels in values:
        for v, above in enumerate(parents):
            if labels[v] in above:
                total = (*labels[:v], above[labels[v]], *labels[v + 1 :])
                if total in values:
                    found.setdefault((v, total), []).append(labels)
    return found


def _bound(
    true: Values,
    relations: Mapping[tuple[int, Labels], list[Labels]],
    base: int,
    certificate: Mapping[str, Any],
    variables: Sequence[str],
) -> int:
    """The bound that the multipliers prove, rounded up; 0 where they speak of relations it does not have."""
    denominator = certificate.get("denominator")
    if not isinstance(denominator, int) or denominator < 1:
        return 0
    slope: dict[Labels, int] = {}
    for name, labels, multiplier in certificate.get("multipliers", ()):
        if name not in variables or not isinstance(multiplier, int):
            return 0
        total = tuple(labels)
        parts = relations.get((list(variables).index(name), total))
        if parts is None:
            return 0
        slope[total] = slope.get(total, 0) - multiplier
        for part in parts:
            slope[part] = slope.get(part, 0) + multiplier
    least = 0
    for labels, value in true.items():
        rest = value % base
        ends = (-rest, base - rest) if rest else (0, 0)
        least += min(denominator * abs(y) - slope.get(labels, 0) * y for y in ends)
    return -(-least // denominator)


def _named(cells: Sequence[Labels], variables: Sequence[str], fault: str) -> list[str]:
    return [", ".join(f"{name} = {label}" for name, label in zip(variables, labels)) + f" {fault}" for labels in cells]


def _whole(text: Any, decimals: int) -> int:
    number = Decimal(str(text)).scaleb(decimals)
    if not number.is_finite() or number != int(number):
        raise ValueError
    return int(number)


def _read(path: str | os.PathLike[str]) -> tuple[list[str], dict[Labels, Decimal], int]:
    """The variables of a long file, the number of each cell, and the most decimals."""
    rows = _rows(path)
    if not rows:
        raise InputError(f"{path} is empty")
    head = rows[0]
    number = "value" if "value" in head else "count"
    if number not in head:
        raise InputError(f"{path} has neither a column 'count' nor a column 'value'")
    places = [at for at, name in enumerate(head) if name not in _NUMBERS]
    at = head.index(number)
    found: dict[Labels, Decimal] = {}
    for row in rows[1:]:
        try:
            labels, value = tuple(row[place] for place in places), Decimal(row[at])
        except (InvalidOperation, IndexError):
            raise InputError(f"{path}: a row has no number for its cell") from None
        if labels in found or not value.is_finite():
            raise InputError(f"{path}: a cell is listed twice, or has no finite value")
        found[labels] = value
    decimals = max((max(0, -int(value.normalize().as_tuple().exponent)) for value in found.values()), default=0)
    return [head[place] for place in places], found, decimals


def _rows(path: str | os.PathLike[str]) -> list[list[str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"cannot read {path}: give a UTF-8 CSV file") from None
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def _parents(path: str | os.PathLike[str] | None, labels: set[str]) -> dict[str, str]:
    """The label above each label; without a hierarchy all stand below the total."""
    if path is None:
        return {label: TOTAL for label in labels if label != TOTAL}
    chains = _indented(path) if Path(path).suffix.lower() == ".hrc" else _rows(path)
    above: dict[str, str] = {}
    known: dict[str, None] = {}
    for at, chain in enumerate(chains):
        chain = [label.strip() for label in chain if label.strip()]
        if (
            at == 0
            and len(chain) == 2
            and chain[0].lower() in ("child", "label", "code")
            and chain[1].lower() == "parent"
        ):
            continue
        known.update(dict.fromkeys(chain))
        for child, parent in pairwise(chain):
            if child != parent:
                above[child] = parent
    tops = [label for label in known if label not in above]
    root = tops[0] if len(tops) == 1 and len(known) > 1 else TOTAL
    for top in tops:
        if top != root:
            above[top] = root
    if root not in labels and TOTAL in labels and TOTAL not in known:
        above = {child: TOTAL if parent == root else parent for child, parent in above.items()}
    return above


def _indented(path: str | os.PathLike[str]) -> list[list[str]]:
    """Chains of a `.hrc` file, where a code stands below the last one with one `@` fewer."""
    stack: list[str] = []
    chains = []
    for line in Path(path).read_text(encoding="utf-8-sig").splitlines():
        code = line.strip()
        if code:
            depth = len(code) - len(code.lstrip("@"))
            stack = [*stack[:depth], code.lstrip("@").strip()]
            chains.append(stack[::-1])
    return chains
