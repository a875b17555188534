"""Releases in files that do not fit into memory, honest and forged, judged three times.

Small tables of parquet values that have fooled programs are published, tampered with and written in parts, with parts
of other schemas, row groups and encodings. `verify` judges them in memory and as files of which no cell fits, cut into
blocks as small as they get. What streams calls safe must be safe in memory too, and, of boxes, by brute force over the
bytes; and neither may end in anything but a verdict or a clear error.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from attack import intruder, releases, values
from attack.command import discreet
from discreet.errors import DiscreetError, InputError
from discreet.instruments.generalize import generalize
from discreet.instruments.microaggregate import microaggregate
from discreet.verify import verify

TYPE = "a column of another type"
KINDS = (pa.string(), pa.float64(), pa.float32(), pa.int64(), pa.large_string())


def run(seconds: float, seed: int) -> str:
    tried: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            instance = seed * 1_000_003 + tried["instances"]
            tried["instances"] += 1
            one(instance, Path(folder), tried)
    return ", ".join(f"{count} {what}" for what, count in tried.items())


def one(instance: int, folder: Path, tried: Counter[str]) -> None:
    chance = random.Random(instance)
    if chance.random() < 0.4:
        text(instance, chance, folder, tried)
        return
    few = chance.random() < 0.6
    n = chance.randint(3, 9) if few else chance.randint(20, 120)
    names = [f"q{i}" for i in range(chance.randint(1, 3))]
    path = folder / "original.parquet"
    if chance.random() < 0.5:
        values.write_parquet(chance, n, [*names, "left"], path)
    else:
        pq.write_table(ordinary(chance, n, names), path)
    before = pq.read_table(path)
    k = chance.randint(2, 4)
    boxes = chance.random() < 0.6
    claim: dict[str, Any] = {"k": k, "quasi_identifiers": names}
    try:
        if boxes:
            claim |= {"guarantee": "matchings", "missing": chance.choice(["value", "wildcard"])}
            made = generalize(
                before, k, quasi_identifiers=names, missing=claim["missing"], accept=["left"], random_state=instance
            ).data
        else:
            claim["guarantee"] = chance.choice(["classes", "microaggregation"])
            made = microaggregate(before, k, columns=names, accept=["left"], random_state=instance).data
    except DiscreetError:
        tried["refused input"] += 1
        return
    if chance.random() < 0.5:
        claim["accept"] = ["left"]
    for how, after in [("honest", made), *forgeries(chance, before, made, names)]:
        told = f"instance {instance}: {claim}: {how}"
        whole, streamed = judged(before, after, claim), in_parts(chance, before, after, claim, folder)
        assert streamed != "safe" or whole == "safe", f"{told}: safe in parts, in memory {whole}"
        if boxes and few and streamed == "safe" and not how.startswith(TYPE):  # beside floats, numbers mean the nearest
            pq.write_table(after, folder / "after.parquet")
            held = intruder.safe(
                intruder.read(path), intruder.read(folder / "after.parquet"), names, k,
                wildcard=claim["missing"] == "wildcard",
            )  # fmt: skip
            assert held, f"{told}: safe in parts, and brute force finds fewer than k"
        tried[f"{how.split(':')[0]}: {streamed}"] += 1


def text(instance: int, chance: random.Random, folder: Path, tried: Counter[str]) -> None:
    """The same with files of text, which are read some bytes at a time."""
    n, names = chance.randint(3, 9), [f"q{i}" for i in range(chance.randint(1, 3))]
    before, after, forged = (folder / f"{name}.csv" for name in ("before", "after", "forged"))
    values.write_csv(values.text_columns(chance, n, [*names, "left"]), before)
    k, boxes = chance.randint(2, 4), chance.random() < 0.6
    words = ["generalize", "--qi"] if boxes else ["microaggregate", "--columns"]
    made = discreet(
        words[0], before, "-k", k, words[1], ",".join(names), "-o", after, "-q", "--force", "--accept", "left"
    )
    if made.code:
        tried["refused input"] += 1
        return
    kind = "matchings" if boxes else chance.choice(["classes", "microaggregation"])
    claim: dict[str, Any] = {"k": k, "quasi_identifiers": names, "guarantee": kind}
    if chance.random() < 0.5:
        claim["accept"] = ["left"]
    for turn in range(4):
        how = releases.tamper(chance, before, after, forged, names) if turn else "honest"
        path = forged if turn else after
        told = f"instance {instance}: {claim}: {how}"
        whole = judged(before, path, claim)
        with nothing_fits(chance.choice([1 << 22, 200, 64, 40])):
            streamed = judged(before, path, claim | {"memory": "1GB"})
        assert streamed != "safe" or whole == "safe", f"{told}: safe in pieces, in memory {whole}"
        if streamed == "safe":
            assert how not in releases.UNSAFE or "accept" in claim, f"{told}: safe in pieces"
            holds = intruder.safe(intruder.read(before), intruder.read(path), names, k)
            assert holds or not boxes, f"{told}: safe in pieces, and brute force finds fewer than k"
        tried[f"text, {how}: {streamed}"] += 1


def ordinary(chance: random.Random, n: int, names: list[str]) -> pa.Table:
    """Numbers, categories and dates as files have them, and a column that is published as it is."""
    columns: dict[str, Any] = {}
    for name in [*names, "left"]:
        kind = chance.randrange(3)
        if kind == 0:
            columns[name] = pa.array([float(chance.randint(1, 40)) for _ in range(n)])
        elif kind == 1:
            columns[name] = pa.array([chance.randint(18, 60) if chance.random() < 0.95 else None for _ in range(n)])
        else:
            columns[name] = pa.array([chance.choice("abcdef") for _ in range(n)])
    return pa.table(columns)


def judged(before: Any, after: Any, claim: dict[str, Any]) -> str:
    try:
        return verify(before, after, **claim).outcome
    except InputError:
        return "error"


def in_parts(chance: random.Random, before: pa.Table, after: pa.Table, claim: dict[str, Any], folder: Path) -> str:
    """The verdict on the same tables as folders, whatever way their parts are written."""
    with tempfile.TemporaryDirectory(dir=folder) as inside, nothing_fits():
        one, two = Path(inside) / "before", Path(inside) / "after"
        write_parts(chance, before, one)
        write_parts(chance, after, two)
        return judged(one, two, claim)


def write_parts(chance: random.Random, table: pa.Table, folder: Path) -> None:
    folder.mkdir()
    parts = chance.randint(1, 3)
    step = -(-table.num_rows // parts)
    for number in range(parts):
        piece = table.slice(number * step, step)
        if chance.random() < 0.3 and piece.num_rows:  # the same values under another encoding
            name = chance.choice(piece.column_names)
            column = piece.column(name).combine_chunks()
            if pa.types.is_string(column.type):
                piece = piece.set_column(piece.column_names.index(name), name, column.dictionary_encode())
        pq.write_table(piece, folder / f"part-{number}.parquet", row_group_size=chance.choice([1, 3, 1000]))


@contextmanager
def nothing_fits(chunk: int = 1 << 22) -> Iterator[None]:
    """No table is read whole, blocks are cut as long as they can be, and text is read in chunks of so many bytes."""
    large, blocks = import_module("discreet.verify.large"), import_module("discreet.verify.large.blocks")
    verdicts, pieces = (import_module(f"discreet.verify.large.{name}") for name in ("matchings_verdict", "text"))
    kept = large.PER_CELL, verdicts.room_within, pieces.CHUNK
    large.PER_CELL, pieces.CHUNK = 1 << 40, chunk
    verdicts.room_within = lambda memory: blocks.Allowance(2, 1 << 20)
    try:
        yield
    finally:
        large.PER_CELL, verdicts.room_within, pieces.CHUNK = kept


def forgeries(
    chance: random.Random, before: pa.Table, made: pa.Table, names: list[str]
) -> Iterator[tuple[str, pa.Table]]:
    """Releases that were tampered with, and how."""
    for _ in range(4):
        name, row, other = chance.choice([*names, "left"]), chance.randrange(len(made)), chance.randrange(len(made))
        ways = tampering(chance, before, made, name, row, other)
        how = chance.choice(list(ways))
        try:
            yield f"{how}: {name}, rows {row} and {other}", ways[how]()
        except (pa.ArrowException, TypeError, KeyError):  # what this column cannot hold
            continue


def tampering(
    chance: random.Random, before: pa.Table, made: pa.Table, name: str, row: int, other: int
) -> dict[str, Callable[[], pa.Table]]:
    rows = range(made.num_rows)

    def instead(name: str, column: Any) -> pa.Table:
        return made.set_column(made.column_names.index(name), name, column)

    return {
        "an original put back": lambda: put(made, name, row, before.column(name)[other]),
        "an entry of another row": lambda: put(made, name, row, made.column(name)[other]),
        "an entry missing": lambda: put(made, name, row, None),
        "an entry respelled": lambda: put(made, name, row, respelled(chance, made.column(name)[row])),
        "a column put back": lambda: instead(name, before.column(name)),
        "a column added": lambda: made.append_column("more", before.column(name)),
        "a column lost": lambda: made.drop_columns([name]),
        TYPE: lambda: instead(name, made.column(name).cast(chance.choice(KINDS))),
        "rows doubled and lost": lambda: made.take([*(i for i in rows if i != other), row]),
        "a row lost": lambda: made.take([i for i in rows if i != other]),
        "rows in another order": lambda: made.take(chance.sample(rows, len(rows))),
        "left values in another order": lambda: instead(
            "left", made.column("left").take(chance.sample(rows, len(rows)))
        ),
        "rows sorted": lambda: made.sort_by([(name, "ascending")]),
    }


def put(table: pa.Table, name: str, row: int, value: Any) -> pa.Table:
    column = table.column(name).to_pylist()
    column[row] = value.as_py() if isinstance(value, pa.Scalar) else value
    return table.set_column(table.column_names.index(name), name, pa.array(column, table.column(name).type))


def respelled(chance: random.Random, value: Any) -> Any:
    """Another spelling of what an entry says."""
    said = value.as_py()
    if isinstance(said, str):
        return chance.choice([said + " ", " " + said, said.replace(", ", ","), said + ".0", said.upper()])
    if isinstance(said, float):
        return -said if said == 0 else said * (1 + 2.0 ** -chance.randint(30, 52))
    return None
