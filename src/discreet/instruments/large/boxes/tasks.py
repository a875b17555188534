"""The tasks of a large generalization: each reads files, writes files and returns a few numbers.

1. `summarize` reads the quasi-identifiers of a part: distinct values, how often each occurs, and a sample of rows.
2. `scatter_part` sends its rows, with their codes, to the cells of the plan.
3. `solve` finds k matchings within a block of cells, draws one of them, and sends the rows of the release, in random
   order, to the files that they are to be in. What it writes is what is published: neither the matchings nor the draw,
   unless the custodian keeps them.
4. `writing.shuffle` puts the rows of a file in random order and writes it.

Random bits of draws and orders come from the operating system on the worker, or from the seed and the task's number.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.frames.datasets.dataset import Part, read_pieces
from discreet.instruments.large.boxes.setup import ReadSetup, plan_of
from discreet.instruments.large.boxes.values import plain, tally, together, write_tallies
from discreet.scale.spill import gather, keep, scatter_table

Slices = Sequence[tuple[str, int]]


def sample_name(piece: int) -> str:
    return f"sample-{piece:06d}.arrow"


def tally_name(piece: int) -> str:
    return f"tally-{piece:06d}"


def rows_name(piece: int) -> str:
    return f"rows-{piece:06d}.arrow"


def solved_name(block: int) -> str:
    """A name that is never used twice: a task that was given up for dead must not write over what its successor did."""
    return f"solved-{block:06d}-{secrets.token_hex(8)}.arrow"


def summarize(
    folder: str, part: Part, piece: int, names: list[str], listed: list[str], share: float, most: int
) -> dict[str, Any]:
    """Tallies of a part, whose first piece has this number, and a share of its rows.

    `listed` are columns of which only the categories, in their order, are told. What is wrong is told, not raised: the
    user hears of all parts at once.
    """
    import pyarrow as pa

    tallies: dict[str, list[Any]] = {name: [] for name in (*names, *listed)}
    drawn = []
    faults: list[str] = []
    for number, table in enumerate(read_pieces(part, [*names, *listed], texts=names), piece):
        for name, found in tallies.items():
            try:
                one = tally(table.column(name), name)
                found[:] = [together([*found, one], most, name)]
            except InputError as error:
                faults += error.faults
        if faults:
            return {"faults": list(dict.fromkeys(faults))}
        wanted = min(len(table), int(np.ceil(share * len(table))))
        rows = np.sort(np.random.default_rng([0, number]).choice(len(table), wanted, replace=False))
        drawn.append(pa.table({name: plain(table.column(name), name).take(pa.array(rows)) for name in names}))
    write_tallies(Path(folder), tally_name(piece), [found[0] for found in tallies.values()])
    sample = pa.concat_tables(drawn).combine_chunks()
    keep(Path(folder) / sample_name(piece), sample)
    return {"faults": []}


def scatter_part(folder: str, part: Part, piece: int) -> dict[str, Any]:
    """Send the rows of a part to the cells; how many of each piece go to each."""
    import pyarrow as pa

    plan = plan_of(folder)
    setup, cells = plan.setup, plan.cells
    counts: list[list[int]] = []
    first = part.first
    for number, table in enumerate(read_pieces(part, setup.columns, texts=setup.names, raw=setup.left), piece):
        codes = plan.values.encode(table)
        places = np.arange(first, first + len(table))
        left = [_stored(table.column(name)) for name in setup.left]
        rows = _numbered([pa.array(places), *map(pa.array, np.ascontiguousarray(codes.T)), *left])
        found = scatter_table(Path(folder) / rows_name(number), rows, cells.of(codes), cells.count)
        counts.append(found.tolist())
        first += len(table)
    return {"counts": counts}


def _stored(column: Any) -> Any:
    """A column as a file of ours holds it: of a dictionary, which differs from file to file, the values."""
    import pyarrow as pa

    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if str(array.type) in ("string_view", "binary_view"):
        array = array.cast(pa.large_string() if str(array.type) == "string_view" else pa.large_binary())
    return array


def _numbered(columns: Sequence[Any]) -> Any:
    """A table of columns that are called by their place."""
    import pyarrow as pa

    return pa.table(list(columns), [str(place) for place in range(len(columns))])


def gathered(folder: str, slices: Slices) -> list[Any]:
    """The columns of the rows in these slices, as arrays."""
    import pyarrow as pa

    batches = list(gather([(str(Path(folder) / name), place) for name, place in slices]))
    table = pa.Table.from_batches(batches).combine_chunks()
    return [pa.concat_arrays(column.chunks) for column in table.columns]


def solve(folder: str, block: int, slices: Slices, parts: list[int]) -> dict[str, Any]:
    """Matches, draw and boxes of a block; `parts[p]` of its rows go to file p."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from discreet.generalization.boxes import costs
    from discreet.generalization.extraction import draw

    plan = plan_of(folder)
    setup = plan.setup
    places, *rest = gathered(folder, slices)
    width = len(setup.names)
    codes = np.ascontiguousarray(np.stack([column.to_numpy() for column in rest[:width]], axis=1))
    left = rest[width:]
    reading = plan.values.reading(codes)
    matches, cover, matchings = _matches(plan, reading.domain, block)
    drawn = draw(matches, seed=setup.seed, matchings=matchings, purpose=f"draw {block}")
    widened, boxed, columns = {}, {}, []
    for name in setup.names:
        texts, widened[name] = reading.spell_column(name, cover)
        columns.append(pa.array(texts[drawn.order], pa.string()))
        boxed[name] = pc.any(pc.match_substring_regex(columns[-1], r"[\[*]")).as_py() is True
    origin = pa.array(drawn.origin[drawn.order])
    columns += [column.take(origin) for column in left]
    if setup.secret:
        behind = np.ascontiguousarray(drawn.matchings.T[drawn.order])
        which = (behind == drawn.origin[drawn.order][:, None]).argmax(axis=1) + 1
        columns += [places.take(origin), pa.array(which), *(places.take(pa.array(one)) for one in behind.T)]
    targets = np.repeat(np.arange(len(parts)), parts)
    name = solved_name(block)
    scatter_table(Path(folder) / name, _numbered(columns), targets, len(parts))
    domain = reading.domain
    return {
        "cost": float(costs(domain.tables, domain.codes, cover).sum()),
        "losses": {name: loss * len(codes) for name, loss in reading.losses(cover).items()},
        "widened": widened,
        "boxed": boxed,
        "file": name,
    }


def _matches(plan: ReadSetup, domain: Any, block: int) -> tuple[Any, Any, Any]:
    """The matches within a block, what boxes cover, and matchings if the method has its own."""
    from discreet.generalization.methods import DIVERSE, Call, Problem, search
    from discreet.instruments.large.grouping import watch
    from discreet.instruments.local_suppression.start import class_matches
    from discreet.work import Deadline, Reporter

    setup = plan.setup
    seed = int(np.random.default_rng([setup.seed or 0, block]).integers(2**62))
    deadline, report = Deadline(None), Reporter(watch)
    start = class_matches(domain, setup.k, deadline, report, seed) if setup.method in DIVERSE else None
    problem = Problem(domain, setup.k, None, 1, start)
    call = Call(problem=problem, deadline=deadline, report=report, seed=seed, executor=None, options=setup.options)
    found = search(setup.method, call)
    return found.matches, found.covered, found.matchings
