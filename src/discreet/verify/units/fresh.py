"""Are published ids fresh: do they say which rows belong together, and nothing more?

Ids must be the whole numbers 1, 2, … (or 0, 1, …), each used: any other name could be a code of the original id, and
two spellings of one id are signs on rows. Numbers can still be handed out in the order of the original. Where they are
not handed out in the order of the published rows, rows are put in their order, and both are tested like the order of
rows: against the original's rows as they stand, and as its own ids sort them (`order.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.verify import order
from discreet.verify.matchings.reading import Reading, spellings
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Column, shown
from discreet.verify.units.decimals import written_alike
from discreet.verify.units.unit import Units
from discreet.verify.values.exact import rank
from discreet.verify.values.meaning import is_numeric, missing, numbers, texts

Integers = NDArray[np.int64]


def check_ids(published: Column, findings: Findings) -> Integers | None:
    """The number that each row shows, −1 for none; None where ids are not fresh, which is then among the findings."""
    name = published.name
    if spellings(published, numeric=True):
        findings.failures.append(f"column {shown(name)} spells one id in more than one way, which tells rows apart")
    gone = missing(published, numeric=True)
    plain = is_numeric(published) or bool(gone.all())
    found = np.full(published.size, -1, np.int64)
    if plain and not gone.all():
        values = numbers(published)
        ranks = rank([values])[0]
        count = int(ranks[~gone].max()) + 1
        if values.floats is not None:
            exact = values.floats
        else:
            exact = values.mantissa * 10.0 ** np.clip(values.exponent, -30, 30)
            exact[list(values.long)] = -1.0
        first = exact[~gone].min()
        plain = first in (0.0, 1.0) and bool((exact[~gone] == ranks[~gone] + first).all())
        found = np.where(gone, -1, ranks) if count else found
    if plain and not written_alike(published):
        findings.failures.append(f"column {shown(name)} writes ids in several styles, which tells rows apart")
    if not plain:
        findings.about([name], "column {} holds other ids than 1, 2, 3 and so on, which may be those of the original")
        return None
    return found[published.codes]


def id_order(original: Column, units: Units) -> Integers:
    """The units of the original as its own ids sort them: by number, or as text."""
    if is_numeric(original):
        ranks = rank([numbers(original)])[0]
    else:
        words = texts(original)
        place = {text: at for at, text in enumerate(sorted(set(words)))}
        ranks = np.array([place[text] for text in words], np.int64)
    return np.argsort(ranks[original.codes][units.first], kind="stable")


def heads_of(readings: Sequence[Reading], units: tuple[Units, Units], rows: tuple[Integers, Integers]) -> list[Reading]:
    """Readings of single rows that stand for units, with the size of the unit as one more of them."""
    sizes = []
    for side, some in zip(units, rows):
        of = side.of_row[some]
        sizes.append(np.where(of < 0, 0, side.sizes[of]) if side.count else np.zeros(some.size, np.int64))
    most = int(max(size.max(initial=0) for size in sizes)) + 1
    every = np.arange(most, dtype=np.int64)
    size = Reading(sizes[0], sizes[1], np.arange(most + 1, dtype=np.int64), every, every)
    return [*(replace(r, codes=r.codes[rows[0]], texts=r.texts[rows[1]]) for r in readings), size]


def check_order(
    readings: Sequence[Reading],
    ids: Integers,
    units: tuple[Units, Units],
    sorted_originals: Integers,
    left: tuple[Integers, Integers] | None,
    findings: Findings,
) -> None:
    """Whether units stand, as published or by their ids, in the order of the original units or of their ids.

    `left` numbers the left values of the units of both tables. The order of units as they stand is tested elsewhere.
    """
    before, after = units
    as_they_are = np.arange(after.count), np.arange(before.count)
    by_id = np.argsort(ids[after.first], kind="stable")
    arrangements = [(as_they_are[0], sorted_originals), (by_id, as_they_are[1]), (by_id, sorted_originals)]
    for published, originals in arrangements:
        if (published == as_they_are[0]).all() and (originals == as_they_are[1]).all():
            continue
        found = []
        if left is not None:
            found.append(order.aligned(left[0][originals], left[1][published]))
        if published.size == originals.size and readings:
            heads = before.first[originals], after.first[published]
            found.append(order.fitting(heads_of(readings, units, heads)))
        if any(found):
            findings.failures.append(
                "ids, or rows, stand in the order of the original, or of its ids: they tell who is who"
            )
            return
