"""A part of a refused margin that may be told all the same: `otherwise = "suppress"` or `"round"`.

Mode "exact": the counts to hide are the fewest with which the true table keeps the rule, found by the search for the
cheapest pattern of suppression; rounded counts are told if the true table keeps the rule with them. Either is told only
if the audit of published tables proves it, beside all that is public already. Which counts are hidden depends on the
data, as every refusal of this mode does.

Mode "simulatable": the tables with what is public are listed. A count is told, in the order of the margin, if the rule
is kept by *every* one of them with it and those chosen before; rounded counts are told if every one keeps the rule with
them. Which counts are hidden is a function of what is public: whoever knows the algorithm learns nothing from it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from discreet.release import engine
from discreet.release.additive import Public, cell_ends, fewest_hidden, keeps_rule
from discreet.release.engine import Carried, CellBounds, Ints, Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.lookalikes import agreeing, groups_of, margins_of, some_unsafe, split_groups
from discreet.release.offers.partial import Partial
from discreet.release.policy import Policy
from discreet.work import Deadline

# Larger tables are not searched: what is refused there is refused without an offer.
MOST_CELLS = 20_000
MOST_PEOPLE = 1 << 40
# Tables × cells × counts that are looked through in mode "simulatable".
MOST_WORK = 1 << 31


class Offer(NamedTuple):
    """A part that may be told, or None; `settled` where another try would find no more."""

    partial: Partial | None
    settled: bool


def public_of(table: Table, released: tuple[int, ...], partials: tuple[Partial, ...]) -> Public:
    """A table with what is public of it."""
    return Public(table.dense().reshape(-1), table.shape, released, partials)


def bounds_known(table: Table, frontier: Frontier, cells: Ints, carried: Carried, deadline: Deadline) -> CellBounds:
    """What is possible of some cells by all that is told, whole and in part."""
    if frontier.partials:
        return cell_ends(public_of(table, *frontier.public), cells, deadline)
    return engine.bound_cells(table, [axes_of(mask) for mask in frontier.released], cells, carried, deadline)


def find_offer(public: Public, policy: Policy, margin: int, seconds: float) -> Offer:
    """What may be told of a margin that was refused whole."""
    if public.counts.size > MOST_CELLS or public.most > MOST_PEOPLE:
        return Offer(None, settled=True)
    if policy.mode == "simulatable":
        return Offer(_whatever_the_table(public, policy, margin), settled=True)
    deadline = Deadline(seconds)
    if policy.otherwise == "round":
        return _judged(public, policy, Partial(margin, "round", (), policy.base), deadline)
    hidden, finished = fewest_hidden(public, margin, policy.c, policy.w, deadline)
    if hidden is None or hidden.size == public.margin(margin).size:
        return Offer(None, settled=finished)
    return _judged(public, policy, Partial(margin, "suppress", tuple(hidden.tolist())), deadline)


def keeps_with(public: Public, policy: Policy, partial: Partial, deadline: Deadline) -> bool | None:
    """Whether the true table keeps the rule once this part is told, too; None where that was not settled."""
    told = replace(public, partials=[*public.partials, partial])
    kept = keeps_rule(told, policy.c, policy.w, deadline)
    if not kept or policy.min_tables == 1:
        return kept
    return enough_tables(told, policy.min_tables, deadline)


def enough_tables(public: Public, number: int, deadline: Deadline) -> bool | None:
    """Whether at least so many tables agree with all that is public; None where counting them takes too long.

    Where so many have even the margins whole of which parts are told, there is no need to list any.
    """
    table = Table.from_array(public.counts.reshape(public.shape))
    whole = [axes_of(mask) for mask in (*public.released, *(partial.mask for partial in public.partials))]
    if engine.at_least(table, whole, number, deadline):
        return True
    tables = _listed(public)
    return None if tables is None else len(agreeing(tables, public, public.partials)) >= number


def _judged(public: Public, policy: Policy, partial: Partial, deadline: Deadline) -> Offer:
    kept = keeps_with(public, policy, partial, deadline)
    return Offer(partial if kept else None, settled=kept is not None)


def _whatever_the_table(public: Public, policy: Policy, margin: int) -> Partial | None:
    tables = _listed(public)
    if tables is None:
        return None
    tables = agreeing(tables, public, public.partials)
    asked = margins_of(tables, public.shape, margin)
    if tables.size * asked.shape[1] > MOST_WORK:
        return None
    if policy.otherwise == "round":
        partial = Partial(margin, "round", (), policy.base)
        return None if some_unsafe(tables, groups_of(partial.told(asked)), policy) else partial
    group, hidden = np.zeros(len(tables), np.int64), []
    for place in range(asked.shape[1]):
        finer = split_groups(group, asked[:, place])
        if some_unsafe(tables, finer, policy):
            hidden.append(place)
        else:
            group = finer
    return None if len(hidden) == asked.shape[1] else Partial(margin, "suppress", tuple(hidden))


def _listed(public: Public) -> Ints | None:
    """All tables with the released margins, one per row; None where there are too many, or nothing is released."""
    if not public.released:
        return None
    table = Table.from_array(public.counts.reshape(public.shape))
    return engine.tables_with(table.margins([[table.names[a] for a in axes_of(mask)] for mask in public.released]))
