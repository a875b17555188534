"""The command from file to verified file, and fed broken on purpose."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

COLUMNS = "income,spending,savings"


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    people = dc.datasets.survey(200, seed=1)
    people.drop(columns=["person", "household", "household_income"]).to_csv(path, index=False)
    return path


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_from_file_to_verified_file(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    out, report, figures = tmp_path / "out.csv", tmp_path / "r.html", tmp_path / "r.json"
    words = ("-k", 5, "--columns", COLUMNS, "-o", out, "--report", report, "--json", figures, "--certify")
    ran = discreet("microaggregate", survey, *words)
    assert ran.code == 0, ran.err
    assert "information loss" in ran.err and ran.out == ""
    before, after = pd.read_csv(survey, dtype=str), pd.read_csv(out, dtype=str)
    chosen = COLUMNS.split(",")
    pd.testing.assert_frame_equal(before.drop(columns=chosen), after.drop(columns=chosen))
    assert after.groupby(chosen).size().min() >= 5
    run = json.loads(figures.read_text())
    assert {
        "k",
        "n",
        "method",
        "status",
        "seconds",
        "seed",
        "information_loss",
        "lower_bound",
        "gap",
    } <= run.keys()
    assert 0 < run["lower_bound"] <= run["information_loss"] and run["n"] == 200
    assert discreet("verify", survey, out, "-k", 5, "--qi", COLUMNS).code == 0
    unsafe = discreet("verify", survey, out, "-k", 20, "--qi", COLUMNS)
    assert unsafe.code == 1 and unsafe.out.startswith("unsafe")


def test_what_singles_people_out_is_named_and_can_be_dropped(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(survey)
    named = tmp_path / "named.csv"
    frame.assign(passport=[f"P{i}" for i in range(200)]).to_csv(named, index=False)
    out = tmp_path / "out.csv"
    words = ("-k", 3, "--columns", COLUMNS, "--method", "mdav", "-o", out)
    ran = discreet("microaggregate", named, *words)
    assert ran.code == 1 and "column passport has a value of its own" in ran.err and not out.exists()
    assert discreet("microaggregate", named, *words, "--accept", "passport").code == 0
    ran = discreet("microaggregate", named, *words, "--drop", "passport", "--force")
    assert ran.code == 0
    assert "passport" not in ran.err + out.read_text()
    assert list(pd.read_csv(out).columns) == list(frame.columns)
    assert discreet("microaggregate", named, *words, "--drop", "hat", "--force").code == 2


def test_the_report_shows_no_record(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    words = ("--columns", COLUMNS, "-o", tmp_path / "o.csv", "--report", report)
    assert discreet("microaggregate", survey, "-k", 3, *words).code == 0
    text = report.read_text(encoding="utf-8")
    assert "Verified" in text and "<svg" in text and "http://" not in text.replace("http://www.w3.org", "")
    text = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)  # coordinates
    told = set(re.findall(r"[\d.]+", text))
    frame = pd.read_csv(survey, dtype=str)
    for name in ("spending", "savings"):
        assert not told & {value for value in frame[name] if len(value) > 5}


def test_columns_chosen_by_default_are_named_and_codes_are_nobodys_guess(
    discreet: Callable, survey: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    odd = tmp_path / "odd.csv"
    odd.write_text("income,other\n" + "".join(f"{value},{value}\n" for value in (12, 7, "00", 15, 130, 9)))
    ran = discreet("microaggregate", odd, "-k", 3, "-o", out, "-q")
    assert ran.code == 2 and "leading zeros" in ran.err and "income" in ran.err and not out.exists()
    survey = tmp_path / "whole.csv"
    dc.datasets.survey(200, seed=1).to_csv(survey, index=False)
    ran = discreet("microaggregate", survey, "-k", 3, "-o", out, "-q")
    assert ran.code == 1 and "column person has a value of its own" in ran.err and not out.exists()
    ran = discreet("microaggregate", survey, "-k", 3, "-o", out, "-q", "--accept", "person", "--accept", "employment")
    assert ran.code == 0, ran.err
    assert "Taken for codes, by their zeros in front: person" in ran.err
    assert "Protected, as no columns were named" in ran.err and "household_income" in ran.err
    assert "Published as they are: person" in ran.err
    before, after = pd.read_csv(survey, dtype=str), pd.read_csv(out, dtype=str)
    assert before["person"].equals(after["person"]) and not before["household"].equals(after["household"])
    assert discreet("verify", survey, out, "-k", 3, "--accept", "person", "--accept", "employment").code == 0
    both = discreet(
        "microaggregate", survey, "-k", 3, "--columns", "age", "--leave", "person", "-o", tmp_path / "b.csv"
    )
    assert both.code == 2 and "either columns or leave" in both.err
    words = ("--columns", "person,age", "--drop", "household,household_income")
    named = discreet("microaggregate", survey, "-k", 3, *words, "-o", tmp_path / "named.csv")
    assert named.code == 0, named.err


def test_standard_input_and_output(survey: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "discreet",
        "microaggregate",
        "-",
        "-k",
        "4",
        "--columns",
        COLUMNS,
        "-o",
        "-",
    ]
    done = subprocess.run(words, input=survey.read_bytes(), capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 201
    assert done.stdout.splitlines()[0] == survey.read_bytes().splitlines()[0]


def test_the_same_command_gives_the_same_bytes(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        ran = discreet("microaggregate", survey, "-k", 3, "--columns", COLUMNS, "-o", tmp_path / name, "--seed", 3)
        assert ran.code == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_an_existing_file_is_replaced_only_with_force(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("precious")
    words = ("microaggregate", survey, "-k", 3, "--columns", COLUMNS, "-o", out)
    ran = discreet(*words)
    assert ran.code == 2 and "--force" in ran.err and out.read_text() == "precious"
    assert discreet(*words, "--force").code == 0 and out.read_text() != "precious"


BROKEN = {
    "empty file": (b"", "empty"),
    "header only": (b"a,b\n", "row|record"),
    "ragged rows": (b"a,b\n1,2\n3\n4,5,6\n", "row|line"),
    "non-numeric column": (b"a,b\n1,x\n2,y\n3,z\n", "numeric"),
    "missing value": (b"a,b\n1,2\n,4\n5,6\n", "missing"),
    "infinity": (b"a,b\n1,2\ninf,4\n5,6\n", "infinite"),
    "duplicate names": (b"a,a\n1,2\n3,4\n5,6\n", "rename|twice|times"),
    "not text": (b"a,b\n\x00\x01\x02,3\n", "."),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(discreet: Callable, tmp_path: Path, case: str) -> None:
    content, word = BROKEN[case]
    data = tmp_path / "data.csv"
    data.write_bytes(content)
    before = listing(tmp_path)
    ran = discreet("microaggregate", data, "-k", 2, "--columns", "a,b", "-o", tmp_path / "out.csv")
    assert ran.code == 2, ran.err
    assert ran.err.startswith("error: ") and "Traceback" not in ran.err
    assert re.search(word, ran.err), ran.err
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("-k", 0), "k must be"),
        (("-k", 1000), "larger than the number of records"),
        (("-k", 3, "--columns", "income,nope"), "nope"),
        (("-k", 3, "--columns", "income,sex"), "sex"),
        (("-k", 3, "--scale", "log"), "unknown scale"),
        (("-k", 3, "--missing", "guess"), "missing"),
        (("-k", 3, "--method", "magic"), "mdav"),
        (("-k", 3, "--effort", "heroic"), "fast"),
        (("-k", 3, "--time-limit", -1), "time_limit"),
        (("-k", 3, "--seed", -1), "random_state"),
        (("-k", 3, "--report", "no/such/folder/r.html"), "folder"),
        (("-k", "many"), "whole number"),
        (("-k", "3,4"), "one k"),
    ],
)
def test_bad_options(discreet: Callable, survey: Path, tmp_path: Path, words: tuple, expected: str) -> None:
    before = listing(tmp_path)
    ran = discreet("microaggregate", survey, *words, "-o", tmp_path / "out.csv")
    assert ran.code == 2, ran.err
    assert expected in ran.err
    assert listing(tmp_path) == before


def test_everything_wrong_in_one_message(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    words = ("-k", 0, "--columns", "nope,sex", "--scale", "log", "-o", tmp_path / "o.csv")
    ran = discreet("microaggregate", survey, *words)
    assert ran.code == 2
    assert all(word in ran.err for word in ("k must be", "nope", "sex", "log"))


def test_unreadable_and_unwritable(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    before = listing(tmp_path)
    for data, out in (
        (tmp_path / "absent.csv", tmp_path / "o.csv"),
        (tmp_path, tmp_path / "o.csv"),
        (survey, tmp_path),
        (survey, tmp_path / "no" / "o.csv"),
        (survey, tmp_path / "o.docx"),
    ):
        ran = discreet("microaggregate", data, "-k", 3, "--columns", COLUMNS, "-o", out)
        assert ran.code == 2 and ran.err.startswith("error: "), ran.err
        assert listing(tmp_path) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    before = listing(tmp_path)
    report = tmp_path / "r.html"
    ran = discreet("microaggregate", survey, "-k", 3, "--columns", COLUMNS, "-o", "/dev/full", "--report", report)
    assert ran.code == 2 and "full" in ran.err
    assert listing(tmp_path) == before


def test_a_release_that_fails_its_check_is_not_written(
    discreet: Callable, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Break the centroids on purpose: the independent check must notice and nothing may be written."""
    from discreet.microaggregation import problem

    true = problem.centroids
    monkeypatch.setattr(problem, "centroids", lambda values, labels: true(values, labels) + 1.0)
    before = listing(tmp_path)
    ran = discreet("microaggregate", survey, "-k", 3, "--columns", COLUMNS, "-o", tmp_path / "o.csv")
    assert ran.code == 1 and "nothing was written" in ran.err
    assert listing(tmp_path) == before


