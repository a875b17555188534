"""Whether a table can be served, and which of its margins a policy declares as published."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.errors import Faults, InputError
from discreet.release.engine import Table
from discreet.release.frontier import mask_of
from discreet.release.policy import Policy

MAX_CELLS = 1 << 22
MAX_VARIABLES = 32
LONGEST_NAME = 256
LONGEST_CATEGORY = 1000
HUGE = 10**18


def check_table(faults: Faults, table: Table) -> None:
    """Whether a table can be served."""
    check_size(faults, table.names, table.size)
    faults.check("count" not in table.names, "a variable cannot be named count: rename it")
    try:
        check_names(table.names)
    except InputError as error:
        faults.extend(error)
    widest = max((len(str(level)) for levels in table.categories for level in levels), default=0)
    faults.check(widest <= LONGEST_CATEGORY, f"a category has at most {LONGEST_CATEGORY} characters")
    faults.check(table.total > 0, "the table is empty: every count is 0")


def check_names(names: Sequence[str]) -> None:
    """Whether the columns of a file have names that can be shown."""
    faults = Faults()
    faults.check(all(name.strip() for name in names), "a column has no name: give every column one")
    longest = max(map(len, names), default=0)
    faults.check(longest <= LONGEST_NAME, f"the name of a column has at most {LONGEST_NAME} characters")
    faults.raise_if_any()


def check_size(faults: Faults, variables: Sequence[str], size: int) -> None:
    """Whether so many variables and cells can be served."""
    faults.check(len(variables) <= MAX_VARIABLES, f"a table may have at most {MAX_VARIABLES} variables")
    told = str(size) if size < HUGE else f"more than {HUGE}"
    faults.check(
        size <= MAX_CELLS,
        f"the table has {told} cells and at most {MAX_CELLS} can be served: join categories or drop variables",
    )


def published_masks(table: Table, policy: Policy) -> list[int]:
    """The margins that the policy declares as published."""
    faults, masks = Faults(), []
    for margin in policy.published:
        try:
            masks.append(mask_of(table.axes(margin)))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return masks
