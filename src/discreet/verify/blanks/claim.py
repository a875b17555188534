"""What a release with blanks may claim beyond k and its keys: how combinations are shared, and of how many keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.errors import Faults, whole
from discreet.verify.other_columns import joint
from discreet.verify.readers import Table

GUARANTEE = "blanks"
SEMANTICS = ("class", "cover")
IDLE = ("sensitive", "l", "numeric", "weight", "household", "person", "by", "earlier")
"""Arguments of `verify` that mean nothing here."""


def check_blanks(asked: Any, found: str, faults: Faults, *, has_original: bool) -> tuple[str, int | None]:
    """Semantics and size of combinations; what is wrong with them, or means nothing, is among the faults."""
    semantics, combinations = asked.semantics, asked.combinations
    size = None if combinations is None else whole(combinations)
    if found != GUARANTEE:
        for what, value in (("semantics", semantics), ("combinations", combinations)):
            faults.check(value is None, f"{what} is for the guarantee 'blanks' and means nothing for {found!r}")
        return "class", None
    for what in IDLE:
        faults.check(not getattr(asked, what), f"{what} means nothing for the guarantee 'blanks': leave it out")
    faults.check(semantics in (None, *SEMANTICS), f"unknown semantics: choose one of {', '.join(SEMANTICS)}")
    faults.check(
        combinations is None or (size is not None and size >= 1), "combinations must be a whole number, 1 or more"
    )
    faults.check(has_original or semantics != "cover", "blanks by cover can only be checked against the original data")
    return semantics or "class", size


def was_blanked(before: Table, after: Table, names: Sequence[str]) -> bool:
    """Whether these columns look as they were but for blanks, of which there are some; in whatever order of rows.

    That is so where no value is shown more often than it was: what is no longer shown was left blank.
    """
    if before.rows != after.rows:
        return False
    blanked = False
    for name in names:
        a, b = before.column(name), after.column(name)
        old, new = joint(a, b)
        was, now = old[a.codes], new[b.codes]
        size = int(max(was.max(initial=0), now.max(initial=0))) + 1
        more = np.bincount(now, minlength=size) - np.bincount(was, minlength=size)
        if (more[1:] > 0).any():
            return False
        blanked = blanked or bool(more[0] > 0)
    return blanked
