"""Small problems that need the kernels of one step: where nothing is compiled yet, each has its process."""

from __future__ import annotations

import numpy as np

from discreet.generalization.domain import Domain, categorical, domain, numeric
from discreet.work import Deadline, Reporter

N, K = 24, 3


def _domain() -> Domain:
    return domain([numeric("x", np.arange(N) % 7), categorical("y", np.arange(N) % 3, 3)])


def _rings() -> np.ndarray:
    return np.arange(N)[:, None] // K * K + (np.arange(N)[:, None] + np.arange(K)) % K


def compile_matching() -> None:
    """Matchings within one block, their loss, and the secret draw."""
    from discreet.generalization.boxes import gcp
    from discreet.generalization.extraction import draw
    from discreet.generalization.matching.iterations import match_blocks

    small = _domain()
    matches = match_blocks(small.tables, small.codes, np.array([0, N]), K, "hungarian").astype(np.int64)
    gcp(small.tables, small.codes, matches)
    draw(matches, seed=0)


def compile_reassignment() -> None:
    """Blocks, and rounds of reassignment from groups of neighbors in the file."""
    from discreet.generalization.reassignment import improve
    from discreet.scale import workers

    with workers(None) as pool:
        improve(_domain(), _rings(), rounds=2, seed=0, pool=pool, deadline=Deadline(None), report=Reporter(None))
