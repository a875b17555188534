"""Every column has one role. Those without one are an error that lists them, with a role proposed for each."""

from __future__ import annotations

from typing import Any

from discreet.errors import Faults, listing, shown
from discreet.instruments.protect.entries import LISTS, NAMES
from discreet.instruments.protect.proposals import propose
from discreet.instruments.protect.recipe import Recipe

MOST_PROPOSED = 40


def roles_of(recipe: Recipe) -> dict[str, list[str]]:
    """Per column the roles that the recipe gives it."""
    found: dict[str, list[str]] = {}
    for role in LISTS:
        for name in getattr(recipe, role):
            found.setdefault(name, []).append(role)
    for role in NAMES:
        if getattr(recipe, role) is not None:
            found.setdefault(getattr(recipe, role), []).append(role)
    return found


def check_roles(table: Any, recipe: Recipe, faults: Faults) -> None:
    """Note columns that do not exist, that have several roles, or none."""
    from discreet.frames.dataframes import did_you_mean

    roles, known = roles_of(recipe), set(table.columns)
    for name, given in roles.items():
        faults.check(name in known, f"{given[0]} names {name!r}, not in the data{did_you_mean(name, table.columns)}")
        faults.check(len(given) == 1, f"column {shown(name)!r} has several roles ({', '.join(given)}): choose one")
    bare = [name for name in table.columns if name not in roles]
    if bare:
        faults.add(_without(table, bare))
    faults.check(
        bool(recipe.keys or recipe.numeric) or bool(bare),
        "there are neither keys nor numeric columns: name what an intruder may know of people",
    )
    faults.check(
        len(recipe.identifiers) < len(table.columns), "every column is an identifier: nothing is left to publish"
    )
    left = {*recipe.sensitive, *recipe.leave}
    stray = [name for name in recipe.accept if name not in left]
    faults.check(not stray, f"accept names columns that are neither left nor sensitive: {listing(stray)}")


def _without(table: Any, bare: list[str]) -> str:
    """The columns without a role, and what each might be."""
    found = propose(table, bare[:MOST_PROPOSED])
    words = "; ".join(f"{shown(name)}: {one.role}, perhaps ({one.why})" for name, one in found.items())
    more = f"; and {len(bare) - MOST_PROPOSED} more" if len(bare) > MOST_PROPOSED else ""
    what = "one column has no role" if len(bare) == 1 else f"{len(bare)} columns have no role"
    return f"{what}: give each one of {', '.join((*LISTS, *NAMES))}. {words}{more}"
