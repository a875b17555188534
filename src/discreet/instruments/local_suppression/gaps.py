"""Keys that are missing before anything is suppressed: blank already, at no cost, among those that are left blank.

The room knows values only, so a missing key goes to it as one more value. What it finds holds as published, where that
value and a blank look alike: classes can only merge, and a blank fits more than the value does. What is proven is
judged with blanks as they are (`discreet.verify.blanks`): the room's prices, or where these prove less, what each
combination must cost by itself. By cover every record chooses for itself, so records that miss the same keys are
solved with the other keys alone, and stay exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.suppression.prices import PRICE_SCALE
from discreet.suppression.suppress import Semantics, suppress
from discreet.verify.blanks.certificate import Question, document
from discreet.verify.blanks.cheapest import cheapest
from discreet.verify.blanks.sharing import distinct

if TYPE_CHECKING:
    from discreet.suppression.suppress import Suppression

Codes = NDArray[np.int64]


def blanks(codes: Codes, cost: Codes, k: int, *, semantics: Semantics, **work: Any) -> Suppression:
    """The cells to leave blank; `codes` is −1 where a key is missing."""
    found = suppress(codes + 1, cost, k, semantics=semantics, **work)
    if semantics != "cover" or not (codes < 0).any():
        return found
    blank = found.blank.copy()
    gaps, gap_of, _ = distinct((codes < 0).astype(np.int64))
    for number, gap in enumerate(gaps.astype(bool)):
        rows = np.flatnonzero(gap_of == number)
        if gap.any() and not gap.all():
            part = suppress(codes[:, ~gap] + 1, cost[~gap], k, semantics=semantics, **work)
            blank[np.ix_(rows, np.flatnonzero(~gap))] = part.blank[rows]
    return replace(found, blank=blank)


def certificate(
    names: tuple[str, ...],
    codes: Codes,
    cost: Codes,
    k: int,
    semantics: str,
    combinations: int | None,
    prices: Codes,
) -> dict[str, Any]:
    """The certificate with the greatest bound that the prices, or each combination by itself, prove."""
    question = Question(names, codes + 1, k, semantics, combinations)
    priced = semantics == "class" and combinations is None
    found = [document(question, cost, prices.tolist(), PRICE_SCALE)] if priced else []
    if not priced or (codes < 0).any():
        tuples, _, count = distinct(codes + 1)
        alone = cheapest(tuples, count, k, cost, combinations) * PRICE_SCALE
        found.append(document(question, cost, alone.tolist(), PRICE_SCALE))
    return max(found, key=lambda one: int(one["total"]) + int(one["relief"]))
