"""The checker's own readers: the fields of delimited text, types to the bit, and files that cannot be used."""

from __future__ import annotations

import csv
import gzip
import io
import random
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.cli import app
from discreet.cli.console import run
from discreet.verify import File, verify
from discreet.verify.readers import open_table
from discreet.verify.values.meaning import missing, numbers, texts


def columns(data: bytes, **more: str) -> dict[str, list[str]]:
    table = open_table(File(data=data, **more), "data")
    found = {}
    for name in table.names:
        column = table.column(name)
        found[name] = [texts(column)[code] for code in column.codes]
    return found


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_fields_as_pythons_csv_module_reads_them(delimiter: str) -> None:
    pieces = ["a", "b", " ", '"', '""', "\n", "\r\n", delimiter, "ü", "0", ".", "["]
    for seed in range(150):
        rng = random.Random(seed)
        width, n = rng.randint(2, 4), rng.randint(1, 5)
        rows = [["".join(rng.choices(pieces, k=rng.randint(0, 4))) for _ in range(width)] for _ in range(n)]
        sink = io.StringIO()
        writer = csv.writer(sink, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n"]))
        writer.writerows([[f"c{j}" for j in range(width)], *rows])
        data = sink.getvalue().encode()
        found = columns(data if rng.random() < 0.5 else data.rstrip(b"\r\n") if rows[-1][-1] else data)
        assert list(map(list, zip(*found.values()))) == rows
        assert columns(data, delimiter=delimiter) == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_encodings_marks_and_hints(encoding: str) -> None:
    text = "sep=;\r\nname;x\r\nJosé;1,5\r\nß;2\r\n"
    assert columns(text.encode(encoding)) == {"name": ["José", "ß"], "x": ["1,5", "2"]}
    assert columns(gzip.compress(text.encode(encoding)), format="csv.gz")["x"] == ["1,5", "2"]
    column = open_table(File(data=text.encode(encoding)), "data").column("x")
    found = numbers(column)
    assert found.valid.all() and found.mantissa.tolist() == [15, 2] and found.exponent.tolist() == [-1, 0]


MALFORMED = {
    "ragged": b"a,b\n1,2\n3\n",
    "twice": b"a,a\n1,2\n",
    "NUL": b"a,b\n1,\x00\n",
    "open quote": b'a,b\n1,"2\n',
    "empty": b"",
    "header only": b"a,b\n",
    "only line ends": b"\n\n\r\n",
    "binary": bytes(range(256)),
    "half a mark": b"\xff\xfe\x41",
    "control characters": b"\x1b[31mred,b\n1\n",
}


@pytest.mark.parametrize("case", MALFORMED)
@pytest.mark.parametrize("which", ["original", "published"])
def test_malformed_text_is_an_error(case: str, which: str) -> None:
    good, bad = File(data=b"a,b\n1,2\n"), File(data=MALFORMED[case])
    with pytest.raises(dc.InputError) as caught:
        verify(*((bad, good) if which == "original" else (good, bad)), k=1)
    assert str(caught.value).replace("\n", "").isprintable()


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "sav", "dta", "xpt", "por", "sas7bdat", "zsav", "nope"])
def test_garbage_of_every_format_ends_with_exit_2(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.csv"
    good.write_bytes(b"a,b\n1,2\n")
    rng = random.Random(1)
    for content in (
        b"",
        b"\x00" * 50,
        rng.randbytes(2000),
        b"PAR1" + rng.randbytes(40) + b"PAR1",
        b"$FL2" + bytes(200),
    ):
        bad = tmp_path / f"bad.{kind}"
        bad.write_bytes(content)
        for pair in ((good, bad), (bad, good)):
            assert run(app, ["verify", *map(str, pair), "-k", "2"]) == 2
            said = capsys.readouterr()
            assert "Traceback" not in said.err and said.err.startswith("error:")


TYPES = {
    "nested": pa.array([[1], [2], [1], [2]]),
    "record": pa.array([{"a": 1}, {"a": 2}] * 2),
    "half": pa.array(np.array([1, 2, 1, 2], np.float16)),
    "string view": pa.array(["a", "b"] * 2, pa.string_view()),
    "binary view": pa.array([b"a", b"\xff"] * 2, pa.binary_view()),
    "fixed": pa.array([b"ab", b"cd"] * 2, pa.binary(2)),
    "dictionary": pa.array(["a", "b"] * 2).dictionary_encode(),
    "decimal128": pa.array(["1.5", "2.5"] * 2).cast(pa.decimal128(38, 10)),
    "decimal256": pa.array(["1e60", "2.5"] * 2).cast(pa.decimal256(76, 10)),
    "duration": pa.array([2**62, 1] * 2, pa.duration("s")),
    "time": pa.array([0, 1] * 2, pa.time32("ms")),
    "date": pa.array([-(2**30), 1] * 2, pa.date32()),
    "date64": pa.array([0, 86400000] * 2, pa.date64()),
    "moment": pa.array([2**62, 1] * 2, pa.timestamp("ms", "Europe/Berlin")),
    "null": pa.nulls(4),
    "denormal": pa.array([5e-324, 0.0] * 2),
    "huge": pa.array([2**64 - 1, 0] * 2, pa.uint64()),
    "infinite": pa.array([np.inf, -np.inf] * 2),
    "bool": pa.array([True, False] * 2),
}


@pytest.mark.parametrize("case", TYPES)
@pytest.mark.parametrize("guarantee", ["auto", "classes", "microaggregation", "matchings"])
def test_every_type_is_judged_or_an_error(case: str, guarantee: str, tmp_path: Path) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"x": TYPES[case], "y": [1, 1, 1, 1]}), sink)
    file = File(data=sink.getvalue(), format="parquet")
    for names in (["x"], ["y"], ["x", "y"], None):
        for k in (2, 3):
            try:
                outcome = verify(file, file, k=k, quasi_identifiers=names, guarantee=guarantee).outcome
            except dc.InputError:
                outcome = "cannot tell"
            assert outcome in ("safe", "unsafe", "cannot tell")
            if names == ["y"]:
                assert outcome == "safe"
            if names == ["x"] and k == 3 and case != "null":
                assert outcome != "safe"


