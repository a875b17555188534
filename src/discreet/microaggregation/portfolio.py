"""Annealing as a method: one or two schedules, or waves of restarts and reheats with pooling between them.

`fast` is the start (MDAV) and local search. `default` runs two annealings with different schedules and keeps the
better. `best` runs waves: each starts some annealings anew and some from the best partition at a lower temperature,
with schedules drawn from the ranges that served best on the reference sets; after a wave, set partitioning combines the
groups of everything found so far. Small problems with small k then go through column generation (`certificate`), which
supplies the groups that annealing has missed and may prove that nothing better exists. With a time limit waves go on
until it; without one the work is fixed, so that the result depends on the seed alone.
"""

from __future__ import annotations

from concurrent.futures import Executor
from itertools import count

import numpy as np

from discreet.microaggregation.annealing import Landscape, Schedule, anneal, survey
from discreet.microaggregation.local_search import improve
from discreet.microaggregation.mdav import mdav
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.moves import grouped
from discreet.microaggregation.pooling import Pool
from discreet.microaggregation.problem import Floats, Labels, renumber, sse
from discreet.microaggregation.restarts import Until, run_tasks
from discreet.scale import workers

_WAVE = 6
_WAVES = 4
# Column generation pays for itself where it converges within seconds.
_GENERATE_RECORDS = 2500
_GENERATE_K = 5
_GENERATE_SHARE = 0.8
_COMBINE_SHARE = 0.3


def run_annealing(points: Floats, k: int, call: Call) -> Outcome:
    return _run(points, k, call, pooling=False)


def run_pool(points: Floats, k: int, call: Call) -> Outcome:
    return _run(points, k, call, pooling=True)


def _run(points: Floats, k: int, call: Call, *, pooling: bool) -> Outcome:
    start = mdav(points, k) if len(points) <= 30_000 else _blockwise(points, k, call)
    if call.deadline.passed:
        return Outcome(start, "mdav", "time limit")
    land = survey(points, k)
    call.report("local search")
    state = grouped(land.points, start, k)
    moves = improve(state, land.near, k, land.least, 1000, True)
    start = renumber(state.labels)
    if call.effort == "fast":
        return Outcome(start, "local search", detail={"moves": moves})
    return _search(points, land, start, call, pooling)


def _blockwise(points: Floats, k: int, call: Call) -> Labels:
    from discreet.microaggregation.blocks import run

    return run(points, k, Call("fast", call.deadline, call.seed, call.executor, call.report)).labels


def _search(points: Floats, land: Landscape, start: Labels, call: Call, pooling: bool) -> Outcome:
    thorough = call.effort == "best"
    endless = thorough and call.deadline.limit is not None
    last = _WAVES if thorough else 1
    search = _Search(points, land, start, Pool(points) if pooling else None)
    status = "complete"
    with workers(call.executor) as executor:
        for wave in count():
            random = np.random.default_rng([call.seed, wave])
            plan = _wave(random, len(points), wave) if thorough else _pair(len(points), land.k)
            search.wave(executor, plan, random, call)
            generates = wave == 0 and thorough and pooling and search.suits_generation
            if generates and search.generate_columns(call):
                status = "optimal"
                break
            if not generates and not call.deadline.passed:
                search.combine(call)
            if call.deadline.passed or (wave + 1 == last and not endless):
                break
    if status != "optimal" and (endless or not search.complete):
        status = "time limit"
    return Outcome(search.best, "pool" if pooling else "annealing", status, search.counts)


