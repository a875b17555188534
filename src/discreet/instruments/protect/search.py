"""Which sets a release is made of: the engines behind each guarantee, and the texts of keys over the sets they find."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.generalization import domain as domains
from discreet.generalization.covering import Covering, cover
from discreet.instruments.protect.means import Sets
from discreet.instruments.protect.plan import Plan, split
from discreet.instruments.protect.totals import MOST_VALUES, shares
from discreet.work import Deadline, Reporter

Texts = NDArray[np.object_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """The sets, what the keys that are widened somewhere show in every row, and how many values were widened.

    `shares[name][r, v]` is the part of row r that counts for value v of a key: for keys with few values.
    """

    covering: Covering
    sets: Sets = field(repr=False)
    texts: dict[str, Texts] = field(repr=False)
    widened: dict[str, int]
    shares: dict[str, Floats] = field(repr=False)


def search(plan: Plan, *, deadline: Deadline, report: Reporter, executor: Executor | None, certify: bool) -> Found:
    """The sets of least joint cost that the recipe's guarantee allows."""
    recipe = plan.recipe
    if recipe.recoding == "global":
        from discreet.instruments.protect.levels import recode

        return recode(plan, deadline=deadline, report=report)
    wanted: dict[str, Any] = {
        "guarantee": recipe.guarantee,
        "values": plan.values,
        "l": recipe.l or 1,
        "certify": certify,
        "seed": recipe.seed or 0,
        "deadline": deadline,
        "report": report,
        "executor": executor,
    }
    if plan.unit is None:
        covering = cover(domains.domain(plan.attributes), recipe.k, **wanted)
    else:
        from discreet.generalization.households.cover import cover_households

        members, shared = split(plan.attributes, plan.shared)
        covering = cover_households(members, shared, plan.unit, recipe.k, rare=recipe.rare, **wanted)
    sets, reading = Sets.of(covering), plan.reading
    if reading is None:
        return Found(covering, sets, {}, {}, {})
    texts, widened = reading.spell(covering.members)
    few = [place for place, one in enumerate(reading.domain.attributes) if one.size <= MOST_VALUES]
    parts = {reading.names[place]: shares(reading.domain, place, covering.members) for place in few}
    return Found(covering, sets, texts, widened, parts if plan.recipe.weight is not None else {})
