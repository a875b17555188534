"""discreet: statistical disclosure control in which every answer carries its proof.

The public names are imported on first use, so that `import discreet` and `discreet --help` cost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet._version import __version__

if TYPE_CHECKING:
    from discreet import datasets as datasets
    from discreet.errors import DiscreetError as DiscreetError
    from discreet.errors import InfeasibleError as InfeasibleError
    from discreet.errors import InputError as InputError
    from discreet.errors import UnsafeReleaseError as UnsafeReleaseError

_HOME = {
    "DiscreetError": "discreet.errors",
    "InfeasibleError": "discreet.errors",
    "InputError": "discreet.errors",
    "UnsafeReleaseError": "discreet.errors",
    "datasets": "discreet",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'discreet' has no attribute {name!r}")
    if name == "datasets":
        return import_module("discreet.datasets")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
