"""Global recoding, the same for all records: values beyond a cap become the cap, categories merge, numbers are cut.

    top code      x → min(x, top)            bottom code   x → max(x, bottom)
    recode        value → its label          by a mapping, by a level of a hierarchy, or by cuts: `< 18`, `[18, 65)`,
                                             `>= 65`

Values are compared exactly. A cap keeps the type of a column of numbers where it can; labels, and dates that are
capped, are text. What is missing stays missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.instruments.local_suppression.coded import Coding

if TYPE_CHECKING:
    from discreet.frames.exact import Entries

ONE = "give one of mapping, hierarchy and cuts"


def top_code(frame: Any, tops: Mapping[str, Any]) -> Coding:
    """Publish no value above a column's top: `top_code(frame, {"age": 85})` makes 85 of all above.

    `tops` has a number or date per column. The result's `data` is the frame with these columns capped.
    """
    return _capped(frame, tops, "top", "top coding")


def bottom_code(frame: Any, bottoms: Mapping[str, Any]) -> Coding:
    """Publish no value below a column's bottom: `bottom_code(frame, {"income": 0})` makes 0 of all below."""
    return _capped(frame, bottoms, "bottom", "bottom coding")


def recode(
    frame: Any,
    column: str,
    mapping: Mapping[Any, Any] | None = None,
    *,
    hierarchy: Any = None,
    level: int = 1,
    cuts: Sequence[Any] | None = None,
) -> Coding:
    """Publish a column by wider labels: one of a mapping, a hierarchy and cuts says which.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table.
    column : the column to recode.
    mapping : values and the labels they get; values that are not in it stay as they are.
    hierarchy, level : labels of a level of a hierarchy (a CSV file, rows, a nested mapping or a `Hierarchy`); 0 are the
        values themselves.
    cuts : numbers or dates in rising order where a column is cut: `cuts=[18, 65]` gives `< 18`, `[18, 65)`, `>= 65`.
    """
    from discreet.frames import adopt, column_faults

    table, faults = adopt(frame), Faults()
    for fault in column_faults(table, [column]):
        faults.add(fault)
    faults.check(sum(given is not None for given in (mapping, hierarchy, cuts)) == 1, ONE)
    faults.raise_if_any()
    if mapping is not None:
        return _coded(frame, {column: _by_mapping(mapping)}, "recoding")
    if hierarchy is not None:
        return _coded(frame, {column: _by_level(hierarchy, level, column)}, "recoding")
    return _coded(frame, {column: _by_cuts(list(cuts or ()), column)}, "recoding")


Step = Callable[["Entries", Faults], "Entries"]


def _capped(frame: Any, caps: Any, end: str, what: str) -> Coding:
    if not isinstance(caps, Mapping) or not caps:
        raise InputError(f"{what} takes a mapping from columns to caps, such as {{'age': 85}}")

    def step(name: str) -> Step:
        def cap(entries: Entries, faults: Faults) -> Entries:
            from discreet.frames.values.caps import as_cap, capped

            found = as_cap({end: caps[name]}, name, faults)
            return entries if found is None else capped(entries, found, name, faults)

        return cap

    return _coded(frame, {name: step(name) for name in caps}, what, numbers=True)


def _by_mapping(mapping: Any) -> Step:
    def rename(entries: Entries, faults: Faults) -> Entries:
        if not faults.check(isinstance(mapping, Mapping), "mapping must say, value by value, which label it gets"):
            return entries
        named = {_text(value): _text(label) for value, label in mapping.items()}
        faults.check("" not in named.values(), "a label must not be empty: that would be a blank")
        strange = sum(value not in set(entries.texts) for value in named)
        faults.check(strange == 0, f"mapping names {strange} values that the column does not have: leave them out")
        return _labelled(entries, [named.get(text, text) for text in entries.texts])

    return rename


