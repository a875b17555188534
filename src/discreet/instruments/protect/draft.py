"""A first recipe for a file, with a comment at every guess; and what a recipe would do with a file."""

from __future__ import annotations

from typing import Any

from discreet._version import __version__
from discreet.errors import InputError, listing
from discreet.instruments.protect import toml
from discreet.instruments.protect.entries import LISTS, NAMES
from discreet.instruments.protect.plan import prepare
from discreet.instruments.protect.proposals import propose
from discreet.instruments.protect.recipe import FORMAT, Recipe
from discreet.instruments.protect.roles import roles_of

K = Recipe().k

MEANING = {
    "identifiers": "left out: names, addresses, numbers of persons",
    "keys": "what others may know of people: published as ranges, sets or labels",
    "numeric": "numbers that others may know: published as means of k persons",
    "sensitive": "what nobody should learn of anybody: published as it is",
    "leave": "what nobody knows of others: published as it is",
    "weight": "the sampling weight: published as means of k persons, with the same total",
    "household": "numbers households, which are protected as a whole",
    "person": "numbers persons, who have several rows and are protected as a whole",
}


def draft(table: Any) -> str:
    """A recipe as TOML, with what speaks for each role."""
    found = propose(table, table.columns)
    parts = [
        [
            f"# A first recipe, by discreet {__version__}: every role below is a guess from names and values.",
            "# Read it line by line: a column in the wrong role may give people away.",
            f"version = {FORMAT}",
            f"k = {K}  # how many persons, or households, must be possible for everybody",
            'guarantee = "matchings"  # or "classes": k rows the same in keys, numbers and weight',
        ],
        ["[roles]"],
    ]
    for role in LISTS:
        own = {name: one.why for name, one in found.items() if one.role == role}
        parts[1] += [f"# {MEANING[role]}", *toml.commented(role, own)]
    for role in NAMES:
        for name in (name for name, one in found.items() if one.role == role):
            parts[1] += [f"# {MEANING[role]}", f"{role} = {toml.quoted(name)}  # {found[name].why}"]
    unit = next((name for name, one in found.items() if one.role in ("household", "person")), None)
    if unit is not None:
        parts.append(_households(table, unit))
    parts.append(_missing(table, found))
    parts.append(["[seed]", 'policy = "secret"  # nobody can repeat the draw'])
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _households(table: Any, unit: str) -> list[str]:
    """What to do with sizes that are too rare, where there are any."""
    from discreet.frames.exact import entries

    rare = _rare(entries(table, unit, categories=True).codes.tolist())
    head = "# sizes that fewer than k have: error, merge (fewer members are published), suppress, unlink (row by row)"
    if not rare:
        return ["[households]", head, 'rare = "error"  # every size has k or more']
    words = ", ".join(f"{count} of size {size}" for size, count in sorted(rare.items()))
    return ["[households]", head, f'rare = "merge"  # there are: {words}']


def _rare(codes: list[int]) -> dict[int, int]:
    """The sizes of units that fewer than k have, and how many have each."""
    from collections import Counter

    counts = Counter(Counter(code for code in codes if code >= 0).values())
    return {size: count for size, count in counts.items() if count < K}


def _missing(table: Any, found: Any) -> list[str]:
    """Policies, where something is missing."""
    from discreet.frames.exact import entries

    gaps: dict[str, int] = {}
    for name, one in found.items():
        if one.role in ("keys", "numeric", "weight"):
            try:
                gaps[one.role] = gaps.get(one.role, 0) + entries(table, name).missing
            except InputError:
                continue
    lines = []
    if gaps.get("keys"):
        lines.append(f'keys = "value"  # {gaps["keys"]} values are missing; or error, wildcard')
    if gaps.get("numeric", 0) + gaps.get("weight", 0):
        lines.append('numbers = "known"  # means are over what is known; or error')
    return ["[missing]", *lines] if lines else []


def foresee(table: Any, recipe: Recipe) -> tuple[str, tuple[str, ...]]:
    """What the recipe would do with the file, in words, and what stands in its way."""
    rows = f"{len(table)} rows, {len(table.columns)} columns"
    lines = [f"{rows}: k = {recipe.k}, {recipe.guarantee}" + (f", l = {recipe.l}" if recipe.l is not None else "")]
    faults: tuple[str, ...] = ()
    sizes: dict[int, int] = {}
    shared: frozenset[str] = frozenset()
    try:
        plan = prepare(table, recipe)
        sizes, shared = plan.sizes, plan.shared
    except InputError as error:
        faults = error.faults
    for role in (*LISTS, *NAMES):
        own = [name for name, given in roles_of(recipe).items() if given[0] == role]
        if own:
            lines.append(f"  {role:<11}  {listing(own)} ({MEANING[role].split(':')[0]})")
    if sizes:
        what = "households" if recipe.household is not None else "persons"
        lines.append(f"  {what} by size: " + ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items())))
        if shared:
            lines.append(f"  the same within each: {listing(sorted(shared))}")
        few = {size: count for size, count in sizes.items() if count < recipe.k}
        if few and recipe.rare == "error":
            count, persons = sum(few.values()), sum(size * number for size, number in few.items())
            faults += (
                f"{count} {what} ({persons} rows) are of sizes that fewer than k = {recipe.k} have: say what becomes "
                'of them, [households] rare = "merge", "suppress" or "unlink"',
            )
        elif few:
            lines.append(
                f"  of sizes that fewer than {recipe.k} have: {sum(few.values())} {what}, rare = {recipe.rare}"
            )
    for name, why in recipe.accept.items():
        lines.append(f"  accepted     {name}: {why}")
    lines.append(f"  the draw is {'secret' if recipe.seed is None else 'fixed by a seed: for tests only'}")
    return "\n".join(lines), faults
