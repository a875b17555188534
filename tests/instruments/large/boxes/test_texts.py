"""A large text is generalized as it is in memory: its digits, quotes, commas and other columns stay what they are."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from attack.command import discreet
from discreet.errors import InputError
from discreet.frames.datasets import delimited
from discreet.instruments.large.boxes import generalize as stages
from discreet.instruments.large.boxes.texts import as_meant, schema_of
from discreet.instruments.quasi_identifiers import Treatment
from discreet.scale.run import work_folder
from discreet.work import Progress
from tests.instruments.large.test_failures import stop_at

KEYS = ["age", "place", "paid"]
SEARCH = int(np.random.default_rng([1, 0]).integers(2**62))
"""The seed by which the first block is searched where that of the whole is 1."""


@pytest.fixture(autouse=True)
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 3000)


def people(mark: str = ",", end: str = "\n", n: int = 900) -> str:
    """Numbers with more digits than a float has, categories with braces' characters, quotes, line breaks and gaps."""
    rng = np.random.default_rng(4)
    point = "." if mark == "," else ","
    places = ["north", '"a, b"', '"say ""so"""', "süd", '"two\nlines"']
    rows = [
        mark.join(
            [
                str(rng.integers(0, 80)),
                f'"{i}"' if i % 3 else "",
                places[rng.integers(0, 5)],
                f"{rng.integers(0, 50)}{point}0000000000000000000{rng.integers(1, 9)}",
                f'"was ""{i % 7}""{end}so"',
            ]
        )
        for i in range(n)
    ]
    return end.join([mark.join(["age", '"id"', "place", "paid", "note"]), *rows])


def protect(path: Path, output: Path, progress: Any = None, *, resume: bool = False, **given: Any) -> Any:
    data = dc.dataset(path, output=output, resume=resume)
    options: dict[str, Any] = {"quasi_identifiers": KEYS, "accept": ["id"], "random_state": 1, **given}
    return dc.generalize(data, 3, progress=progress, **options)


def fields(text: str, mark: str, names: list[str]) -> Counter[tuple[str, ...]]:
    """The rows of a text in some columns."""
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    at = [rows[0].index(name) for name in names]
    return Counter(tuple(row[i] for i in at) for row in rows[1:])


@pytest.mark.parametrize(("mark", "end"), [(",", "\n"), (";", "\r\n")])
def test_one_block_is_what_memory_makes(tmp_path: Path, mark: str, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "rows_within", lambda memory, row: 10**6)
    text = people(mark, end, 300) + (end if mark == ";" else "")
    path = tmp_path / "in.csv"
    path.write_text(text, newline="", encoding="utf-8")
    words = ["generalize", path, "-k", "3", "--qi", ",".join(KEYS), "--accept", "id", "-q"]
    assert discreet(*words, "--seed", SEARCH, "-o", tmp_path / "whole.csv").code == 0
    assert discreet(*words, "--seed", 1, "-o", tmp_path / "large.csv", "--memory", "1GB").code == 0
    whole, large = ((tmp_path / f"{one}.csv").read_bytes().decode() for one in ("whole", "large"))
    assert whole.split(end)[0] == large.split(end)[0] and whole.endswith(end) == large.endswith(end)
    for names in (KEYS, ["id", "note"]):
        assert fields(whole, mark, names) == fields(large, mark, names)
    assert Counter(whole) == Counter(large)  # every quote and line end
    for one in (whole, large):
        verdict = dc.verify(path, tmp_path / f"{'whole' if one is whole else 'large'}.csv", k=3,
                            quasi_identifiers=KEYS, guarantee="matchings", accept=["id"])  # fmt: skip
        assert verdict.safe, verdict.summary()


