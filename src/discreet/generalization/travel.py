"""Kernels as work for an executor.

Arrays that come from another process may be read-only, for which numba would compile every kernel anew. They are
copied first; arrays of this process pass through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
    return kernel(*(writable(argument) for argument in arguments))


def writable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value if value.flags.writeable else value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(writable(part) for part in value))
    return value
