"""Decorators of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from numba import njit

R = TypeVar("R")


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """For kernels that only kernels call: without an entry from Python, which takes longer to compile than they do."""
    compiled: Callable[..., R] = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def unchecked(function: Callable[..., R]) -> Callable[..., R]:
    """`inner` for kernels that never divide by zero: no division tests for it, which takes time and compile time."""
    compiled: Callable[..., R] = njit(
        cache=True, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    return compiled


def inlined(function: Callable[..., R]) -> Callable[..., R]:
    """For small kernels with one caller: compiled as a part of it. One that is linked instead is optimized twice; large
    ones had better be linked, as compile time grows faster than what is compiled."""
    compiled: Callable[..., R] = njit(cache=True, nogil=True, error_model="numpy", inline="always")(function)
    return compiled
