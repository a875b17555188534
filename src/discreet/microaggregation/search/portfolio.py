"""Annealing as a method: a pair of schedules, or all that helps, until the time limit.

`fast` is the start (MDAV) and local search. `default` runs two annealings with different schedules and keeps the
better. `best` goes on from there: slow annealings, one for every worker and as slow as the time allows; set
partitioning, which combines the groups of everything found so far; and rounds of annealing in regions (`regions`).
Small problems with small k spend most of the time in column generation (`certificate`), which supplies the groups that
annealing has missed, combines them in windows, and may prove that nothing better exists. With a time limit rounds go
on until it; without one the work is fixed, so that the result depends on the seed alone.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from itertools import count
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import TYPE_CHECKING

import numpy as np

from discreet.methods import Status
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels, renumber, sse
from discreet.microaggregation.search.annealing import Landscape, Schedule, anneal, survey
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import grouped
from discreet.microaggregation.search.pooling import Pool
from discreet.microaggregation.search.regions import improve_regions
from discreet.microaggregation.search.restarts import Until, run_tasks
from discreet.scale import worker_count, workers

if TYPE_CHECKING:
    from discreet.microaggregation.certificate import Certificate

# Without a time limit: slow annealings, how much slower than a default one, and rounds in regions.
_SLOW = 4
_SLOWER = 8.0
_ROUNDS = 30
# With one: parts of the whole after which slow annealing (before column generation: a little) and that are to end.
_SLOW_UNTIL, _SLOW_UNTIL_GENERATION = 0.4, 0.05
_GENERATE_UNTIL = 0.97
_COMBINE_SHARE = 0.3
# Column generation pays for itself where it converges within seconds.
_GENERATE_RECORDS = 2500
_GENERATE_K = 5


def run_annealing(call: Call) -> Outcome:
    return _run(call, pooling=False)


def run_pool(call: Call) -> Outcome:
    return _run(call, pooling=True)


def _run(call: Call, *, pooling: bool) -> Outcome:
    points, k = call.problem
    generates = pooling and call.effort == "best" and len(points) <= _GENERATE_RECORDS and k <= _GENERATE_K
    # On a first run, the kernels of column generation are compiled while this process compiles and anneals.
    warming = _warm() if generates else None
    start = mdav(points, k) if len(points) <= 30_000 else _blockwise(call)
    if call.deadline.passed:
        return Outcome(start, "mdav", "time limit")
    land = survey(points, k, call.shared)
    call.report("local search")
    state = grouped(land.points, start, k)
    moves = improve(state, land.near, k, land.least, 1000, True)
    start = renumber(state.labels)
    if call.effort == "fast":
        return Outcome(start, "local search", detail={"moves": moves})
    search = _Search(points, land, start, call, Pool(points) if pooling else None, generates)
    search.warming = warming
    return _search(search, land)


def _warm() -> Popen[bytes] | None:
    """Start compiling, unless that has been done; the process to wait for."""
    from discreet.microaggregation.certificate.pricing.roots import price_roots
    from discreet.scale.ahead import begin

    stats = getattr(price_roots, "stats", None)  # none where numba is switched off
    if stats is None or any(Path(stats.cache_path).glob("*price_roots*.nbi")):
        return None
    jobs = "microaggregation.certificate.compilation:compile_"
    return begin(jobs + "pricing", jobs + "master")


def _blockwise(call: Call) -> Labels:
    from discreet.microaggregation.search.blocks import run

    return run(replace(call, effort="fast", options={})).answer


def _search(search: _Search, land: Landscape) -> Outcome:
    call = search.call
    status: Status = "complete"
    with workers(call.executor) as executor:
        search.wave(executor, _pair(len(search.points), land.k), np.random.default_rng([call.seed, 0]))
        if call.effort == "best":
            status = _thorough(search, executor)
        elif not call.deadline.passed:
            search.combine()
    if status != "optimal" and not search.complete:
        status = "time limit"
    name = "annealing" if search.pool is None else "pool"
    return Outcome(search.best, name, status, search.counts, search.proof)


def _thorough(search: _Search, executor: Executor) -> Status:
    """What `best` does after the pair of annealings."""
    deadline = search.call.deadline
    endless = deadline.limit is not None
    random = np.random.default_rng([search.call.seed, 1])
    until = _SLOW_UNTIL_GENERATION if search.generates else _SLOW_UNTIL
    search.wave(executor, search.slow(random, until, worker_count(executor)), random)
    if deadline.passed:
        return "time limit"
    if search.generates and search.generate_columns():
        return "optimal"
    search.combine()
    search.regions(executor, random, 1.0 - 0.1 * (search.pool is not None))
    if not deadline.passed:
        search.combine()
    if endless:
        search.regions(executor, random, 1.0)
    return "time limit" if endless else "complete"


class _Search:
    """The best partition so far and the pool of groups seen, through annealing and what follows it."""

    def __init__(
        self, points: Floats, land: Landscape, start: Labels, call: Call, pool: Pool | None, generates: bool
    ) -> None:
        self.points, self.land, self.start, self.call, self.pool = points, land, start, call, pool
        self.generates = generates
        self.best, self.least = start, sse(points, start)
        self.complete = True
        self.warming: Popen[bytes] | None = None
        self.proof: Certificate | None = None
        self.counts: dict[str, float | int | str] = {"annealings": 0, "proposals": 0}

    def offer(self, labels: Labels) -> None:
        value = sse(self.points, labels)
        if value < self.least:
            self.best, self.least = labels, value

    def count(self, what: str, much: int) -> None:
        self.counts[what] = int(self.counts.get(what, 0)) + much

    def wave(self, executor: Executor, schedules: list[Schedule], random: np.random.Generator) -> None:
        """Annealings from the start, one for every schedule."""
        call = self.call
        seeds = random.integers(2**62, size=len(schedules))
        until = Until.of(call.deadline)
        tasks = (
            (self.land, self.start, schedule, int(seed), until, self.pool is not None)
            for schedule, seed in zip(schedules, seeds)
        )
        done = 0
        call.report("annealing", 0.0, sse=self.least)
        for labels, snapshots, finished in run_tasks(executor, chain, tasks, call.deadline):
            self.count("annealings", 1)
            self.count("proposals", int(schedules[done].proposals * len(self.points)))
            self.complete = self.complete and finished
            self.offer(labels)
            if self.pool is not None:
                for snapshot in (labels, *snapshots):
                    self.pool.add(snapshot)
            done += 1
            call.report("annealing", done / len(schedules), sse=self.least)
        self.complete = self.complete and done == len(schedules)

    def slow(self, random: np.random.Generator, until: float, at_once: int) -> list[Schedule]:
        """Slow annealings: a fixed number, or one for every worker that ends when this part of the time is over."""
        deadline = self.call.deadline
        number, proposals = _SLOW, _SLOWER * _usual(len(self.points))
        if deadline.limit is not None:
            number = at_once
            # The pair has shown how long a proposal takes, also in waiting for a core.
            rate = int(self.counts["proposals"]) / max(deadline.elapsed, 1e-3) / min(2, at_once)
            proposals = max(0.0, until * deadline.limit - deadline.elapsed) * rate / len(self.points)
        return [
            Schedule(
                proposals,
                hot=_SLOW_SCHEDULES[i % 4][0],
                cold=_SLOW_SCHEDULES[i % 4][1],
                alpha=_SLOW_SCHEDULES[i % 4][2] if i < 4 else float(random.choice([0.25, 0.5, 0.75])),
                chains=0.3,
                regroups=0.03,
                best_swap=self.land.k > 3,
            )
            for i in range(number)
        ]

    def regions(self, executor: Executor, random: np.random.Generator, until: float) -> None:
        """Rounds in regions: a fixed number, or until this part of the time is over."""
        call = self.call
        limit = call.deadline.limit
        whole = Until.of(call.deadline)
        for done in count():
            if call.deadline.passed or (done == _ROUNDS if limit is None else call.deadline.elapsed >= until * limit):
                return
            labels, better, proposals = improve_regions(self.points, self.best, self.land.k, random, executor, whole)
            self.count("rounds", 1)
            self.count("regions improved", better)
            self.count("proposals", proposals)
            self.offer(labels)
            if self.pool is not None:
                self.pool.add(labels)
            call.report("annealing in regions", done / _ROUNDS if limit is None else None, sse=self.least)

    def combine(self) -> None:
        """The best of the pooled groups, improved by local search."""
        if self.pool is None:
            return
        call = self.call
        call.report("set partitioning", sse=self.least)
        limit = None if call.deadline.limit is None else _COMBINE_SHARE * call.deadline.remaining
        labels, nodes = self.pool.combine(self.best, time_limit=limit)
        self.count("nodes", nodes)
        state = grouped(self.land.points, labels, self.land.k)
        improve(state, self.land.near, self.land.k, self.land.least, 1000, True)
        self.offer(renumber(state.labels))
        if self.pool.full:
            self.pool = Pool(self.points)

    def generate_columns(self) -> bool:
        """Column generation and integer programming from the best so far; True if it proves the result optimal."""
        call = self.call
        if call.deadline.passed:
            return False
        from discreet.microaggregation.certificate.certify import prove

        call.report("column generation", sse=self.least)
        if self.warming is not None:
            left = call.deadline.remaining
            try:
                self.warming.wait(left if np.isfinite(left) else None)
            except TimeoutExpired:
                return False
        quiet = replace(
            call, deadline=call.deadline.until(_GENERATE_UNTIL), report=call.report.silent(), effort="default"
        )
        found = prove(quiet, self.best)
        if found.status == "interrupted":
            raise KeyboardInterrupt
        self.proof = found
        self.offer(found.labels)
        if self.pool is not None:
            self.pool.add(found.labels)
        return found.status == "optimal"


def chain(
    land: Landscape, start: Labels, schedule: Schedule, seed: int, until: Until, snapshots: bool
) -> tuple[Labels, list[Labels], bool]:
    """One annealing: its labels, partitions met on the way (if asked for), and whether it finished."""
    met: list[Labels] = []
    labels, finished = anneal(land, start, schedule, seed, until, met if snapshots else None)
    return renumber(labels), met, finished


# Hot, cold and exponent of the local scale: none of them is best on all data.
_SLOW_SCHEDULES = ((0.6, 0.02, 0.5), (1.2, 0.01, 0.75), (0.6, 0.02, 0.25), (0.4, 0.01, 0.75))


def _usual(n: int) -> float:
    return max(400.0, min(6000.0, 6e6 / n))


def _pair(n: int, k: int) -> list[Schedule]:
    # Swaps with the best of a group take time in proportion to k.
    proposals = max(1000.0, min(15_000.0, 1.5e7 * min(1.0, 5 / k) / n))
    if n <= 2000:
        second = Schedule(proposals, 1.2, 0.02, 0.5, 0.4, 0.03, best_swap=k > 3)
    else:
        # Fewer proposals a record: single swaps, which are cheaper, twice as many of them, and a colder end.
        second = Schedule(2 * proposals, 0.85, 0.0055, 0.75, 0.1, 0.01)
    return [Schedule(proposals, 1.2, 0.01, 0.75, 0.3, 0.03, best_swap=True), second]
