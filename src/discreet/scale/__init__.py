"""Where independent pieces of work run: threads here, any `concurrent.futures`-like executor elsewhere."""

from discreet.scale.executors import ordered_map, stopping, worker_count, workers

__all__ = ["ordered_map", "stopping", "worker_count", "workers"]
