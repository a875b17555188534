"""Annealing as a method: one or two schedules, or waves of restarts and reheats with pooling between them.

`fast` is the start (MDAV) and local search. `default` runs two annealings with different schedules and keeps
the better. `best` runs waves: each starts some annealings anew and some from the best partition at a lower
temperature, all with schedules drawn from the ranges that served best on the reference sets; after a wave,
set partitioning combines the groups of everything found so far. With a time limit waves go on until it;
without one their number is fixed, so that the result depends on the seed alone."""

from __future__ import annotations

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

_WAVE = 8
_WAVES = 4


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
    best, least = start, sse(points, start)
    thorough = call.effort == "best"
    endless = thorough and call.deadline.limit is not None
    pool = Pool(points) if pooling else None
    waves = runs = proposals = nodes = 0
    complete = True
    until = Until.of(call.deadline)
    while True:
        random = np.random.default_rng([call.seed, waves])
        plan = _wave(random, len(points), land.k) if thorough else _pair(len(points), land.k)
        seeds = random.integers(2**62, size=len(plan))
        tasks = (
            (land, best if again else start, schedule, int(seed), until, pooling)
            for (schedule, again), seed in zip(plan, seeds)
        )
        with workers(call.executor) as executor:
            for done, (labels, value, snapshots, finished) in enumerate(
                run_tasks(executor, chain, tasks, call.deadline)
            ):
                runs += 1
                proposals += int(plan[done][0].proposals * len(points))
                complete = complete and finished
                if value < least:
                    best, least = labels, value
                if pool is not None and not pool.full:
                    for snapshot in (labels, *snapshots):
                        pool.add(snapshot)
                call.report("annealing", None if endless else (waves + (done + 1) / len(plan)) / _WAVES, sse=least)
        waves += 1
        if pool is not None and not call.deadline.passed:
            call.report("set partitioning", sse=least)
            limit = call.deadline.remaining if endless else None
            combined, used = pool.combine(best, time_limit=limit)
            nodes += used
            state = grouped(land.points, combined, land.k)
            improve(state, land.near, land.k, land.least, 1000, True)
            combined = renumber(state.labels)
            value = sse(points, combined)
            if value < least:
                best, least = combined, value
            if pool.full:
                pool = Pool(points)
        if call.deadline.passed or (not endless and waves == (_WAVES if thorough else 1)):
            break
    stopped = endless or (call.deadline.passed and not complete)
    detail: dict[str, float | int | str] = {"annealings": runs, "proposals": proposals}
    if pooling:
        detail |= {"waves": waves, "nodes": nodes}
    return Outcome(best, "pool" if pooling else "annealing", "time limit" if stopped else "complete", detail)


def chain(
    land: Landscape, start: Labels, schedule: Schedule, seed: int, until: Until, snapshots: bool
) -> tuple[Labels, float, list[Labels], bool]:
    """One annealing: its labels and their SSE, partitions met on the way (if asked for), and whether it
    finished."""
    met: list[Labels] = []
    labels, finished = anneal(land, start, schedule, seed, until, met if snapshots else None)
    labels = renumber(labels)
    return labels, sse(land.points, labels), met, finished


def _pair(n: int, k: int) -> list[tuple[Schedule, bool]]:
    # Swaps with the best of a group take time in proportion to k.
    proposals = max(400.0, min(6000.0, 6e6 * min(1.0, 5 / k) / n))
    return [
        (Schedule(proposals, 1.2, 0.01, 0.75, 0.3, 0.03, best_swap=True), False),
        (Schedule(proposals, 1.2, 0.02, 0.5, 0.4, 0.03, best_swap=k > 3), False),
    ]


def _wave(random: np.random.Generator, n: int, k: int) -> list[tuple[Schedule, bool]]:
    """Half anew from the start, half from the best so far, reheated to a lower temperature."""
    out = []
    for i in range(_WAVE):
        again = i >= _WAVE // 2
        hot = float(
            np.exp(random.uniform(np.log(0.08), np.log(0.4)) if again else random.uniform(np.log(0.6), np.log(2.5)))
        )
        out.append(
            (
                Schedule(
                    proposals=max(400.0, min(6000.0, 8e6 / n)),
                    hot=hot,
                    cold=float(np.exp(random.uniform(np.log(0.004), np.log(0.04)))),
                    alpha=float(random.choice([0.25, 0.5, 0.75, 1.0])),
                    chains=float(random.choice([0.1, 0.2, 0.4])),
                    regroups=float(random.choice([0.01, 0.03, 0.06])),
                    best_swap=bool(random.random() < 0.6),
                ),
                again,
            )
        )
    return out
