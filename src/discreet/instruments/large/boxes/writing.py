"""The files of a large generalized release: rows of all blocks, in random order, with the types that they came with.

Parquet is written file by file. A text is one file: its rows are shuffled in pieces, which are then put together.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.instruments.large.boxes.setup import ReadSetup, plan_of
from discreet.instruments.large.boxes.tasks import Slices, gathered
from discreet.instruments.large.boxes.values import tally_path
from discreet.scale.spill import complete, kept

if TYPE_CHECKING:
    from discreet.frames.datasets.delimited import Delimited

OUT, SECRET = "out", "secret"


def part_name(number: int) -> str:
    return f"part-{number:05d}.parquet"


def piece_name(number: int) -> str:
    return f"piece-{number:05d}"


def shuffle(folder: str, number: int, slices: Slices, first: int, wide: list[bool]) -> dict[str, Any]:
    """Write a file of the release, whose first row has this number; `wide[q]` says that key q is published as text."""
    from discreet.frames.datasets.writing import copy_of

    plan = plan_of(folder)
    release = _release(plan, Path(folder), _in_random_order(plan, folder, number, slices, first), wide)
    with (
        complete(Path(folder) / OUT / part_name(number), within=folder) as path,
        copy_of(path, plan.setup.like) as file,
    ):
        file.write(release)
    return {"rows": len(release)}


def shuffle_text(
    folder: str, number: int, slices: Slices, first: int, how: Delimited, commas: list[str]
) -> dict[str, Any]:
    """Write a piece of a release that is text; numbers of the columns in `commas` get decimal commas."""
    import pyarrow as pa

    from discreet.frames.datasets.text_copy import write_piece

    plan = plan_of(folder)
    setup = plan.setup
    columns = _in_random_order(plan, folder, number, slices, first)
    release = pa.table(columns, [*setup.names, *setup.left]).select(setup.columns)
    with complete(Path(folder) / piece_name(number)) as path:
        write_piece(path, release, how, commas)
    return {"rows": len(release)}


def put_together(folder: str, name: str, pieces: int, how: Delimited) -> dict[str, Any]:
    """The release as one text of this name, of all its pieces."""
    from discreet.frames.datasets.text_copy import text_copy
    from discreet.frames.formats import format_of

    place, columns = Path(folder), plan_of(folder).setup.columns
    packed = format_of(name).compressed
    with (
        complete(place / OUT / name, within=folder) as path,
        text_copy(path, how, columns, compressed=packed, mixed=True) as copy,
    ):
        for number in range(pieces):
            copy.add(place / piece_name(number))
    return {"pieces": pieces}


def _in_random_order(plan: ReadSetup, folder: str, number: int, slices: Slices, first: int) -> list[Any]:
    """The published columns of a part whose first row has this number; what is secret about them is put aside."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from discreet.generalization.extraction import shuffled, stream

    setup = plan.setup
    columns = gathered(folder, slices)
    n = len(columns[0])
    order = pa.array(shuffled(stream(setup.seed, f"part {number}"), n))
    published = len(setup.columns)
    if setup.secret:
        behind = [column.take(order) for column in columns[published:]]
        names = ["published_row", "origin", "drawn", *(f"match_{t + 1}" for t in range(len(behind) - 2))]
        with complete(Path(folder) / SECRET / part_name(number), within=folder) as path:
            path.touch(0o600)
            pq.write_table(pa.table([pa.array(np.arange(first, first + n)), *behind], names), path)
    return [column.take(order) for column in columns[:published]]


def _release(plan: ReadSetup, folder: Path, columns: list[Any], wide: list[bool]) -> Any:
    """The rows as they are published: columns, first the keys' and then those that are left, in their own order."""
    import pyarrow as pa

    setup = plan.setup
    of_name = dict(zip((*setup.names, *setup.left), columns))
    arrays, fields = [], []
    for name in setup.columns:
        array, one = of_name[name], plan.schema.field(name)
        if name in setup.names:
            place = setup.names.index(name)
            if wide[place]:
                one = one.with_type(pa.string())
            else:
                array = plan.values.columns[place].values_of(array)
        arrays.append(_of_type(array, one.type, name, plan, folder))
        fields.append(one.with_nullable(True) if array.null_count else one)
    # What pandas says of its index speaks of an order of rows.
    metadata = {key: value for key, value in (plan.schema.metadata or {}).items() if key != b"pandas"}
    return pa.table(arrays, schema=pa.schema(fields, metadata=metadata or None))


def _of_type(array: Any, kind: Any, name: str, plan: ReadSetup, folder: Path) -> Any:
    """Plain values as a column of its type; the categories of an order are listed as they were."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if array.type == kind:
        return array
    if not pa.types.is_dictionary(kind):
        return array.cast(kind)
    listed = pc.drop_null(array.unique())
    if kind.ordered:
        tally = kept(tally_path(folder, "values", plan.setup.tallied.index(name)))
        listed = pc.drop_null(tally.column("value").combine_chunks())
    listed = listed.chunk(0) if isinstance(listed, pa.ChunkedArray) else listed
    places = pc.index_in(array, value_set=listed, skip_nulls=True).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(places, listed.cast(kind.value_type), ordered=kind.ordered)
