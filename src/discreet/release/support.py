"""Lists of categories that come from the data are figures: each category has somebody.

With three categories listed and a total of three, every count is known, whatever is refused. So a list is public only
if a codebook declares it, or if a released margin shows it (with its counts, which the rule has judged). Then what is
public is: released margins, and lists that follow from them or from no data at all. Whoever knows that much cannot
exclude any table of this shape with these margins. Where such a table leaves a category empty, that is a table whose
list is shorter, and the list is not known. So bounds over all tables of this shape are never wider than what an
intruder can know, and a decision that looks at them protects.

Besides the list itself nothing may tell its length: not an answer from a synthetic table, not the size of a margin.
What is too large to be sent is therefore refused like anything else where a list is hidden. In mode "exact" refusals
and the time they take depend on the data, lists included; mode "simulatable" needs every list to be public.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from discreet.errors import InputError
from discreet.release.decision import DANGER, REFUSE, RELEASE, Decision, Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.history.store import StoredState
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import Policy
from discreet.release.unresolved import still_open

NEEDS_LISTS = (
    'mode "simulatable" decides on what is public, and lists of categories that come from the data are not: declare '
    'the categories of every variable in a codebook, or set support = "released"'
)


def has_hidden_list(opened: OpenDataset, state: StoredState, mask: int) -> bool:
    """Whether the margin has a variable whose categories are not public in this state."""
    covered = 0
    for released in state.frontier.released:
        covered |= released
    return any(name not in opened.stored.origin.labels for name in opened.names(mask & ~covered))


def withhold(decision: Decision, opened: OpenDataset, state: StoredState, mask: int) -> Decision:
    """Nothing but a release over a variable whose categories are not public: anything else would list them."""
    if decision.answer in (RELEASE, REFUSE) or not has_hidden_list(opened, state, mask):
        return decision
    return plain_refusal(decision, state)


def plain_refusal(decision: Decision, state: StoredState) -> Decision:
    """The refusal alone, without what would have been told in its place."""
    frontier = replace(state.frontier, refused=decision.frontier.refused)
    return replace(
        decision, answer=REFUSE, frontier=frontier, carried=None, total_released=False, partial=None, new=False
    )


def too_large(state: StoredState, mask: int) -> Decision:
    """The refusal of a margin that cannot be sent; a larger one cannot either."""
    after = state.frontier.refuse(mask)
    left = still_open(state.unresolved, after)
    return Decision(REFUSE, DANGER, after, None, {"method": "too large to send"}, unresolved=left)


def opening_frontier(table: Table, policy: Policy, masks: Iterable[int], declared: set[str]) -> Frontier:
    """What is public at the start: published margins and, with support "released", each undeclared variable's own."""
    frontier = Frontier()
    for mask in [*masks, *alone(table, policy, declared)]:
        frontier = frontier.release(mask)
    return frontier


def alone(table: Table, policy: Policy, declared: set[str]) -> list[int]:
    """The margins of single variables that count as public because their lists do."""
    if policy.support != "released":
        return []
    return [1 << axis for axis, name in enumerate(table.names) if name not in declared]


def check_support(table: Table, policy: Policy, masks: Iterable[int], declared: set[str]) -> None:
    """Whether the lists can be treated as the policy says, given what is public; judged on the true table."""
    frontier = Frontier()
    for mask in masks:
        frontier = frontier.release(mask)
    shown = {table.names[a] for mask in frontier.released for a in axes_of(mask)}
    if policy.mode == "simulatable" and policy.support == "hidden" and not declared | shown >= set(table.names):
        raise InputError(NEEDS_LISTS)
    rule = replace(policy.refusing(), mode="exact", published=())
    for mask in alone(table, policy, declared):
        judged = decide(Situation(table, frontier), rule, mask)
        if judged.answer != RELEASE:
            raise InputError(
                'support = "released" would show the counts of each variable, and these are not safe to publish under '
                'this policy: declare the categories in a codebook, or set support = "hidden"'
            )
        frontier = judged.frontier
