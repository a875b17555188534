"""Does the order of rows tell what was left blank? In a sorted file the row above has what a blank hides.

Whoever reads a file from the top guesses the blank of a key to be the last value shown above it. In rows of a random
order such a guess is right with the share that the value has among those shown, f, in each blank independently or
nearly so. The sum of right guesses is then Σ f on average with a variance of at most Σ f (1 − f); more than that by
`DEVIATIONS` standard deviations and `MORE` guesses is no chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers import shown

Integers = NDArray[np.int64]

DEVIATIONS = 6.0
MORE = 5


def told_by_order(names: tuple[str, ...], original: Integers, published: Integers) -> list[str]:
    """Sentences about the keys whose blanks are guessed from the rows above or below far better than by chance."""
    out = []
    for j, name in enumerate(names):
        hidden = (published[:, j] == 0) & (original[:, j] != 0)
        right, expected, variance = _guesses(original[:, j], published[:, j], hidden)
        if right - expected > DEVIATIONS * np.sqrt(variance) + MORE:
            out.append(
                f"the order of rows: the value next to it tells {right} of {int(hidden.sum())} blanks of "
                f"{shown(name)}, where {expected:.0f} are to be expected; publish the rows in a random order "
                "(shuffle, --shuffle; rows are shuffled unless they are kept by --keep-order)"
            )
    return out


def _guesses(was: Integers, now: Integers, hidden: NDArray[np.bool_]) -> tuple[int, float, float]:
    """Right guesses from above or below, whichever are more, and mean and variance of them in a random order."""
    seen = now != 0
    if not hidden.any() or not seen.any():
        return 0, 0.0, 0.0
    share = np.bincount(now[seen], minlength=int(was.max()) + 1)[was[hidden]] / seen.sum()
    right = 0
    for old, new, out in ((was, now, hidden), (was[::-1], now[::-1], hidden[::-1])):
        last = np.maximum.accumulate(np.where(new != 0, np.arange(new.size), -1))
        guess = np.where(last >= 0, new[last], 0)
        right = max(right, int((guess[out] == old[out]).sum()))
    return right, float(share.sum()), float((share * (1 - share)).sum())
