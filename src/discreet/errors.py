"""One small tree of errors.

Messages name columns, parameters and numbers of rows. They never quote a value of the data: an error ends up in
logs and tickets, and the data is about people.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence


def visible(text: str) -> str:
    """`text` on one line, with everything that does not print written as an escape.

    Names of columns and files come from outside: an escape sequence, a line end or a mark that turns the direction of
    writing must reach no terminal, log or page.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class DiscreetError(Exception):
    """Whatever discreet raises on purpose."""


class InputError(DiscreetError, ValueError):
    """The input cannot be used; lists every fault that was found, each with the way out."""

    def __init__(self, faults: str | Iterable[str]) -> None:
        self.faults: tuple[str, ...] = tuple(map(visible, (faults,) if isinstance(faults, str) else faults))
        super().__init__(_as_list(self.faults))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[str, ...]]]:
        return type(self), (self.faults,)


class InfeasibleError(InputError):
    """The input is well formed but nothing satisfies it, such as margins that no table has."""


class UnsafeReleaseError(DiscreetError):
    """What was about to be published fails the independent check; nothing is written."""


class Faults:
    """Collects what is wrong so that the user hears all of it at once."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, fault: str) -> None:
        self._found.append(fault)

    def check(self, holds: bool, fault: str) -> bool:
        """Note `fault` unless `holds`; returns `holds` so that dependent checks can be skipped."""
        if not holds:
            self._found.append(fault)
        return holds

    def extend(self, error: InputError) -> None:
        self._found.extend(error.faults)

    def __bool__(self) -> bool:
        return bool(self._found)

    def raise_if_any(self) -> None:
        if self._found:
            raise InputError(self._found)


def whole(value: object) -> int | None:
    """`value` as an int where it is a whole number of any kind, of numpy too; None for all else, also truth values.

    The one check of every function that takes k, l or another count. Who computes goes on with what it returns: a
    number of 8 bits has no double.
    """
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return int(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        return None


def at_least(value: object, least: int) -> bool:
    """Whether `value` is a whole number from `least` on."""
    number = whole(value)
    return number is not None and number >= least


def shown(name: object, most: int = 60) -> str:
    """A column's name for a message: no control characters, not endless."""
    text = str(name)
    text = text if len(text) <= most else text[: most - 3] + "..."
    return text if text.isprintable() else repr(text)[1:-1]


def listing(names: Sequence[object], most: int = 20) -> str:
    """Names for a message: the first of them, and how many there are beside."""
    words = ", ".join(shown(name) for name in names[:most])
    return words if len(names) <= most else f"{words} and {len(names) - most} more"


def _as_list(faults: tuple[str, ...]) -> str:
    if len(faults) == 1:
        return faults[0]
    return "\n".join([f"{len(faults)} things are wrong:", *(f"  - {fault}" for fault in faults)])
