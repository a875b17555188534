"""A second name for a table, or for a coarser version of it: one history, several views.

Whatever is asked of a view is asked of its table: decided, written down and released there, as the margin over the
same variables, in all the table's categories. The view gives the counts in its own names and categories. So two names
never give together what one would refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from discreet.release.answer import REASONS, Answer
from discreet.release.decision import REFUSE, RELEASE
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of, mask_of
from discreet.release.history.scribe import Scribe
from discreet.release.history.store import StoredState
from discreet.release.life.stages import stricter
from discreet.release.offers.partial import Partial
from discreet.release.open_dataset import Margin, OpenDataset, Told, told_of
from discreet.release.people.actor import Actor
from discreet.release.support import has_hidden_list
from discreet.release.units.coarsening import coarsen


def seen_through(opened: OpenDataset, own: StoredState, base: OpenDataset, state: StoredState) -> StoredState:
    """The state of a view: what is settled about its table, in the view's variables; the stricter stage."""
    mapping, names = opened.stored.origin.mapping, opened.table.names
    axis_of = {of: axis for axis, of in enumerate(mapping[name][0] for name in names)}
    seen = {a: axis_of[name] for a, name in enumerate(base.table.names) if name in axis_of}
    frontier = Frontier()
    for mask in state.frontier.released:
        frontier = frontier.release(mask_of(seen[a] for a in axes_of(mask) if a in seen))
    for partial in state.frontier.partials:
        mask = mask_of(seen[a] for a in axes_of(partial.mask) if a in seen)
        whole = all(a in seen for a in axes_of(partial.mask))
        if whole and not has_hidden_list(opened, replace(own, frontier=frontier), mask):
            part = _seen_part(opened, base, partial, mask)
            frontier = frontier if part is None else frontier.tell(part)
    for mask in state.frontier.refused:
        if all(a in seen for a in axes_of(mask)):
            frontier = frontier.refuse(mask_of(seen[a] for a in axes_of(mask)))
    stage = stricter(opened.stage, state.stage)
    settled = replace(own, version=state.version, frontier=frontier, carried={}, stage=stage)
    return replace(settled, policy=base.policy_of(state))


def base_names(opened: OpenDataset, mask: int) -> list[str]:
    """The variables of the table that a margin of the view is about."""
    return [opened.stored.origin.mapping[name][0] for name in opened.names(mask)]


def passed_on(scribe: Scribe, actor: Actor, opened: OpenDataset, mask: int, answer: Answer) -> Answer:
    """The table's answer in the view's terms; its chain names the table's entry by hash.

    Categories of a view that are not declared come from the data, whatever is declared of the table: nothing but a
    release lists them. Rounded counts that a view would have to add up are not told: the sum is rounded to nothing.
    """
    names = opened.names(mask)
    whole = answer.answer == RELEASE
    if not whole and (has_hidden_list(opened, opened.state, mask) or _adds_rounded(opened, names, answer.margin)):
        answer = replace(answer, answer=REFUSE, reason=REASONS[REFUSE], margin=None)
    margin, text, digest = None, "null", None
    if answer.margin is not None and whole:
        margin, text, digest = opened.margin(mask)
    elif answer.margin is not None:
        margin, text, digest = project(opened, answer.margin, names)
    content = {
        "what": "passed on",
        "who": actor.name,
        "variables": list(names),
        "answer": answer.answer,
        "entry": answer.entry,
    }
    if digest is not None:
        content["margin"] = digest
    entry = scribe.write(opened.stored.chain, content)
    return replace(answer, variables=names, margin=margin, json=text, entry=entry.hash)


def project(opened: OpenDataset, told: Margin, names: Sequence[str]) -> Told:
    """What was told of the table in the view's variables and categories; hidden where any part of it is."""
    mapping, table = opened.stored.origin.mapping, told.table
    own = [opened.table.names.index(name) for name in names]
    axes = [table.names.index(mapping[name][0]) for name in names]
    shape = [opened.table.shape[a] for a in own]
    maps = [mapping[name][1] for name in names]
    counts, hidden = coarsen(table.dense().transpose(axes), maps, shape), None
    if told.hidden is not None:
        hidden = coarsen(told.hidden.reshape(table.shape).astype(np.int64).transpose(axes), maps, shape).reshape(-1) > 0
        counts = np.where(hidden.reshape(shape), 0, counts)
    levels = tuple(opened.table.categories[a] for a in own)
    return told_of(Margin(Table(tuple(names), levels, counts), told.synthetic, hidden, told.base))


def _seen_part(opened: OpenDataset, base: OpenDataset, partial: Partial, mask: int) -> Partial | None:
    """What is told of a margin of the table, as a part of the view's; None where the view does not tell it."""
    told = project(opened, base.part(partial).margin, opened.names(mask)).margin
    if _adds_rounded(opened, opened.names(mask), told):
        return None
    hidden = () if told.hidden is None else tuple(np.flatnonzero(told.hidden).tolist())
    return replace(partial, mask=mask, hidden=hidden)


def _adds_rounded(opened: OpenDataset, names: Sequence[str], told: Margin | None) -> bool:
    """Whether a count of the view is the sum of several that are rounded."""
    if told is None or told.base == 1:
        return False
    places = [opened.stored.origin.mapping[name][1] for name in names]
    return any(len(set(place)) < len(place) for place in places)
