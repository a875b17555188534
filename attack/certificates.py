"""Attacks the check of certificates: random instances, honest certificates of all kinds, and edits of them.

Four to twelve records, of any magnitude that float64 has. The least SSE over all partitions comes from exact integer
arithmetic. An honest certificate must be accepted; an edited one may be accepted only if what it states is so: its
bound not above the least SSE by a single bit, its SSE that of the release. Nothing may raise.
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any
from unittest.mock import patch

import numpy as np

from discreet.instruments.certificates import check_certificate
from discreet.microaggregation.certificate import certify, efforts
from discreet.microaggregation.problem import centroids, ordinary, standardize
from discreet.verify.certificates import programs, verify_certificate

SCALES = ("sd", "range", "none")
EDITS = 40
# Stated figures of a release may be off by rounding; its bound may not.
CLOSE = Fraction(1, 10**8)


@dataclass(frozen=True)
class Instance:
    """Records, what is asked of the check, honest certificates, and the exact figures."""

    values: np.ndarray
    published: np.ndarray
    k: int
    scale: str
    columns: list[str]
    certificates: list[dict[str, Any]]
    least: Fraction
    released: Fraction


def run(seconds: float, seed: int) -> str:
    """Attack for so long; says how much was tried. An AssertionError describes a hole and how to come back to it."""
    end = time.monotonic() + seconds
    honest = edited = accepted = 0
    number = 0
    while number == 0 or time.monotonic() < end:
        made, tried, passed = attack([seed, number])
        honest, edited, accepted = honest + made, edited + tried, accepted + passed
        number += 1
    return f"{honest} honest certificates accepted, {edited} edited ones tried ({accepted} of them still true)"


def attack(seed: list[int], edits: int = EDITS) -> tuple[int, int, int]:
    """One instance: its honest certificates, then edits of them; how many of each, and how many edits left it true."""
    random = np.random.default_rng(seed)
    # Now and then the integer programs of few records go to the solver too.
    with patch.object(programs, "SETS", 0 if random.random() < 0.05 else programs.SETS):
        return _attack(random, seed, edits)


def _attack(random: np.random.Generator, seed: list[int], edits: int) -> tuple[int, int, int]:
    instance = draw(random)
    for number, certificate in enumerate(instance.certificates):
        verdict = check(instance, json.dumps(certificate), f"{seed}, honest {number}")
        assert verdict.safe, f"refused an honest certificate: seed {seed}, {number}: {verdict.failures}"
    passed = 0
    for number in range(edits):
        text = edit(random, instance)
        verdict = check(instance, text, f"{seed}, edit {number}")
        if verdict.safe:
            passed += 1
            demand_true(instance, text, f"seed {seed}, edit {number}")
    return len(instance.certificates), edits, passed


def check(instance: Instance, text: str, where: str) -> Any:
    try:
        return verify_certificate(
            instance.values, text,
            k=instance.k, columns=instance.columns, scale=instance.scale, published=instance.published,
        )  # fmt: skip
    except Exception as error:
        raise AssertionError(f"the check raised {type(error).__name__}: {where}: {text[:2000]}") from error


def demand_true(instance: Instance, text: str, where: str) -> None:
    """What an accepted certificate states must hold, in exact arithmetic."""
    stated = json.loads(text)
    unit = Fraction(2) ** stated.get("exponent", 0)
    assert Fraction(stated["lower_bound"]) * unit <= instance.least, f"accepted a bound above the truth: {where}"
    assert stated["k"] == instance.k and stated["n"] == len(instance.values), f"accepted other k or n: {where}"
    assert stated["scale"] == instance.scale, f"accepted another scale: {where}"
    assert sorted(stated["columns"]) == sorted(instance.columns), f"accepted other columns: {where}"
    off = abs(Fraction(stated["sse"]) * unit - instance.released)
    assert off <= CLOSE * instance.released + tiny(instance), f"accepted another SSE: {where}"
    if "gap" in stated and instance.released > tiny(instance):
        gap = 100 * (1 - instance.least / instance.released)
        assert Fraction(stated["gap"]) >= gap - Fraction(1, 10**5), f"accepted too small a gap: {where}"


def tiny(instance: Instance) -> Fraction:
    """Nothing, next to the variation of the data."""
    return exact_costs(instance.values, instance.scale, [tuple(range(len(instance.values)))])[0] / 2**500


# Instances.


def draw(random: np.random.Generator) -> Instance:
    n = int(random.integers(4, 13))
    k = int(random.integers(2, n // 2 + 1)) if random.random() < 0.85 else int(random.integers(1, n + 1))
    values = records(random, n)
    scale = str(random.choice(SCALES))
    columns = [f"c{j}" for j in range(values.shape[1])]
    points, exponent = ordinary(standardize(values, scale))
    plain = efforts.EFFORTS["default"]._replace(descents=2, annealings=0, dives=0, windows=0)
    work = plain._replace(
        cut_rounds=int(random.choice([0, 1, plain.cut_rounds])),
        branches=int(random.choice([0, 1, 3, 20, plain.branches])),
        budgets=((), (5,), (20, 200), plain.budgets)[int(random.integers(4))],
        nodes=int(random.choice([0, 1, 5, plain.nodes])),
    )
    limit = float(random.choice([0.0, 1e-3, 5e-3])) if random.random() < 0.2 else None
    large = 0 if random.random() < 0.2 else efforts.MOST_RECORDS
    with patch.object(efforts, "EFFORTS", {"default": work}), patch.object(efforts, "MOST_RECORDS", large):
        found = certify(points, k, time_limit=limit)
    published = centroids(values, found.labels)
    base = {**found.payload, "columns": columns, "scale": scale, "missing": "error", "exponent": exponent}
    certificates = [
        dict(check_certificate(evidence, values, published, k, scale, time_limit=None).payload)
        for evidence in [base, *variants(random, base)]
    ]
    groups = [c for size in range(k, min(2 * k - 1, n) + 1) for c in combinations(range(n), size)]
    least = exact_least(n, groups, exact_costs(values, scale, groups))
    classes = [tuple(np.flatnonzero((published == row).all(axis=1))) for row in np.unique(published, axis=0)]
    released = sum(exact_costs(values, scale, classes), Fraction(0))
    return Instance(values, published, k, scale, columns, certificates, least, released)


def records(random: np.random.Generator, n: int) -> np.ndarray:
    """Plain, clustered, with ties, duplicates, an outlier or a constant column; then of any magnitude."""
    d = int(random.integers(1, 5))
    values = random.standard_normal((n, d))
    kind = int(random.integers(7))
    if kind == 1:
        values += 8.0 * random.integers(0, 3, (n, 1))
    elif kind == 2:
        values = np.round(values)
    elif kind == 3:
        values[random.integers(n, size=n // 2)] = values[0]
    elif kind == 4:
        values[random.integers(n)] *= 10.0 ** random.integers(1, 9)
    elif kind == 5:
        values[:, 0] = values[0, 0]
    elif kind == 6:
        values = values[:1] if random.random() < 0.2 else values
        values = np.repeat(values, -(-n // len(values)), axis=0)[:n]
    size = int(random.integers(8))
    if size == 0:
        values = values * 10.0 ** random.integers(-305, 306)
    elif size == 1:
        values = values * 10.0 ** random.integers(-300, 301, d)
    elif size == 2:
        values = 10.0 ** random.integers(0, 7) + values * 10.0 ** random.integers(-9, 1)
    elif size == 3:
        values = np.sign(values) * np.exp(random.uniform(-300, 300, values.shape))
    elif size == 4:
        values = np.round(values * 1000) * 5e-324
    return np.clip(values, -1.7e308, 1.7e308)


def variants(random: np.random.Generator, base: dict[str, Any]) -> list[dict[str, Any]]:
    """Other true evidence: nearest neighbors, a target of any size, with some records searched, in one step or two."""
    plain = {name: value for name, value in base.items() if name not in FACTS}
    found = [{**plain, "bound": str(random.choice(["nearest neighbors", "zero", "dynamic programming"]))}]
    if "multipliers" in base:
        target = float(base["sse"] * random.choice([0.5, 0.9, 1.0, 1.0, 1.001, 1.5, 10.0]))
        for parts in ({}, {"searched": int(random.integers(1, base["n"] + 1))}):
            if parts and random.random() < 0.5:
                parts = {**parts, "spent": float(base["sse"] * random.random())}
            kept = {name: base[name] for name in ("multipliers", "roots", "cuts")}
            found.append({**plain, **kept, "bound": "target enumeration", "target": target, **parts})
    return found


FACTS = ("multipliers", "roots", "cuts", "target", "searched", "spent")


# Exact figures.


def exact_costs(values: np.ndarray, scale: str, groups: list[tuple[int, ...]]) -> list[Fraction]:
    """SSE of each group on the scaled columns."""
    total = [Fraction(0)] * len(groups)
    for column in values.T:
        x = [Fraction(float(v)) for v in column]
        if len(set(x)) == 1:
            continue
        common = math.lcm(*(v.denominator for v in x))
        whole = [v.numerator * (common // v.denominator) for v in x]
        weight = Fraction(1)
        if scale == "sd":
            weight = Fraction(_spread(whole, range(len(whole))), common * common) / (len(x) - 1)
        elif scale == "range":
            weight = (max(x) - min(x)) ** 2
        for g, group in enumerate(groups):
            total[g] += Fraction(_spread(whole, group), common * common) / weight
    return total


def _spread(whole: list[int], group: Any) -> Fraction:
    some = [whole[v] for v in group]
    return Fraction(len(some) * sum(v * v for v in some) - sum(some) ** 2, len(some))


def exact_least(n: int, groups: list[tuple[int, ...]], costs: list[Fraction]) -> Fraction:
    """The least sum of costs over all partitions into the groups, by dynamic programming over sets of records."""
    common = math.lcm(*(cost.denominator for cost in costs))
    by_first: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for group, cost in zip(groups, costs):
        mask = sum(1 << v for v in group)
        by_first[group[0]].append((mask, cost.numerator * (common // cost.denominator)))
    best: dict[int, int] = {0: 0}
    for done in range((1 << n) - 1):
        value = best.get(done)
        if value is None:
            continue
        first = next(i for i in range(n) if not done >> i & 1)
        for mask, cost in by_first[first]:
            if not mask & done:
                joined = mask | done
                if joined not in best or value + cost < best[joined]:
                    best[joined] = value + cost
    return Fraction(best[(1 << n) - 1], common)


# Edits.

WRONG: tuple[Any, ...] = (
    None, True, False, "", "3", "many", [], {}, [1], {"0": 1}, -1, 0, 1, 2, 0.5, -0.0, 1e308, -1e308, 5e-324, 10**400,
    float("nan"), float("inf"), float("-inf"), 2**63, -(2**63), [[[[]]]], "sd", "range", "none", "optimal",
)  # fmt: skip


def edit(random: np.random.Generator, instance: Instance) -> str:
    """The text of a certificate with one to three things changed."""
    some = instance.certificates[int(random.integers(len(instance.certificates)))]
    forged = copy.deepcopy(some)
    for _ in range(int(random.choice([1, 1, 1, 2, 3]))):
        change = CHANGES[int(random.integers(len(CHANGES)))]
        with suppress(OverflowError):  # an earlier change left a number that has no float
            change(random, forged, instance)
    text = json.dumps(forged)
    if random.random() < 0.05:
        at = int(random.integers(len(text)))
        text = text[:at] + str(random.choice(["", "0", "-", "e5", "[", '"', "\x00", "é"])) + text[at + 1 :]
    elif random.random() < 0.03:
        text = text[:-1] + ', "lower_bound": ' + json.dumps(forged.get("sse", 1)) + "}"
    return text


def factor(random: np.random.Generator) -> float:
    near = 1 + float(random.choice([-1, 1])) * 10.0 ** int(random.integers(-16, 0))
    return near if random.random() < 0.7 else float(random.choice([0.0, -1.0, 2.0, 0.5, 1e-9, 1e9, 1e200]))


def scale_claim(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    name = str(random.choice(["lower_bound", "lower_bound", "sse", "sst", "target", "spent"]))
    if isinstance(forged.get(name), float | int):
        forged[name] = forged[name] * factor(random)


def raise_all(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    """A larger bound, with target, SSE and tolerance to match."""
    more = 1 + 10.0 ** int(random.integers(-13, 1))
    for name in ("lower_bound", "target", "sse"):
        if name in forged and isinstance(forged[name], float | int) and random.random() < 0.8:
            forged[name] = forged[name] * more
    forged["tolerance"] = float(random.choice([0.0, 1.0, 1e300]))


def bound_is_sse(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    if isinstance(forged.get("sse"), float | int):
        forged["lower_bound"] = forged["sse"] * float(random.choice([1.0, 1.0, 1.1]))
        if "target" in forged and random.random() < 0.7:
            forged["target"] = forged["lower_bound"] * float(random.choice([1.0, 2.0]))
        forged["status"] = "optimal"


def change_evidence(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    """Multipliers, roots or penalties up or down, and the bound by as much."""
    multipliers = forged.get("multipliers")
    if not isinstance(multipliers, list) or not multipliers:
        return
    total = sum(x for x in multipliers if isinstance(x, float | int))
    which = int(random.integers(4))
    if which == 0:
        v = int(random.integers(len(multipliers)))
        if isinstance(multipliers[v], float | int):
            more = abs(total) * 10.0 ** int(random.integers(-12, 1))
            multipliers[v] += more
            _add(forged, more * float(random.choice([1.0, 0.99, 0.0])))
    elif which == 1:
        by = factor(random)
        forged["multipliers"] = [x * by if isinstance(x, float | int) else x for x in multipliers]
        _add(forged, total * (by - 1))
    elif which == 2 and isinstance(forged.get("roots"), dict) and forged["roots"]:
        key = list(forged["roots"])[int(random.integers(len(forged["roots"])))]
        old = forged["roots"][key]
        if random.random() < 0.5:
            del forged["roots"][key]
            _add(forged, -old if isinstance(old, float | int) else 0.0)
        else:
            forged["roots"][key] = old * 0.5 if isinstance(old, float | int) else old
    elif isinstance(forged.get("cuts"), list):
        n = len(multipliers)
        size = min(int(random.integers(1, 6)), n)
        forged["cuts"].append(
            {
                "records": [int(v) for v in random.choice(n, size, replace=random.random() < 0.1)],
                "numerators": [int(a) for a in random.integers(1, 4, size)],
                "divisor": int(random.choice([1, 2, 3, 10])),
                "penalty": float(total * random.choice([-1.0, 1e-3, 1.0, 1e12]) * random.random()),
            }
        )


def _add(forged: dict[str, Any], more: float) -> None:
    if isinstance(forged.get("lower_bound"), float | int):
        forged["lower_bound"] += more


def change_search(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    sse = forged.get("sse")
    size = float(sse) if isinstance(sse, float | int) and abs(sse) < 1e308 else 1.0
    which = int(random.integers(4))
    if which == 0:
        forged["searched"] = int(random.integers(-1, 14))
    elif which == 1:
        forged["spent"] = size * float(random.choice([0.0, 0.5, 1.0, 100.0, -1.0]))
    elif which == 2:
        forged["target"] = size * float(random.choice([0.0, 0.5, 1.0, 1.01, 1e6, 1e20, -1.0]))
        forged["bound"] = "target enumeration"
    else:
        for name in ("searched", "spent", "target", "roots", "cuts"):
            if random.random() < 0.4:
                forged.pop(name, None)


def change_frame(random: np.random.Generator, forged: dict[str, Any], instance: Instance) -> None:
    """Another k, number of records, scale, columns, exponent or kind."""
    name = str(random.choice(["k", "n", "scale", "columns", "exponent", "bound", "format", "status"]))
    forged[name] = {
        "k": int(random.integers(-1, 14)),
        "n": int(random.integers(0, 14)),
        "scale": str(random.choice(SCALES)),
        "columns": [instance.columns[:-1], instance.columns[::-1], [*instance.columns, "x"]][int(random.integers(3))],
        "exponent": int(random.choice([1, 2, -2, 100, -3000, 10**6])),
        "bound": str(random.choice([*KINDS, "wishful thinking"])),
        "format": "discreet microaggregation certificate 2",
        "status": str(random.choice(["optimal", "converged", "proven"])),
    }[name]


KINDS = (
    "only partition", "zero", "dynamic programming", "nearest neighbors", "column generation",
    "column generation with cuts", "column generation by blocks", "target enumeration",
)  # fmt: skip


def mix(random: np.random.Generator, forged: dict[str, Any], instance: Instance) -> None:
    """A part of another certificate."""
    other = instance.certificates[int(random.integers(len(instance.certificates)))]
    name = list(other)[int(random.integers(len(other)))]
    forged[name] = copy.deepcopy(other[name])


def swap(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    multipliers = forged.get("multipliers")
    if isinstance(multipliers, list) and len(multipliers) > 1:
        a, b = random.choice(len(multipliers), 2, replace=False)
        multipliers[a], multipliers[b] = multipliers[b], multipliers[a]


def remove_or_add(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    if random.random() < 0.5 and forged:
        forged.pop(list(forged)[int(random.integers(len(forged)))])
    else:
        name = str(random.choice(["gap", "information_loss", "tolerance", "note", "tolerances", "lowerbound"]))
        forged[name] = WRONG[int(random.integers(len(WRONG)))] if random.random() < 0.5 else 0.0


def wrong_type(random: np.random.Generator, forged: dict[str, Any], _: Instance) -> None:
    """Some value, at the top or further down, becomes something else altogether."""
    holder: Any = forged
    for _depth in range(int(random.integers(1, 4))):
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = keys[int(random.integers(len(keys)))]
        if isinstance(holder[key], dict | list) and random.random() < 0.7:
            holder = holder[key]
            continue
        holder[key] = copy.deepcopy(WRONG[int(random.integers(len(WRONG)))])
        return


CHANGES: tuple[Callable[[np.random.Generator, dict[str, Any], Instance], None], ...] = (
    scale_claim, scale_claim, raise_all, raise_all, bound_is_sse, change_evidence, change_evidence, change_evidence,
    change_search, change_search, change_frame, mix, swap, remove_or_add, wrong_type, wrong_type,
)  # fmt: skip
