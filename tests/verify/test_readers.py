"""The checker's own readers: the fields of delimited text, types to the bit, and files that cannot be used."""

from __future__ import annotations

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
