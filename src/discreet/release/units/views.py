"""A second name for a table, or for a coarser version of it: one history, several views.

Whatever is asked of a view is asked of its table: decided, written down and released there, as the margin over the
same variables, in all the table's categories. The view gives the counts in its own names and categories. So two names
never give together what one would refuse.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from discreet.release.answer import REASONS, Answer
from discreet.release.decision import REFUSE
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of, mask_of
from discreet.release.history.scribe import Scribe
from discreet.release.history.store import StoredState
from discreet.release.life.stages import stricter
from discreet.release.open_dataset import Margin, OpenDataset
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

    Categories of a view that are not declared come from the data, whatever is declared of the table: no synthetic
    answer lists them.
    """
    names = opened.names(mask)
    if answer.synthetic and has_hidden_list(opened, opened.state, mask):
        answer = replace(answer, answer=REFUSE, reason=REASONS[REFUSE], margin=None)
    margin, text, digest = None, "null", None
    if answer.margin is not None and not answer.synthetic:
        margin, text, digest = opened.margin(mask)
    elif answer.margin is not None:
        margin, text, digest = project(opened, answer.margin.table, names)
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


def project(opened: OpenDataset, table: Table, names: Sequence[str]) -> tuple[Margin, str, str]:
    """A synthetic margin of the table in the view's variables and categories."""
    mapping = opened.stored.origin.mapping
    own = [opened.table.names.index(name) for name in names]
    axes = [table.names.index(mapping[name][0]) for name in names]
    shape = [opened.table.shape[a] for a in own]
    counts = coarsen(table.dense().transpose(axes), [mapping[name][1] for name in names], shape)
    margin = Margin(Table(tuple(names), tuple(opened.table.categories[a] for a in own), counts), True)
    text = json.dumps(margin.rows(), ensure_ascii=False, separators=(",", ":"))
    return margin, text, hashlib.sha256(text.encode()).hexdigest()
