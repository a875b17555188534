"""Small problems that need the kernels of one step: where nothing is compiled yet, each has its process."""

from __future__ import annotations

import numpy as np

from discreet.generalization.domain import Domain, categorical, domain, numeric

N, K = 24, 3


def _domain() -> Domain:
    return domain([numeric("x", np.arange(N) % 7), categorical("y", np.arange(N) % 3, 3)])


def _rings() -> np.ndarray:
    return np.arange(N)[:, None] // K * K + (np.arange(N)[:, None] + np.arange(K)) % K


def compile_matching() -> None:
    """Matchings within one block, and an exchange of matches."""
    from discreet.generalization.matching.iterations import match_blocks
    from discreet.generalization.reassignment import exchange

    small, ends = _domain(), np.array([0, N])
    match_blocks(small.tables, small.codes, ends, K, "hungarian")
    ids, none = _rings(), np.empty(0, np.int32)
    exchange(small.tables, ids, small.codes[ids], np.zeros((N, K), np.int32), np.ones(N, np.int64), ends, none)


def compile_blocks() -> None:
    """Blocks, what matches cost, which is given up, and the secret draw."""
    from discreet.generalization.boxes import gcp
    from discreet.generalization.extraction import draw
    from discreet.generalization.partition import kd_blocks
    from discreet.generalization.reassignment import give_up, random_members

    small, ids, random = _domain(), _rings(), np.array([0], np.uint64)
    random_members(ids, random, np.empty(N, np.int64))
    kd_blocks(small.tables, small.codes, np.arange(N), N // 2, N // 4, random)
    give_up(small.tables, ids, small.codes[ids], np.zeros((N, K), np.int32), np.uint64(0))
    gcp(small.tables, small.codes, ids)
    draw(ids, seed=0)
