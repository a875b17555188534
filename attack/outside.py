"""Attacks the audit and the suppression of additive tables with an integer program that is not the project's.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Each seed makes a pattern at random, with negative values, zeros, sliding levels, boxes narrower than levels, and
respondents who know cells; CP-SAT says both ends of every cell, and the audit, the levels and the checker must agree.
Other seeds have the pattern chosen by `suppress`: what it gives out must be safe by CP-SAT against every attacker, and
what it calls impossible must be so with everything hidden that may be. Others begin with records of firms: none of
them may undo a cell of others, whatever it knows of its own parts in all cells, large or small.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from oracles.patterns import random_problem, short, subsets

from attack.integer_programs import IntegerPrograms
from attack.patterns import check_intervals, check_shortfalls
from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError
from discreet.instruments.totals.audit_certificate import interval_certificate
from discreet.instruments.totals.suppress import suppress
from discreet.instruments.totals.tabulate import tabulate
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import audit, protects
from discreet.tabular.problem import FREE, SECONDARY, Problem
from discreet.verify.tabular import verify_pattern

Ends = dict[int, tuple[int, int]]
MOST = 40  # hidden cells of a pattern


def question(problem: Problem, hidden: np.ndarray, known: Collection[int] = ()) -> tuple[list[int], dict[str, Any]]:
    """The hidden cells that are not known, and what CP-SAT is asked of them."""
    cells, relations = problem.cells, problem.relations
    chosen = [c for c in np.flatnonzero(hidden).tolist() if c not in set(known)]
    place = {c: i for i, c in enumerate(chosen)}
    rows = []
    for r in range(relations.n):
        own = slice(int(relations.start[r]), int(relations.start[r + 1]))
        pairs = zip(relations.cell[own].tolist(), relations.sign[own].tolist())
        row = [[place[c], s] for c, s in pairs if c in place]
        if row:
            rows.append(row)
    low, high = (cells.lower - cells.value)[chosen].tolist(), (cells.upper - cells.value)[chosen].tolist()
    return chosen, {"low": low, "high": high, "rows": rows, "ask": list(range(len(chosen)))}


def truths(programs: IntegerPrograms, problem: Problem, hidden: np.ndarray, sets: list[Collection[int]]) -> list[Ends]:
    """Both ends of every hidden cell for each set of known cells."""
    asked = [question(problem, hidden, own) for own in sets]
    found = programs.ends([one for _, one in asked])
    return [{c: (low, high) for c, (low, high) in zip(chosen, ends)} for (chosen, _), ends in zip(asked, found)]


def judge(programs: IntegerPrograms, seed: int) -> Counter[str]:
    """One random pattern: intervals, levels, verdicts."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, most=MOST)
    hidden = problem.cells.hidden
    known = subsets(np.flatnonzero(hidden).tolist(), 2) if rng.random() < 0.3 else []
    sets = [np.array(own, np.int64) for own in known]
    ends, *others = truths(programs, problem, hidden, [(), *known])
    told = audit(problem, known=sets)
    seen = Counter(patterns=1, sides=2 * int(hidden.sum()), open=check_intervals(problem, told, ends, seed))
    wrong = short(problem, ends)
    for found, name in ((told, "audit"), (protects(problem, known=sets), "protects")):
        seen["undecided"] += check_shortfalls(found.shortfalls, wrong, (seed, name))
        against = {tuple(attack.known.tolist()): attack.shortfalls for attack in found.attacks}
        for own, other in zip(known, others):
            fresh = [each for each in against.get(own, ()) if (each.cell, each.kind) not in wrong]
            seen["undecided"] += check_shortfalls(fresh, short(problem, other, own) - wrong, (seed, name, own))
            seen["attackers"] += 1
    verdict = verify_pattern(problem, certificate=interval_certificate(told), witnesses=told.witnesses)
    assert not (verdict.outcome == "safe" and wrong), f"an unsafe pattern passes the check (seed {seed})"
    assert not (verdict.outcome == "unsafe" and not wrong), f"a safe pattern fails the check (seed {seed})"
    seen["cannot tell"] += verdict.outcome == "cannot tell"
    seen["unsafe"] += bool(wrong)
    return seen


