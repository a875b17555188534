"""A part of a margin that may be told, and whether what is told keeps every sensitive count uncertain.

Which counts are hidden is found by the search for the cheapest pattern of suppression, and whether a table and all that
is public of it keep the rule by the audit of published tables; both in the room of tables with totals. Nothing is
offered that the audit leaves undecided.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.release.offers.model import posed
from discreet.release.offers.partial import Partial
from discreet.tabular.audit import protects
from discreet.tabular.suppress import Conflict, requirements_of, suppress
from discreet.work import Deadline, Reporter

Ints = NDArray[np.int64]
Rule = tuple[int, int]
# Larger tables are not searched: what is refused there is refused without an offer.
MOST_CELLS = 20_000


def keeps_rule(
    counts: Ints,
    shape: tuple[int, ...],
    released: Sequence[int],
    partials: Sequence[Partial],
    rule: Rule,
    deadline: Deadline,
) -> bool | None:
    """Whether every sensitive cell keeps its width, given all that is public; None where that was not settled."""
    problem = posed(counts, shape, released, partials, rule)
    found = protects(problem, deadline=deadline)
    if found.exposed:
        return False
    return None if found.undecided or not found.complete else True


def offer_suppressed(
    counts: Ints,
    shape: tuple[int, ...],
    released: Sequence[int],
    partials: Sequence[Partial],
    mask: int,
    rule: Rule,
    deadline: Deadline,
) -> Partial | None:
    """The margin with the fewest hidden counts that keeps the rule; None where none was found, or nothing is left."""
    if counts.size > MOST_CELLS:
        return None
    problem = posed(counts, shape, released, partials, rule, asked=mask)
    found = suppress(problem, requirements_of(problem), deadline, Reporter(None))
    if found is None or isinstance(found, Conflict):
        return None
    size = int(np.prod([shape[a] for a in range(len(shape)) if mask >> a & 1], dtype=np.int64))
    hidden = np.flatnonzero(found.hidden[problem.cells.n - size :])
    offer = Partial(mask, "suppress", tuple(hidden.tolist()))
    if hidden.size == size or keeps_rule(counts, shape, released, [*partials, offer], rule, deadline) is not True:
        return None
    return offer


def offer_rounded(
    counts: Ints,
    shape: tuple[int, ...],
    released: Sequence[int],
    partials: Sequence[Partial],
    mask: int,
    rule: Rule,
    base: int,
    deadline: Deadline,
) -> Partial | None:
    """The margin with its counts rounded to `base`, where that keeps the rule."""
    if counts.size > MOST_CELLS:
        return None
    offer = Partial(mask, "round", (), base)
    return offer if keeps_rule(counts, shape, released, [*partials, offer], rule, deadline) is True else None
