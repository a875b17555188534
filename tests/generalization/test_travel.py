"""Arrays for kernels: what is read-only is copied, what can be written passes through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.generalization.travel import call, writable


class Pair(NamedTuple):
    left: np.ndarray
    right: object


def locked() -> np.ndarray:
    array = np.arange(3)
    array.flags.writeable = False
    return array


def test_only_what_is_read_only_is_copied() -> None:
    free, shut = np.arange(3), locked()
    assert writable(free) is free
    opened = writable(shut)
    assert opened is not shut and opened.flags.writeable and opened.tolist() == shut.tolist()
    assert not shut.flags.writeable
    assert writable((shut,))[0] is shut, "a plain tuple is no table of arrays"


def test_named_tuples_are_opened_at_any_depth_and_keep_their_type() -> None:
    free = np.ones(2)
    made = writable(Pair(free, Pair(locked(), "a")))
    assert type(made) is Pair and type(made.right) is Pair
    assert made.left is free and made.right.left.flags.writeable and made.right.right == "a"


def test_a_kernel_may_write_into_what_it_is_given() -> None:
    def kernel(a: np.ndarray, pair: Pair, number: int) -> int:
        a[0] = pair.left[0] = number
        return int(a.sum() + pair.left.sum())

    first, second = locked(), locked()
    assert call(kernel, first, Pair(second, None), 10) == 26
    assert first.tolist() == second.tolist() == [0, 1, 2]
