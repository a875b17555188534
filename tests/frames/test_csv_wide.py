"""Wide texts are read and written as narrow ones are, column by column."""

from __future__ import annotations

import random

import pyarrow as pa

from discreet import frames
from discreet.frames import csv_wide
from discreet.frames.csv_text import read_csv

CELLS = [
    "1",
    "22",
    "-3",
    "+4",
    "007",
    "1.5",
    "2.",
    ".5",
    "1e3",
    "1e300",
    "-0",
    "-0.0",
    "",
    "NA",
    " 7",
    '"8"',
    "x",
    "inf",
]
CELLS += ["123456789012345", "1234567890123456789", "12345678901234567890", "1_1", "１"]


def texts(seed: int, rows: int, columns: int) -> list[list[str]]:
    draw = random.Random(seed)
    return [draw.sample(CELLS, draw.randint(1, 3)) * rows for _ in range(columns)]


def test_a_wide_text_is_read_as_its_columns_are_alone() -> None:
    for seed in range(6):
        rows = 1 + seed
        columns = texts(seed, rows, csv_wide.WIDTH + 40)
        lines = [",".join(f"c{j}" for j in range(len(columns)))]
        lines += [",".join(column[i] for column in columns) for i in range(rows)]
        wide, _ = read_csv("\n".join(lines).encode() + b"\n", "wide")
        for j, column in enumerate(columns):
            alone, _ = read_csv(
                "\n".join([f"c{j},y", *(f"{cell},1" for cell in column[:rows])]).encode() + b"\n", "one"
            )
            assert wide.schema.field(j).equals(alone.schema.field(0), check_metadata=True)
            assert wide.column(j).equals(alone.column(0))


def test_a_wide_table_is_written_as_its_columns_are_alone() -> None:
    import io

    from discreet.frames.csv_write import write_csv

    values = [pa.array([1.5, None, -0.0]), pa.array([1, 2, None]), pa.array([1e300, 5e-324, 0.1], pa.float64())]
    values += [pa.array(["a", 'b"', None]), pa.array([1, 2, 3], pa.int8()), pa.array([0.1, 1.0, None], pa.float32())]
    table = pa.table({f"c{j}": values[j % len(values)] for j in range(csv_wide.WIDTH + 20)})
    wide = io.BytesIO()
    write_csv(table, wide)
    lines = [line.split(",") for line in wide.getvalue().decode().splitlines()]
    for j, name in enumerate(table.column_names):
        alone = io.BytesIO()
        write_csv(table.select([name, "c1"] if j != 1 else [name, "c0"]), alone)
        assert [line[j] for line in lines] == [line.split(",")[0] for line in alone.getvalue().decode().splitlines()]


def test_work_is_in_proportion_to_the_columns() -> None:
    """Nothing looks for a column by going through all of them: the number of steps per column stays the same."""
    import sys

    def steps(columns: int) -> int:
        data = ",".join(f"c{j}" for j in range(columns)) + "\n" + ",".join("x1" for _ in range(columns)) + "\n"
        counted = 0

        def count(*_: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            table, _ = read_csv(data.encode(), "wide")
            frames.numeric_columns(table)
            frames.doubtful_columns(table)
        finally:
            sys.setprofile(None)
        return counted

    steps(100)
    assert steps(2000) < 5 * steps(500)
