"""Files by their extension, conversions between them, and files that cannot be read or written."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frames.kinds import KINDS

from discreet import frames
from discreet.errors import InputError

CSV = b'id,"v",s\r\n007,1.50,"a, b"\r\n\r\n008,,\r\n009,3,"x"'


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    (tmp_path / "in.csv").write_bytes(CSV)
    return tmp_path / "in.csv"


def test_a_document_knows_its_file(csv_file: Path) -> None:
    document = frames.read(csv_file)
    assert (document.name, document.format, document.n, len(document)) == (str(csv_file), "CSV", 3, 3)
    assert document.names == ["id", "v", "s"]
    assert document.numeric_columns() == ["v"]  # leading zeros make a code
    assert frames.code_columns(document) == ["id"]
    np.testing.assert_array_equal(document.numeric(["id"])[:, 0], [7, 8, 9])
    np.testing.assert_array_equal(document.numeric(["v"])[:, 0], [1.5, np.nan, 3.0])
    assert document.text("id").tolist() == ["007", "008", "009"]
    assert document.text("v").tolist() == ["1.50", None, "3"]
    assert document.text("s").tolist() == ["a, b", None, "x"]
    with pytest.raises(InputError, match="not in the data"):
        document.text("z")


def test_unchanged_text_is_written_as_it_was(csv_file: Path) -> None:
    out = csv_file.with_name("out.csv")
    frames.write(frames.read(csv_file), out)
    assert out.read_bytes() == CSV


def test_changing_one_column_changes_its_fields_only(csv_file: Path) -> None:
    document = frames.read(csv_file)
    new = frames.replace_columns(document.frame, {"v": np.array([1 / 3, np.nan, 2.0])})
    out = csv_file.with_name("out.csv")
    frames.write(new, out, like=document)
    assert out.read_bytes() == b'id,"v",s\r\n007,0.3333333333333333,"a, b"\r\n\r\n008,,\r\n009,2,"x"'


def test_compressed_text(csv_file: Path) -> None:
    packed = csv_file.with_name("in.csv.gz")
    packed.write_bytes(gzip.compress(CSV))
    out = csv_file.with_name("out.txt.gz")
    frames.write(frames.read(packed), out)
    assert gzip.decompress(out.read_bytes()) == CSV
    packed.write_bytes(gzip.compress(CSV)[:-9])
    with pytest.raises(InputError, match="damaged or not compressed with gzip"):
        frames.read(packed)
    packed.write_bytes(CSV)
    with pytest.raises(InputError, match="damaged or not compressed with gzip"):
        frames.read(packed)


def test_tabs_by_extension(csv_file: Path) -> None:
    out = csv_file.with_name("out.tsv")
    frames.write(frames.read(csv_file), out)
    assert out.read_bytes() == b'id\tv\ts\r\n007\t1.50\t"a, b"\r\n008\t\t\r\n009\t3\t"x"'
    assert frames.read(out).source.delimiter == "\t"


def test_leading_zeros_survive_in_typed_formats(csv_file: Path) -> None:
    document = frames.read(csv_file)
    out = csv_file.with_name("out.parquet")
    frames.write(document, out)
    assert pq.read_table(out).to_pydict() == {
        "id": ["007", "008", "009"],
        "v": [1.5, None, 3.0],
        "s": ["a, b", None, "x"],
    }
    order = [2, 0, 1]
    frames.write(frames.take_rows(document.frame, order), out, like=document, order=order, force=True)
    assert pq.read_table(out).column("id").to_pylist() == ["009", "007", "008"]
    changed = frames.replace_columns(document.frame, {"id": np.array([7.0, 7.0, 7.0])})
    frames.write(changed, out, like=document, force=True)
    assert pq.read_table(out).column("id").to_pylist() == [7, 7, 7]


def test_parquet_keeps_schema_and_metadata(tmp_path: Path) -> None:
    schema = pa.schema(
        [
            pa.field("x", pa.int16(), nullable=False, metadata={"unit": "kg"}),
            pa.field("d", pa.dictionary(pa.int8(), pa.string())),
            pa.field("l", pa.list_(pa.int32())),
        ],
        metadata={"source": "pilot"},
    )
    table = pa.table({"x": [1, 2], "d": ["a", "b"], "l": [[1], None]}, schema=schema)
    pq.write_table(table, tmp_path / "in.parquet")
    document = frames.read(tmp_path / "in.parquet")
    frames.write(document, tmp_path / "out.parquet")
    again = pq.read_table(tmp_path / "out.parquet")
    assert again.equals(pq.read_table(tmp_path / "in.parquet"), check_metadata=True)
    assert frames.read(tmp_path / "in.parquet", columns=["d", "x"]).names == ["d", "x"]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_frames_of_every_kind_are_written(tmp_path: Path, kind: str) -> None:
    frame = KINDS[kind]({"n": [1, 2], "x": [1.0, None], "s": ['a"b', None], "t": [True, False]})
    frames.write(frame, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == 'n,x,s,t\n1,1,"a""b",true\n2,,,false\n'
    frames.write(frame, tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {
        "n": [1, 2],
        "x": [1.0, None],
        "s": ['a"b', None],
        "t": [True, False],
    }


def test_a_pandas_index_survives_parquet_and_is_left_out_of_text(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["a", "b"], name="who"))
    frames.write(frame, tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet"), frame)
    frames.write(frame, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "x\n1\n2\n"


def test_mixed_columns_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1, "secret"]})
    for name in ("out.csv", "out.parquet", "out.dta"):
        with pytest.raises(InputError) as caught:
            frames.write(frame, tmp_path / name)
        assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_text_columns_of_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"zip": [7, 8], "x": [1.5, 2.5]}), tmp_path / "in.parquet")
    document = frames.read(tmp_path / "in.parquet", text=["zip"])
    assert document.frame.to_pydict() == {"zip": ["7", "8"], "x": [1.5, 2.5]}
    with pytest.raises(InputError, match="no column 'z'"):
        frames.read(tmp_path / "in.parquet", text=["z"])


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV)))
    document = frames.read("-")
    assert document.name == "standard input"
    frames.write(document, "-")
    assert capfdbinary.readouterr().out == CSV


@pytest.mark.skipif(os.name == "nt", reason="POSIX devices")
def test_pipes_and_devices_hold_csv(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(CSV,))
    writer.start()
    document = frames.read(pipe)
    writer.join()
    frames.write(document, "/dev/null")
    if Path("/dev/full").exists():
        with pytest.raises(InputError, match="the disk is full"):
            frames.write(document, "/dev/full")


def test_the_file_that_was_read_can_be_replaced(csv_file: Path) -> None:
    document = frames.read(csv_file)
    new = frames.replace_columns(document.frame, {"v": np.zeros(3)})
    with pytest.raises(InputError, match="exists already"):
        frames.write(new, csv_file, like=document)
    assert csv_file.read_bytes() == CSV
    frames.write(new, csv_file, like=document, force=True)
    assert frames.read(csv_file).numeric(["v"]).tolist() == [[0.0], [0.0], [0.0]]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("absent.csv", None, "cannot read .*absent.csv: it does not exist"),
        ("absent.parquet", None, "cannot read .*absent.parquet: it does not exist"),
        ("absent.sav", None, "cannot read .*absent.sav: it does not exist"),
        ("data.xls", b"x", r"cannot tell the format of .*data.xls by its name: .* \.csv, \.tsv"),
        ("data.xlsx", b"x", "damaged or not an Excel workbook"),
        ("data", b"x", "cannot tell the format"),
        ("csv", b"x", "cannot tell the format"),
        ("empty.csv", b"", "is empty"),
        ("empty.csv.gz", b"", "is empty"),
        ("empty.parquet", b"", "is empty"),
        ("bad.parquet", b"PAR1 this is not Parquet PAR1", "damaged or not Parquet"),
        ("bad.parquet", b"a,b\n1,2\n", "damaged or not Parquet"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, data: bytes | None, message: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        frames.read(tmp_path / name)


def test_parquet_without_rows_or_cut_short(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "none.parquet")
    with pytest.raises(InputError, match="has column names but no rows"):
        frames.read(tmp_path / "none.parquet")
    pq.write_table(pa.table({"x": np.random.default_rng(0).normal(size=5000)}), tmp_path / "cut.parquet")
    whole = (tmp_path / "cut.parquet").read_bytes()
    for data in (whole[:-100], b"PAR1" + b"\xff" * 1000 + whole[1004:]):
        (tmp_path / "cut.parquet").write_bytes(data)
        with pytest.raises(InputError, match="damaged or not Parquet"):
            frames.read(tmp_path / "cut.parquet")


def test_parquet_with_duplicate_names(tmp_path: Path) -> None:
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="several columns named 'a'"):
        frames.read(tmp_path / "twice.parquet")


def test_folders_are_not_files(tmp_path: Path) -> None:
    for name in ("folder.csv", "folder.parquet", "folder.sav"):
        (tmp_path / name).mkdir()
        with pytest.raises(InputError, match="it is a folder, and a file is wanted"):
            frames.read(tmp_path / name)
        with pytest.raises(InputError, match="it is a folder, and a file is wanted"):
            frames.write(pl.DataFrame({"x": [1]}), tmp_path / name, force=True)


@pytest.mark.parametrize("name", ["locked.csv", "locked.parquet", "locked.sav"])
def test_files_without_permission(tmp_path: Path, name: str, request: pytest.FixtureRequest) -> None:
    frames.write(pl.DataFrame({"x": [1]}), tmp_path / name)
    frames.read(tmp_path / name)
    folder: Path = request.getfixturevalue("ordinary_folder")
    (folder / name).write_bytes(b"x")
    (folder / name).chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        frames.read(folder / name)


def test_options_that_do_not_fit_the_format(tmp_path: Path) -> None:
    for name, options in (
        ("x.parquet", {"delimiter": ","}),
        ("x.sav", {"delimiter": ","}),
        ("x.parquet", {"encoding": "utf-8"}),
    ):
        with pytest.raises(InputError, match="leave it out"):
            frames.read(tmp_path / name, **options)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name == "nt", reason="POSIX limits")
@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.sav", "out.dta", "out.xpt"])
def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    code = f"""
import resource, signal
import numpy as np
from discreet import frames
from discreet.errors import InputError
frame = frames.from_arrays({{"x": np.random.default_rng(0).normal(size=20_000)}})
frames.write(frame, "warm.csv")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    frames.write(frame, "{name}")
except InputError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout.startswith(f"cannot write {name}: the ")
    assert ran.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["warm.csv"]