# Ctrl-C half a second after the first annealings, when slow ones run that would go on for minutes.
CANCELLED = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start what runs behind without
from dataclasses import replace
from discreet import microaggregation
from discreet.cli import main
from discreet.work import Reporter

search = microaggregation.find_groups

def cancel(step):
    if step.stage == "annealing" and step.done == 1.0:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

def watched(method, call):
    return search(method, replace(call, report=Reporter(cancel)))

microaggregation.find_groups = watched
main(sys.argv[1:])
"""


def test_cancelling_leaves_nothing(tmp_path: Path) -> None:
    data = tmp_path / "large.csv"  # too large to be solved to the optimum before the time limit
    dc.datasets.survey(6000, seed=1).to_csv(data, index=False)
    before = listing(tmp_path)
    words = ["microaggregate", str(data), "-k", "3", "--columns", COLUMNS, "-o", "out.csv"]
    long = ["--effort", "best", "--time-limit", "1000"]
    process = subprocess.Popen([sys.executable, "-c", CANCELLED, *words, *long], cwd=tmp_path, stderr=subprocess.PIPE)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 130, err
    assert b"cancelled" in err and b"Traceback" not in err
    assert listing(tmp_path) == before


def test_unexpected_errors_quote_nothing(
    discreet: Callable, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet import microaggregation

    def explode(*_: object, **__: object) -> None:
        raise RuntimeError("secret value 42")

    monkeypatch.setattr(microaggregation, "find_groups", explode)
    words = ("microaggregate", survey, "-k", 3, "--columns", COLUMNS, "-o", tmp_path / "o.csv")
    ran = discreet(*words)
    assert ran.code == 2 and "secret" not in ran.err and "--debug" in ran.err
    assert "secret value 42" in discreet("--debug", *words).err


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    survey.chmod(0)
    ran = discreet("microaggregate", survey, "-k", 3, "-o", tmp_path / "o.csv")
    assert ran.code == 2 and "permission" in ran.err


def test_weights_strata_sets_and_gaps(discreet: Callable, tmp_path: Path) -> None:
    """All of them in one call; the check needs the same words, and no others do."""
    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    frame = dc.datasets.survey(120, seed=3)[["sex", "income", "spending", "savings"]]
    frame["income"] = frame["income"].astype("Int64").where(frame.index % 50 != 7)
    frame.assign(w=[1 + i % 5 for i in range(120)]).to_csv(data, index=False)
    words = ("-k", 3, "--columns", "income,spending", "--columns", "savings", "--weight", "w", "--by", "sex")
    ran = discreet("microaggregate", data, *words, "--missing", "known", "--effort", "fast", "-o", out)
    assert ran.code == 1 and "all sets but one" in ran.err and not out.exists()
    words = (*words, "--accept", "savings")
    ran = discreet("microaggregate", data, *words, "--missing", "known", "--effort", "fast", "-o", out)
    assert ran.code == 0, ran.err
    assert "weighted by w" in ran.err and "within sex" in ran.err
    asked = ("-k", 3, "--qi", "income,spending", "--qi", "savings", "--accept", "savings")
    assert discreet("verify", data, out, *asked, "--weight", "w", "--by", "sex").code == 0
    unweighted = discreet("verify", data, out, *asked)
    assert unweighted.code == 1 and "not their class's mean" in unweighted.out


def test_k_of_one_needs_to_be_meant(discreet: Callable, survey: Path, tmp_path: Path) -> None:
    words = ("microaggregate", survey, "-k", 1, "--columns", COLUMNS, "-o", tmp_path / "out.csv")
    assert "protects nobody" in discreet(*words).err
    assert discreet(*words, "--allow-unprotected").code == 0