def test_dataframes_of_every_kind_agree() -> None:
    frame = pd.DataFrame({"x": [1.5, np.nan, 2.0], "t": ["a", None, ""], "m": [1, "1", 1.0]})
    table = open_table(frame, "data")
    assert [table.column(name).size for name in table.names] == [3, 3, 3]
    for made in (pl.from_pandas(frame[["x", "t"]]), pa.Table.from_pandas(frame[["x", "t"]])):
        assert open_table(made, "data").column("t").size == 3
    for wrong in (np.zeros((2, 2)), frame.set_axis(["a", "a", "b"], axis=1), pl.LazyFrame({"a": [1]}), 5, [1]):
        with pytest.raises(dc.InputError):
            open_table(wrong, "the original")


def test_labelled_files_by_their_codes(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"x": [1.0, 2.0, 98.0, 99.0, np.nan], "t": list("abcde")})
    path = tmp_path / "data.sav"
    pyreadstat.write_sav(frame, path, missing_ranges={"x": [98.0, 99.0]}, variable_value_labels={"x": {1.0: "one"}})
    table = open_table(path, "data")
    column = table.column("x")
    assert column.size == 5 and column.absent.tolist() == [False, False, True, True, False]
    assert missing(column, numeric=True).tolist() == [False, False, True, True, True]
    assert "value labels" in table.carried
    assert any("value labels" in w for w in verify(path, path, k=1, quasi_identifiers=["t"]).limits)


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_dates_of_labelled_files_are_those_of_other_formats(kind: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    days = pd.to_datetime(["1950-01-03", "1980-12-31", "2020-02-29", "2020-03-01"])
    frame = pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0], "day": days})
    path = tmp_path / f"data.{kind}"
    {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[kind](frame, str(path))
    same = frame.assign(day=days.strftime("%Y-%m-%d"))
    assert verify(path, same, k=2, quasi_identifiers=["x"])
    assert not verify(path, same.assign(day=same["day"].iloc[::-1].to_numpy()), k=2, quasi_identifiers=["x"])
    wide = same.assign(day="[1950-01-03, 2020-03-01]")
    assert verify(path, wide, k=2, quasi_identifiers=["day"], guarantee="matchings")


def test_standard_input_and_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes(b"x,y\n1,a\n1,b\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data.read_bytes())))
    assert run(app, ["verify", str(data), "-", "-k", "2", "--qi", "x"]) == 0
    assert run(app, ["verify", "-", "-", "-k", "2", "--qi", "x"]) == 2
    assert run(app, ["verify", str(data), str(data), "-k", "2", "--qi", "x", "--accept", "y"]) == 0
    assert run(app, ["verify", str(data), str(data), "-k", "3", "--qi", "x"]) == 1
    assert run(app, ["verify", str(data), str(data), "-k", "2", "--qi", "x", "--missing", "value"]) == 2
    assert run(app, ["verify", str(data), str(data), "-k", "2", "--qi", "x", "--secret", str(tmp_path / "no")]) == 2
