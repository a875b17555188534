"""What the columns that go out unchanged tell about people: every test of this folder, put into sentences and
figures.

| test | file | what it leads to |
|---|---|---|
| identifiers, free text | `identifier.py`, `free_text.py` | failure |
| keys told by columns alone, in pairs, as sums | `telling.py` (`skill.py`, `pairs.py`, `sums.py`) | failure from .7 |
| one to one with a key, or with a dropped id; dates and codes finer than a key | `recodes.py` | failure |
| rows grouped as households | `grouping.py` | failure, where a group has fewer than k candidates |
| rows or groups numbered by two columns | `crossed.py` | failure, likewise |
| a column known | `if_known.py` | a figure, and a limit |
| all columns together | `together.py` | a figure, and a limit |

A failure about a column that is accepted by name is a limit. Nothing fails by chance (`chance.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import dense
from discreet.verify.left import telling
from discreet.verify.left.candidates import MOST_PERSONS, Candidates, in_boxes, in_classes
from discreet.verify.left.crossed import crossings, groups_together, numbers_rows
from discreet.verify.left.free_text import free_text
from discreet.verify.left.grouping import LARGEST, SOME, groups_rows, too_few_groups
from discreet.verify.left.identifier import is_identifier
from discreet.verify.left.if_known import found_if_known
from discreet.verify.left.narrowed import narrowed
from discreet.verify.left.recodes import finer, one_to_one
from discreet.verify.left.sample import Sample, draw, owners
from discreet.verify.left.together import found_together
from discreet.verify.left.values import Values, read_values
from discreet.verify.other_columns import Findings, was_changed
from discreet.verify.readers.column import Table, shown, shown_list
from discreet.verify.units.linked import Linked

Integers = NDArray[np.int64]
Figures = dict[str, float | int | str]


def examine(
    before: Table,
    after: Table,
    *,
    keys: Sequence[str],
    left: Sequence[str],
    numeric: Sequence[str] = (),
    k: int,
    guarantee: str,
    findings: Findings,
    readings: Sequence[Any] | None = None,
    groups: Integers | None = None,
    rows: tuple[Integers, Integers] | None = None,
    linked: Linked | None = None,
) -> Figures:
    """Tell the findings what the columns `left` tell about the columns `keys` and `numeric`; returns figures.

    `readings` are those of the keys, for boxes; `groups` has the class of each row, for classes. `rows` numbers the
    left values of each original and of each published row, equal for equal ones; without it rows are taken to be in
    the original order. `linked` says which rows a published id links.
    """
    if not left:
        return {}
    own = np.arange(before.rows) if rows is None else owners(*rows)
    fits = Fits(readings, groups, own if before.rows == after.rows else None)
    sample = draw(before, fits.candidates, np.arange(before.rows) if own is None else own)
    changed, unchanged = _targets(before, after, keys, guarantee, readings, sample)
    targets = changed + [sample.values(name) for name in numeric]
    if linked is not None and linked.sizes is not None:
        targets.append(_sizes(linked, sample))
    part = Part(before, sample, list(left), targets, k, findings, fits, unchanged)
    part.linked = linked
    part.dropped = [name for name in before.names if name not in set(after.names)]
    return part.examine()


def _sizes(linked: Linked, sample: Sample) -> Values:
    """The sizes of units, where these are hidden, as a column that must not be told."""
    assert linked.sizes is not None
    sizes = linked.sizes if sample.rows is None else linked.sizes[sample.rows]
    name = f"size of the {linked.one}"
    return Values(name, dense(sizes), np.ones(sizes.size, bool), sizes.astype(np.float64), "numbers")


class Fits:
    """Who may be at which row: by boxes or by classes; nobody knows where rows cannot be told apart by person."""

    def __init__(self, readings: Sequence[Any] | None, groups: Integers | None, own: Integers | None) -> None:
        self.readings, self.groups, self.own = readings, groups, own

    @cached_property
    def candidates(self) -> Candidates | None:
        return self.of(None)

    def of(self, persons: Integers | None) -> Candidates | None:
        if self.own is None:
            return None
        if self.readings is not None:
            return in_boxes(self.readings, persons)
        return None if self.groups is None else in_classes(self.groups, persons)


def _targets(
    before: Table,
    after: Table,
    keys: Sequence[str],
    guarantee: str,
    readings: Sequence[Any] | None,
    sample: Sample,
) -> tuple[list[Values], list[Values]]:
    """The keys that were changed, and those published as they were: these need nobody to tell them."""
    changed: list[Values] = []
    unchanged: list[Values] = []
    for number, name in enumerate(keys):
        reading = None if readings is None else readings[number]
        values = sample.values(name)
        if reading is not None:
            other = widened(reading)
            values = values if reading.kind == "numbers" else values.as_words()
        else:
            other = guarantee == "microaggregation" or was_changed(before, after, name)
        (changed if other else unchanged).append(values)
    return changed, unchanged


def widened(reading: Any) -> bool:
    """Whether some published entry covers other than one value."""
    used = np.unique(reading.texts)
    runs = np.diff(reading.run_ends)[used]
    if (runs != 1).any():
        return True
    at = reading.run_ends[:-1][used]
    return bool((reading.run_low[at] != reading.run_high[at]).any())


class Part:
    """The tests, one after another, on the rows of a sample."""

    def __init__(
        self,
        before: Table,
        sample: Sample,
        left: list[str],
        targets: list[Values],
        k: int,
        findings: Findings,
        fits: Fits,
        unchanged: list[Values],
    ) -> None:
        self.unchanged = unchanged
        self.dropped: list[str] = []
        self.linked: Linked | None = None
        self.before, self.sample, self.targets, self.k = before, sample, targets, k
        self.findings, self.fits = findings, fits
        self.columns = {name: sample.values(name) for name in left}
        self.found: set[str] = set(findings.copied)

    def examine(self) -> Figures:
        self._identifiers()
        self._free_text()
        figures: Figures = {}
        self._recodes()
        self._groups()
        self._crossed()
        self._members()
        self._tells()
        figures |= self._if_known()
        figures |= self._together()
        if self.sample.rows is not None:
            figures["examined_rows"] = MOST_PERSONS
            self.findings.limits.append(
                f"what columns tell was measured on {MOST_PERSONS} of {self.sample.total} rows, taken at random"
            )
        return figures

    def examine_some(self) -> None:
        """The tests that a random part of all rows is enough for: what is left out asks how often values repeat."""
        self._free_text()
        self._recodes()
        self._tells()

    def _others(self) -> list[Values]:
        """The left columns that nothing was found about so far."""
        return [values for name, values in self.columns.items() if name not in self.found]

    def _identifiers(self) -> None:
        names = [name for name, values in self.columns.items() if self._is_identifier(name, values)]
        self.found.update(names)
        if names:
            self.findings.about(names, "column {} has a value of its own in nearly every row, as an identifier has")

    def _is_identifier(self, name: str, values: Values) -> bool:
        column = self.before.column(name)
        if name in self.found or column.size < 0.85 * column.codes.size:
            return False
        if self.sample.rows is not None:
            if values.places is not None and (values.places[values.known] % 1.0 != 0.0).any():
                return False
            values = read_values(column)
        return is_identifier(values, column)

    def _free_text(self) -> None:
        kinds: dict[str, list[str]] = {}
        for values in self._others():
            what = free_text(values, self.before.column(values.name))
            if what is not None:
                kinds.setdefault(what, []).append(values.name)
        for what, names in kinds.items():
            self.found.update(names)
            self.findings.about(names, f"column {{}} holds {what}, which tell who is who")

    def _recodes(self) -> None:
        for values in self._others():
            keys = [key.name for key in (*self.targets, *self.unchanged) if one_to_one(values, key)]
            if keys:
                self.found.add(values.name)
                words = f"column {{}} is one to one with {shown_list(keys)}, which was to be protected"
                self.findings.about([values.name], words + self._narrowed(values.name))
                continue
            column = self.before.column(values.name)
            keys = [key.name for key in self.unchanged if finer(values, column, key)]
            if keys:
                self.found.add(values.name)
                self.findings.about([values.name], f"column {{}} is finer than {shown_list(keys)}, which others know")

    def _groups(self) -> None:
        for values in self._others():
            if self._groups_rows(values):
                few = self._too_few(self.before.column(values.name).codes)
                if few is not None:
                    self.found.add(values.name)
                    self.findings.about(
                        [values.name], f"column {{}} groups rows, as the number of a household does{few}"
                    )

    def _crossed(self) -> None:
        """Rows or groups of rows that two columns number together."""
        pairs = list(crossings([self._whole(values.name) for values in self._others()]))
        dropped = [self._whole(name) for name in self.dropped if self._shared(name)] if pairs else []
        rest = [self._whole(name) for name in self.before.names] if pairs else []
        for a, b, both in pairs:
            names = [a.name, b.name]
            if self.found.issuperset(names):
                continue
            if numbers_rows(a, b, both, len(pairs)):
                words = "columns {} together have values of their own in nearly every row, as an identifier has"
            elif groups_together(a, b, both, dropped, rest, len(pairs)):
                few = self._too_few(both.codes)
                if few is None:
                    continue
                words = f"columns {{}} together group rows, as the number of a household does{few}"
            else:
                continue
            self.findings.about_all(names, words)

    def _members(self) -> None:
        """Columns that number the members of units which are published with fewer."""
        if self.linked is None:
            return
        for values in self._others():
            if self.linked.numbers_members(self._whole(values.name).places):
                self.found.add(values.name)
                words = f"column {{}} numbers the members of each {self.linked.one}, which shows who was left out"
                self.findings.about([values.name], words)

    def _too_few(self, groups: Integers) -> str | None:
        """Words about the persons in groups that too few others fit; None where there are no such persons."""
        if self.linked is not None and not self.linked.joins(groups):
            return None
        persons = self._some_groups(groups)
        candidates = self.fits.candidates if persons is None else self.fits.of(persons)
        own = self.fits.own
        if candidates is None or own is None:
            return ""
        both = (groups, groups[own]) if self.linked is None else self.linked.groups(groups, own)
        few, looked = too_few_groups(candidates, *both, self.k)
        fit = f"{few} are in one that fewer than {self.k} published groups fit"
        return f": of {looked} persons in groups, {fit}" if few else None

    def _groups_rows(self, values: Values) -> bool:
        """Whether a column groups rows, or is one to one with a dropped one that does."""
        if not self._shared(values.name):
            return False
        whole = self._whole(values.name)
        if self._has_groups(whole):
            return True
        dropped = (self._whole(name) for name in self.dropped if self._shared(name))
        return any(one_to_one(whole, other) and self._has_groups(other) for other in dropped)

    def _has_groups(self, whole: Values) -> bool:
        others = (self._whole(name) for name in self.before.names if name != whole.name)
        return groups_rows(whole, self.before.column(whole.name), others)

    def _shared(self, name: str) -> bool:
        """Whether about one in ten rows or more share their entry with a few others."""
        codes = self.before.column(name).codes
        counts = np.bincount(codes)
        return bool(counts[(counts >= 2) & (counts <= LARGEST)].sum() >= 0.9 * SOME * codes.size)

    def _whole(self, name: str) -> Values:
        """A column in all rows."""
        if self.sample.rows is not None:
            return read_values(self.before.column(name))
        return self.columns[name] if name in self.columns else self.sample.values(name)

    def _some_groups(self, codes: Integers) -> Integers | None:
        """In a large file the members of some groups, chosen at random; None stands for all persons."""
        whole = self.fits.candidates is None or self.fits.candidates.whole
        if whole:
            return None
        order = np.random.default_rng(0).permutation(int(codes.max()) + 1)
        sizes = np.bincount(codes)
        order = order[(sizes[order] >= 2) & (sizes[order] <= LARGEST)]
        chosen = order[np.cumsum(sizes[order]) <= 2_000]
        return np.flatnonzero(np.isin(codes, chosen))

    def _tells(self) -> None:
        rows = self.sample.telling
        if self.linked is not None:
            rows = self.linked.one_each(self.sample.rows, rows)
        left = [values.take(rows) for values in self._others()]
        told = telling.tellings(left, [key.take(rows) for key in self.targets])
        telling.report(told, self.findings, self._narrowed)
        self.found.update(one.columns[0] for one in told if len(one.columns) == 1 and one.skill >= telling.TELLS)

    def _narrowed(self, name: str) -> str:
        candidates = self.sample.candidates
        if candidates is None:
            return ""
        few = narrowed(self.columns[name], self.targets, candidates, self.sample.own, self.k)
        if not few:
            return ""
        about = "" if candidates.whole else "about "
        return f": so narrowed down, {about}{few} of {self.sample.total} records have fewer than {self.k} candidates"

    def _if_known(self) -> Figures:
        candidates = self.sample.candidates
        if candidates is None:
            return {}
        counts = {}
        for values in self._others():
            few = found_if_known(candidates, values.codes, values.codes[self.sample.own], self.k)
            counts[values.name] = few
        said = [(name, few) for name, few in counts.items() if few]
        if said:
            about = "" if candidates.whole else "about "
            words = shown_list([f"{shown(name)} for {few}" for name, few in sorted(said, key=lambda one: -one[1])])
            self.findings.limits.append(
                f"if it were known too, one column would leave {about}so many of {self.sample.total} records fewer "
                f"than {self.k} candidates: {words}"
            )
        return {f"if_known: {name}": few for name, few in counts.items()}

    def _together(self) -> Figures:
        candidates = self.sample.candidates
        left = [
            values for values in self.columns.values() if values.size < values.codes.size or values.places is not None
        ]
        if candidates is None or not self.targets:
            return {}
        own = self.sample.own
        same = np.ones(candidates.row.size, bool)
        for values in self.columns.values():
            same &= values.codes[candidates.persons[candidates.person]] == values.codes[own[candidates.row]]
        result = found_together(left, self.targets, candidates, own, same)
        if result is None:
            return {}
        share, error = result
        words = (
            f"whoever guesses {shown_list([key.name for key in self.targets])} from all columns that go out as they "
            f"are finds {100 * share:.1f} % of the records (standard error {100 * error:.1f} %); 1 in {self.k} is "
            f"{100 / self.k:.1f} %"
        )
        self.findings.limits.append(words)
        return {"found": share, "found_error": error}
