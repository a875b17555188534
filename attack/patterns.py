"""Attacks the audit of additive tables: intervals, levels and verdicts against a list of every table there is.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Tables are small, with negative values, zeros, right sides that are not 0, boxes narrower than levels, sliding levels,
and attackers who know cells of their own. No end may cut off a table, none may be called sharp that no table attains,
no level may be called met or not met when the list says otherwise; the checker must agree.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from oracles.patterns import random_problem, short, subsets, truth

from discreet.instruments.totals.audit_certificate import interval_certificate
from discreet.tabular.audit import Intervals, audit, protects
from discreet.tabular.problem import Problem
from discreet.verify.tabular import verify_pattern


def compare(seed: int) -> Counter[str]:
    """One random pattern; what was compared, by name."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    ends = truth(problem)
    if ends is None:
        return Counter(skipped=1)
    hidden = np.flatnonzero(problem.cells.hidden).tolist()
    known = subsets(hidden, 3) if rng.random() < 0.3 else []
    sets = [np.array(own, np.int64) for own in known]
    told = audit(problem, known=sets)
    seen = Counter(patterns=1, sides=2 * len(hidden))
    seen["open"] = check_intervals(problem, told, ends, seed)
    wrong = short(problem, ends)
    for found, name in ((told, "audit"), (protects(problem, known=sets), "protects")):
        seen["undecided"] += check_shortfalls(found.shortfalls, wrong, (seed, name))
        against = {tuple(attack.known.tolist()): attack.shortfalls for attack in found.attacks}
        for own in known:
            other = truth(problem, own)
            assert other is not None
            new = short(problem, other, own) - wrong
            fresh = [each for each in against.get(own, ()) if (each.cell, each.kind) not in wrong]
            seen["undecided"] += check_shortfalls(fresh, new, (seed, name, own))
            seen["attackers"] += 1
    verdict = verify_pattern(problem, certificate=interval_certificate(told), witnesses=told.witnesses)
    alone = verify_pattern(problem)
    for one in (verdict, alone):
        assert not (one.outcome == "safe" and wrong), f"an unsafe pattern passes the check (seed {seed})"
        assert not (one.outcome == "unsafe" and not wrong), f"a safe pattern fails the check (seed {seed})"
        seen["cannot tell"] += one.outcome == "cannot tell"
    seen["unsafe"] += bool(wrong)
    return seen


def check_intervals(problem: Problem, told: Intervals, ends: dict[int, tuple[int, int]], seed: int) -> int:
    """How many sides are open; every end must hold."""
    value = problem.cells.value
    for at, cell in enumerate(told.cell.tolist()):
        low, high = (int(value[cell]) + end for end in ends[cell])
        assert told.lower[at] <= low <= told.inner_lower[at], f"lower end of cell {cell} (seed {seed})"
        assert told.inner_upper[at] <= high <= told.upper[at], f"upper end of cell {cell} (seed {seed})"
    return told.open_sides


def check_shortfalls(found: object, wrong: set[tuple[int, int]], where: object) -> int:
    """How many levels are undecided; the others must be what the list says."""
    listed = {(each.cell, each.kind): each.proven for each in found}  # type: ignore[attr-defined]
    assert wrong <= set(listed), f"a level that does not hold is called met: {where}"
    assert {key for key, proven in listed.items() if proven} <= wrong, f"a level that holds is called exposed: {where}"
    return sum(not proven for proven in listed.values())


def run(seconds: float, seed: int) -> str:
    total: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        total += compare(seed)
        seed += 1
    return ", ".join(
        f"{total[name]} {name}" for name in ("patterns", "sides", "open", "undecided", "unsafe", "attackers")
    )
