"""Generalization of a dataset that does not fit into memory: planned, solved in closed blocks, shuffled, checked.

The blocks are cells of the space of values (`generalization/cells/`), each solved as a file of its own would be, at the
costs of the whole; matches never leave a block, so that k disjoint perfect matchings of the blocks are k of the whole.
Rows of all blocks are then dealt to files of equal size and shuffled, so that their order is uniform over all orders.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.frames.datasets import Dataset
from discreet.frames.datasets.dataset import Part
from discreet.generalization.cells.cuts import cells, cells_from, merged
from discreet.generalization.cells.dealing import dealt, equal_parts
from discreet.generalization.extraction import stream
from discreet.generalization.methods import DIVERSE
from discreet.generalization.reassignment import default_rounds
from discreet.instruments.large.boxes import tasks, writing
from discreet.instruments.large.boxes.setup import Setup, save_schema, treatment_as_json
from discreet.instruments.large.boxes.texts import schema_of
from discreet.instruments.large.boxes.values import HELD, Values, tally_path, together, values_of, write_tallies
from discreet.instruments.quasi_identifiers import Treatment
from discreet.scale.engines import open_engine
from discreet.scale.memory import memory_limit, rows_within
from discreet.scale.plan import sample_size
from discreet.scale.run import Run, fingerprint, opened
from discreet.scale.spill import complete, kept
from discreet.work import Deadline, ProgressCallback

FILLED = 0.8  # of what a task may hold, by the plan: a sample tells sizes roughly
LEAST = 4  # times k records at the least in a block, where there are as many
DEAL = "deal.json"
# Shares of the stages in the work, for an estimate of the time left.
WEIGHTS = {"reading": 2.0, "dealing": 4.0, "solving": 80.0, "shuffling": 6.0}
TOGETHER = {"putting together": 2.0}  # of a text


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked for, as checked."""

    names: tuple[str, ...]
    columns: tuple[str, ...]
    k: int
    method: str
    options: Mapping[str, Any]
    seed: int | None
    treatment: Treatment
    secret: bool


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a run came to: figures of the whole, from those of its tasks."""

    n: int
    gcp: float
    losses: Mapping[str, float]
    widened: Mapping[str, int]
    seconds: float
    detail: Mapping[str, int]
    values: Values


def run_large(
    data: Dataset,
    asked: Asked,
    output: Path,
    *,
    progress: ProgressCallback | None,
    finish: Callable[[Path, Found], None],
) -> None:
    """Do all the work in a private folder beside `output`; `finish(folder, found)` checks what is made and lets it
    appear."""
    deadline = Deadline(None)
    limit, stamps = memory_limit(data.memory), data.stamps()
    size = Sizes.of(data, asked, limit)
    treatment = treatment_as_json(replace(asked.treatment, caps={}), asked.treatment.hierarchies, {})
    options = [vars(asked) | {"treatment": treatment, "caps": asked.treatment.caps}, data.dialect]
    told = fingerprint(stamps, options, asked.seed, limit)
    with (
        opened(output, told, resume=data.resume) as folder,
        open_engine(data.cluster, limit, shared=[folder, *data.paths[:1]]) as engine,
    ):
        run = Run(folder, engine, WEIGHTS if data.text is None else WEIGHTS | TOGETHER, progress)
        values, setup = _plan(run, data, asked, size)
        slices, sizes = _scatter(run, data, setup, size)
        parts = equal_parts(data.n, size.published)
        solved = _solve(run, setup, slices, sizes, parts)
        widened = {name: sum(one["widened"][name] for one in solved) for name in asked.names}
        if data.text is None:
            wide = [bool(widened[name]) or anyway for name, anyway in zip(asked.names, values.texts_anyway)]
            _shuffle(run, solved, parts, writing.shuffle, wide)
        else:
            how = replace(data.text, spans=())
            # As in memory: a column gets its decimal commas back where no range and no * stands in it.
            commas = [name for name in sorted(values.commas) if not any(one["boxed"][name] for one in solved)]
            _shuffle(run, solved, parts, writing.shuffle_text, how, commas)
            run.stage("putting together", writing.put_together, [(str(folder), output.name, len(parts), how)])
            run.forget("piece-*")
        n, width = data.n, len(asked.names)
        found = Found(
            n=n,
            gcp=math.fsum(one["cost"] for one in solved) / (n * width),
            losses={name: math.fsum(one["losses"][name] for one in solved) / n for name in asked.names},
            widened=widened,
            seconds=deadline.elapsed,
            detail={"blocks": len(solved), "parts": len(parts)},
            values=values,
        )
        data.check_unchanged(stamps)
        finish(folder, found)


@dataclass(frozen=True)
class Sizes:
    """How many rows a task holds when it reads, when it solves and when it writes; how many distinct values in all."""

    read: int
    solved: int
    published: int
    distinct: int

    @staticmethod
    def of(data: Dataset, asked: Asked, limit: int) -> Sizes:
        keys, k, row = len(asked.names), asked.k, data.row_bytes
        return Sizes(
            read=rows_within(limit, 3 * row + 24 * keys + 40),
            solved=max(2 * LEAST * k, rows_within(limit, 3 * row + 72 * keys + 40 * k + 160)),
            published=rows_within(limit, 3 * row + 120 * keys + (24 * k if asked.secret else 0)),
            distinct=rows_within(limit, HELD),
        )


def _numbered(parts: Sequence[Part]) -> list[tuple[Part, int]]:
    """The parts, each with the number of its first piece."""
    first = np.cumsum([0, *(len(part.cuts) for part in parts)]).tolist()
    return list(zip(parts, first))


def _plan(run: Run, data: Dataset, asked: Asked, size: Sizes) -> tuple[Values, Setup]:
    """The plan: it is decided here, from all values and a sample of rows, before any row is sent anywhere."""
    import pyarrow as pa

    folder, names = run.folder, list(asked.names)
    fields = [data.schema.field(name) for name in asked.columns if name not in asked.names]
    listed = [one.name for one in fields if pa.types.is_dictionary(one.type) and one.type.ordered]
    parts = _numbered(data.parts(size.read))
    block = int(FILLED * size.solved)
    share = sample_size(data.n, block, len(names)) / data.n
    arguments = [(str(folder), part, piece, names, listed, share, size.distinct) for part, piece in parts]
    wrong = [fault for one in run.stage("reading", tasks.summarize, arguments) for fault in one["faults"]]
    if wrong:
        raise InputError(dict.fromkeys(wrong))
    left, tallies = size.distinct, []
    for place, name in enumerate((*names, *listed)):
        found = together((kept(tally_path(folder, tasks.tally_name(piece), place)) for _, piece in parts), left, name)
        left -= len(found)
        tallies.append(found)
    write_tallies(folder, "values", tallies)
    schema = schema_of(data, names, asked.treatment)
    values = values_of(folder, schema, names, asked.treatment)
    sample = values.encode(pa.concat_tables([kept(folder / tasks.sample_name(piece)) for _, piece in parts]))
    largest = len(sample) if data.n <= size.solved else max(2, block * len(sample) // data.n)
    tree = cells(values.tables, sample, largest, values.gaps)
    options = dict(asked.options)
    if (
        tree.count > 1 and asked.method in DIVERSE
    ):  # as many rounds as in memory, where there are fewer for more records
        options.setdefault("rounds", default_rounds(data.n, asked.k))
    setup = Setup(
        names=names,
        listed=listed,
        columns=list(asked.columns),
        treatment=treatment_as_json(asked.treatment, values.keys.trees, values.keys.caps),
        k=asked.k,
        method=asked.method,
        options=options,
        seed=asked.seed,
        secret=asked.secret,
        like=str(data.paths[0]),
        cells=tree.to_dict(),
    )
    save_schema(folder, schema)
    setup.save(folder)
    return values, setup


Slices = list[list[tuple[str, int]]]


def _scatter(run: Run, data: Dataset, setup: Setup, size: Sizes) -> tuple[Slices, list[int]]:
    """Send all rows to their cells; per block the slices of files that hold it, and how many rows it has."""
    parts = _numbered(data.parts(size.read))
    sent = run.stage("dealing", tasks.scatter_part, [(str(run.folder), part, piece) for part, piece in parts])
    counts = np.array([piece for one in sent for piece in one["counts"]], np.int64)
    slices, sizes = [], []
    for block in merged(cells_from(setup.cells), counts.sum(axis=0), LEAST * setup.k):
        within = [(piece, cell) for piece in range(len(counts)) for cell in block if counts[piece, cell]]
        slices.append([(tasks.rows_name(piece), cell) for piece, cell in within])
        sizes.append(int(counts[:, block].sum()))
    return slices, sizes


def _solve(run: Run, setup: Setup, slices: Slices, sizes: list[int], parts: Any) -> list[dict[str, Any]]:
    """Every block's release, dealt to the files it goes to. How many rows go where is drawn once in a run."""
    path = run.folder / DEAL
    if not path.exists():
        table = dealt(stream(setup.seed, "deal"), np.array(sizes, np.int64), parts)
        with complete(path) as temporary:
            temporary.write_text(json.dumps(table.tolist()), encoding="utf-8")
    goes = json.loads(path.read_text(encoding="utf-8"))
    arguments = [(str(run.folder), block, slices[block], goes[block]) for block in range(len(sizes))]
    solved = run.stage("solving", tasks.solve, arguments)
    run.forget("rows-*.arrow")
    return solved


def _shuffle(
    run: Run, solved: list[dict[str, Any]], parts: Any, task: Callable[..., dict[str, Any]], *more: Any
) -> None:
    """The rows of all blocks in the parts that they were dealt to; `more` is told to every task."""
    for name in (writing.OUT, writing.SECRET):
        (run.folder / name).mkdir(mode=0o700, exist_ok=True)
    first = np.concatenate([[0], np.cumsum(parts)]).tolist()
    files = [one["file"] for one in solved]
    arguments = [
        (str(run.folder), number, [(file, number) for file in files], first[number], *more)
        for number in range(len(parts))
    ]
    run.stage("shuffling", task, arguments)
    run.forget("solved-*.arrow")
