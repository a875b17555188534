"""The values of columns that are too long to be held: which there are, how often, and what each is coded as.

Every part of the data tells the distinct values of its quasi-identifiers and how often each occurs; put together they
stand for the columns, so that what a column is (numbers, moments, categories), what is wrong with it and what widening
costs follow from the same code as in memory (`quasi_identifiers.read_keys`). NaN counts as missing and −0 as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.generalization.cells.within import restricted
from discreet.generalization.domain import INTERVAL, Attribute, Codes, Tables, cost_tables
from discreet.instruments.large.boxes.texts import as_meant
from discreet.instruments.quasi_identifiers import Keys, Reading, Treatment, read_keys
from discreet.scale.spill import keep, kept

HELD = 400
"""About how many bytes a distinct value takes: its text, its place, and what finds it."""


def plain(column: Any, name: str) -> Any:
    """A column of an Arrow table as one array of plain values; NaN is null and −0 is 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if str(array.type) in ("string_view", "binary_view"):
        array = array.cast(pa.large_string() if str(array.type) == "string_view" else pa.large_binary())
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
        array = pc.add(array, pa.scalar(0, array.type))
    if pa.types.is_nested(array.type):
        raise InputError(f"column {name!r} holds nested values, which cannot be widened: convert it first")
    return array


def tally(column: Any, name: str) -> Any:
    """The distinct values of a column of an Arrow table, and how often each occurs; what a dictionary lists first."""
    import pyarrow as pa

    found = plain(column, name).value_counts()
    values, times = found.field("values"), found.field("counts").cast(pa.int64())
    if pa.types.is_dictionary(column.type) and column.num_chunks:
        listed = column.unify_dictionaries().chunk(0).dictionary
        values = pa.concat_arrays([listed.cast(values.type), values])
        times = pa.concat_arrays([pa.array(np.zeros(len(listed), np.int64)), times])
    return pa.table({"value": values, "times": times})


def together(tallies: Iterable[Any], most: int, name: str) -> Any:
    """Several tallies as one, values in the order of their first appearance; an error for more than `most` values."""
    import pyarrow as pa

    held: Any = None
    for one in tallies:
        both = one if held is None else pa.concat_tables([held, one])
        held = both.group_by("value", use_threads=False).aggregate([("times", "sum")])
        held = held.rename_columns(["value", "times"]).combine_chunks()
        if len(held) > most:
            raise InputError(
                f"column {name!r} has more than {most} different values, which the memory allowed does not hold: round "
                "it or cap it, or allow more memory (memory, --memory)"
            )
    return held


def tally_path(folder: Path, prefix: str, place: int) -> Path:
    """Where the tally of a column is."""
    return folder / f"{prefix}-{place:04d}.arrow"


def write_tallies(folder: Path, prefix: str, tallies: Sequence[Any]) -> None:
    """Each column's tally into a file of its own."""
    for place, one in enumerate(tallies):
        keep(tally_path(folder, prefix, place), one)


@dataclass(frozen=True)
class Column:
    """How one quasi-identifier is coded: `values` are the distinct ones, `codes` their codes.

    `own`, the spelling of each code in `texts` as a value of the column's type, serves where nothing is widened.
    """

    values: Any = field(repr=False)
    codes: Codes = field(repr=False)
    texts: list[str | None] = field(repr=False)
    own: Any = field(repr=False)

    def encode(self, column: Any, name: str) -> Codes:
        """The codes of a column of an Arrow table."""
        import pyarrow.compute as pc

        encoded = plain(column, name).dictionary_encode(null_encoding="encode")
        place = pc.index_in(encoded.dictionary, value_set=self.values)
        if place.null_count:
            raise InputError(f"column {name!r} was changed while it was being worked on: run it again")
        return np.asarray(self.codes[place.to_numpy()][encoded.indices.to_numpy()], np.int32)

    def values_of(self, texts: Any) -> Any:
        """Published texts of which none is widened, as values of the column's type."""
        import pyarrow as pa
        import pyarrow.compute as pc

        known = pa.array(self.texts, texts.type)
        return self.own.take(pc.index_in(texts, value_set=known, skip_nulls=True))


