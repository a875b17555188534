"""The tasks of a large microaggregation: each reads files, writes files and returns a few numbers.

1. `summarize` reads a part: counts, moments, extremes, gaps, and a sample.
2. `deal` sends its records to the blocks of the first set.
3. `group` does one round of the method of blocks in a block of that set, or improves the groups of a shifted one, and
   sends whole groups on to the next set. After the last round it sends their means back to where the records came from.
4. `publish` writes a file anew, with the means in place of the numbers, in the order of its rows.

In memory a round's blocks are cut from all records; here they are cut from those of a block that fits, and the rounds
are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.datasets.dataset import Part, read_pieces
from discreet.frames.values.plain import plain_array, plain_values
from discreet.instruments.large.setup import Floats, Setup, setup_of
from discreet.scale.plan import spread_of
from discreet.scale.spill import complete, gather, scatter, scatter_table

Rows = NDArray[np.int64]


def summarize(folder: str, part: Part, piece: int, columns: list[str], seed: int, share: float) -> dict[str, Any]:
    """What a plan needs to know of a part, whose first piece has this number; a share of its records is kept aside.

    Moments are those of records without a gap. What is wrong with the part is told, not raised: the user hears of all
    parts at once.
    """
    from discreet.frames import numeric_array

    width = len(columns)
    found: dict[str, Any] = {"faults": [], "rows": 0, "gaps": [0] * width, "pieces": []}
    drawn = []
    first = part.first
    try:
        for number, table in enumerate(read_pieces(part, columns), piece):
            values = numeric_array(table, columns)
            gaps = np.isnan(values)
            kept = np.logical_not(gaps.any(axis=1))
            found["gaps"] = (np.array(found["gaps"]) + gaps.sum(axis=0)).tolist()
            found["rows"] += int(kept.sum())
            if kept.any():
                found["pieces"].append(_moments(values[kept]))
            wanted = min(len(values), int(np.ceil(share * len(values))))
            rows = np.sort(np.random.default_rng([seed, number]).choice(len(values), wanted, replace=False))
            rows = rows[kept[rows]]
            drawn.append(np.column_stack([values[rows], spread_of(rows + first)]))
            first += len(values)
    except InputError as error:
        found["faults"] = list(error.faults)
        return found
    written = BytesIO()  # numpy itself does not say why a file cannot be written
    np.save(written, np.concatenate(drawn))
    with complete(Path(folder) / sample_name(piece)) as temporary:
        temporary.write_bytes(written.getvalue())
    return found


def sample_name(piece: int) -> str:
    return f"sample-{piece:06d}.npy"


def _moments(values: Floats) -> dict[str, Any]:
    """Number, means, sums of squared deviations and extremes. Very large numbers make infinite ones, which are told."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = values.mean(axis=0)
        squares = ((values - mean) ** 2).sum(axis=0)
    return {
        "n": len(values),
        "mean": mean.tolist(),
        "squares": squares.tolist(),
        "low": values.min(axis=0).tolist(),
        "high": values.max(axis=0).tolist(),
    }


def deal(folder: str, part: Part, piece: int) -> dict[str, Any]:
    """Send the records of a part to the blocks of the first set; how many of each piece go to each."""
    import pyarrow as pa

    from discreet.frames import numeric_array

    setup = setup_of(folder)
    tree = setup.tree(0)
    counts = []
    first = part.first
    for number, table in enumerate(read_pieces(part, setup.columns), piece):
        values = numeric_array(table, setup.columns)
        rows = np.flatnonzero(~np.isnan(values).any(axis=1))
        values, places = values[rows], rows + first
        blocks = tree.block_of(setup.points(values), spread_of(places))
        sent = pa.table(
            [plain_array(one) for one in (places, *values.T)],
            names=["place", *(f"x{j}" for j in range(values.shape[1]))],
        )
        counts.append(scatter_table(Path(folder) / dealt_name(number), sent, blocks, tree.blocks).tolist())
        first += table.num_rows
    return {"counts": counts}


def dealt_name(piece: int) -> str:
    return f"rows-{piece:06d}.arrow"


def _send(path: Path, places: Rows, values: Floats, labels: Rows | None, keys: Rows, blocks: int) -> list[int]:
    """Records by key into a file; with `labels`, the groups that they are in."""
    import pyarrow as pa

    fields = [pa.field("place", pa.int64()), *(pa.field(f"x{j}", pa.float64()) for j in range(values.shape[1]))]
    if labels is not None:
        fields.append(pa.field("group", pa.int64()))

    def take(rows: Rows) -> list[Any]:
        columns = [plain_array(places[rows]), *(plain_array(values[rows, j]) for j in range(values.shape[1]))]
        return columns if labels is None else [*columns, plain_array(labels[rows])]

    counts: list[int] = scatter(path, keys, blocks, pa.schema(fields), take).tolist()
    return counts


def group(folder: str, number: int, portion: int, slices: Sequence[tuple[str, int]], n: int) -> dict[str, Any]:
    """Round `number` in one portion of n records, which lie in these slices."""
    setup = setup_of(folder)
    places, values, before = _load(folder, slices, n, len(setup.columns), grouped=number > 0)
    labels = _groups(setup, setup.points(values), before, number, portion)
    path = Path(folder) / grouped_name(number, portion)
    if number == setup.rounds:
        return _send_means(path, setup, places, values, labels)
    from discreet.microaggregation.problem import group_means

    points, groups = setup.points(values), int(labels.max()) + 1
    firsts = np.empty(groups, np.int64)
    firsts[labels[::-1]] = places[::-1]
    tree = setup.tree(number + 1)
    blocks = tree.block_of(group_means(points, labels, groups), spread_of(firsts))
    return {"counts": _send(path, places, values, labels, blocks[labels], tree.blocks)}


