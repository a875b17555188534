"""Records of files of any size, reduced to what a table needs: one group per innermost cell, and per holding in it.

A cell of the table is a sum of innermost cells, so counts and amounts of these are enough, and so are the largest
contributions to each: the t largest of a sum are among the t largest of its parts. With sampling weights a record takes
one place at least, so that as many are enough. With holdings contributions are
sums by cell and holding, all of which are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from discreet.errors import InputError
from discreet.frames.datasets.tallies import Tallies, Unit, open_files, quoted, records_without, tallies
from discreet.frames.tabular.labels import encoded
from discreet.scale.memory import memory_limit
from discreet.tabular.counting import Records
from discreet.tabular.problem import Ints
from discreet.tabular.weighting import place_weights

LARGEST = 1 << 60
MOST_GROUPS = 50_000_000


class Reduced(NamedTuple):
    """Groups of records: their labels as a frame, what each brings as `Records` without leaves, and the decimals.

    `of` has the group of each entry of the records: a group has an entry for its sums and one for each contribution.
    """

    frame: Any
    of: Ints
    records: Records
    decimals: int
    count_decimals: int
    n: int


class Asked(NamedTuple):
    """What is counted: columns by their names, and how many of the largest contributions are kept."""

    variables: Sequence[str]
    value: str | None
    weight: str | None
    holding: str | None
    top: int


@contextmanager
def opened(data: Any, asked: Asked, memory: Any) -> Iterator[Tallies]:
    """The files, with the columns that are asked for."""
    files = open_files(data)
    others = [name for name in (asked.value, asked.weight, asked.holding) if name is not None]
    files.check([*asked.variables, *others])
    with tallies(files, memory_limit(memory)) as found:
        yield found


def reduce(counted: Tallies, asked: Asked) -> Reduced:
    """The groups of all records."""
    value = None if asked.value is None else counted.unit(asked.value)
    weight = None if asked.weight is None else counted.unit(asked.weight)
    if weight is not None and weight.negative:
        raise InputError(f"column {asked.weight!r} is negative in {weight.negative} rows: a weight is 0 or more")
    own = "1" if value is None else value.whole
    times = "1" if weight is None else weight.whole
    _check_sums(counted, own, times)
    keys = [quoted(name) for name in asked.variables]
    columns = {
        "amount": f"CAST(sum(CAST({own} AS HUGEINT) * {times}) AS BIGINT)",
        "counts": f"CAST(sum(CAST({times} AS HUGEINT)) AS BIGINT)",
        "entries": "count(*)",
        "magnitude": f"CAST(sum(abs(CAST({own} AS HUGEINT) * {times})) AS BIGINT)",
    }
    decimals = (0 if value is None else value.decimals) + (0 if weight is None else weight.decimals)
    count_decimals = 0 if weight is None else weight.decimals
    names = _names(asked.variables, [*columns, "sizes", "places", "holding", "own"])
    if asked.holding is not None:
        frame, of, records = _by_holding(counted, asked, keys, columns, names)
    else:
        frame, of, records = _by_cell(counted, asked, keys, columns, names, value, weight)
    absent = records_without(frame, asked.variables, names["entries"])
    if absent:
        raise InputError(
            f"column {name!r} is empty in {rows} rows: fill them in or drop the rows" for name, rows in absent.items()
        )
    n = int(np.sum(frame.column(names["entries"]).to_numpy()))
    return Reduced(frame, of, records, decimals, count_decimals, n)


def _check_sums(counted: Tallies, own: str, times: str) -> None:
    query = f"SELECT sum(abs(CAST({own} AS DOUBLE)) * {times}) AS a FROM rows"
    if float(counted.ask(query).to_pylist()[0]["a"] or 0.0) >= LARGEST:
        raise InputError("the amounts sum to more than 2^60 of their smallest unit: round them to fewer digits")


def _names(taken: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """Names for columns of figures that no variable has."""
    mark = "_"
    while any(mark + name in taken for name in wanted):
        mark += "_"
    return {name: mark + name for name in wanted}


def _by_cell(
    counted: Tallies,
    asked: Asked,
    keys: Sequence[str],
    columns: dict[str, str],
    names: dict[str, str],
    value: Unit | None,
    weight: Unit | None,
) -> tuple[Any, Ints, Records]:
    """A group for each innermost cell, with its largest contributions."""
    own = "1" if value is None else f"abs({value.whole})"
    found = dict(columns)
    unit = 1
    if weight is None:
        if value is not None:
            found["sizes"] = f"max({own}, {asked.top})"
    else:
        times, scale = weight.whole, 10**weight.decimals
        if (1 if value is None else value.largest) * scale > LARGEST:
            raise InputError(
                f"column {asked.value!r} has amounts too large to be weighted exactly: round it to fewer digits"
            )
        pair = f"{{'s': {own} * {scale}, 'w': {times}}}"
        found["sizes"] = f"max({pair}, {asked.top}) FILTER ({times} > 0)"
    frame = _groups(counted, keys, found, names, asked.variables)
    groups = frame.num_rows
    sums = {name: frame.column(names[name]).to_numpy() for name in columns}
    if weight is None and value is None:
        of = np.repeat(np.arange(groups), np.minimum(sums["entries"], asked.top))
        sizes, places = np.ones(of.size, np.int64), None
    else:
        of, sizes, places = _lists(frame.column(names["sizes"]), weighted=weight is not None)
        if weight is not None and places is not None:
            places, unit = place_weights(places, weight.decimals)
    both = np.concatenate([np.arange(groups), of])
    nothing = np.zeros(of.size, np.int64)

    def with_none(name: str) -> Ints:
        return np.concatenate([sums[name].astype(np.int64), nothing])

    records = Records(
        np.zeros((0, 0), np.int32),
        with_none("amount"),
        with_none("counts"),
        np.concatenate([np.zeros(groups, np.int64), sizes]),
        None,
        None if places is None else np.concatenate([np.zeros(groups, np.int64), places]),
        unit,
        with_none("entries"),
        with_none("magnitude"),
    )
    return frame, both, records


def _lists(column: Any, *, weighted: bool) -> tuple[Ints, Ints, Ints | None]:
    """Lists of contributions one after the other: the group of each, its size, and its weight."""
    import pyarrow as pa

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    lengths = np.asarray(pa.compute.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False), np.int64)
    flat = column.flatten()
    of = np.repeat(np.arange(lengths.size), lengths)
    if not weighted:
        return of, np.asarray(flat.to_numpy(zero_copy_only=False), np.int64), None
    sizes, places = (np.asarray(flat.field(name).to_numpy(zero_copy_only=False), np.int64) for name in ("s", "w"))
    return of, sizes, places


def _by_holding(
    counted: Tallies, asked: Asked, keys: Sequence[str], columns: dict[str, str], names: dict[str, str]
) -> tuple[Any, Ints, Records]:
    """A group for each innermost cell and holding; a record without a holding is one of its own."""
    assert asked.holding is not None
    holding = quoted(asked.holding)
    found = columns | {"holding": f"any_value({holding})"}
    # Records that belong to nobody are told apart by a number of their own.
    own = f"CASE WHEN {holding} IS NULL THEN row_number() OVER () END"
    source = f"(SELECT *, {own} AS {quoted(names['own'])} FROM rows)"
    more = [holding, quoted(names["own"])]
    frame = _groups(counted, keys, found, names, asked.variables, source, more)
    sums = {name: frame.column(names[name]).to_numpy().astype(np.int64) for name in columns}
    labels, codes = encoded(frame.column(names["holding"]), asked.holding, gaps=True)
    ranks = np.append(np.argsort(np.argsort(np.array(labels, object))), -1)
    records = Records(
        np.zeros((0, 0), np.int32),
        sums["amount"],
        sums["counts"],
        sums["amount"],
        ranks[codes],
        None if asked.weight is None else sums["counts"],
        1,
        sums["entries"],
        sums["magnitude"],
    )
    return frame, np.arange(frame.num_rows), records


def _groups(
    counted: Tallies,
    keys: Sequence[str],
    found: dict[str, str],
    names: dict[str, str],
    variables: Sequence[str],
    source: str = "rows",
    more: Sequence[str] = (),
) -> Any:
    """One row for each group of records."""
    listed = ", ".join([*keys, *(f"{text} AS {quoted(names[name])}" for name, text in found.items())])
    query = f"SELECT {listed} FROM {source} GROUP BY {', '.join([*keys, *more])} LIMIT {MOST_GROUPS + 1}"
    frame = counted.ask(f"SELECT * FROM ({query}) ORDER BY ALL")  # the same numbers whatever the threads did
    if frame.num_rows > MOST_GROUPS:
        raise InputError(
            f"the table has more than {MOST_GROUPS} innermost cells or holdings in them: use fewer variables"
        )
    return counted.categories(frame, variables)
