"""Attacks what the release server's answers tell together: sequences of requests, on every table there is.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

The intruder knows what is public at the start, the rule, its mode, when each request was made and every answer: what
was released, what was refused, which counts were hidden or how all were rounded, whether a synthetic table was offered.
In mode "simulatable" the whole sequence is run on every small table. Tables that look alike by the numbers that were
told must have got the same answers, on the same grounds, with the same questions left open: then refusals and hidden
places say nothing. And every one of them keeps the rule among these; where the start alone breaks it for one of them,
nothing at all is told but what was known at the start. In mode "exact" one table keeps the rule among those with the
same numbers; what its refusals tell is documented, and not asked here.

Limits are short in part of the runs, and so is the list of tables that a decision may look at.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from oracles.release import all_tables, looks_the_same, margin, safe, told_in_part

from discreet.release import engine
from discreet.release.decision import REFUSE, SIMULATE, UNRESOLVED, Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.policy import Policy

SHAPES = ((2,), (3,), (4,), (2, 1), (1, 3), (2, 2), (2, 3), (3, 2), (2, 1, 2), (2, 2, 2))
MOST = {2: 6, 3: 6, 4: 5, 6: 4, 8: 3}
"""People in a table, by its cells."""


@dataclass(frozen=True)
class Attempt:
    """What is public at the start (bit masks of variables), the rule, and which margins are asked for when."""

    seed: int
    shape: tuple[int, ...]
    known: tuple[int, ...]
    policy: Policy
    requests: tuple[int, ...]
    moments: tuple[float, ...]
    listed: int


def drawn(seed: int, mode: str) -> tuple[Attempt, np.random.Generator]:
    rng = np.random.default_rng(seed)
    shape = SHAPES[rng.integers(len(SHAPES))]
    margins = 2 ** len(shape)
    otherwise = str(rng.choice(["refuse", "simulate", "suppress", "round"]))
    policy: dict[str, Any] = {
        "mode": mode,
        "otherwise": otherwise,
        "c": int(rng.integers(0, 4)),
        "w": int(rng.integers(1, 4)),
        "min_tables": int(rng.choice([1, 1, 2, 3])),
        "base": int(rng.integers(2, 8)) if otherwise == "round" else 0,
        "time_limit": float(rng.choice([1e-7, 1e-6, 10.0])) if mode == "simulatable" else 60.0,
    }
    many = int(rng.integers(1, 7))
    known = rng.choice(margins, int(rng.integers(0, min(3, margins))), replace=False)
    return Attempt(
        seed,
        shape,
        tuple(int(mask) for mask in known),
        Policy(**policy),
        tuple(int(mask) for mask in rng.integers(0, margins, many)),
        tuple(np.cumsum(rng.choice([0.0, 61.0, 1000.0], many)).tolist()),
        int(rng.choice([1, 2, 5, 20_000])) if mode == "simulatable" else 20_000,
    ), rng


def answers(attempt: Attempt, counts: np.ndarray) -> tuple[tuple[Any, ...], Frontier]:
    """All that is said to the one who asks, and what even the custodian alone sees of it; what is public then."""
    table, frontier = Table.from_array(counts.reshape(attempt.shape)), Frontier()
    for mask in attempt.known:
        frontier = frontier.release(mask)
    state, seen = Situation(table, frontier), []
    for request, moment in zip(attempt.requests, attempt.moments):
        made = decide(
            Situation(table, state.frontier, state.carried, state.unresolved, moment), attempt.policy, request
        )
        own, told = margin(counts[None], attempt.shape, axes_of(request))[0], None
        if made.partial is not None:
            told = told_in_part(own, made.partial)
        elif made.answer not in (REFUSE, SIMULATE):
            told = own.tolist()
        total = int(counts.sum()) if made.total_released else None
        left = tuple(sorted(made.unresolved)), made.frontier.refused, made.frontier.bare
        seen.append((made.answer, made.ground, None if told is None else tuple(told), total, left))
        carried = state.carried if made.carried is None else made.carried
        state = Situation(table, made.frontier, carried, made.unresolved)
    return tuple(seen), state.frontier


@contextmanager
def listing(most: int) -> Iterator[None]:
    """Decisions list so many tables at most."""
    usual, engine.LISTED_TABLES = engine.LISTED_TABLES, most
    try:
        yield
    finally:
        engine.LISTED_TABLES = usual


def every_table(seed: int) -> Counter[str]:
    """Mode "simulatable": one sequence of requests, answered for every table."""
    attempt, rng = drawn(seed, "simulatable")
    cells, rule = int(np.prod(attempt.shape)), (attempt.policy.c, attempt.policy.w, attempt.policy.min_tables)
    totals = [int(rng.integers(0, MOST[cells] + 2))] if attempt.known else range(MOST[cells] + 1)
    tables = np.concatenate([all_tables(attempt.shape, total) for total in totals])
    alike, public = defaultdict(list), {}
    with listing(attempt.listed):
        for counts in tables:
            seen, frontier = answers(attempt, counts)
            start = tuple(margin(counts[None], attempt.shape, axes_of(mask)).tobytes() for mask in attempt.known)
            alike[start, seen].append(counts)
            public[start, seen] = frontier
    found = Counter(sequences=1, decisions=len(tables) * len(attempt.requests))
    for key, those in alike.items():
        group, frontier = np.array(those), public[key]
        told = f"{attempt}: {key[1]}"
        numbers = looks_the_same(tables, attempt.shape, group[0], *frontier.public)
        assert len(group) == len(numbers), f"what is not told tells {len(group)} of {len(numbers)}: {told}"
        before = looks_the_same(tables, attempt.shape, group[0], attempt.known, [])
        if attempt.known and not all(safe(table, before, *rule) for table in before):
            assert len(group) == len(before), f"more is told where the start is unsafe: {told}"
            found["unsafe starts"] += 1
        elif frontier.public[0] or frontier.public[1]:  # else the total is unknown, and the list of tables is cut off
            assert all(safe(table, group, *rule) for table in group), f"the rule is broken for one of these: {told}"
            found["groups"] += 1
    return found


def one_table(seed: int) -> Counter[str]:
    """Mode "exact": what is told of one table together."""
    attempt, rng = drawn(seed, "exact")
    cells, rule = int(np.prod(attempt.shape)), (attempt.policy.c, attempt.policy.w, attempt.policy.min_tables)
    counts = rng.multinomial(int(rng.integers(0, MOST[cells] + 2)), np.full(cells, 1 / cells))
    seen, frontier = answers(attempt, counts)
    found = Counter(exact=1, unresolved=any(one[1] == UNRESOLVED for one in seen))
    total = int(counts.sum())
    tables = all_tables(attempt.shape, total)
    if not frontier.released:
        if cells > 4:
            return found
        tables = np.concatenate([all_tables(attempt.shape, more) for more in range(total + 2 * attempt.policy.w + 9)])
    before = looks_the_same(tables, attempt.shape, counts, attempt.known, [])
    group = looks_the_same(tables, attempt.shape, counts, *frontier.public)
    told = f"{attempt}, {counts.tolist()}: {seen}"
    if safe(counts, before, *rule):
        assert safe(counts, group, *rule), f"the rule is broken: {told}"
        found["judged"] += 1
    elif attempt.known:
        assert len(group) == len(before), f"more is told where the start is unsafe: {told}"
    return found


def run(seconds: float, seed: int) -> str:
    total: Counter[str] = Counter()
    end = time.monotonic() + seconds
    instance = seed * 1_000_003
    while time.monotonic() < end:
        total += every_table(instance)
        for other in range(4):
            total += one_table(4 * instance + other)
        instance += 1
    return ", ".join(f"{count} {what}" for what, count in total.items())
