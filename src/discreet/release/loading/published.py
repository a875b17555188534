"""What the margins that a policy declares as published reveal, in figures.

A cell with a count of 1 … c is sensitive. With the declared margins public, the sharp bounds of each are computed. The
figures say how many are closer than w, how many are fixed to the person, and what the narrowest width is. They name no
category and no count. A declaration that the policy itself would refuse to release needs a custodian's confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from discreet.release import engine
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.policy import Policy
from discreet.work import Deadline

LONGEST = 30.0


@dataclass(frozen=True)
class Figures:
    """Of `sensitive` cells: `narrow` would be closer than w, `fixed` known exactly, `unsettled` not settled in time.

    `narrowest` is the least width found (None without a sensitive cell); `few_tables` says that fewer tables than the
    policy asks for have these margins, or that counting them took too long.
    """

    sensitive: int
    narrow: int
    fixed: int
    unsettled: int
    narrowest: int | None
    few_tables: bool

    @property
    def safe(self) -> bool:
        return not (self.narrow or self.unsettled or self.few_tables)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Figures:
        return cls(**given)

    def sentences(self, policy: Policy) -> list[str]:
        """In words, for the custodian."""
        said = [
            f"Of {self.sensitive} cells with a count of 1 to {policy.c}, {self.narrow} would have bounds closer than "
            f"{policy.w}, and {self.fixed} would be known exactly."
        ]
        if self.narrowest is not None:
            said.append(f"The narrowest bounds are {self.narrowest} apart.")
        if self.unsettled:
            said.append(f"{self.unsettled} cells could not be settled in time.")
        if self.few_tables:
            said.append(f"It is not so that at least {policy.min_tables} tables remain, or it could not be shown.")
        return said


def judge(table: Table, policy: Policy, masks: Sequence[int]) -> Figures | None:
    """The figures of the margins that the policy declares; None where it declares none."""
    if not masks:
        return None
    frontier = Frontier()
    for mask in masks:
        frontier = frontier.release(mask)
    public = [axes_of(mask) for mask in frontier.released]
    counts = table.dense().reshape(-1)
    cells = np.flatnonzero((counts >= 1) & (counts <= policy.c))
    deadline = Deadline(min(policy.time_limit, LONGEST))
    few = policy.min_tables > 1 and engine.at_least(table, public, policy.min_tables, deadline) is not True
    if not cells.size:
        return Figures(0, 0, 0, 0, None, few)
    found = engine.bound_cells(table, public, cells, {}, deadline)
    width = found.upper - found.lower
    open_cells = cells[~found.sharp & (width >= policy.w)]
    unsettled = 0
    narrow = int((width < policy.w).sum())
    if open_cells.size:
        verdicts = engine.judge_widths(
            table, public, open_cells, policy.w, {}, Deadline(min(policy.time_limit, LONGEST))
        )
        narrow += int(verdicts.narrow.sum())
        unsettled = int((~verdicts.narrow & ~verdicts.wide).sum())
    return Figures(int(cells.size), narrow, int((width == 0).sum()), unsettled, int(width.min()), few)


def explain_unsafe(figures: Figures, policy: Policy) -> list[str]:
    """Why the declaration is not taken as it is, and the way out."""
    return [
        "what the policy declares as published breaks its own rule. " + " ".join(figures.sentences(policy)),
        "if these margins really are public, confirm it (--confirm-published, field confirm_published); "
        "the confirmation is entered in the ledger. Otherwise take them out of `published`",
    ]
