"""Values of published columns that are spelled in more than one way, in files that do not fit.

Of floats only zero (0.0 and −0.0) and what is missing (null, NaN of several bits) can be, of other types with one form
per value nothing. Of text the different entries are looked at, which must fit; of delimited text whose fields are
numbers only those that are the same float.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discreet.errors import InputError
from discreet.verify.large.database import entries_of, run
from discreet.verify.large.facts import Column as Facts
from discreet.verify.large.source import Source
from discreet.verify.large.values import bits, column_of, floats, is_written
from discreet.verify.matchings.reading import spellings as spelled
from discreet.verify.readers.column import Column, Table, shown
from discreet.verify.values.meaning import is_numeric

PER_ENTRY = 400  # bytes that a different text takes, with what it means
MOST = 100_000  # numbers that are written in several ways


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
            if entries is None and name in facts and facts[name].numbers and is_written(kind):
                entries = _alike(connection, after, name)
            if entries is None:
                raise InputError(
                    f"column {shown(name)} has too many different texts: give more memory (--memory), or store it as "
                    "numbers"
                )
            found[name] = spelled(entries, numeric=numeric)
    return found


def _signs(after: Source, name: str) -> Facts:
    facts = Facts()
    for batch in after.batches([name]):
        facts.note_signs(batch.column(name))
    return facts


def _entries(connection: Any, after: Source, name: str, most: int) -> Column | None:
    """The different entries of a column, each once, as a column; None where there are too many."""
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        for batch in after.batches([name]):
            yield pa.record_batch([bits(name, batch.column(name))], names=["p0"])

    entries = entries_of(connection, batches(), most)
    return None if entries is None else _column(name, after, entries)


def _column(name: str, after: Source, entries: Any) -> Column:
    import pyarrow as pa

    kind = after.schema.field(name).type
    if not is_written(kind):
        return column_of(name, entries)
    whole = pa.concat_arrays(entries.chunks) if isinstance(entries, pa.ChunkedArray) else entries
    return column_of(name, pa.ExtensionArray.from_storage(kind, whole.cast(pa.large_binary())))


def _alike(connection: Any, after: Source, name: str) -> Column | None:
    """The entries of a column of numbers that are the same float as another entry; None where there are too many."""
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        for batch in after.batches([name]):
            array = batch.column(name)
            values = pa.array(floats(name, array)[0] + 0.0, from_pandas=True)
            yield pa.record_batch([bits(name, array), values], names=["p0", "v"])

    different = "SELECT DISTINCT p0, v FROM rows"
    several = run(connection, batches(), f"SELECT v FROM ({different}) GROUP BY v HAVING count(*) > 1 LIMIT {MOST + 1}")
    if several.num_rows > MOST:
        return None
    values = several.column(0).combine_chunks()
    kept = []
    for batch in batches():
        kept.append(batch.column(0).filter(pa.compute.is_in(batch.column(1), value_set=values)).unique())
    return _column(name, after, pa.concat_arrays(kept).unique())
