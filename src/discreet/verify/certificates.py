"""Re-checks a microaggregation certificate from the data and the certificate file alone.

A certificate states a bound B on the SSE of every partition into groups of k or more, with multipliers λ of the
records, cuts with penalties w ≥ 0, and values r_i ≤ 0 of some records. It holds when

    B ≤ Σ λ − Σ_T w_T·⌊Σ a_T / b_T⌋ + (the ⌊n/k⌋ least of the r_i)

and no group C of k .. 2k−1 records, with i its member of largest λ (the first of equals), has

    Σ_{pairs} d²/|C| − Σ_{v∈C} λ_v + Σ_T w_T·⌊Σ_{v∈C} a_Tv / b_T⌋ < r_i    (0 where r_i is not stated).

The second is decided by an enumeration of its own (`certificate_groups`). Where the certificate rests on a target U,
the same enumeration lists every group that a partition below U could use, and an integer program over them must find
none better than stated.

Some certificates list only the groups that hold one of the `searched` records of largest λ, since the others are too
many. An integer program then finds how much more than B these must cost at least, whatever becomes of other records:
each of the searched ones is held once, the others at most once; cuts that lie among the searched ones hold as they are.
That is a bound by itself; where the certificate states what is `spent` there, the other groups are listed up to what
the target leaves, and all of them decided as above.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.verify.certificate_groups import CUT_OFF, DONE, TOO_MANY, enumerate_below, rules_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FORMAT = "discreet microaggregation certificate 1"
GUARANTEE = "certificate"
# Figures may differ from the stated ones by rounding: this share of the SSE.
ROUNDING = 1e-9
MOST_GROUPS = 300_000
DEFAULT_BRANCHES = 2_000_000_000
ROWS = 64
UNDECIDED = {
    CUT_OFF: "the enumeration took more branches than allowed",
    TOO_MANY: "a record has more candidates than fit in memory",
}
# Kinds of bound that rest on multipliers.
PRICED = ("column generation", "column generation with cuts", "column generation by blocks", "target enumeration")


def scaled_points(values: Floats, scale: str) -> Floats:
    """Columns divided by standard deviation (n − 1) or range, or as they are; constant ones are left out."""
    spread = np.ptp(values, axis=0)
    values = values[:, spread > 0]
    if scale == "sd":
        return np.asarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))
    if scale == "range":
        return np.asarray((values - values.min(axis=0)) / np.ptp(values, axis=0))
    return np.asarray(values)


def verify_certificate(
    values: Floats, certificate: Mapping[str, Any], *, k: int, branches: int = DEFAULT_BRANCHES
) -> Verdict:
    """Whether the stated bound holds for the complete records `values` (n × columns): "safe" means that it does."""
    problems = _malformed(certificate, len(values), k)
    if problems:
        return Verdict("unsafe", GUARANTEE, k, tuple(problems), ("make the certificate again from this file",))
    kind, bound = certificate["bound"], float(certificate["lower_bound"])
    figures: dict[str, float | int | str] = {"bound": kind, "lower_bound": bound, "rows": len(values)}
    points = scaled_points(np.asarray(values, np.float64), certificate.get("scale", "none"))
    tolerance = ROUNDING * max(abs(bound), float(certificate["sse"]))
    if kind in PRICED:
        failures, unsure = _check_pricing(points, certificate, k, branches, tolerance, figures)
    else:
        failures, unsure = _check_simple(points, kind, k, bound, tolerance, figures), []
    if failures:
        return Verdict("unsafe", GUARANTEE, k, tuple(failures), ("do not rely on this bound",), figures)
    if unsure:
        return Verdict("cannot tell", GUARANTEE, k, tuple(unsure), ("allow more branches",), figures)
    return Verdict("safe", GUARANTEE, k, (), (), figures)


def verify_certificate_file(original: Any, path: str | Path, *, k: int, release: Verdict | None = None) -> Verdict:
    """Re-check the certificate in a file against the original dataframe, and against what the release loses."""
    from discreet.frames import adopt, numeric_array

    try:
        certificate = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Verdict("cannot tell", GUARANTEE, k, ("the certificate cannot be read as JSON",))
    columns = certificate.get("columns") if isinstance(certificate, dict) else None
    table = adopt(original)
    if not isinstance(columns, list) or not all(name in table.columns for name in columns):
        return Verdict("unsafe", GUARANTEE, k, ("the certificate does not name columns of the original",))
    values = numeric_array(table, columns)
    values = values[~np.isnan(values).any(axis=1)]
    verdict = verify_certificate(values, certificate, k=k)
    loss = None if release is None else release.figures.get("information_loss")
    if verdict.safe and certificate.get("scale") == "sd" and isinstance(loss, int | float):
        total = float(np.square(scaled_points(values, "sd")).sum())
        least = 100.0 * float(certificate["lower_bound"]) / total if total > 0 else 0.0
        gap = 100.0 * (loss - least) / loss if loss > 0 else 0.0
        figures = {**verdict.figures, "information_loss": loss, "least_information_loss": least, "gap": gap}
        if loss < least * (1 - 1e-9):
            words = ("the release loses less than the certificate says any release must",)
            return Verdict("unsafe", GUARANTEE, k, words, ("check that the two belong together",), figures)
        return Verdict("safe", GUARANTEE, k, (), (), figures)
    return verdict


def _malformed(certificate: Mapping[str, Any], n: int, k: int) -> list[str]:
    if certificate.get("format") != FORMAT:
        return ["this is not a certificate of a microaggregation that this version can read"]
    found = []
    for name in ("bound", "lower_bound", "sse", "k", "n"):
        if name not in certificate:
            found.append(f"the certificate lacks {name!r}")
    if found:
        return found
    if certificate["k"] > k:
        found.append(f"the certificate is about k = {certificate['k']}, which says nothing about k = {k}")
    if certificate["n"] != n:
        found.append(f"the certificate is about {certificate['n']} records, the data has {n}")
    numbers: list[Any] = [certificate["lower_bound"], certificate["sse"]]
    if certificate["bound"] in PRICED and "multipliers" not in certificate:
        found.append("the certificate lacks the multipliers that its bound rests on")
    if "multipliers" in certificate:
        numbers += certificate["multipliers"]
        if len(certificate["multipliers"]) != n:
            found.append("the certificate must have one multiplier for every record")
        for cut in certificate.get("cuts", []):
            numbers.append(cut["penalty"])
            records, tops = cut["records"], cut["numerators"]
            sound = (
                len(records) == len(set(records)) == len(tops)
                and all(isinstance(v, int) and 0 <= v < n for v in records)
                and all(isinstance(a, int) and a > 0 for a in tops)
                and isinstance(cut["divisor"], int)
                and cut["divisor"] > 0
                and cut["penalty"] >= 0
            )
            if not sound:
                found.append("a cut is not a rank-1 cut with a penalty of zero or more")
        roots = certificate.get("roots", {})
        numbers += list(roots.values())
        if not all(key.isdigit() and int(key) < n for key in roots):
            found.append("a root is not a record")
        numbers += [certificate[name] for name in ("target", "spent") if name in certificate]
        searched = certificate.get("searched", 1)
        if not (isinstance(searched, int) and 1 <= searched <= n):
            found.append("the number of records searched is not a number of records")
    if not all(isinstance(x, int | float) and np.isfinite(x) for x in numbers):
        found.append("the certificate holds something that is not a finite number")
    return found


def _check_simple(
    points: Floats, kind: str, k: int, bound: float, tolerance: float, figures: dict[str, float | int | str]
) -> list[str]:
    n = len(points)
    if kind == "zero":
        value = 0.0
    elif kind == "only partition":
        if k > 1 and n >= 2 * k:
            return ["there is more than one partition"]
        value = 0.0 if k == 1 else float(np.square(points - points.mean(axis=0)).sum())
    elif kind == "dynamic programming":
        if points.shape[1] > 1:
            return ["more than one column varies, so that sorting does not decide"]
        value = _optimum_on_a_line(np.sort(points[:, 0]), k) if points.shape[1] else 0.0
    elif kind == "nearest neighbors":
        value = _neighbor_sum(points, k)
    else:
        return [f"unknown kind of bound {kind!r}"]
    figures["recomputed"] = value
    return [] if bound <= value + tolerance else ["the stated bound is above what its argument gives"]


@njit(cache=True, nogil=True)
def _optimum_on_a_line(values: Floats, k: int) -> float:
    n = values.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for end in range(k, n + 1):
        mean, total = 0.0, 0.0
        for size in range(1, min(2 * k - 1, end) + 1):
            # Welford's update, one value further to the left.
            x = values[end - size]
            change = x - mean
            mean += change / size
            total += change * (x - mean)
            if size >= k and best[end - size] + total < best[end]:
                best[end] = best[end - size] + total
    return float(best[n])


def _neighbor_sum(points: Floats, k: int) -> float:
    total = 0.0
    for start in range(0, len(points), ROWS):
        squares = _distances_between(points[start : start + ROWS], points)
        total += float(np.partition(squares, k - 1, axis=1)[:, :k].sum())
    return total / (2 * k)


def _check_pricing(
    points: Floats,
    certificate: Mapping[str, Any],
    k: int,
    branches: int,
    tolerance: float,
    figures: dict[str, float | int | str],
) -> tuple[list[str], list[str]]:
    n = len(points)
    multipliers = np.array(certificate["multipliers"], np.float64)
    claimed = np.zeros(n)
    for record, value in certificate.get("roots", {}).items():
        claimed[int(record)] = min(float(value), 0.0)
    cuts = certificate.get("cuts", [])
    rules = rules_of(cuts, n)
    owed = float(sum(c["penalty"] * (sum(c["numerators"]) // c["divisor"]) for c in cuts))
    proven = float(multipliers.sum()) - owed + float(np.sort(claimed)[: n // k].sum())
    figures["recomputed"] = proven
    bound, target = float(certificate["lower_bound"]), certificate.get("target")
    slack = tolerance / n
    if target is None:
        if bound > proven + tolerance:
            return ["the stated bound is above what its multipliers give"], []
    elif not bound <= float(target) <= float(certificate["sse"]) + tolerance:
        return ["the stated target does not support the stated bound"], []
    found = enumerate_below(points, multipliers, claimed - slack, k, rules, 0, branches)
    if len(found.sizes):
        return ["a group has a smaller reduced cost than the certificate states"], []
    if found.state != DONE:
        return [], [UNDECIDED[found.state]]
    if target is None:
        return [], []
    room = float(target) - proven + tolerance
    # The integer programs are solved to the tolerance that the certificate itself states for optimality.
    allowed = tolerance + float(certificate.get("tolerance", 0.0)) * float(certificate["sse"])
    limits = claimed + room
    searched, spent = certificate.get("searched"), certificate.get("spent")
    if searched is not None:
        region = np.lexsort((np.arange(n), -multipliers))[:searched]
        only = np.full(n, -np.inf)
        only[region] = limits[region]
        found = enumerate_below(points, multipliers, only, k, rules, MOST_GROUPS, branches)
        if found.state != DONE:
            return [], [UNDECIDED[found.state]]
        least = _least_excess(points, multipliers, claimed, cuts, region, found.groups, found.sizes, room)
        if least is None:
            return [], ["the integer program was not solved"]
        if spent is None:
            figures["groups"] = len(found.sizes)
            figures["recomputed"] = min(proven + least, float(target))
            if bound > proven + least + allowed:
                return ["the groups of the records searched cost less than the stated bound needs"], []
            return [], []
        if spent > least + allowed:
            return ["the groups of the records searched cost less than stated"], []
        others = np.ones(n, np.bool_)
        others[region] = False
        limits[others] -= spent - allowed
    found = enumerate_below(points, multipliers, limits, k, rules, MOST_GROUPS, branches)
    figures["groups"] = len(found.sizes)
    if found.state == CUT_OFF:
        return [], ["there are too many groups to search among"]
    if found.state != DONE:
        return [], [UNDECIDED[found.state]]
    best = _best_partition(points, multipliers, found.groups, found.sizes, room)
    if best is None:
        return [], ["the integer program was not solved"]
    value = min(best, float(target))
    figures["recomputed"] = value
    if bound > value + allowed:
        return ["a partition is better than the stated bound"], []
    return [], []


def _distances_between(some: Floats, others: Floats) -> Floats:
    out = np.zeros((len(some), len(others)))
    for j in range(some.shape[1]):
        out += np.square(some[:, j : j + 1] - others[:, j])
    return out


def _best_partition(points: Floats, multipliers: Floats, groups: Ints, sizes: Ints, room: float) -> float | None:
    """The least SSE of a partition into the given groups: infinite where there is none, None where undecided."""
    import scipy.sparse as sparse

    from discreet.solvers.mip import solve_mip

    n = len(points)
    inside = groups >= 0
    if len(np.unique(groups[inside])) < n:
        return float("inf")
    costs = np.array([np.square(points[g[:m]] - points[g[:m]].mean(axis=0)).sum() for g, m in zip(groups, sizes)])
    worth = np.append(multipliers, 0.0)[groups].sum(axis=1)
    column = np.repeat(np.arange(len(sizes)), sizes)
    matrix = sparse.csc_matrix((np.ones(len(column)), (groups[inside], column)), shape=(n, len(sizes)))
    unit = 1000.0 / room
    solution = solve_mip((costs - worth) * unit, matrix, np.ones(n), np.ones(n), absolute_gap=1e-3)
    if solution.status == "infeasible":
        return float("inf")
    if solution.status != "optimal" or solution.x is None:
        return None
    return float(costs[solution.x > 0.5].sum())


def _least_excess(
    points: Floats,
    multipliers: Floats,
    claimed: Floats,
    cuts: Sequence[Mapping[str, Any]],
    region: Ints,
    groups: Ints,
    sizes: Ints,
    room: float,
) -> float | None:
    """What the groups that hold the region's records cost above the bound of the multipliers, at least."""
    import scipy.sparse as sparse

    from discreet.solvers.mip import solve_mip

    n = len(points)
    required = np.zeros(n)
    required[region] = 1.0
    if len(np.setdiff1d(region, groups[groups >= 0])):
        return float("inf")
    costs = np.empty(len(sizes))
    place = np.argsort(np.lexsort((np.arange(n), -multipliers)))
    for g, size in enumerate(sizes):
        row = groups[g, :size]
        root = row[np.argmin(place[row])]
        costs[g] = np.square(points[row] - points[row].mean(axis=0)).sum() - multipliers[row].sum() - claimed[root]
    held = sparse.csr_matrix(
        (np.ones(int(sizes.sum())), (np.repeat(np.arange(len(sizes)), sizes), groups[groups >= 0])),
        shape=(len(sizes), n),
    )
    kept = 0.0
    for cut in cuts:
        numerators = np.zeros(n)
        numerators[cut["records"]] = cut["numerators"]
        if required[cut["records"]].all():
            kept += cut["penalty"] * (sum(cut["numerators"]) // cut["divisor"])
        else:
            costs += cut["penalty"] * np.floor(held @ numerators / cut["divisor"] + 1e-9)
    unit = 1000.0 / room
    solution = solve_mip(costs * unit, sparse.csc_matrix(held.T), required, np.ones(n), absolute_gap=1e-3)
    if solution.status == "infeasible":
        return float("inf")
    if solution.status != "optimal":
        return None
    return solution.bound / unit + kept
