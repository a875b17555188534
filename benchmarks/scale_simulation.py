"""A run on a cluster, simulated: stages of tasks, workers that die and come back, tasks that take too long.

Tasks of a stage wait in a queue; a worker that is free takes the first. A stage begins when all tasks of the one before
have ended: every block is gathered from every part. A task takes its own seconds times a factor, drawn each time it is
run: 1, or `slow_factor` with probability `slow_share`. Each worker dies as a Poisson process does, `deaths` times an
hour; its task goes back to the head of the queue, what it did on it is lost, and it is there again after `restart`
seconds. What tasks have written stays: it lies on the file system that all share.

The worker that is free first is taken from a heap, so a task costs O(log W) for W workers. Without deaths and
slow tasks this is Graham's list scheduling (Bounds on multiprocessing timing anomalies, 1969): each stage takes at most
sum/W + max.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Weather:
    """What goes wrong on the way."""

    slow_share: float = 0.0
    """The chance that a run of a task is slow."""
    slow_factor: float = 1.0
    """How many times longer it then takes."""
    deaths: float = 0.0
    """Of one worker, an hour."""
    restart: float = 60.0
    """Seconds until a dead worker is there again."""


@dataclass(frozen=True)
class Outcome:
    """What the run took: until the last task ended, in useful work, in work that was lost, and in deaths."""

    seconds: float
    useful: float
    lost: float
    deaths: int
    runs: tuple[tuple[int, ...], ...]
    """How often each task of each stage was begun."""


def simulate(stages: Sequence[Sequence[float]], workers: int, weather: Weather, seed: int) -> Outcome:
    """The run of these stages, each a list of seconds that its tasks take, on so many workers."""
    rng = np.random.default_rng(seed)
    rate = weather.deaths / 3600.0

    def next_death(now: float) -> float:
        return now + rng.exponential(1.0 / rate) if rate > 0 else np.inf

    dies = [next_death(0.0) for _ in range(workers)]
    free = [(0.0, worker) for worker in range(workers)]  # when, who: a heap
    now = useful = lost = 0.0
    dead = 0
    counts = []
    for stage in stages:
        runs = [0] * len(stage)
        queue = deque(range(len(stage)))
        returned: list[tuple[float, int]] = []  # when a task comes back to the queue, which: a heap
        begin, unfinished = now, len(stage)
        while unfinished:
            at, worker = heapq.heappop(free)
            at = max(at, begin)
            if dies[worker] <= at:  # it died while it had nothing to do
                at = dies[worker] + weather.restart
                dead, dies[worker] = dead + 1, next_death(at)
                heapq.heappush(free, (at, worker))
                continue
            while returned and returned[0][0] <= at:
                queue.appendleft(heapq.heappop(returned)[1])
            if not queue:  # all are being run, but the worker of one of them will die: wait for that
                heapq.heappush(free, (returned[0][0], worker))
                continue
            task = queue.popleft()
            runs[task] += 1
            slow = rng.random() < weather.slow_share
            took = stage[task] * (weather.slow_factor if slow else 1.0)
            if dies[worker] < at + took:
                lost += dies[worker] - at
                heapq.heappush(returned, (dies[worker], task))
                at = dies[worker] + weather.restart
                dead, dies[worker] = dead + 1, next_death(at)
            else:
                at += took
                useful += took
                now = max(now, at)
                unfinished -= 1
            heapq.heappush(free, (at, worker))
        counts.append(tuple(runs))
    return Outcome(now, useful, lost, dead, tuple(counts))
