"""The door through which everything is published: what is judged is what is written, and all of it or nothing."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import discreet as dc
from discreet.cli.outputs import as_json, check_outputs
from discreet.errors import InputError

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    frame = dc.datasets.survey(40, seed=1)[["age", "sex", "income", "savings"]]
    frame.to_csv(path, index=False)
    return path


def words(people: Path, *more: object) -> tuple[object, ...]:
    return ("microaggregate", people, "-k", 3, "--columns", "income,savings", "--method", "mdav", *more)


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def spoil(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the writer put one row's own value into the file: the result in memory stays sound."""
    from discreet.frames import files

    true = files.write

    def write(data: Any, path: Any, **options: Any) -> None:
        true(data, path, **options)
        frame = pd.read_csv(path, dtype=str)
        frame.loc[0, "income"] = "123456.75"
        frame.to_csv(path, index=False)

    monkeypatch.setattr("discreet.frames.write", write)


def test_the_bytes_are_judged_not_the_memory(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch)
    before = listing(tmp_path)
    extra = ("--report", tmp_path / "r.html", "--json", tmp_path / "j.json", "--certificate", tmp_path / "c.json")
    ran = discreet(*words(people, "-o", tmp_path / "out.csv", *extra))
    assert ran.code == 1
    assert "nothing was written" in ran.err
    assert listing(tmp_path) == before
    ran = discreet(*words(people, "-o", "-"))
    assert (ran.code, ran.out) == (1, "")


@posix
@pytest.mark.parametrize("unsafe", [False, True])
def test_a_pipe_gets_what_was_checked_or_nothing(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsafe: bool
) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    came: list[bytes] = []
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    if unsafe:
        spoil(monkeypatch)
    ran = discreet(*words(people, "-o", pipe))
    came.append(os.read(reader, 1 << 16))
    os.close(reader)
    assert ran.code == (1 if unsafe else 0), ran.err
    assert bool(came[0]) is not unsafe
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_an_input_that_can_be_read_but_once(discreet: Callable, people: Path, tmp_path: Path) -> None:
    pipe, out = tmp_path / "pipe.csv", tmp_path / "out.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(people.read_bytes()))
    writer.start()
    ran = discreet(*words(pipe, "-o", out))
    writer.join()
    assert ran.code == 0, ran.err
    assert discreet("verify", people, out, "-k", 3, "--qi", "income,savings").code == 0


