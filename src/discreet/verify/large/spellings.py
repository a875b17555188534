"""Values of published columns that are spelled in more than one way, in files that do not fit.

Of floats only zero (0.0 and −0.0) and what is missing (null, NaN of several bits) can be, of other types with one form
per value nothing. Of text the different entries are looked at, which must fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discreet.errors import InputError
from discreet.verify.large.database import entries_of
from discreet.verify.large.facts import Column as Facts
from discreet.verify.large.source import Source
from discreet.verify.large.values import bits
from discreet.verify.matchings.reading import spellings as spelled
from discreet.verify.readers.column import Column, Table, shown
from discreet.verify.readers.typed import typed_column
from discreet.verify.values.meaning import is_numeric

PER_ENTRY = 400  # bytes that a different text takes, with what it means


def spellings(
    connection: Any,
    after: Source,
    names: Sequence[str],
    source: Table,
    facts: Mapping[str, Facts],
    memory: int,
) -> dict[str, int]:
    """Per column how many values are spelled in more than one way."""
    import pyarrow as pa

    found = {}
    for name in names:
        kind = after.schema.field(name).type
        if pa.types.is_floating(kind):
            own = facts.get(name) or _signs(after, name)
            found[name] = int(len(own.zeros) > 1) + int(len(own.gaps) > 1)
        elif not (pa.types.is_primitive(kind) or pa.types.is_decimal(kind) or pa.types.is_nested(kind)):
            numeric = name in facts or is_numeric(source.column(name))
            entries = _entries(connection, after, name, memory // PER_ENTRY)
            found[name] = spelled(entries, numeric=numeric)
    return found


def _signs(after: Source, name: str) -> Facts:
    facts = Facts()
    for batch in after.batches([name]):
        facts.note_signs(batch.column(name))
    return facts


def _entries(connection: Any, after: Source, name: str, most: int) -> Column:
    """The different entries of a column, each once, as a column."""
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        for batch in after.batches([name]):
            yield pa.record_batch([bits(name, batch.column(name))], names=["p0"])

    entries = entries_of(connection, batches(), most)
    if entries is None:
        raise InputError(
            f"column {shown(name)} has too many different texts: give more memory (--memory), or store it as numbers"
        )
    return typed_column(name, entries)
