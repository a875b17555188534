"""What a comparison needs of a release, whatever made it: its columns, whose each row may be, and what it claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.measure.risk.scene import Truth, identity, truth_of
from discreet.results import Result

Codes = NDArray[np.int64]


def is_release(result: Result) -> bool:
    """Whether it publishes records of an original, some columns of which it has worked on."""
    return getattr(result, "original", None) is not None and bool(result.publication().anew)


def worked_on(result: Result) -> tuple[str, ...]:
    """The columns that a release has protected, without numbers of households and persons, which are given anew."""
    claim = result.claim()
    units = {claim.get("household"), claim.get("person")}
    return tuple(name for name in result.publication().anew if name not in units)


def claimed(result: Result) -> frozenset[str]:
    """The columns that its k is about, all of them together; none where it is about several sets one by one, or about
    what a record fits and not about who fits a record."""
    claim = result.claim()
    names = claim.get("quasi_identifiers", ())
    if any(not isinstance(name, str) for name in names) or claim.get("semantics") == "cover":
        return frozenset()
    if claim.get("combinations") is not None:
        return frozenset()
    weight = [claim["weight"]] if claim.get("guarantee") != "microaggregation" and claim.get("weight") else []
    return frozenset([*names, *claim.get("numeric", ()), *weight])


def truth_in(result: Result, persons: int) -> Truth:
    """Whose each row may be: one of k matchings, each as likely as the other, or the one that it carries."""
    matches = _matchings(result)
    if matches is not None:
        return truth_of(matches, persons)
    order = result.publication().order
    return identity(persons) if order is None else truth_of(np.asarray(order, np.int64)[:, None], persons)


def _matchings(result: Result) -> Codes | None:
    """Per published row its record in each of the matchings; None where none is drawn."""
    from discreet.instruments.generalization import Generalization
    from discreet.instruments.protect.protection import Protection

    if isinstance(result, Generalization):
        return result.matchings[result.boxes]
    if isinstance(result, Protection) and result.covering.matchings is not None:
        return result.covering.matchings[result.drawn.order]
    return None


def check_same_original(results: Sequence[Result], columns: Sequence[str], faults: Faults) -> None:
    """Results are compared where they were made from the same records; frames that hold the same are the same."""
    from discreet.frames import adopt

    first = results[0].original  # type: ignore[attr-defined]
    for place, result in enumerate(results[1:], 2):
        other = result.original  # type: ignore[attr-defined]
        if other is first:
            continue
        one, two = adopt(first), adopt(other)
        absent = [name for name in columns if name not in one.columns or name not in two.columns]
        if absent:
            faults.add(f"the originals of results 1 and {place} do not both have {listing(absent)}")
        elif len(one) != len(two) or not all(_same(one, two, name) for name in columns):
            faults.add(f"results 1 and {place} are of different originals: compare what was made from the same records")


def _same(one: Any, two: Any, name: str) -> bool:
    from discreet.frames.exact import entries

    try:
        a, b = entries(one, name), entries(two, name)
    except InputError:
        return False
    return a.texts == b.texts and bool((a.codes == b.codes).all())
