"""Certified microaggregation: a lower bound on the SSE of every partition, and a file that proves it.

`certify` runs the `stages` (or, for large files, `large.blocks`) and keeps the `progress`: the best partition and the
best proof. The master chooses among the groups it has (`master`), pricing finds those it lacks (`pricing`), and both
together prove the `bound`. `cuts` raise it, `partitions` looks for what is below the best one known, `exact` closes the
gap. The heuristic that all this grew from, as its authors print it, is in `paper`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.microaggregation.certificate.certify import certify
from discreet.microaggregation.certificate.result import Certificate

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.paper.heuristic_mp import column_generation

__all__ = ["Certificate", "certify", "column_generation"]


def __getattr__(name: str) -> Any:
    # Not with the package: it brings the solvers along.
    if name != "column_generation":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from discreet.microaggregation.certificate.paper.heuristic_mp import column_generation

    return column_generation