class _Search:
    """The best partition so far and the pool of groups seen, through waves of annealing and what follows them."""

    def __init__(self, points: Floats, land: Landscape, start: Labels, pool: Pool | None) -> None:
        self.points, self.land, self.start, self.pool = points, land, start, pool
        self.best, self.least = start, sse(points, start)
        self.complete = True
        self.counts: dict[str, float | int | str] = {"annealings": 0, "proposals": 0}

    def offer(self, labels: Labels) -> None:
        value = sse(self.points, labels)
        if value < self.least:
            self.best, self.least = labels, value

    def count(self, what: str, much: int) -> None:
        self.counts[what] = int(self.counts.get(what, 0)) + much

    def wave(
        self, executor: Executor, plan: list[tuple[Schedule, bool]], random: np.random.Generator, call: Call
    ) -> None:
        seeds = random.integers(2**62, size=len(plan))
        until = Until.of(call.deadline)
        # A wave starts from one and the same best partition, whatever its annealings find meanwhile.
        best = self.best
        tasks = (
            (self.land, best if again else self.start, schedule, int(seed), until, self.pool is not None)
            for (schedule, again), seed in zip(plan, seeds)
        )
        done = 0
        for labels, snapshots, finished in run_tasks(executor, chain, tasks, call.deadline):
            self.count("annealings", 1)
            self.count("proposals", int(plan[done][0].proposals * len(self.points)))
            self.complete = self.complete and finished
            self.offer(labels)
            if self.pool is not None:
                for snapshot in (labels, *snapshots):
                    self.pool.add(snapshot)
            done += 1
            call.report("annealing", done / len(plan), sse=self.least)
        self.complete = self.complete and done == len(plan)

    def combine(self, call: Call) -> None:
        """The best of the pooled groups, improved by local search."""
        if self.pool is None:
            return
        call.report("set partitioning", sse=self.least)
        limit = None if call.deadline.limit is None else _COMBINE_SHARE * call.deadline.remaining
        labels, nodes = self.pool.combine(self.best, time_limit=limit)
        self.count("nodes", nodes)
        state = grouped(self.land.points, labels, self.land.k)
        improve(state, self.land.near, self.land.k, self.land.least, 1000, True)
        self.offer(renumber(state.labels))
        if self.pool.full:
            self.pool = Pool(self.points)

    @property
    def suits_generation(self) -> bool:
        return len(self.points) <= _GENERATE_RECORDS and self.land.k <= _GENERATE_K

    def generate_columns(self, call: Call) -> bool:
        """Column generation and integer programming from the best so far; True if it proves the result optimal."""
        if call.deadline.passed:
            return False
        from discreet.microaggregation.certificate import certify

        call.report("column generation", sse=self.least)
        limit = None if call.deadline.limit is None else _GENERATE_SHARE * call.deadline.remaining
        found = certify(
            self.points, self.land.k, labels=self.best, time_limit=limit, random_state=call.seed, executor=call.executor
        )
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


def _pair(n: int, k: int) -> list[tuple[Schedule, bool]]:
    # Swaps with the best of a group take time in proportion to k.
    proposals = max(400.0, min(6000.0, 6e6 * min(1.0, 5 / k) / n))
    if n <= 2000:
        second = Schedule(proposals, 1.2, 0.02, 0.5, 0.4, 0.03, best_swap=k > 3)
    else:
        # Fewer proposals a record: single swaps, which are cheaper, twice as many of them, and a colder end.
        second = Schedule(2 * proposals, 0.85, 0.0055, 0.75, 0.1, 0.01)
    return [
        (Schedule(proposals, 1.2, 0.01, 0.75, 0.3, 0.03, best_swap=True), False),
        (second, False),
    ]


def _wave(random: np.random.Generator, n: int, wave: int) -> list[tuple[Schedule, bool]]:
    """Half anew from the start, half from the best so far, reheated to a lower temperature; slower every wave."""

    def between(low: float, high: float) -> float:
        return float(np.exp(random.uniform(np.log(low), np.log(high))))

    out = []
    for i in range(_WAVE):
        again = i >= _WAVE // 2
        schedule = Schedule(
            proposals=max(400.0, min(6000.0, 6e6 / n)) * 2 ** min(wave, 3),
            hot=between(0.08, 0.4) if again else between(0.6, 2.0),
            cold=between(0.005, 0.03),
            alpha=float(random.choice([0.25, 0.5, 0.75, 1.0])),
            chains=float(random.choice([0.1, 0.2, 0.4])),
            regroups=float(random.choice([0.01, 0.03, 0.06])),
            best_swap=bool(random.random() < 0.7),
        )
        out.append((schedule, again))
    return out
