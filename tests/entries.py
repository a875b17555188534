"""Entries from Python to kernels that only kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def entry(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The same kernel, to be called from a test."""

    @njit
    def called(*arguments: Any) -> Any:
        return kernel(*arguments)

    return called
