"""Between dataframes and tables. The room's only door to `discreet.frames`, opened when asked.

Categories are the values as they are in the frame, sorted; a categorical column keeps its own order and its empty
categories; a file that was read (`discreet.frames.Document`) gives the text that stands in it, leading zeros and all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.tables.table import LARGEST, Categories, Ints, Table, total_of

# Columns of a table of amounts, as `discreet tabulate` writes it.
AMOUNTS = ("value", "largest", "second", "contributors")
TOTAL = "Total"
MANY = 50  # numbers of which more than this many differ, and most of them, are measured and not categories


def table_of_records(frame: Any, variables: Sequence[str] | None) -> Table:
    chosen = _chosen(frame, variables, None)
    categories, codes = _encoded(frame, chosen)
    return Table.from_coordinates(codes, np.ones(len(codes), np.int64), chosen, categories)


def table_of_counts(frame: Any, count: str, variables: Sequence[str] | None) -> Table:
    from discreet.frames import count_array

    faults = Faults()
    values = count_array(frame, count, faults)
    faults.check(
        bool(faults) or total_of(values) <= LARGEST,
        f"the counts in column {count!r} are too large: together they must not exceed 2^62",
    )
    try:
        chosen = _chosen(frame, variables, count)
        categories, codes = _encoded(frame, chosen)
    except InputError as error:
        faults.extend(error)
    faults.raise_if_any()
    return Table.from_coordinates(codes, values, chosen, categories)


def table_of_files(source: Any, variables: Sequence[str], count: str | None, memory: Any) -> Table:
    """Records of files of any size counted by variables, or their counts added up: a group for each cell is held."""
    from discreet.frames.datasets.tallies import open_files, quoted, records_without, tallies
    from discreet.scale.memory import memory_limit

    faults = _listed(variables, count)
    if faults:
        raise InputError(faults)
    files = open_files(source)
    files.check([*variables, *([] if count is None else [count])])
    own = "n"
    while own in variables:
        own += "_"
    keys = ", ".join(map(quoted, variables))
    with tallies(files, memory_limit(memory)) as counted:
        total = "count(*)"
        if count is not None:
            unit = counted.unit(count)
            if unit.decimals or unit.negative:
                raise InputError(f"column {count!r} must hold counts: whole numbers, 0 or more")
            total = f"CAST(sum({unit.whole}) AS BIGINT)"
        groups = counted.ask(f"SELECT {keys}, {total} AS {quoted(own)} FROM rows GROUP BY {keys}")
        groups = counted.categories(groups, list(variables))
    absent = records_without(groups, variables, own)
    if absent:
        raise InputError(
            f"variable {name!r} is missing in {rows} rows: fill them in, or give missing a category of its own"
            for name, rows in absent.items()
        )
    return table_of_counts(groups, own, list(variables))


def _listed(variables: Any, count: str | None) -> list[str]:
    """What is wrong with a list of variables."""
    if isinstance(variables, str) or not variables or not all(isinstance(name, str) for name in variables):
        return ["name the variables to count by, as in variables=['region', 'sex']"]
    twice = [name for name in dict.fromkeys(variables) if list(variables).count(name) > 1]
    faults = [f"variable {name!r} is named twice" for name in twice]
    if count is not None and count in variables:
        faults.append(f"{count!r} is the column of counts and cannot be a variable too")
    return faults


def frame_of_table(table: Table, like: Any) -> Any:
    if table.coordinates is not None:
        return frame_of_cells(table.names, table.categories, table.coordinates, {"count": table.counts}, like)
    return frame_of_cells(table.names, table.categories, None, {"count": table.counts.reshape(-1)}, like)


def frame_of_cells(
    names: Sequence[str],
    categories: Categories,
    coordinates: NDArray[np.int32] | None,
    columns: Mapping[str, NDArray[Any]],
    like: Any = None,
) -> Any:
    """One row per cell (all of them, unless coordinates are given): its categories and the given columns."""
    from discreet.frames import from_arrays

    clash = [name for name in columns if name in names]
    if clash:
        raise InputError(f"a variable is named {clash[0]!r}, which is needed for a column of figures: rename it")
    data: dict[str, Any] = {}
    shape = tuple(len(levels) for levels in categories)
    for a, (name, levels) in enumerate(zip(names, categories)):
        values = _array(levels)
        if coordinates is not None:
            data[name] = values[coordinates[:, a]]
        else:
            inner = int(np.prod(shape[a + 1 :], dtype=np.int64))
            outer = int(np.prod(shape[:a], dtype=np.int64))
            data[name] = np.tile(np.repeat(values, inner), outer)
    data.update(columns)
    return from_arrays(data, like=like)


def _chosen(frame: Any, variables: Sequence[str] | None, count: str | None) -> list[str]:
    from discreet.frames import adopt, column_faults

    if variables is None:
        chosen = [name for name in adopt(frame).columns if name != count]
        if not chosen:
            raise InputError("the data has no variables")
        _check_counted(frame, chosen, count)
        return chosen
    faults = list(column_faults(frame, variables, what="variable"))
    if not isinstance(variables, str) and count is not None and count in variables:
        faults.append(f"{count!r} is the column of counts and cannot be a variable too")
    if faults:
        raise InputError(faults)
    return list(variables)


def _check_counted(frame: Any, names: list[str], count: str | None) -> None:
    """Where nobody named the variables: columns of amounts, and totals among the cells, are no part of a table of
    counts. Whoever names the variables has said what is counted."""
    from discreet.frames import Document, adopt, numeric_array, numeric_columns

    frame = frame.frame if isinstance(frame, Document) else frame
    table, faults = adopt(frame), Faults()
    amounts = [name for name in names if name in AMOUNTS and count is not None]
    for name in numeric_columns(table):
        if name not in names or name in amounts:
            continue
        values = numeric_array(table, [name])[:, 0]
        values = values[~np.isnan(values)]
        distinct = len(np.unique(values))
        if (values != np.rint(values)).any() or (count is None and distinct > MANY and 2 * distinct > len(values)):
            amounts.append(name)
    faults.check(
        not amounts,
        f"this is no table of counts: {listing(amounts)} holds amounts. Name the variables to count by (variables, "
        "--variables); bounds on amounts are what audit computes",
    )
    totals = [name for name in names if name not in amounts and _has_total(table, name)]
    faults.check(
        not totals,
        f"this table has totals among its cells (the label Total of {listing(totals)}), which would be counted twice: "
        "leave them out, or name the variables (variables, --variables) if Total is a category like others",
    )
    faults.raise_if_any()


def _has_total(table: Any, name: str) -> bool:
    from discreet.frames import text_array

    return not table.schema[name].is_numeric() and TOTAL in set(text_array(table, name).tolist())


def _encoded(frame: Any, names: list[str]) -> tuple[list[tuple[Any, ...]], NDArray[np.int32]]:
    """Categories per variable, and the category numbers of each row."""
    from discreet.frames import Document, adopt, to_arrow

    faults = Faults()
    rows = len(adopt(frame))
    codes = np.zeros((rows, len(names)), np.int32)
    categories: list[tuple[Any, ...]] = []
    arrow = None if isinstance(frame, Document) else to_arrow(adopt(frame).select(names))
    for a, name in enumerate(names):
        if isinstance(frame, Document):
            levels, place = _by_value(frame.text(name).tolist())
        else:
            levels, place = _by_dictionary(arrow.column(name))  # type: ignore[union-attr]
        missing = int((place < 0).sum())
        faults.check(
            missing == 0,
            f"variable {name!r} is missing in {missing} rows: fill them in, or give missing a category of its own",
        )
        codes[:, a] = np.maximum(place, 0)
        categories.append(levels or ("",))
    faults.check(rows > 0, "the data has no rows")
    faults.raise_if_any()
    return categories, codes


def _by_value(values: list[Any]) -> tuple[tuple[Any, ...], Ints]:
    levels = tuple(_ordered({v for v in values if v is not None}))
    place = {level: i for i, level in enumerate(levels)}
    return levels, np.array([-1 if v is None else place[v] for v in values], np.int64)


def _by_dictionary(column: Any) -> tuple[tuple[Any, ...], Ints]:
    """Through Arrow's dictionaries: fast on millions of rows."""
    has_order = hasattr(column.type, "index_type")
    encoded = column.combine_chunks() if has_order else column.dictionary_encode().combine_chunks()
    if hasattr(encoded, "chunks"):
        encoded = encoded.unify_dictionaries().chunk(0)
    found = encoded.dictionary.to_pylist()
    indices = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    usable = [v for v in found if v is not None and v == v]
    levels = tuple(usable) if has_order else tuple(_ordered(usable))
    place = {level: i for i, level in enumerate(levels)}
    # The last entry is where −1, a missing value, points.
    table = np.array([place[v] if v is not None and v == v else -1 for v in found] + [-1], np.int64)
    return levels, table[indices]


def _ordered(levels: Any) -> list[Any]:
    found = list(levels)
    try:
        return sorted(found)
    except TypeError:
        return sorted(found, key=lambda v: (type(v).__name__, str(v)))


def _array(levels: tuple[Any, ...]) -> NDArray[Any]:
    kinds = {type(v) for v in levels}
    if kinds == {int} or kinds == {float} or kinds == {bool}:
        return np.array(levels)
    values = np.empty(len(levels), object)
    values[:] = levels
    return values
