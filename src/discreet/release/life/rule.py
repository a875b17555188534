"""A change of the rule: it holds from now on, and is judged against what is out already.

Nothing that was released can be taken back. The cells that the new rule finds too narrow, by what is public, are
counted, told to the custodian and entered in the ledger; with any such cell nothing more can be released. So the change
must then be confirmed. What was declared as published stays so.

Refusals stand where the new rule is at least as strict in every respect, since what it found unsafe before is unsafe
now. Otherwise they are forgotten: they were made under another rule. A margin that was refused and is released after
such a change tells that some cell of it was too narrow for the old rule, and no more than that: as much as any refusal
of mode "exact" tells whoever learns the counts later. A change to mode "simulatable" forgets refusals because they
depend on the data; what they told before is told.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from discreet.errors import Faults, InputError
from discreet.release import engine
from discreet.release.decision import sensitive_cells
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of, mask_of
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.life.stages import RETIRED, UnknownDataset
from discreet.release.offers.offer import bounds_known, enough_tables, public_of
from discreet.release.policy import Policy
from discreet.release.support import alone, check_support
from discreet.release.units.relatives import find_relatives
from discreet.release.units.together import CANNOT_SIMULATE
from discreet.work import Deadline


@dataclass(frozen=True)
class Judgment:
    """What is out, by the new rule: sensitive cells, those proven too narrow, those not settled, and too few tables."""

    sensitive: int
    narrow: int
    unsettled: int
    few_tables: bool

    @property
    def harmful(self) -> bool:
        return self.narrow > 0 or self.few_tables

    def sentences(self) -> list[str]:
        said = [
            f"Of {self.sensitive} sensitive cells, what is released makes {self.narrow} narrower than the new rule "
            f"allows{f'; {self.unsettled} were not settled in time' if self.unsettled else ''}."
        ]
        if self.few_tables:
            said.append("Fewer tables than the new rule asks for are consistent with what is released.")
        if self.harmful:
            said.append("Nothing can be taken back, and nothing more will be released under the new rule.")
        return said


def judge(table: Table, frontier: Frontier, policy: Policy) -> Judgment:
    """What is told, whole and in part, by this rule."""
    deadline = Deadline(policy.time_limit)
    public = [axes_of(mask) for mask in frontier.released]
    cells = sensitive_cells(table.dense().reshape(-1), policy.c)
    if frontier.public == ((), ()) or not cells.size:
        return Judgment(int(cells.size), 0, 0, few_tables=False)
    found = bounds_known(table, frontier, cells, {}, deadline)
    narrow = found.upper - found.lower < policy.w
    few = policy.min_tables > 1
    if few and frontier.partials:
        few = enough_tables(public_of(table, *frontier.public), policy.min_tables, deadline) is False
    elif few:
        few = engine.at_least(table, public, policy.min_tables, deadline) is False
    return Judgment(int(cells.size), int(narrow.sum()), int((~narrow & ~found.sharp).sum()), few)


def frontier_after(
    table: Table, frontier: Frontier, before: Policy, after: Policy, declared: Collection[str]
) -> Frontier:
    """What is settled once the rule has changed."""
    for margin in after.published:
        frontier = frontier.release(mask_of(table.axes(margin)))
    for mask in alone(table, after, set(declared)):
        frontier = frontier.release(mask)
    return replace(frontier, bare=()) if after.as_strict_as(before) else frontier.forget()


def policy_now(database: Database, name: str) -> Policy:
    """The present rule of a dataset."""
    with database.reading() as connection:
        stored = store.load_dataset(connection, name) if store.is_name(name) else None
        if stored is None:
            raise UnknownDataset("there is no dataset of this name")
        return store.load_state(connection, stored.id).policy or stored.policy


def change_policy(database: Database, who: str, name: str, policy: Policy, *, confirm: bool = False) -> list[str]:
    """Let a dataset go on under another rule; what a custodian should know, in sentences."""
    while True:
        with database.reading() as connection:
            stored = store.load_dataset(connection, name) if store.is_name(name) else None
            if stored is None:
                raise UnknownDataset("there is no dataset of this name")
            state = store.load_state(connection, stored.id)
            related = bool(find_relatives(connection, name, stored.origin.population, stored.origin.predecessor))
        before = state.policy or stored.policy
        _check_change(stored, state, before, policy, related=related)
        frontier = frontier_after(stored.table, state.frontier, before, policy, stored.origin.labels)
        judged = judge(stored.table, frontier, policy)
        if judged.harmful and not confirm:
            raise InputError([*judged.sentences(), "Confirm the change (--confirm) to have the new rule all the same."])
        if _write(database, who, stored, state, policy, frontier, judged):
            kept = policy.as_strict_as(before)
            return [*judged.sentences(), f"Earlier refusals are {'kept' if kept else 'forgotten'}."]


def _check_change(stored: StoredDataset, state: StoredState, before: Policy, after: Policy, *, related: bool) -> None:
    faults, table = Faults(), stored.table
    faults.check(stored.origin.unit is None, f"a view is decided by the rule of its table: change {stored.origin.unit}")
    faults.check(state.stage != RETIRED, f"the dataset {stored.name} is retired: that is for good")
    faults.check(after != before, "this is the rule already")
    known = {frozenset(margin) for margin in after.published}
    faults.check(
        all(frozenset(margin) in known for margin in before.published),
        "what was declared as published stays so: list it again",
    )
    if related:
        faults.check(after.mode == "exact", CANNOT_SIMULATE)
        faults.check(after.support == "hidden", 'support must stay "hidden" beside other tables about the same people')
    for margin in after.published:
        try:
            table.axes(margin)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    masks = [*state.frontier.released, *(mask_of(table.axes(margin)) for margin in after.published)]
    check_support(table, after, masks, set(stored.origin.labels))


def _write(
    database: Database,
    who: str,
    stored: StoredDataset,
    state: StoredState,
    policy: Policy,
    frontier: Frontier,
    judged: Judgment,
) -> bool:
    """Enter the change; False where something was decided meanwhile."""
    content: dict[str, Any] = {
        "what": "policy changed",
        "who": who,
        "policy": policy.to_dict(),
        "sensitive": judged.sensitive,
        "narrow": judged.narrow,
        "unsettled": judged.unsettled,
        "few tables": judged.few_tables,
    }
    grown = frontier.public != state.frontier.public
    after = replace(
        state,
        revision=state.revision + 1,
        version=state.version + int(grown),
        frontier=frontier,
        carried={},
        unresolved={},
        policy=policy,
    )
    origin = stored.origin
    with database.writing() as connection:
        relatives = find_relatives(connection, stored.name, origin.population, origin.predecessor)
        store.lock_states(connection, [stored.id, *(relative.id for relative in relatives)])
        tip = store.lock_chain(connection, stored.chain)
        if store.load_revision(connection, stored.id) != state.revision:
            return False
        entry = store.append(connection, stored.chain, content, tip)
        store.save_state(connection, stored.id, after, carried=True)
        store.move_on(connection, [relative.id for relative in relatives])
        said = {"what": "policy changed", "who": who, "name": stored.name, "entry": entry.hash}
        store.append(connection, SERVER, said)
    return True
