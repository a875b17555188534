"""Delimited text that is checked as a stream has the verdict that it has in memory."""

from __future__ import annotations

import gzip
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify import File
from discreet.verify.large import spellings, text
from discreet.verify.large.text import open_text


@pytest.fixture(autouse=True)
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fits, and a lot has a few rows."""
    monkeypatch.setattr(import_module("discreet.verify.large"), "PER_CELL", 1 << 40)
    monkeypatch.setattr(text, "CHUNK", 500)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with decimal commas, quotes and a column that is left, and its release."""
    folder = tmp_path_factory.mktemp("texts")
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "place": rng.choice(["nörd", "a;b", 'say "so"'], 400),
            "x": rng.normal(size=400).round(2),
            "y": rng.integers(0, 40, 400),
            "z": rng.choice(["r", "s"], 400),
        }
    )
    frame.to_csv(folder / "in.csv", sep=";", decimal=",", index=False, encoding="cp1252", lineterminator="\r\n")
    read = dc.microaggregate(frame, k=4, columns=["x", "y"], random_state=1).data
    read.to_csv(folder / "out.csv", sep=";", decimal=",", index=False, encoding="cp1252", lineterminator="\r\n")
    return folder


CLAIM: dict[str, Any] = {"k": 4, "quasi_identifiers": ["x", "y"], "guarantee": "microaggregation"}


def both(before: Any, after: Any, **claim: Any) -> tuple[Verdict, Verdict]:
    return dc.verify(before, after, **claim), dc.verify(before, after, memory="1GB", **claim)


def test_a_release_is_safe_as_in_memory(made: Path) -> None:
    whole, parts = both(made / "in.csv", made / "out.csv", **CLAIM)
    assert whole.outcome == parts.outcome == "safe", parts.summary()
    assert whole.proven == parts.proven
    for figure in ("rows", "classes", "smallest"):
        assert whole.figures[figure] == parts.figures[figure]
    assert whole.figures["information_loss"] == pytest.approx(parts.figures["information_loss"], rel=1e-9)


def _line(edit: Any) -> Any:
    """An edit of the line with the row 211."""

    def forged(data: bytes) -> bytes:
        lines = data.split(b"\r\n")
        lines[212] = edit(lines[212])
        return b"\r\n".join(lines)

    return forged


def _cell(place: int, edit: Any) -> Any:
    def forged(line: bytes) -> bytes:
        cells = line.rsplit(b";", 3)
        cells[place] = edit(cells[place])
        return b";".join(cells)

    return _line(forged)


FORGERIES = {
    "a mean in quotes": _cell(1, lambda cell: b'"' + cell + b'"'),
    "a mean with a zero more": _cell(1, lambda cell: cell + b"0"),
    "a mean with a blank": _cell(2, lambda cell: b" " + cell),
    "another mean": _cell(1, lambda cell: b"0,123"),
    "no number": _cell(1, lambda cell: b"many"),
    "a point": _cell(1, lambda cell: cell.replace(b",", b".")),
    "a left value": _cell(3, lambda cell: b"q"),
    "a left value in quotes": _cell(3, lambda cell: b'"' + cell + b'"'),
    "another line end": _line(lambda line: line + b"\n"),
    "a row fewer": lambda data: b"\r\n".join(data.split(b"\r\n")[:300]) + b"\r\n",
    "rows exchanged": lambda data: b"\r\n".join([(a := data.split(b"\r\n"))[0], a[2], a[1], *a[3:]]),
    "nothing": lambda data: data,
}


@pytest.mark.parametrize("case", FORGERIES)
def test_edits_are_noticed_as_in_memory(made: Path, tmp_path: Path, case: str) -> None:
    forged = tmp_path / "forged.csv"
    forged.write_bytes(FORGERIES[case]((made / "out.csv").read_bytes()))
    whole, parts = both(made / "in.csv", forged, **CLAIM)
    assert (whole.outcome == "safe") == (case == "nothing")
    assert parts.outcome == whole.outcome or (parts.outcome, whole.outcome) == ("cannot tell", "unsafe"), case