def _by_level(hierarchy: Any, level: Any, column: str) -> Step:
    def climb(entries: Entries, faults: Faults) -> Entries:
        from discreet.errors import whole
        from discreet.instruments.quasi_identifiers import as_hierarchy

        tree = as_hierarchy(hierarchy, column)
        number = whole(level)
        if not faults.check(number is not None and number >= 0, "level must be a whole number, 0 or more"):
            return entries
        labels = dict(zip(tree.leaves, tree.above(number or 0, name=f"hierarchy of {column!r}")[0]))
        unknown = sum(text not in labels for text in entries.texts)
        if not faults.check(
            unknown == 0, f"the hierarchy of {column!r} misses {unknown} values of the column: add them"
        ):
            return entries
        return _labelled(entries, [labels[text] for text in entries.texts])

    return climb


def _by_cuts(cuts: list[Any], column: str) -> Step:
    def cut(entries: Entries, faults: Faults) -> Entries:
        from discreet.frames.values.caps import comparable

        texts = [_text(one) for one in cuts]
        found = comparable([*entries.texts, *texts]) if texts and all(texts) else None
        if not faults.check(found is not None, f"cuts of {column!r} must be numbers or dates, as its values are"):
            return entries
        assert found is not None
        values, ends = found[: len(entries.texts)], found[len(entries.texts) :]
        faults.check(all(a < b for a, b in pairwise(ends)), "cuts must be in rising order, each once")
        inner = [f"[{low}, {high})" for low, high in pairwise(texts)]
        labels = [f"< {texts[0]}", *inner, f">= {texts[-1]}"]
        return _labelled(entries, [labels[sum(value >= end for end in ends)] for value in values])

    return cut


def _labelled(entries: Entries, labels: Sequence[str]) -> Entries:
    """The entries with a label for each value; values of one label are one."""
    listed = list(dict.fromkeys(labels))
    place = {label: number for number, label in enumerate(listed)}
    of_value = np.array([*(place[label] for label in labels), -1], np.int64)
    return replace(entries, codes=of_value[entries.codes], texts=listed, place=None)


def _text(value: Any) -> str:
    """A value as a file would show it; a whole float without its point."""
    from discreet.frames.values.caps import as_text

    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return value if isinstance(value, str) else as_text(value)


def _coded(frame: Any, steps: Mapping[str, Step], what: str, *, numbers: bool = False) -> Coding:
    """The frame with each column taken through its step, and what that changed."""
    from discreet.frames import adopt, column_faults
    from discreet.frames.values.kinds import values

    table, faults = adopt(frame), Faults()
    for fault in column_faults(table, list(steps)):
        faults.add(fault)
    faults.raise_if_any()
    fresh, changed, kinds = {}, {}, {}
    for name, step in steps.items():
        before = values(table, name).entries
        faults.check(before.odd == 0, f"column {name!r} is numeric but for {before.odd} entries: correct them first")
        after = step(before, faults)
        old, new = np.array([*before.texts, ""], object), np.array([*after.texts, ""], object)
        changed[name] = int((old[before.codes] != new[after.codes]).sum())
        kinds[name] = (len(before.texts), len({*after.codes[after.codes >= 0].tolist()}))
        fresh[name] = after
    faults.raise_if_any()
    data = table.to_native()
    for name, entries in fresh.items():
        if changed[name]:
            data = _put(data, name, entries, numbers=numbers)
    return Coding(data, what, tuple(steps), len(table), changed, kinds, frame)


def _put(data: Any, name: str, entries: Entries, *, numbers: bool) -> Any:
    """The frame with the column by its texts, or as numbers where it is one of numbers and stays one."""
    from discreet.frames import is_numeric, replace_columns, replace_text_columns
    from discreet.frames.respell import spelled

    texts = spelled(entries)
    if not (numbers and is_numeric(data, name)):
        return replace_text_columns(data, {name: texts})
    if all(text is None or text.lstrip("-").isdigit() for text in texts):
        return replace_columns(data, {name: [None if text is None else int(text) for text in texts]})
    return replace_columns(data, {name: np.array([np.nan if text is None else float(text) for text in texts])})
