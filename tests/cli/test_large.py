"""The command on folders: a dataset in, a dataset out, and options that it cannot honor are refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import discreet as dc


@pytest.fixture
def big(tmp_path: Path) -> Path:
    folder = tmp_path / "big"
    folder.mkdir()
    for number in range(2):
        people = dc.datasets.survey(300, seed=number)[["region", "sex", "income", "spending"]]
        people.to_parquet(folder / f"part-{number}.parquet")
    return folder


WORDS = ("-k", 5, "--columns", "income,spending")


def test_from_folder_to_checked_folder(discreet: Callable, big: Path, tmp_path: Path) -> None:
    out, figures, report = tmp_path / "out", tmp_path / "r.json", tmp_path / "r.html"
    ran = discreet("microaggregate", big, *WORDS, "-o", out, "--json", figures, "--report", report, "--drop", "sex")
    assert ran.code == 0, ran.err
    assert "information loss" in ran.err and ran.out == ""
    assert sorted(path.name for path in out.iterdir()) == ["part-0.parquet", "part-1.parquet"]
    assert pq.read_schema(out / "part-0.parquet").names == ["region", "income", "spending"]
    told = json.loads(figures.read_text())
    assert (told["n"], told["k"], told["status"]) == (600, 5, "complete")
    assert "What is lost, column by column" in report.read_text()
    again = discreet("microaggregate", big, *WORDS, "-o", out)
    assert again.code == 2 and "exists already" in again.err
    assert discreet("microaggregate", big, *WORDS, "-o", out, "--force", "--seed", 3).code == 0
    assert discreet("verify", big, out, "-k", 5, "--qi", "income,spending").code == 0


def test_one_file_under_a_limit_becomes_one_file(discreet: Callable, big: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    ran = discreet("microaggregate", big / "part-0.parquet", *WORDS, "-o", out, "--memory", "500MB")
    assert ran.code == 0, ran.err
    assert pq.read_table(out).num_rows == 300


def test_what_cannot_be_had_is_said_at_once(discreet: Callable, big: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    others = ("--certify", "--by", "region", "--weight", "spending", "--time-limit", 5, "--missing", "known")
    ran = discreet("microaggregate", big, *WORDS, "-o", out, *others, "--method", "mdav")
    assert ran.code == 2
    for word in ("--certify", "--by", "--weight", "--time-limit", "--missing", "--method"):
        assert word in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--memory", "lots"), "is written as 2GB"),
        (("--memory", "1MB"), "at least 50MB"),
        (("--resume",), "nothing to resume"),
        (("--cluster", "nowhere"), "cluster"),
    ],
)
def test_options_that_make_no_sense(
    discreet: Callable, big: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = discreet("microaggregate", big, *WORDS, "-o", tmp_path / "out", *words)
    assert ran.code == 2 and said in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


@pytest.mark.parametrize("where", ["big", "big/out", "."])
def test_the_output_is_not_in_the_input_nor_holds_it(discreet: Callable, big: Path, tmp_path: Path, where: str) -> None:
    before = {path: path.read_bytes() for path in big.iterdir()}
    ran = discreet("microaggregate", big, *WORDS, "-o", tmp_path / where, "--force")
    assert ran.code == 2 and "choose another" in ran.err
    assert {path: path.read_bytes() for path in big.iterdir()} == before


def test_a_text_is_streamed_and_what_is_not_protected_stands_as_it_was(discreet: Callable, tmp_path: Path) -> None:
    rows = [(f"{i % 3}", f"{i * i % 101},{i % 10}", f'"a;{i}"', f"{i * 7 % 50}") for i in range(400)]
    data = tmp_path / "data.csv"
    data.write_bytes("\r\n".join(["g;x;note;y", *map(";".join, rows)]).encode("cp1252"))
    words = ("-k", 4, "--columns", "x,y", "--accept", "note", "--drop", "g")
    ran = discreet("microaggregate", data, *words, "-o", tmp_path / "out.csv", "--memory", "1GB")
    assert ran.code == 0, ran.err
    lines = (tmp_path / "out.csv").read_bytes().decode("cp1252").split("\r\n")
    assert lines[0] == "x;note;y" and len(lines) == 401
    assert [line.split('"')[1] for line in lines[1:]] == [row[2].strip('"') for row in rows]
    means = [(line.split(";")[0], line.split(";")[-1]) for line in lines[1:]]
    assert min(means.count(one) for one in means) >= 4
    assert any("," in x for x, _ in means) and not any("." in x for x, _ in means)
    assert discreet("verify", data, tmp_path / "out.csv", "-k", 4, "--qi", "x,y", "--accept", "note").code == 0
    ran = discreet("microaggregate", data, *words, "-o", tmp_path / "o.parquet", "--memory", "1GB")
    assert ran.code == 2 and "format of the input" in ran.err
    assert discreet("microaggregate", data, *words, "-o", tmp_path / "o.csv.gz", "--memory", "1GB").code == 0
    assert gzip.decompress((tmp_path / "o.csv.gz").read_bytes()) == (tmp_path / "out.csv").read_bytes()


def test_a_text_in_python_and_one_that_is_packed(discreet: Callable, tmp_path: Path) -> None:
    text = tmp_path / "data.tsv"
    text.write_text("x\ty\n" + "".join(f"{i % 13}\t{i % 7}\n" for i in range(300)))
    result = dc.microaggregate(dc.dataset(text), 3, columns=["x", "y"])
    assert result.data.n == 300 and result.data.read(["x"]).num_rows == 300
    assert result.verify().safe
    packed = tmp_path / "data.csv.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    for command, columns, out in (("microaggregate", "--columns", "m.csv"), ("generalize", "--qi", "g.csv")):
        words = (command, packed, "-k", 2, columns, "x,y", "-o", tmp_path / out, "--memory", "1GB")
        assert discreet(*words).code == 0
        ran = discreet("verify", packed, tmp_path / out, "-k", 2, "--qi", "x,y", "--memory", "1GB")
        assert ran.code == 0, ran.out
    ran = discreet("generalize", text, "-k", 2, "--qi", "x", "-o", tmp_path / "o", "--memory", "1GB")
    assert ran.code == 2 and "cannot tell the format" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv.gz", "data.tsv", "g.csv", "m.csv"]


def test_force_replaces_a_release_and_nothing_else(discreet: Callable, big: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    (tmp_path / "link").symlink_to(out, target_is_directory=True)
    for where, said in ((out, "more than Parquet files"), (tmp_path / "link", "is a link")):
        ran = discreet("microaggregate", big, *WORDS, "-o", where, "--force")
        assert ran.code == 2 and said in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big", "link", "out"]
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("option", ["--json", "--report"])
def test_nothing_is_written_into_a_folder_that_is_replaced(
    discreet: Callable, big: Path, tmp_path: Path, option: str
) -> None:
    (tmp_path / "out").mkdir()
    ran = discreet("microaggregate", big, *WORDS, "-o", tmp_path / "out", "--force", option, tmp_path / "out" / "x")
    assert ran.code == 2 and "within an output" in ran.err
    assert not list((tmp_path / "out").iterdir())


def test_data_in_other_formats_is_not_left_out_without_a_word(discreet: Callable, big: Path, tmp_path: Path) -> None:
    (big / "part-2.csv").write_text("region,sex,income,spending\nnorth,f,1,2\n")
    ran = discreet("microaggregate", big, *WORDS, "-o", tmp_path / "out")
    assert ran.code == 2 and "part-2.csv" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["big"]
    assert discreet("microaggregate", big / "*.parquet", *WORDS, "-o", tmp_path / "out").code == 0


def test_folders_within_a_folder_are_named_by_a_pattern(discreet: Callable, big: Path, tmp_path: Path) -> None:
    (big / "more").mkdir()
    (big / "part-1.parquet").rename(big / "more" / "part-1.parquet")
    ran = discreet("microaggregate", big, *WORDS, "-o", tmp_path / "out")
    assert ran.code == 2 and "**/*.parquet" in ran.err


def test_a_generalization_in_blocks_is_no_single_file(discreet: Callable, big: Path, tmp_path: Path) -> None:
    words = ("-k", 3, "--qi", "region,sex", "--memory", "500MB", "-o", tmp_path / "out.parquet")
    ran = discreet("generalize", big / "part-0.parquet", *words)
    assert ran.code == 2 and "is a folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


def test_a_text_that_would_not_fit_is_streamed_where_it_can_be(
    discreet: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.cli.large._memory", lambda: 1000.0)
    text, figures = tmp_path / "data.csv", tmp_path / "f.json"
    text.write_text("x,y\n" + "".join(f"{i % 13},{i % 7}\n" for i in range(300)))
    words = ("--columns", "x,y", "-o", tmp_path / "m.csv", "--json", figures)
    assert discreet("microaggregate", text, "-k", 3, *words).code == 0
    assert "blocks" in json.loads(figures.read_text())["detail"]
    assert discreet("generalize", text, "-k", 3, "--qi", "x", "-o", tmp_path / "g.csv", "--accept", "y").code == 0


@pytest.mark.parametrize("case", ["figures", "a hierarchy as output", "a hierarchy as figures"])
def test_what_a_text_is_written_to_is_nothing_else(discreet: Callable, tmp_path: Path, case: str) -> None:
    text, tree = tmp_path / "data.csv", tmp_path / "tree.csv"
    text.write_text("x,y\n" + "".join(f"{i % 13},{i % 2}\n" for i in range(300)))
    tree.write_text("0,*\n1,*\n")
    out = tree if case == "a hierarchy as output" else tmp_path / "out.csv"
    figures = tree if case == "a hierarchy as figures" else tmp_path / "out.csv" if case == "figures" else None
    words = ("-k", 3, "--qi", "x,y", "--hierarchy", f"y={tree}", "--memory", "500MB", "--force", "-o", out)
    ran = discreet("generalize", text, *words, *(("--json", figures) if figures else ()))
    assert ran.code == 2 and ("two outputs" if case == "figures" else "is the input") in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "tree.csv"]
    assert tree.read_text() == "0,*\n1,*\n"