@pytest.mark.parametrize("kind", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "gzip", "gzip of utf-16"])
def test_every_form_of_a_text_gives_the_same_release_in_that_form(tmp_path: Path, kind: str) -> None:
    encoding = "utf-16" if "utf-16" in kind and kind != "utf-16-be" else "utf-8" if "gzip" in kind else kind
    data = people().encode(encoding)
    plain, path = tmp_path / "plain.csv", tmp_path / ("in.csv.gz" if "gzip" in kind else "in.csv")
    plain.write_text(people(), newline="", encoding="utf-8")
    path.write_bytes(gzip.compress(data) if "gzip" in kind else data)
    protect(plain, tmp_path / "plain-out.csv")
    output = tmp_path / f"out{''.join(path.suffixes)}"
    given = dc.dataset(path, output=output, encoding=kind if kind == "utf-16-be" else None)
    result = dc.generalize(given, 3, quasi_identifiers=KEYS, accept=["id"], random_state=1)
    assert result.verify().safe and result.data.n == 900
    made = output.read_bytes()
    if "gzip" in kind:
        assert made[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00" + made[8:10]  # no name and no time
        made = gzip.decompress(made)
    assert made.decode(encoding) == (tmp_path / "plain-out.csv").read_bytes().decode()
    assert made == (tmp_path / "plain-out.csv").read_bytes().decode().encode(encoding)


def test_the_same_boxes_as_from_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "rows_within", lambda memory, row: 10**6 if row == stages.HELD else 250)
    rng = np.random.default_rng(4)
    table = pa.table({"age": rng.integers(10, 80, 900), "place": rng.choice(["n", "s", "e"], 900), "x": np.arange(900)})
    pq.write_table(table, tmp_path / "in.parquet")
    (tmp_path / "in.csv").write_text(table.to_pandas().to_csv(index=False))
    found = []
    for kind in ("csv", "parquet"):
        data = dc.dataset(tmp_path / f"in.{kind}", output=tmp_path / f"out{'.csv' if kind == 'csv' else ''}")
        result = dc.generalize(data, 3, quasi_identifiers=["age", "place"], accept=["x"], random_state=1)
        assert result.detail["blocks"] > 2 and result.detail["parts"] > 2
        read = result.data.read(["age", "place"])
        found.append(
            (result.gcp, result.widened, Counter(map(tuple, read.to_pandas().astype(str).to_numpy().tolist())))
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("stage", ["reading", "solving", "shuffling", "putting together"])
def test_a_stopped_run_leaves_nothing_and_goes_on(tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "rows_within", lambda memory, row: 10**6 if row == stages.HELD else 250)
    path, output = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text(people(), newline="", encoding="utf-8")
    protect(path, tmp_path / "whole.csv")
    with pytest.raises(KeyboardInterrupt):
        protect(path, output, stop_at(stage, 1))
    assert not output.exists()
    folder = work_folder(output)
    assert folder.stat().st_mode & 0o077 == 0 and "in" not in {one.stem for one in folder.iterdir()}
    protect(path, output, resume=True)
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in.csv", "out.csv", "whole.csv"]


def test_hierarchies_categories_caps_and_gaps_are_those_of_memory(tmp_path: Path) -> None:
    text = people().replace('"two\nlines"', "")
    path = tmp_path / "in.csv"
    path.write_text(text, newline="", encoding="utf-8")
    tree = tmp_path / "place.csv"
    tree.write_text('north,up,*\n"a, b",up,*\n"say ""so""",down,*\nsüd,down,*\n,down,*\n', encoding="utf-8")
    words = ["generalize", path, "-k", "3", "--qi", "age,place", "--accept", "id", "--accept", "paid", "-q"]
    words += ["--hierarchy", f"place={tree}", "--cap", "age=60", "--missing", "value", "--drop", "note"]
    assert discreet(*words, "--seed", SEARCH, "-o", tmp_path / "whole.csv").code == 0
    assert discreet(*words, "--seed", 1, "-o", tmp_path / "large.csv", "--memory", "1GB").code == 0
    whole, large = ((tmp_path / f"{one}.csv").read_text(encoding="utf-8") for one in ("whole", "large"))
    claim: dict[str, Any] = {"hierarchies": {"place": tree}, "caps": {"age": 60}, "accept": ["id", "paid"]}
    for one in ("whole", "large"):
        verdict = dc.verify(path, tmp_path / f"{one}.csv", k=3, quasi_identifiers=["age", "place"], **claim)
        assert verdict.safe and verdict.guarantee == "matchings", verdict.summary()
    labels = {"north", "a, b", 'say "so"', "süd", "", "up", "down", "*"}
    assert {place for (place,) in fields(large, ",", ["place"])} <= labels
    assert fields(large, ",", ["id", "paid"]) == fields(text, ",", ["id", "paid"])
    assert whole.splitlines()[0] == large.splitlines()[0] == 'age,"id",place,paid'


def spoiled(path: Path, how: str) -> str:
    data = path.read_bytes()
    if how == "text":
        path.write_bytes(data + b'\nmany,"7",north,3.5,x\n')
        return "column 'age' is numeric but for 1 of 901 entries"
    if how == "a row too short":
        path.write_bytes(data + b"\n1,2\n")
        return "1 of 901 rows do not have the 5 fields"
    if how == "an open quote":
        path.write_bytes(data + b'\n1,2,"north,3.5,x\n' + b"1,2,3,4,5\n" * 50)
        return "is never closed"
    if how == "a box":
        path.write_bytes(data + b'\n1,2,"{north, south}",3.5,x\n')
        return "column 'place' holds 1 values that read like published sets"
    path.write_bytes(data + b"\n,2,north,3.5,x\n")
    return "column 'age' has 1 missing values"


@pytest.mark.parametrize("how", ["text", "a row too short", "an open quote", "a box", "a gap"])
def test_what_is_wrong_late_in_a_file_is_one_error(tmp_path: Path, how: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text(people(), newline="", encoding="utf-8")
    said = spoiled(path, how)
    with pytest.raises(InputError, match=said) as told:
        protect(path, tmp_path / "out.csv")
    assert len(told.value.faults) == 1 and "many" not in str(told.value)
    assert [one.name for one in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("change", ["rows", "a value", "truncated"])
def test_a_text_that_changes_on_the_way(tmp_path: Path, change: str) -> None:
    path = tmp_path / "in.csv.gz"
    text = people()
    path.write_bytes(gzip.compress(text.encode()))

    changed: list[bool] = []

    def now(step: Progress) -> None:
        if step.stage == "dealing" and not changed:
            changed.append(True)
            more = text + "\n" + text.split("\n", 1)[1]
            data = gzip.compress((more if change == "rows" else "age" + text[3:].replace("7", "8")).encode())
            path.write_bytes(data[: len(data) // 2] if change == "truncated" else data)

    with pytest.raises(InputError, match=r"was changed while it was being worked on|it is damaged"):
        protect(path, tmp_path / "out.csv.gz", now)
    assert [one.name for one in tmp_path.iterdir()] == ["in.csv.gz"]


def test_the_output_is_a_text_too(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(people(), newline="", encoding="utf-8")
    for name in ("out.parquet", "out", "out.tsv"):
        with pytest.raises(InputError, match=r"must be in the format of the input|cannot tell the format"):
            protect(path, tmp_path / name)
    protect(path, tmp_path / "out.csv.gz")
    protect(path, tmp_path / "out.csv")
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == (tmp_path / "out.csv").read_bytes()
    kept = dc.generalize(dc.dataset(path), 3, quasi_identifiers=KEYS, accept=["id"])
    assert kept.data.n == 900 and kept.data.columns == ["age", "id", "place", "paid", "note"]


def test_a_secret_shows_the_draw(tmp_path: Path) -> None:
    path, output, secret = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "secret"
    path.write_text(people(), newline="", encoding="utf-8")
    words = ["generalize", path, "-k", "3", "--qi", ",".join(KEYS), "--accept", "id", "-q", "--memory", "1GB"]
    assert discreet(*words, "-o", output, "--keep-secret", secret).code == 0
    told = pa.concat_tables([pq.read_table(one) for one in sorted(secret.iterdir())]).to_pandas().to_csv(index=False)
    claim = {"k": 3, "quasi_identifiers": KEYS, "guarantee": "matchings", "accept": ["id"], "secret": told}
    verdict = dc.verify(path, output, **claim)  # type: ignore[arg-type]
    assert verdict.safe and any("probability 1/3" in words for words in verdict.proven), verdict.summary()


def test_columns_are_read_as_they_are_meant(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a;b;c\n1,50;007;x\n2,5;010;y\n")
    plain: dict[str, Any] = {"hierarchies": {}, "ordered": {}, "importance": {}, "ncp": "distinct", "missing": "error"}
    treatment = Treatment(**plain, categorical=["b"], sensitive=None)
    schema = schema_of(dc.dataset(path), ["a", "b"], treatment)
    assert [str(one.type) for one in schema] == ["string", "string", "large_binary"]
    numbers, field, commas = as_meant(pa.array(["1,50", "2,5", None]), schema.field("a"))
    assert (numbers.to_pylist(), commas) == (["1.50", "2.5", None], True) and len(field.metadata) == 2
    codes, field, commas = as_meant(pa.array(["007", "010"]), schema.field("b"))
    assert (codes.to_pylist(), commas) == (["007", "010"], False) and len(field.metadata) == 1


def test_labels_that_the_text_cannot_hold_are_told_at_once(tmp_path: Path) -> None:
    path, tree = tmp_path / "in.csv", tmp_path / "tree.csv"
    path.write_text("place,x\n" + "süd,1\nnorth,2\n" * 9, encoding="cp1252")
    tree.write_text("süd,↑,*\nnorth,↓,*\n", encoding="utf-8")
    with pytest.raises(InputError, match="labels that cp1252, the encoding of"):
        dc.generalize(dc.dataset(path), 3, quasi_identifiers=["place"], hierarchies={"place": tree})
