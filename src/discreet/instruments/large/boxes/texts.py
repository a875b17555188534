"""Quasi-identifiers of delimited text: as the text that stands in the file, of which every digit counts.

So they are read in memory too: a number keeps all of its digits, what has zeros in front is a code, and columns that
are named as categories are so to the letter. What a column holds depends on all of its different texts; what stands in
the other columns is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.frames.datasets import Dataset
from discreet.instruments.quasi_identifiers import Treatment

READ = b"discreet.read"
EXACT, LETTERS = b"exact", b"letters"
COMMAS = b" or commas"


def schema_of(data: Dataset, names: Sequence[str], treatment: Treatment) -> Any:
    """The types by which columns are read: those of the dataset, of delimited text the text or bytes of fields."""
    import pyarrow as pa

    if data.text is None:
        return data.schema
    letters = {*treatment.categorical, *treatment.ordered, *treatment.hierarchies}
    allowed = COMMAS if data.text.delimiter != "," else b""
    fields = []
    for name in data.columns:
        if name in names:
            how = (LETTERS if name in letters else EXACT) + allowed
            fields.append(pa.field(name, pa.string(), metadata={READ: how}))
        else:
            fields.append(pa.field(name, pa.large_binary()))
    return pa.schema(fields)


def as_meant(array: Any, field: Any) -> tuple[Any, Any, bool]:
    """The different texts of a column as they are to be understood, their field, and whether they had decimal commas.

    Columns that do not come from delimited text are as they are.
    """
    from discreet.frames.csv_text import exact_text

    how = (field.metadata or {}).get(READ)
    if how is None:
        return array, field, False
    found, marks, commas = exact_text(array, how.endswith(COMMAS), as_written=how.startswith(LETTERS))
    return found, field.with_metadata(marks).with_type(found.type), commas