def choose(programs: IntegerPrograms, seed: int) -> Counter[str]:
    """One table whose pattern `suppress` chooses."""
    rng = np.random.default_rng(seed)
    posed = random_problem(rng, most=MOST)
    status = posed.cells.status
    # What the pattern hid beside the sensitive cells may be hidden, but need not; some stays forced.
    forced = rng.random(status.size) < 0.1
    status = np.where((status == SECONDARY) & ~forced, FREE, status).astype(np.int8)
    cells = posed.cells._replace(status=status, cost=rng.integers(0, 9, status.size))
    if rng.random() < 0.9:  # else a box narrower than its level refuses nearly every table
        up, down = cells.upper - cells.value, cells.value - cells.lower
        above, below = np.minimum(cells.above, up), np.minimum(cells.below, down)
        cells = cells._replace(above=above, below=below, sliding=np.minimum(cells.sliding, up + down))
    problem = posed._replace(cells=cells)
    able = np.flatnonzero(status <= FREE)
    known = subsets(rng.permutation(able).tolist(), 3) if rng.random() < 0.4 else []
    everything = status <= FREE
    try:
        result = suppress(AdditiveTable(problem), attackers=known, cost="file", random_state=seed)
    except InfeasibleError:
        every = truths(programs, problem, everything, [(), *known])
        met = all(not short(problem, ends, own) for ends, own in zip(every, [(), *known]))
        assert not met, f"a table that can be protected is called impossible (seed {seed})"
        return Counter(tables=1, impossible=1)
    except InputError:  # a level that the box of its cell rules out
        ends = zip((cells.lower - cells.value).tolist(), (cells.upper - cells.value).tolist())
        assert short(problem, dict(enumerate(ends))), f"a table is refused whose levels are within reach (seed {seed})"
        return Counter(tables=1, refused=1)
    except UnsafeReleaseError:
        return Counter(tables=1, unconfirmed=1)
    hidden = result.table.problem.cells.hidden
    for own, ends in zip([(), *known], truths(programs, problem, hidden, [(), *known])):
        assert not short(problem, ends, own), f"an unsafe pattern is given out (seed {seed}, known {own})"
    return Counter(tables=1, chosen=1, attackers=len(known), secondary=result.secondary)


def hold(programs: IntegerPrograms, seed: int) -> Counter[str]:
    """Records of firms, tabulated and suppressed: what each firm must think possible, its own parts counted here."""
    rng = np.random.default_rng(seed)
    n, firms = int(rng.integers(15, 60)), int(rng.integers(4, 25))
    frame = pd.DataFrame({name: rng.choice(list("abcd")[: rng.integers(2, 5)], n) for name in ("r", "s")})
    frame["v"] = np.where(rng.random(n) < 0.2, rng.integers(20, 60, n), rng.integers(1, 9, n))
    frame["firm"] = rng.integers(0, firms, n)
    rules = [["p=20"], ["frequency=3"], ["dominance=1,70", "frequency=2"]][rng.integers(3)]
    try:
        made = tabulate(frame, by=["r", "s"], value="v", holding="firm", rules=rules)
        result = suppress(made, cost=str(rng.choice(["unit", "value"])), random_state=seed)
    except (InputError, UnsafeReleaseError) as error:
        return Counter(firms_tables=1, firms_impossible=1, firms_unconfirmed=isinstance(error, UnsafeReleaseError))
    problem, hidden = result.problem, result.table.problem.cells.hidden
    parts: dict[int, dict[int, tuple[int, bool]]] = {}
    for cell in np.flatnonzero(hidden).tolist():
        labels = result.table.labels(cell)
        inside = [frame[name] == label for name, label in zip(("r", "s"), labels) if label != "Total"]
        own = frame[np.logical_and.reduce(inside)] if inside else frame
        sums = own.groupby("firm")["v"].sum().sort_values(ascending=False, kind="stable")
        for firm, much in sums[sums > 0].items():
            parts.setdefault(int(firm), {})[cell] = (int(much), len(sums) == 1)
    for firm, known in parts.items():
        seen = _narrowed(problem, known)
        before = truths(programs, seen, np.ones(hidden.size, np.bool_), [()])[0]  # what it knows unpublished
        low, high = (np.array([before[cell][end] for cell in range(hidden.size)]) for end in (0, 1))
        asked = {"below": -low, "above": high, "sliding": high - low}
        levels = {name: np.minimum(getattr(seen.cells, name), most) for name, most in asked.items()}
        ends = truths(programs, seen, hidden, [()])[0]
        own = seen._replace(cells=seen.cells._replace(**levels))
        assert not short(own, ends), f"firm {firm} undoes a neighbor (seed {seed})"
    return Counter(firms_tables=1, firms_chosen=1, firms=len(parts))


def _narrowed(problem: Problem, known: dict[int, tuple[int, bool]]) -> Problem:
    """What a firm with these parts sees."""
    lower, upper = problem.cells.lower.copy(), problem.cells.upper.copy()
    for cell, (part, alone) in known.items():
        lower[cell] = max(lower[cell], part)
        upper[cell] = problem.cells.value[cell] if alone else upper[cell]
    return problem._replace(cells=problem.cells._replace(lower=lower, upper=upper))


def tried(count: int, seed: int, seconds: float = float("inf")) -> Counter[str]:
    """So many patterns, or as many as there is time for."""
    total: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with IntegerPrograms() as programs:
        for one in range(seed, seed + count):
            if time.monotonic() > end:
                break
            total += (judge, choose, judge, choose, hold)[one % 5](programs, one)
    return total


def run(seconds: float, seed: int) -> str:
    total = tried(10**9, seed, seconds)
    names = ("patterns", "sides", "open", "undecided", "unsafe", "attackers", "tables", "chosen", "impossible")
    others = ("refused", "unconfirmed", "firms_tables", "firms_chosen", "firms_impossible", "firms_unconfirmed")
    return ", ".join(f"{total[name]} {name.replace('_', ' ')}" for name in (*names, *others))