@dataclass(frozen=True)
class Values:
    """The domain of a whole dataset: every quasi-identifier's values, codes and costs.

    `commas` are columns of text whose numbers have decimal commas.
    """

    names: list[str]
    columns: list[Column] = field(repr=False)
    attributes: list[Attribute] = field(repr=False)
    tables: Tables = field(repr=False)
    keys: Keys = field(repr=False)
    labels: dict[str, list[str | None]] = field(repr=False)
    commas: frozenset[str] = frozenset()

    @property
    def gaps(self) -> list[int]:
        """The code that stands for a missing value in each column of ranges, −1 where there is none."""
        found = []
        for attribute in self.attributes:
            ends = attribute.position[-1:] if attribute.position is not None else np.zeros(0)
            found.append(attribute.size - 1 if attribute.kind == INTERVAL and np.isnan(ends).any() else -1)
        return found

    @property
    def texts_anyway(self) -> list[bool]:
        """Which columns are published as text whether or not a value is widened."""
        recoded = self.keys.recoded
        return [
            name in recoded or bool((attribute.codes < 0).any()) for name, attribute in zip(self.names, self.attributes)
        ]

    def encode(self, table: Any) -> Codes:
        """The codes of the rows of an Arrow table."""
        columns = [column.encode(table.column(name), name) for name, column in zip(self.names, self.columns)]
        return np.ascontiguousarray(np.stack(columns, axis=1), np.int32)

    def reading(self, codes: Codes) -> Reading:
        """The quasi-identifiers of some rows: a domain of their own values, at the costs of the whole."""
        numbers = {place for place, name in enumerate(self.names) if name in self.keys.ranges}
        domain, own = restricted(self.attributes, self.tables, codes, numbers)
        labels = {name: [self.labels[name][code] for code in codes.tolist()] for name, codes in zip(self.names, own)}
        return Reading(
            self.names,
            domain,
            {name: column.stored for name, column in self.keys.columns.items()},
            labels,
            self.keys.ranges,
            self.keys.trees,
            None,
            self.keys.recoded,
            self.keys.caps,
        )


def values_of(folder: Path, schema: Any, names: list[str], treatment: Treatment) -> Values:
    """The domain that the tallies in a work folder make; one InputError with everything that is wrong."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tables, times, stored, commas = {}, {}, {}, set()
    for place, name in enumerate(names):
        found = kept(tally_path(folder, "values", place))
        occurring = np.flatnonzero(found.column("times").to_numpy())
        one = schema.field(name)
        values = found.column("value").combine_chunks()
        values = values.chunk(0) if isinstance(values, pa.ChunkedArray) else values
        array = values.take(pa.array(occurring))
        if pa.types.is_dictionary(one.type):
            listed = values.drop_null()
            places = pc.index_in(array, value_set=listed, skip_nulls=True)
            array = pa.DictionaryArray.from_arrays(places, listed, ordered=one.type.ordered)
        stored[name] = plain(pa.chunked_array([array]), name)
        array, one, comma = as_meant(array, one.with_type(array.type))
        if comma:
            commas.add(name)
        tables[name] = pa.table([array], schema=pa.schema([one]))
        times[name] = found.column("times").to_numpy()[occurring]
    keys = read_keys(tables, treatment, Faults(), times)
    attributes, labels = keys.attributes(treatment)
    columns = [_column(stored[name], attribute, labels[name]) for name, attribute in zip(names, attributes)]
    costs = cost_tables(attributes, ncp=treatment.ncp)
    return Values(names, columns, attributes, costs, keys, labels, frozenset(commas))


def _column(values: Any, attribute: Attribute, labels: list[str | None]) -> Column:
    """How to code a column whose distinct values and their codes are these."""
    import pyarrow as pa

    from discreet.frames.exact import is_text

    first = np.full(attribute.size, -1, np.int64)
    known = np.flatnonzero(attribute.codes >= 0)[::-1]
    first[attribute.codes[known]] = known
    used = np.flatnonzero(first >= 0)
    texts = [labels[code] for code in used.tolist()]
    own = pa.array(texts, values.type) if is_text(values.type) else values.take(pa.array(first[used]))
    return Column(values, attribute.codes, texts, own)