def test_an_input_that_changes_meanwhile(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.instruments import microaggregate as instrument

    true = instrument.microaggregate

    def slow(*args: Any, **options: Any) -> Any:
        people.write_bytes(people.read_bytes() + b"\n")
        return true(*args, **options)

    monkeypatch.setattr(instrument, "microaggregate", slow)
    ran = discreet(*words(people, "-o", tmp_path / "out.csv"))
    assert ran.code == 2
    assert "changed while" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("fails", [1, 2, 3])
def test_all_files_or_none(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """A rename that fails takes the earlier ones back: what was there is there again."""
    module = import_module("discreet.frames.atomic")
    true, count = module._move, [0]

    def move(temporary: Path, target: Path, force: bool) -> None:
        if temporary.parent == target.parent and not target.name.startswith(".discreet"):
            count[0] += 1
            if count[0] == fails:
                raise OSError(28, "No space left on device")
        true(temporary, target, force)

    monkeypatch.setattr(module, "_move", move)
    out, report, figures = tmp_path / "out.csv", tmp_path / "r.html", tmp_path / "j.json"
    figures.write_text("precious")
    before = listing(tmp_path)
    ran = discreet(*words(people, "-o", out, "--report", report, "--json", figures, "--force"))
    assert ran.code == 2
    assert "disk is full" in ran.err
    assert listing(tmp_path) == before


def test_the_data_come_last(discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("discreet.frames.atomic")
    true, seen = module._move, []

    def move(temporary: Path, target: Path, force: bool) -> None:
        seen.append(target.name)
        true(temporary, target, force)

    monkeypatch.setattr(module, "_move", move)
    more = ("--report", tmp_path / "r.html", "--json", tmp_path / "j.json")
    assert discreet(*words(people, "-o", tmp_path / "out.csv", *more)).code == 0
    assert [name for name in seen if not name.startswith(".")] == [
        "out.csv.manifest.json",
        "j.json",
        "r.html",
        "out.csv",
    ]


def test_that_nothing_was_written_is_said_only_when_true(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.results import Result

    for error, code in ((KeyboardInterrupt, 130), (MemoryError, 2), (RuntimeError, 2)):

        def late(self: Result, error: type[BaseException] = error) -> str:
            raise error

        monkeypatch.setattr("discreet.instruments.microaggregation.Microaggregation.summary", late)
        out = tmp_path / f"{error.__name__}.csv"
        ran = discreet(*words(people, "-o", out))
        assert ran.code == code
        assert "nothing was written" not in ran.err
        assert f"already written: {out}" in ran.err
        assert out.exists()


SAME = (
    (
        ("microaggregate", "{data}", "-k", "3", "--columns", "income", "-o", "{out}"),
        ("--json", "--report", "--certificate"),
    ),
    (("generalize", "{data}", "-k", "3", "--qi", "age,sex", "-o", "{out}"), ("--json", "--report", "--keep-secret")),
    (("bounds", "{data}", "-r", "age", "-o", "{out}"), ("--json", "--report")),
    (("simulate", "{data}", "-r", "age", "-o", "{out}"), ()),
    (("verify", "{data}", "{data}", "-k", "3"), ("--json",)),
    (("verify-bounds", "{data}", "{data}", "-r", "age"), ("--json",)),
    (("hierarchy", "make", "{data}", "--column", "age", "--widths", "5", "-o", "{out}"), ()),
    (("plan", "{data}"), ("--json",)),
)  # fmt: skip


@pytest.mark.parametrize(("given", "more"), SAME, ids=lambda value: str(value[0]) if value else "")
@pytest.mark.parametrize("way", ["itself", "dots", "symbolic link", "hard link"])
def test_an_output_is_no_input(
    discreet: Callable, people: Path, tmp_path: Path, given: tuple[str, ...], more: tuple[str, ...], way: str
) -> None:
    other = tmp_path / "sub" / ".." / "people.csv" if way == "dots" else tmp_path / "other.csv"
    (tmp_path / "sub").mkdir()
    if way == "itself":
        other = people
    elif way == "symbolic link":
        other.symlink_to(people)
    elif way == "hard link":
        os.link(people, other)
    before = listing(tmp_path)
    runs = [[word.format(data=people, out=other) for word in given]] if "{out}" in given else []
    runs += [
        [*(word.format(data=people, out=tmp_path / "o.csv") for word in given), option, str(other)] for option in more
    ]
    for run in runs:
        ran = discreet(*run, "--force")
        assert ran.code == 2, run
        assert "is the input" in ran.err, (run, ran.err)
        assert listing(tmp_path) == before


@pytest.mark.parametrize(
    "pair", [("x.csv", "x.csv"), ("x.csv", "./x.csv"), ("x.csv", "X.CSV"), ("-", "-"), ("é.csv", "e\u0301.csv")]
)
def test_two_outputs_are_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: tuple[str, str]) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="two outputs go to the same file"):
        check_outputs([Path(pair[1])] if pair[1] != "-" else ["-"], data=pair[0], force=True)


@posix
def test_links_to_one_file_are_one_output(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    os.link(tmp_path / "a.csv", tmp_path / "c.csv")
    for other in ("b.csv", "c.csv"):
        with pytest.raises(InputError, match="two outputs"):
            check_outputs([tmp_path / other], data=tmp_path / "a.csv", force=True)
    check_outputs([tmp_path / "d.csv"], data=tmp_path / "a.csv", force=True)


def test_hierarchies_and_secrets_are_inputs_too(discreet: Callable, people: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("f;*\nm;*\n")
    ran = discreet("generalize", people, "-k", 3, "--qi", "sex", "--hierarchy", f"sex={tree}", "-o", tree, "--force")
    assert ran.code == 2 and "is the input" in ran.err
    assert tree.read_text() == "f;*\nm;*\n"


def test_figures_are_escaped() -> None:
    text = as_json({"a\x1b\u202e\u2028é\ud800": "\x7f"})
    assert text.replace("\n", "").isprintable()
    assert "é" in text
    import json

    assert json.loads(text) == {"a\x1b\u202e\u2028é\ud800": "\x7f"}


def command(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "discreet", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, timeout=240, **options)


@posix
def test_streams_that_are_closed_or_full(people: Path, tmp_path: Path) -> None:
    line = " ".join(map(str, (sys.executable, "-m", "discreet", *words(people, "-o", "{out}"))))
    before = listing(tmp_path)
    for out, redirect, code in (
        ("-", ">&-", 2), ("-", ">/dev/full", 2), ("-", "| true", None), ("o.csv", ">&-", 0), ("o.csv", "2>&-", 0),
        ("o.csv", "2>/dev/full", 0), ("o.csv", "<&- >&- 2>&-", 0),
    ):  # fmt: skip
        shell = f"set -o pipefail; cd {tmp_path}; {line.format(out=out)} {redirect}"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, timeout=240)
        assert done.returncode in ((0, 2) if code is None else (code,)), (out, redirect, done.stderr)
        assert b"Traceback" not in done.stderr
        made = tmp_path / "o.csv"
        if code == 0:
            assert len(made.read_text().splitlines()) == 41
            made.unlink()
            (tmp_path / "o.csv.manifest.json").unlink()
        assert listing(tmp_path) == before
    shell = f"{sys.executable} -m discreet verify {people} {people} -k 1 --qi sex > /dev/full"
    assert subprocess.run(["bash", "-c", shell], capture_output=True).returncode == 2


STOPPED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start what runs behind without
from importlib import import_module
from discreet.cli import main
atomic = import_module("discreet.frames.atomic")
number, moment = int(sys.argv[1]), int(sys.argv[2])
true, seen = atomic._sync, [0]
def sync(path):
    seen[0] += 1
    if seen[0] == moment:
        os.kill(os.getpid(), number)
    true(path)
atomic._sync = sync
main(sys.argv[3:])
"""


@posix
@pytest.mark.parametrize(("number", "moment"), [(signal.SIGINT, 1), (signal.SIGTERM, 2), (signal.SIGTERM, 4)])
def test_stopped_while_writing(people: Path, tmp_path: Path, number: int, moment: int) -> None:
    """A signal when files are half-way: none of them is there, and the exit code says cancelled."""
    before = listing(tmp_path)
    more = ("-o", tmp_path / "o.csv", "--json", tmp_path / "j.json", "--report", tmp_path / "r.html")
    line = [sys.executable, "-c", STOPPED, str(int(number)), str(moment), *map(str, words(people, *more))]
    done = subprocess.run(line, capture_output=True, timeout=240)
    assert done.returncode == 130, done.stderr
    assert b"cancelled: nothing was written" in done.stderr
    assert listing(tmp_path) == before
