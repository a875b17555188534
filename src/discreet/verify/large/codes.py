"""Key columns as codes on disk: the different entries of each are read once, rows become whole numbers of four bytes.

What entries mean is told by `discreet.verify.matchings.reading`, on the different entries of all rows: so numbers,
moments, sets, labels, caps and missing values are what they are in memory. The different entries must fit. A file has
a row per record and a number per key: of originals the code of the value, of published rows the number of the entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.verify.claims import Claim
from discreet.verify.large.source import Source
from discreet.verify.large.values import bits, is_written
from discreet.verify.matchings.reading import Reading, UnreadableError, read_attribute
from discreet.verify.readers.column import DELIMITED, Column, shown
from discreet.verify.readers.typed import as_bits, decoded
from discreet.verify.values.hierarchies import labels_of

Small = NDArray[np.int32]

PER_ENTRY = 400  # bytes that a different entry takes, with what it means
PIECE = 1 << 18


@dataclass(frozen=True)
class Entries:
    """What the different entries of the keys mean: `readings` speaks of entries, not of rows."""

    readings: list[Reading]
    spelled: dict[str, int]
    unreadable: tuple[str, ...]
    before: list[Any]
    after: list[Any]


def read_entries(before: Source, after: Source, claim: Claim, memory: int) -> Entries:
    """The different entries of all keys on both sides, and what they mean."""
    readings: list[Reading] = []
    spelled: dict[str, int] = {}
    unreadable: list[str] = []
    held: tuple[list[Any], list[Any]] = [], []
    room = memory // PER_ENTRY
    for name in claim.chosen:
        was, now = (_column(source, name, room) for source in (before, after))
        room -= was.size + now.size
        for entries, column in zip(held, (was, now)):
            entries.append(column.entries)
        try:
            reading, spelled[name] = read_attribute(
                was,
                now,
                categorical=name in claim.categorical,
                labels=labels_of(claim.hierarchies, name),
                missing=claim.missing,
                cap=claim.caps.get(name),
            )
            readings.append(reading)
        except UnreadableError as error:
            unreadable.append(str(error))
    return Entries(readings, spelled, tuple(unreadable), *held)


def _column(source: Source, name: str, most: int) -> Column:
    """A column that holds every different entry once."""
    stored = source.schema.field(name).type
    comma = is_written(stored) and stored.comma
    kind = unit = ""
    known: Any = None
    fresh: list[Any] = []
    for batch in source.batches([name]):
        fresh.append(bits(name, batch.column(name)).unique())
        kind, unit, _ = as_bits(decoded(batch.column(name).slice(0, 0)))
        if known is None or sum(map(len, fresh)) > max(len(known), PIECE):  # seldom, so that it costs little
            known, fresh = _union(known, fresh), []
            _check_room(name, len(known), most)
    known = _union(known, fresh)
    _check_room(name, len(known), most)
    absent = np.asarray(known.is_null().to_numpy(zero_copy_only=False), bool)
    kind = DELIMITED if is_written(stored) else kind
    return Column(name, kind, np.arange(len(known), dtype=np.int64), known, absent, unit=unit, comma=comma)


def _union(known: Any, fresh: list[Any]) -> Any:
    import pyarrow as pa

    return pa.concat_arrays([*([] if known is None else [known]), *fresh]).unique()


def _check_room(name: str, count: int, most: int) -> None:
    if count > most:
        raise InputError(
            f"column {shown(name)} has too many different values: give more memory (--memory), or round it"
        )


def write_codes(source: Source, names: Sequence[str], entries: list[Any], codes: list[Any], path: Path) -> None:
    """The rows of a table as codes: `codes[j]` is that of each different entry of the j-th column."""
    piece = max([PIECE, *(len(own) for own in entries)])  # looking up costs what there are entries, once per piece
    with path.open("wb") as file:
        for batches in _pieces(source, names, piece):
            columns = [
                _looked_up([bits(name, batch.column(name)) for batch in batches], own, code)
                for name, own, code in zip(names, entries, codes)
            ]
            np.ascontiguousarray(np.stack(columns, axis=1), np.int32).tofile(file)


def _pieces(source: Source, names: Sequence[str], rows: int) -> Iterator[list[Any]]:
    held: list[Any] = []
    for batch in source.batches(names):
        held.append(batch)
        if sum(one.num_rows for one in held) >= rows:
            yield held
            held = []
    if held:
        yield held


def _looked_up(arrays: list[Any], entries: Any, code: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(pa.chunked_array(arrays, entries.type), value_set=entries)
    return code[places.to_numpy()]


def rows_at_once(path: Path, width: int) -> Iterator[Small]:
    """The rows of a file of codes, piece by piece."""
    with path.open("rb") as file:
        while (piece := np.fromfile(file, np.int32, PIECE * width)).size:
            yield piece.reshape(-1, width)


def by_row(readings: list[Reading], before: Path, after: Path) -> list[Reading]:
    """The readings of the rows themselves, which stay on disk."""
    width = len(readings)
    both: list[Any] = [np.asarray(np.memmap(path, np.int32, "r").reshape(-1, width)) for path in (before, after)]
    return [replace(r, codes=both[0][:, j], texts=both[1][:, j]) for j, r in enumerate(readings)]
