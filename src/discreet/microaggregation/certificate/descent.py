"""Local search from a given partition, as everything that makes partitions ends."""

from __future__ import annotations

from discreet.microaggregation.problem import Labels
from discreet.microaggregation.search.annealing import Landscape, Schedule, anneal


def descend(land: Landscape, labels: Labels) -> Labels:
    """Local search from the given groups."""
    return anneal(land, labels, Schedule(0.0), 0)[0]
