"""Left columns that tell keys, alone, in pairs and as sums: a failure from a skill of .7 on, a warning from .4 on.

On the synthetic survey with keys age, sex and region, sampling weights by stratum, dates of birth beside ages and
recodes have a skill of .85 and more, ordinary columns one of at most .42 (employment, of age). With other keys
ordinary columns may tell more: employment has .80 for hours worked. A skill counts only if it is beyond chance for as
many tests as are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from discreet.verify.left.chance import surprising
from discreet.verify.left.pairs import CutKey, cut, parts_of
from discreet.verify.left.skill import Key, Skill, Teller
from discreet.verify.left.sums import standardized, told_by_sum
from discreet.verify.left.values import Values
from discreet.verify.other_columns import Findings
from discreet.verify.readers.column import shown, shown_list

TELLS, HINTS = 0.7, 0.4
ALL_TELL = 0.9
"""What more than two columns must reach: a sum that is the key but for little."""
MORE = 0.1
"""By how much two columns must be better than the better of them."""
LEAST_ROWS = 12
MOST_COLUMNS = 40
"""So many columns are put in pairs; those after them, in a file that has more, are looked at alone."""


@dataclass(frozen=True)
class Told:
    """A key that columns tell, and how well."""

    columns: tuple[str, ...]
    key: str
    skill: float


def tellings(left: Sequence[Values], keys: Sequence[Values]) -> list[Told]:
    """What columns tell about keys, from hints on; alone first, then in pairs where neither tells it alone."""
    if not left or not keys or left[0].codes.size < LEAST_ROWS:
        return []
    tests = len(keys) * (len(left) + len(left) * (len(left) - 1) // 2)
    whole = [Key(key) for key in keys]
    alone = {(column.name, key.name): Teller(column).tells(key) for column in left for key in whole}
    found = [
        Told((name,), key, skill.value)
        for (name, key), skill in alone.items()
        if skill.value >= HINTS and surprising(skill.surprise, tests)
    ]
    best = {pair: skill.value for pair, skill in alone.items()}
    paired = left[:MOST_COLUMNS]
    for columns, key, skill in (*_in_cells(paired, keys), *_in_sums(paired, whole)):
        before = max(best[column, key] for column in columns)
        together = [told for told in found if told.key == key and set(told.columns) <= set(columns)]
        if before >= TELLS or any(told.skill >= TELLS for told in together):
            continue
        least = TELLS if len(columns) == 2 else ALL_TELL
        if skill.value >= max(least, before + MORE) and surprising(skill.surprise, tests):
            found.append(Told(columns, key, skill.value))
    return found


def _in_cells(left: Sequence[Values], keys: Sequence[Values]) -> Iterator[tuple[tuple[str, ...], str, Skill]]:
    most = parts_of(left[0].codes.size)
    cuts = {column.name: cut(column, most) for column in left if column.size > 1}
    targets = [CutKey(key) for key in keys]
    for a, b in combinations(cuts, 2):
        (first, wide), (second, deep) = cuts[a], cuts[b]
        cells = first * deep + second
        for key in targets:
            yield (a, b), key.name, key.told_by(cells, wide * deep)


def _in_sums(left: Sequence[Values], keys: Sequence[Key]) -> Iterator[tuple[tuple[str, ...], str, Skill]]:
    """Pairs of numbers, then all of them."""
    numbers = {column.name: scaled for column in left if (scaled := standardized(column)) is not None}
    targets = [key for key in keys if key.numbers is not None]
    if not targets:
        return
    for names in (*combinations(numbers, 2), *([tuple(numbers)] if len(numbers) > 2 else [])):
        for key in targets:
            yield tuple(names), key.name, told_by_sum([numbers[name] for name in names], key)


def report(found: Sequence[Told], findings: Findings, narrowed: Callable[[str], str]) -> None:
    """Say what was found; `narrowed` has words about the persons whom a column leaves too few candidates."""
    alone: dict[str, list[Told]] = {}
    for told in found:
        if len(told.columns) == 1 and told.skill >= TELLS:
            alone.setdefault(told.columns[0], []).append(told)
    for name, keys in alone.items():
        findings.about([name], f"column {{}} tells {_keys(keys)}{narrowed(name)}")
    for told in found:
        if len(told.columns) > 1:
            findings.about_all(told.columns, f"columns {{}} together tell {_keys([told])}")
    hints: dict[str, list[Told]] = {}
    for told in found:
        if len(told.columns) == 1 and told.skill < TELLS and told.columns[0] not in alone:
            hints.setdefault(told.columns[0], []).append(told)
    if hints:
        words = "; ".join(f"{shown(name)} about {_keys(keys)}" for name, keys in hints.items())
        findings.limits.append(f"some columns tell something about protected ones: {words}")


def _keys(found: Sequence[Told]) -> str:
    told = sorted(found, key=lambda one: -one.skill)
    return shown_list([f"{shown(one.key)} (skill {one.skill:.2f} of 1)" for one in told])
