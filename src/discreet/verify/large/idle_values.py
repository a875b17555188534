"""Values that a published column lists and no row has, in files that do not fit: dictionaries batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.verify.idle_values import HIDDEN, NEWS
from discreet.verify.large.left import MOST_ENTRIES, Doubts, distinct
from discreet.verify.large.source import Source
from discreet.verify.readers.column import shown_list
from discreet.verify.values.meaning import texts

LONG = "column {} is stored by dictionaries too long to hold: whether they list what no row has"


def idle_values(before: Source, after: Source, doubts: Doubts) -> None:
    """Say which columns list values that no row has."""
    import pyarrow as pa

    news: list[str] = []
    hidden: list[str] = []
    known = set(before.names)
    for name in after.names:
        if not pa.types.is_dictionary(after.schema.field(name).type):
            continue
        listed = _listed(after, name)
        if listed is None:
            doubts.altered([name], LONG)
            continue
        idle = [text for text, used in listed.items() if not used]
        if idle:
            theirs = _values(before, name) if name in known else set()
            (hidden if theirs.issuperset(idle) else news).append(name)
    if news:
        doubts.findings.altered(news, NEWS)
    if hidden:
        doubts.findings.limits.append(HIDDEN.format(shown_list(hidden)))


def _values(source: Source, name: str) -> set[str]:
    """The texts of all values that a column has or lists; nothing where they are too many to hold."""
    import pyarrow as pa

    column = distinct(source, name)
    listed = _listed(source, name) if pa.types.is_dictionary(source.schema.field(name).type) else {}
    return set() if column is None else {*texts(column), *(listed or {})}


def _listed(source: Source, name: str) -> dict[str, bool] | None:
    """All values of a column's dictionaries, as texts, and whether a row has them; None where they are too many."""
    found: dict[str, bool] = {}
    last: Any = None
    used = np.zeros(0, np.bool_)

    def note() -> None:
        for value, taken in zip([] if last is None else last, used.tolist()):
            text = str(value)
            found[text] = taken or found.get(text, False)

    for batch in source.batches([name]):
        array = batch.column(name)
        if last is None or not array.dictionary.equals(last):
            note()
            last, used = array.dictionary, np.zeros(len(array.dictionary), np.bool_)
            if len(found) + len(last) > MOST_ENTRIES:
                return None
        used[array.indices.drop_null().to_numpy(zero_copy_only=False)] = True
    note()
    return found
