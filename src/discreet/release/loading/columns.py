"""The columns of a file, and what each is taken for: the count, a variable, or neither.

A count that is taken for a variable shows every figure of the table as its "categories". So nothing is guessed that
could go wrong. A column could hold counts if its entries are whole numbers from 0 up, or if at least half of its texts
are (`<5` among figures, thousands with separators; `12*` or `(13)` where it bears the name of a count). Codes with
leading zeros are no counts, unless their name is one that counts bear. The count is the column named exactly `count`,
or the one that is named, or none where rows are said to be records or where no column could be one. Else there is
doubt, and the custodian is asked.

Not a variable unless it is named: a column of numbers or dates with more than `FEW` different entries; one that bears
the name of a count; one whose entries have parts (lists, structures) or are bytes.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from discreet.errors import InputError, listing
from discreet.release.loading.choices import Choices

COUNT = "count"
FEW = 20
PARTS = "parts"
NAMES = frozenset(
    (
        *("count", "counts", "cnt", "freq", "freqs", "frequency", "frequencies", "n", "nobs", "obs", "num", "number"),
        *("cases", "persons", "people", "individuals", "population", "pop", "total", "sum"),
        *("weight", "weights", "wt", "wgt", "anzahl", "effectif", "effectifs"),
    )
)
NUMBER = r"^[ \t]*\+?(?:[0-9]+(?:\.0*)?|[0-9]{1,3}(?:[ ,.'_\x{a0}\x{202f}\x{2019}][0-9]{3})+)[ \t]*$"
FIGURE = r"^[^\pL]*[0-9][^\pL]*$"  # with marks and signs: 12*, (13), 14 %
ZERO_FIRST = r"^[ \t]*0[0-9]"


@dataclass(frozen=True)
class Column:
    """`kind` is "whole", "number", "date", "text" or "parts"; `distinct` the number of different entries."""

    name: str
    kind: str
    distinct: int
    could_count: bool

    @property
    def kept(self) -> bool:
        """Whether it is a variable without being named."""
        many = self.distinct > FEW and self.kind in ("whole", "number", "date")
        return self.kind != PARTS and not many and not self.named_like_a_count

    @property
    def named_like_a_count(self) -> bool:
        return self.kind in ("whole", "number") and bool(set(_words(self.name)) & NAMES)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Taken:
    """What the columns are taken for. `doubt` lists those that could be the count where nobody has said."""

    count: str | None
    records: bool
    variables: tuple[str, ...]
    left_out: tuple[str, ...]
    doubt: tuple[str, ...] = ()


def take(columns: list[Column], choices: Choices) -> Taken:
    """Apply the choices; a name that the file does not have is an error."""
    known = {column.name: column for column in columns}
    count = choices.count
    if count is None and not choices.records and COUNT in known:
        count = COUNT
    faults = [f"the file has no column {name!r}" for name in (count, *(choices.variables or ())) if _lacks(known, name)]
    faults += [
        f"column {name!r} cannot be a variable: its entries are lists, structures or bytes"
        for name in choices.variables or ()
        if name in known and known[name].kind == PARTS
    ]
    if faults:
        raise InputError(faults)
    doubt: tuple[str, ...] = ()
    if count is None and not choices.records:
        # One that bears the name of a count and cannot be one is asked about too: else rows would be counted instead.
        doubt = tuple(column.name for column in columns if column.could_count or column.named_like_a_count)
    rest = [column for column in columns if column.name != count]
    variables = choices.variables or tuple(column.name for column in rest if column.kept)
    left_out = tuple(column.name for column in rest if column.name not in variables)
    return Taken(count, count is None and not doubt, variables, left_out, doubt)


def explain_doubt(doubt: tuple[str, ...]) -> str:
    """The question that only the custodian can answer. Names of columns, no values."""
    several = f"one of the columns {listing(doubt)}" if len(doubt) > 1 else f"the column {listing(doubt)}"
    return (
        f"{several} could hold counts: name the column of counts (--count NAME, field count), "
        "or say that every row is a person (--records, field records)"
    )


def describe(document: Any) -> list[Column]:
    """The columns of a file that was read."""
    from discreet.frames import adopt, to_arrow

    frame = adopt(document.frame)
    return [_column(name, to_arrow(frame.select([name]))) for name in document.names]


def _column(name: str, table: Any) -> Column:
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(0)
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if has_parts(kind):
        return Column(name, PARTS, 0, False)
    if pa.types.is_float16(kind):  # Arrow has no functions for it; every such number is one of these
        column = column.cast(pa.float32())
        kind = column.type
    column = column.drop_null()
    distinct = column.unique()
    if pa.types.is_temporal(kind):
        return Column(name, "date", len(distinct), False)
    if pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return Column(name, "text", len(distinct), False)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        whole = pa.types.is_integer(kind) or _all(pc.equal(distinct, pc.round(distinct)))
        coded = table.schema.field(0).metadata is not None and b"discreet" in table.schema.field(0).metadata
        found = Column(name, "whole" if whole else "number", len(distinct), False)
        could = (
            whole and len(distinct) > 0 and (pa.types.is_unsigned_integer(kind) or _all(pc.greater_equal(distinct, 0)))
        )
        return Column(name, found.kind, found.distinct, could and (not coded or found.named_like_a_count))
    return _text_column(name, distinct)


def _text_column(name: str, distinct: Any) -> Column:
    """Text that is mostly figures is treated as numbers: some may be suppressed, or have separators."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = distinct.cast(pa.large_string())
    found = Column(name, "whole", len(texts), False)
    figures = texts.filter(pc.match_substring_regex(texts, FIGURE if found.named_like_a_count else NUMBER))
    if not len(figures) or 2 * len(figures) < len(texts):
        return Column(name, "text", len(texts), False)
    coded = bool(pc.any(pc.match_substring_regex(figures, ZERO_FIRST)).as_py())
    return Column(name, "whole", len(texts), not coded or found.named_like_a_count)


def has_parts(kind: Any) -> bool:
    """Whether entries of an Arrow type are no single values that could be shown."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return has_parts(kind.value_type)
    binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
    return bool(pa.types.is_nested(kind) or binary or isinstance(kind, pa.BaseExtensionType))


def _all(flags: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(flags).as_py())


def _lacks(known: dict[str, Column], name: str | None) -> bool:
    return name is not None and name not in known


def _words(name: str) -> list[str]:
    """`Freq`, `freq_2020`, `CellCount`: the words of a name, small."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
