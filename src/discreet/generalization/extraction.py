"""The secret draw: k disjoint perfect matchings, one of which is the true one.

The matches form a k-regular bipartite graph between published records and originals. Random walks (A. Goel, M.
Kapralov, S. Khanna, "Perfect matchings in O(n log n) time in regular bipartite graphs", 2010) peel off one random
perfect matching after another; in each connected component one of the k is then chosen uniformly. The choice is what
protects: to an adversary who knows the graph, the method and even the k matchings, each of a person's k published
candidates is the true one with probability exactly 1/k. (Taking the first random matching instead would be biased:
which edges a random walk favors depends on the graph.)

Random bits come from ChaCha20 (RFC 8439) under a 256-bit key that the operating system supplies. Under a key derived
from a seed the draw can be repeated, by anyone who knows or guesses the seed.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.domain import Integers
from discreet.kernels.compile import inner

Words = NDArray[np.uint32]


@dataclass(frozen=True)
class Draw:
    """`matchings[t, i]`: the original of published record i in matching t; `origin[i]`: the true one; a row order."""

    matchings: Integers
    origin: Integers
    order: Integers
    secret: bool


class Stream(NamedTuple):
    """A key and block counter, the current block, and how many of its words are used."""

    state: Words
    block: Words
    used: NDArray[np.int64]


def stream(seed: int | None, purpose: str = "draw") -> Stream:
    """A generator keyed by the operating system or, where a seed is given, by the seed and what it is for."""
    key = secrets.token_bytes(32) if seed is None else hashlib.sha256(f"discreet {purpose} {seed}".encode()).digest()
    return keyed(np.frombuffer(key, "<u4").astype(np.uint32))


def keyed(key: Words) -> Stream:
    state = np.zeros(16, np.uint32)
    state[:4] = np.frombuffer(b"expand 32-byte k", "<u4")
    state[4:12] = key
    return Stream(state, np.zeros(16, np.uint32), np.full(1, 16, np.int64))


@inner
def chacha_block(state: Words, block: Words) -> None:
    """The next 64 bytes of the key stream (RFC 8439, section 2.3), counted in words 12 and 13."""
    for q in range(16):
        block[q] = state[q]
    for turn in range(80):  # ten times four quarter rounds down the columns, then four along the diagonals
        i, slant = turn % 4, turn % 8 // 4
        a, b = i, 4 + (i + slant) % 4
        c, d = 8 + (i + 2 * slant) % 4, 12 + (i + 3 * slant) % 4
        for half in range(2):
            block[a] += block[b]
            word, bits = block[d] ^ block[a], np.uint32(16 - 8 * half)
            block[d] = (word << bits) | (word >> np.uint32(32 - bits))
            block[c] += block[d]
            word, bits = block[b] ^ block[c], np.uint32(12 - 5 * half)
            block[b] = (word << bits) | (word >> np.uint32(32 - bits))
    for q in range(16):
        block[q] += state[q]
    state[12] += np.uint32(1)
    if state[12] == 0:
        state[13] += np.uint32(1)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def drawn(s: Stream, n: int) -> int:
    """A uniform number in 0 … n−1, n < 2³², by rejection: no bias."""
    limit = np.uint64(1 << 32) - np.uint64(1 << 32) % np.uint64(n)
    while True:
        if s.used[0] == 16:
            chacha_block(s.state, s.block)
            s.used[0] = 0
        word = np.uint64(s.block[s.used[0]])
        s.used[0] += 1
        if word < limit:
            return int(word % np.uint64(n))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def shuffled(s: Stream, n: int) -> Integers:
    order = np.empty(n, np.int64)
    for q in range(n):
        order[q] = q
    for q in range(n - 1, 0, -1):
        r = drawn(s, q + 1)
        order[q], order[r] = order[r], order[q]
    return order


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def peel(s: Stream, matches: Integers) -> Integers:
    """k disjoint perfect matchings of the k-regular graph, each found by random walks in what is left."""
    n, k = matches.shape
    edges = np.empty((n, k), np.int64)
    for i in range(n):
        for r in range(k):
            edges[i, r] = matches[i, r]
    matchings = np.empty((k, n), np.int64)
    onward, owner, slot = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for degree in range(k, 0, -1):
        for i in range(n):
            owner[i] = slot[i] = -1
        for start in shuffled(s, n):
            i = start
            while True:  # walk to a free original; a loop is erased by writing over `onward`
                step = drawn(s, degree)
                if step == slot[i]:
                    continue
                onward[i] = step
                if owner[edges[i, step]] < 0:
                    break
                i = owner[edges[i, step]]
            i = start
            while i >= 0:
                original = edges[i, onward[i]]
                displaced = owner[original]
                owner[original], slot[i] = i, onward[i]
                i = displaced
        for i in range(n):
            matchings[degree - 1, i] = edges[i, slot[i]]
            edges[i, slot[i]] = edges[i, degree - 1]
    return matchings


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def components(matches: Integers) -> Integers:
    """The connected component of each published record, numbered by the least record in it."""
    n, k = matches.shape
    above = np.empty(n, np.int64)  # record i of either side shares a node: the self edge joins them
    for i in range(n):
        above[i] = i
    for i in range(n):
        for r in range(k):
            a, b = i, matches[i, r]
            while above[a] != a:
                above[a] = above[above[a]]
                a = above[a]
            while above[b] != b:
                above[b] = above[above[b]]
                b = above[b]
            above[max(a, b)] = min(a, b)
    for i in range(n):
        above[i] = above[above[i]]
    return above


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def choose(s: Stream, matchings: Integers, component: Integers) -> Integers:
    """In each component one of the matchings, uniformly: the original of every published record."""
    k, n = matchings.shape
    choice = np.empty(n, np.int64)
    origin = np.empty(n, np.int64)
    for i in range(n):
        choice[i] = drawn(s, k) if component[i] == i else choice[component[i]]
        origin[i] = matchings[choice[i], i]
    return origin


def draw(
    matches: Integers,
    *,
    seed: int | None,
    shuffle: bool = True,
    matchings: Integers | None = None,
    purpose: str = "draw",
) -> Draw:
    """Peel (unless the matchings are given), choose and shuffle. Record i must be among its own matches.

    Draws of several blocks under one seed have a `purpose` each, lest they be the same.
    """
    s = stream(seed, purpose)
    if matchings is None:
        matchings = peel(s, matches)
    origin = choose(s, matchings, components(matches))
    order = shuffled(s, matches.shape[0]) if shuffle else np.arange(matches.shape[0])
    return Draw(matchings, origin, order, seed is None)
