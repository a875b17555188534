"""The check of a rounded table, from the files alone: sums, multiples, how far each cell moved, and the bound.

The bound is proven by multipliers λ/D of relations, in whole numbers. With g the sum of the signed multipliers of the
relations that a cell is in, every additive rounding whose cells stay at the multiples next to their values has

    D Σ |z - a| ≥ Σ over cells of the smaller of D |y| - g y at its two deviations y = z - a.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify.tabular.long import Labels, Values, parents_of, read_long, relations_of

GUARANTEE = "the rounded table adds up"
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
    names, true, places = read_long(original)
    other, told, more = read_long(published)
    if set(names) != set(other):
        raise InputError("the two files are by different variables")
    order = [other.index(name) for name in names]
    decimals = max(places, more)
    before = {labels: int(number.scaleb(decimals)) for labels, number in true.items()}
    after = {tuple(labels[at] for at in order): int(number.scaleb(decimals)) for labels, number in told.items()}
    given = hierarchies or {}
    parents = [parents_of(given.get(name), {labels[v] for labels in true}) for v, name in enumerate(names)]
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
    relations = relations_of(told, parents)
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
