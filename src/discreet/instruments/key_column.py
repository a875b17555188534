"""One quasi-identifier: the values of its column as what they are, capped and brought to their least level, as codes.

column → kind (`frames.values.kinds`) → caps → labels of the least level → codes of an `Attribute`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import Faults
from discreet.generalization import domain as domains
from discreet.generalization.domain import Attribute
from discreet.generalization.hierarchy import Hierarchy
from discreet.generalization.spelling import reads_as_box

if TYPE_CHECKING:
    from discreet.frames.exact import Codes, Entries
    from discreet.frames.values.caps import Cap


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What was asked about one column: see `quasi_identifiers.Treatment`."""

    tree: Hierarchy | None
    order: Sequence[str] | None
    categorical: bool
    numeric: bool
    cap: Cap | None
    level: int


@dataclass(frozen=True)
class KeyColumn:
    """A column by exact value as it is, and as it is widened: capped, and with a hierarchy by the labels of a level.

    `ranges` says that boxes are ranges, of numbers or moments; `order` are categories from first to last.
    """

    name: str
    stored: Entries = field(repr=False)
    entries: Entries = field(repr=False)
    ranges: bool
    tree: Hierarchy | None
    order: Sequence[str] | None
    recoded: bool

    @staticmethod
    def of(
        table: Any, name: str, wishes: Wishes, faults: Faults, missing: str, times: Codes | None = None
    ) -> KeyColumn:
        """The column, with whatever is wrong with it noted; `times` says how often each row occurs, if not once."""
        from discreet.frames.values.caps import capped
        from discreet.frames.values.kinds import CATEGORIES, MOMENTS, NUMBERS, ORDERED, values

        tree, order = wishes.tree, wishes.order
        categories = wishes.categorical or tree is not None or order is not None
        found = values(table, name, categories=categories, numeric=wishes.numeric, times=times)
        if found.kind == ORDERED:
            order = found.order
        ranges = found.kind in (NUMBERS, MOMENTS)
        faults.check(
            not wishes.numeric or categories or ranges or found.entries.odd > 0 or not found.entries.texts,
            f"column {name!r} is to be read as numbers and holds other text: leave it out of numeric (--numeric)",
        )
        entries = found.entries
        if wishes.cap is not None:
            usable = faults.check(
                ranges or (found.kind == CATEGORIES and tree is not None),
                f"column {name!r} holds categories, and caps are for numbers and dates",
            )
            entries = capped(entries, wishes.cap, name, faults) if usable and not entries.odd else entries
        column = KeyColumn(name, found.entries, entries, ranges, tree, order, wishes.cap is not None)
        column.check(faults, missing)
        return column.at_level(wishes.level, faults, missing) if wishes.level else column

    def check(self, faults: Faults, missing: str) -> None:
        """Note values that have no place in the hierarchy or order, and those that nobody could read back."""
        entries, absent = self.entries, self.entries.missing
        faults.check(
            entries.odd == 0,
            f"column {self.name!r} is numeric but for {entries.odd} of {entries.known} entries: correct "
            "them, leave them empty where nothing is known (see missing, --missing), or say that the column holds "
            "categories (categorical, --categorical)",
        )
        if missing == "error":
            faults.check(
                absent == 0,
                f'column {self.name!r} has {absent} missing values: fill them in, or use missing="value" or '
                'missing="wildcard" (--missing)',
            )
        present = set(entries.texts)
        if not self.ranges and self.tree is None:
            boxes = sum(reads_as_box(text) for text in present)
            faults.check(
                boxes == 0,
                f"column {self.name!r} holds {boxes} values that read like published sets, {{...}} or *: rename them",
            )
        if self.tree is not None:
            unknown = len(present - set(self.tree.leaves))
            faults.check(
                unknown == 0, f"the hierarchy of {self.name!r} misses {unknown} values of the column: add them"
            )
            if missing == "value":
                faults.check(
                    absent == 0 or "" in self.tree.leaves,
                    f"the hierarchy of {self.name!r} has no place for missing values: add a row whose value is "
                    'empty, or use missing="wildcard"',
                )
        if self.order is not None:
            unknown = len(present - {str(value) for value in self.order})
            faults.check(unknown == 0, f"the order of {self.name!r} misses {unknown} values of the column: add them")
            twice = len(set(map(str, self.order))) < len(self.order)
            faults.check(not twice, f"the order of {self.name!r} lists a value twice")
            faults.check(
                missing != "value" or absent == 0,
                f'missing values have no place in the order of {self.name!r}: use missing="wildcard"',
            )

    def at_level(self, level: int, faults: Faults, missing: str) -> KeyColumn:
        """The column by the labels of a level of its hierarchy."""
        if not faults.check(
            self.tree is not None, f"column {self.name!r} has a least level and no hierarchy: give it one"
        ):
            return self
        assert self.tree is not None
        labels, above = self.tree.above(level, name=f"hierarchy of {self.name!r}")
        label_of = dict(zip(self.tree.leaves, labels))
        if not set(self.entries.texts) <= set(label_of):
            return self  # which was noted
        listed = list(above.leaves)
        place = {label: number for number, label in enumerate(listed)}
        gap = place[label_of[""]] if "" in label_of and missing == "value" else -1
        of_value = np.array([*(place[label_of[text]] for text in self.entries.texts), gap], np.int64)
        entries = replace(self.entries, codes=of_value[self.entries.codes], texts=listed, place=None)
        return replace(self, entries=entries, tree=above, recoded=True)

    def attribute(self, missing: str, weight: float) -> tuple[Attribute, list[str | None]]:
        """The attribute and the text of each of its codes."""
        entries = self.entries
        labels: list[str | None]
        if self.ranges:
            assert entries.place is not None
            attribute = domains.graded(self.name, entries.codes, entries.place, missing=missing, weight=weight)
            labels = list(entries.texts)
            return attribute, labels + [None] * (attribute.size - len(labels))
        if self.tree is not None:
            listed = list(self.tree.leaves)
        elif self.order is not None:
            listed = [str(value) for value in self.order]
        else:
            listed = sorted(entries.texts)
            if missing != "wildcard" and entries.missing:
                listed.insert(0, "")
        place = {text: number for number, text in enumerate(listed)}
        gap = domains.WILDCARD if missing == "wildcard" else place.get("", domains.WILDCARD)
        codes = np.array([*(place[text] for text in entries.texts), gap], np.int32)[entries.codes]
        labels = [text or None for text in listed]
        if self.tree is not None:
            return domains.hierarchical(self.name, codes, self.tree, weight=weight), labels
        if self.order is not None:
            return domains.ordered(self.name, codes, len(listed), weight=weight), labels
        return domains.categorical(self.name, codes, len(listed), weight=weight), labels