def test_means_with_too_many_spellings_to_hold_are_compared_as_floats(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spellings, "PER_ENTRY", 1 << 40)
    assert dc.verify(made / "in.csv", made / "out.csv", memory="1GB", **CLAIM).safe
    forged = tmp_path / "forged.csv"
    data = (made / "out.csv").read_bytes().split(b"\r\n")
    data[5] = data[5].replace(b",", b",0", 0) + b""
    cells = data[5].rsplit(b";", 3)
    cells[1] += b"0"
    data[5] = b";".join(cells)
    forged.write_bytes(b"\r\n".join(data))
    found = dc.verify(made / "in.csv", forged, memory="1GB", **CLAIM)
    assert not found.safe and any("in more than one way" in words for words in found.failures), found.failures


def test_boxes_of_text_are_checked_too(tmp_path: Path) -> None:
    people = dc.datasets.survey(300, seed=2)[["age", "region", "sex"]]
    people.to_csv(tmp_path / "in.csv", index=False)
    release = dc.generalize(people, k=3, quasi_identifiers=["age", "region"], random_state=1)
    release.data.to_csv(tmp_path / "out.csv", index=False)
    claim = {"k": 3, "quasi_identifiers": ["age", "region"], "guarantee": "matchings", "accept": ["sex"]}
    whole, parts = both(tmp_path / "in.csv", tmp_path / "out.csv", **claim)
    assert whole.outcome == parts.outcome == "safe", parts.summary()


def test_text_and_parquet_are_compared(made: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(made / "in.csv", sep=";", decimal=",", encoding="cp1252")
    frame.to_parquet(tmp_path / "in.parquet", index=False)
    found = dc.verify(tmp_path / "in.parquet", made / "out.csv", memory="1GB", **CLAIM)
    assert found.outcome != "unsafe"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a,b\n", "no rows"),
        (b"a,a\n1,2\n", "2 columns named 'a'"),
        (b"a,b\n1,2\n3\n" + b"4,5\n" * 300, "1 of 302 rows do not have the 2 fields"),
        (b"a,b\n" + b"1,2\n" * 300 + b'3,"4\n', "never closed"),
        (b"a,b\n" + b"1,2\n" * 300 + b"3,\0\n", "NUL"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_text(path, "t.csv", None, None)


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LONGEST", 3000)
    path = tmp_path / "t.csv"
    path.write_bytes(b'a,b\n1,"2\n' + b"3,4\n" * 5000)
    with pytest.raises(InputError, match="longer than"):
        open_text(path, "t.csv", None, None)


def test_what_stands_between_rows_is_known_wherever_the_text_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 30 + b"1,2\r\n" + b"3,4\n\n" + b"5,6\n" * 10 + b"7,8\n\n\n")
    expected = ((b"\n", 30), (b"\r\n", 1), (b"\n\n", 1), (b"\n", 10))
    for chunk in range(20, 90, 7):
        monkeypatch.setattr(text, "CHUNK", chunk)
        found = open_text(path, "t.csv", None, None)
        assert found.runs == expected
        assert sum(batch.num_rows for batch in found.batches(["b"])) == found.rows == 43


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "shift_jis", "cp037", "utf-8-sig"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_text_in_any_encoding_is_read_as_a_stream(tmp_path: Path, encoding: str, packed: bool) -> None:
    data = ("a,b\n" + "".join(f"{i % 3},x{i}\n" for i in range(400))).encode(encoding)
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(data) if packed else data)
    found = open_text(path, "t", None, encoding, compressed=packed)
    assert found.rows == 400 and found.carried == ()
    fields = [field for batch in found.batches(["b"]) for field in batch.column(0).storage.to_pylist()]
    assert fields == [b"x%d" % i for i in range(400)]
    claim = {"k": 133, "quasi_identifiers": ["a"], "guarantee": "classes", "accept": ["b"]}
    whole, parts = both(None, File(path, encoding=encoding), **claim)
    assert whole.outcome == parts.outcome == "safe", parts.summary()
