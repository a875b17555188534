"""The command fed with files and values that nobody would give it, and what must hold whatever it is fed.

The exit code is 0, 1 or 2; nothing it says holds a value of the data, a control character or a traceback; a run that
does not end with 0 leaves nothing behind; and what is wrong is found out on purpose, not by an accident on the way.
"""

from __future__ import annotations

import contextlib
import io
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from malformed import malformed, plain, tells

CODES = (0, 1, 2)
EDGES = (
    "-1",
    "0",
    "1",
    "2",
    "3.5",
    "-0",
    "99999999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "x",
    " ",
    "a,b",
    "a:b",
    "age",
    "sex",
    "nobody",
    "age=1",
    "=",
    "age=",
    "=1",
    "a\x1b[31mb",
    "a\nb",
    "\u202ex",
    "é",
    "\udcff",
    "age,age",
    ",",
    '"',
    "auto",
    "none",
    "-",
    "/",
    "..",
    "no/such/file.csv",
    "x" * 5000,
    "{good}",
    "{folder}",
    "sex={good}",
    "age=nan",
    "age=-1",
)


class _Stream(io.TextIOWrapper):
    """A text stream with a buffer, as the real ones have."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


def call(*words: object) -> tuple[int, str, str]:
    """`discreet WORDS` in this process: its exit code and what it printed."""
    from discreet.cli import app
    from discreet.cli.console import run

    out, err = _Stream(), _Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(app, [str(word) for word in words])
    return code, out.text(), err.text()


class Table:
    """A folder with sound files, in which the command is fed and after each meal looked after."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.good = folder / "good.csv"
        self.good.write_bytes(plain(random.Random(0)))
        self.bounds = folder / "bounds.csv"
        assert call("bounds", self.good, "-r", "age", "-r", "sex", "-o", self.bounds)[0] == 0
        self.kept = {path.name for path in folder.iterdir()}

    def meals(self, path: Path) -> list[tuple[object, ...]]:
        """Commands that read `path` in every place where a command reads a file."""
        good, out = self.good, self.folder / "o.csv"
        quick = ("--time-limit", 0.2)
        rest = ("--report", self.folder / "r.html", "--json", self.folder / "j.json")
        return [
            ("microaggregate", path, "-k", 2, "--method", "mdav", "-o", out),
            ("microaggregate", path, "-k", 2, "--columns", "age,income", "--method", "mdav", "--missing", "suppress",
             "-o", self.folder / "o.parquet", *rest),
            ("generalize", path, "-k", 2, "--qi", "age,sex", "--method", "ring", "--missing", "value", "-o", out),
            ("generalize", path, "-k", 3, "--qi", "sex,income", "--rounds", 1, "--missing", "wildcard", "-o", out,
             "--keep-secret", self.folder / "s.csv"),
            ("generalize", good, "-k", 2, "--qi", "sex", "--hierarchy", f"sex={path}", "--rounds", 1, "-o", out),
            ("verify", path, good, "-k", 2),
            ("verify", good, path, "-k", 2),
            ("verify", path, path, "-k", 2, "--qi", "age,sex", "--guarantee", "matchings"),
            ("verify", good, good, "-k", 2, "--certificate", path),
            ("verify", good, good, "-k", 2, "--qi", "age", "--guarantee", "matchings", "--secret", path),
            ("bounds", path, "-r", "age:sex", "-r", "income", *quick, "-o", out),
            ("simulate", path, "-r", "age", "-r", "sex", *quick, "-o", out),
            ("verify-bounds", path, good, "-r", "age", "-r", "sex", *quick),
            ("verify-bounds", self.bounds, path, "-r", "age", "-r", "sex", "--sample", 3, *quick),
            ("hierarchy", "check", path),
            ("hierarchy", "check", path, "--data", good, "--column", "sex"),
            ("hierarchy", "make", path, "--column", "age", "--widths", "5,10", "-o", out),
            ("hierarchy", "make", path, "--column", "sex", "--prefixes", "1", "-o", out),
            ("tabulate", path, "--by", "age,sex", "--value", "income", "--rule", "p=10", "-o", out, *rest),
            ("tabulate", path, "--by", "sex", "--by", "age", "--weight", "income", "--holding", "sex", "-o", out),
            ("plan", path, "--variables", "age:sex", *quick),
            ("plan", good, "--variables", "age:sex", "--policy", path, *quick),
        ]  # fmt: skip

    def serve(self, words: tuple[object, ...], content: bytes, spare: Path | None = None) -> str | None:
        """Run the command; what does not hold, or None."""
        code, out, err = call(*words)
        left = [path for path in self.folder.iterdir() if path.name not in self.kept and path != spare]
        for path in left:
            path.unlink()
        if code not in CODES:
            return f"exit code {code}"
        if "defect in discreet" in err:
            return "an accident: " + err.split(";")[0]
        judged = words[0] in ("verify", "verify-bounds")  # a verdict that is not "safe" is a result, and has figures
        if code and left and not (judged and len(left) == 1):
            return f"left behind: {sorted(path.name for path in left)}"
        asked = "-" in words  # the result itself, on standard output
        return tells(err if asked else out + err, content)

    def feed(
        self, seed: int, most: int | None = None, end: float = math.inf
    ) -> Iterator[tuple[tuple[object, ...], str]]:
        """Give file number `seed` to all commands, or to some of them, until `end`; yields what does not hold."""
        extension, content = malformed(seed)
        path = self.folder / f"fed.{extension}"
        path.write_bytes(content)
        try:
            meals = self.meals(path)
            random.Random(seed).shuffle(meals)
            for words in meals[:most]:
                if time.monotonic() > end:
                    break
                wrong = self.serve(words, content, path)
                if wrong is not None:
                    yield words, wrong
        finally:
            path.unlink()

    def spice(self) -> Iterator[tuple[object, ...]]:
        """Every option of every command with every edge value, the rest of the line being sound."""
        good, out, bounds = str(self.good), str(self.folder / "o.csv"), str(self.bounds)
        quick = ("--time-limit", "0.2")
        lines: dict[str, tuple[str, ...]] = {
            "microaggregate": (good, "-k", "2", "--columns", "age,income", "--method", "mdav", "-o", out),
            "generalize": (good, "-k", "2", "--qi", "age,sex", "--rounds", "1", "-o", out),
            "verify": (good, good, "-k", "2"),
            "bounds": (good, "-r", "age", "-r", "sex", *quick),
            "simulate": (good, "-r", "age", "-r", "sex", "-o", out, *quick),
            "verify-bounds": (bounds, good, "-r", "age", "-r", "sex", "--sample", "2", *quick),
            "plan": (good, "--variables", "age:sex", *quick),
            "tabulate": (good, "--by", "sex", "--value", "income", "-o", out),
            "ask": ("http://127.0.0.1:9", "d", "A", "--token", "t"),
            "hierarchy check": (good,),
            "hierarchy make": (good, "--column", "age", "--widths", "5", "-o", out),
            "datasets survey": ("-n", "5", "-o", out),
            "datasets autoworkers": ("-o", out),
        }
        for name, command in commands():
            if name not in lines:
                continue
            for option in command.params:
                if option.param_type_name != "option" or option.is_flag:
                    continue
                for edge in EDGES:
                    if name == "ask" and option.name == "wait":
                        continue  # it would wait
                    value = edge.replace("{good}", good).replace("{folder}", str(self.folder))
                    line = list(lines[name])
                    for word in option.opts:
                        if word in line and not option.multiple:
                            at = line.index(word)
                            del line[at : at + 2]
                    yield (*name.split(), *line, option.opts[0], value)


def commands() -> Iterator[tuple[str, Any]]:
    """The commands by name."""
    from discreet.cli import app

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        if hasattr(command, "commands"):
            for name, below in command.commands.items():
                yield from walk(below, (*words, name))
        else:
            yield " ".join(words), command

    yield from walk(typer.main.get_command(app), ())
