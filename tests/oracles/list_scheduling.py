"""Tasks given one after the other to whoever is free first, by looking at every worker."""

from __future__ import annotations

from collections.abc import Sequence


def end_of_stages(stages: Sequence[Sequence[float]], workers: int) -> float:
    now = 0.0
    for stage in stages:
        free = [now] * workers
        for seconds in stage:
            worker = min(range(workers), key=lambda w: free[w])
            free[worker] += seconds
        now = max([now, *free])
    return now