def grouped_name(number: int, portion: int) -> str:
    return f"round{number}-{portion:06d}.arrow"


def _load(
    folder: str, slices: Sequence[tuple[str, int]], n: int, width: int, *, grouped: bool
) -> tuple[Rows, Floats, Rows | None]:
    """The records of a portion. Groups are numbered within each file, and here within the portion."""
    places, values = np.empty(n, np.int64), np.empty((n, width))
    labels = np.empty(n, np.int64) if grouped else None
    at = groups = 0
    for batch in gather([(str(Path(folder) / name), block) for name, block in slices]):
        to = at + batch.num_rows
        places[at:to] = plain_values(batch.column(0))
        for j in range(width):
            values[at:to, j] = plain_values(batch.column(j + 1))
        if labels is not None and to > at:
            own = plain_values(batch.column(width + 1))
            labels[at:to] = own + groups
            groups += int(own.max()) + 1
        at = to
    return places, values, labels


def _groups(setup: Setup, points: Floats, before: Rows | None, number: int, portion: int) -> Rows:
    """The groups of a portion after a round: by the method of blocks, or, for one column that varies, the optimum."""
    from discreet.microaggregation.methods import REGISTRY, Call, Problem
    from discreet.microaggregation.problem import check_partition, renumber
    from discreet.microaggregation.search.blocks import do_round
    from discreet.work import Deadline, Reporter

    n, k = len(points), setup.k
    if n < 2 * k:
        return np.zeros(n, np.int64)
    call = Call(
        problem=Problem(points, k),
        deadline=Deadline(None),
        report=Reporter(watch),
        seed=int(np.random.default_rng([setup.seed, number, portion]).integers(2**62)),
        effort=setup.effort,
    )
    if setup.varying < 2:
        labels = REGISTRY.run("univariate", call).answer
    else:
        labels = do_round(call, None if before is None else renumber(before), number)[0]
    watch(None)
    labels = renumber(labels)
    check_partition(labels, n, k)
    return labels


class StoppedError(Exception):
    """Nobody waits for the result of this task any more."""


def watch(_: object) -> None:
    """Leave a task that was called off: what it has is not finished."""
    from discreet.scale import stopping

    if stopping():
        raise StoppedError


def _send_means(path: Path, setup: Setup, places: Rows, values: Floats, labels: Rows) -> dict[str, Any]:
    """The means of groups to where their records came from, and what is lost by them."""
    from discreet.frames.replace import settle
    from discreet.microaggregation.problem import group_means

    means = group_means(values, labels, int(labels.max()) + 1) + 0.0  # a mean of −0 is 0
    points = setup.points(values)
    centers = group_means(points, labels, len(means))
    error = [float(((points[:, j] - centers[labels, j]) ** 2).sum()) for j in range(values.shape[1])]
    fits = [settle(means[:, j], np.dtype(kind), setup.round).dtype == kind for j, kind in enumerate(setup.types)]
    for j in range(values.shape[1]):
        values[:, j] = means[labels, j]
    keys = np.searchsorted(setup.starts, places, "right") - 1
    counts = _send(path, places, values, None, keys, len(setup.starts))
    sizes = np.bincount(np.bincount(labels)).tolist()
    return {"counts": counts, "sse": error, "sizes": sizes, "fits": [bool(one) for one in fits]}


def publish(
    folder: str, name: str, parts: Sequence[Part], piece: int, portions: int, fits: list[bool], drop: list[str]
) -> dict[str, Any]:
    """Write a file anew, means in place of numbers; what has none, having a gap, is blank."""
    from discreet.frames.datasets.text_copy import text_copy
    from discreet.frames.datasets.writing import copy_of
    from discreet.frames.formats import format_of
    from discreet.frames.replace import put_columns, settle

    setup = setup_of(folder)
    sources = [str(Path(folder) / grouped_name(setup.rounds, portion)) for portion in range(portions)]
    kinds = [np.dtype(kind if fit else np.float64) for kind, fit in zip(setup.types, fits)]
    rows, text = 0, parts[0].text
    kept = [column for column in (() if text is None else text.names) if column not in drop]
    out = Path(folder) / "out"
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    with (
        complete(out / name, within=folder) as temporary,
        copy_of(temporary, parts[0].file)
        if text is None
        else text_copy(temporary, text, kept, compressed=format_of(name).compressed) as copy,
    ):
        for part in parts:
            for table in read_pieces(part, raw=() if text is None else text.names):
                values = np.full((table.num_rows, len(setup.columns)), np.nan)
                first = int(setup.starts[piece])
                for batch in gather([(source, piece) for source in sources]):
                    at = plain_values(batch.column(0)) - first
                    for j in range(values.shape[1]):
                        values[at, j] = plain_values(batch.column(j + 1))
                fresh = {column: settle(values[:, j], kinds[j], setup.round) for j, column in enumerate(setup.columns)}
                copy.write(put_columns(table.drop_columns(drop), fresh))
                rows += table.num_rows
                piece += 1
    return {"rows": rows}
