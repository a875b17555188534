"""Options that mean the same in every command, each with the range that every method can hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

LARGEST = 2**62


def _sound_delimiter(given: str | None) -> str | None:
    if given is not None and (len(given) != 1 or not given.isascii() or given in '"\r\n\0' or given.isalnum()):
        raise typer.BadParameter(
            "the delimiter must be one ASCII character that is neither a letter, a digit, a quote nor a line end"
        )
    return given


def _known_encoding(name: str | None) -> str | None:
    import codecs

    try:
        text = name is None or codecs.lookup(name)._is_text_encoding
    except (LookupError, ValueError):
        text = False
    if not text:
        raise typer.BadParameter("unknown encoding: try utf-8, cp1252, latin-1 or utf-16")
    return name


def _one_size(given: str) -> int:
    """k: one whole number, since a command writes one file."""
    if given.count(",") and all(part.strip().isdigit() for part in given.split(",")):
        raise typer.BadParameter(
            "give one k: a command writes one file. Run it once for each k; from Python, microaggregate takes a list"
        )
    try:
        number = int(given)
    except ValueError:
        raise typer.BadParameter("k must be a whole number") from None
    if number > LARGEST:
        raise typer.BadParameter(f"k must be at most {LARGEST}")
    return number


Output = Annotated[
    str, typer.Option("-o", "--output", help="Where to write; - is standard output.", show_default=False)
]
MaybeK = Annotated[
    int | None,
    typer.Option(
        "-k",
        help="The least number of people who must look alike; a manifest says it itself.",
        show_default=False,
        metavar="INTEGER",
        parser=_one_size,
    ),
]
K = Annotated[
    int,
    typer.Option(
        "-k",
        help="The least number of people who must look alike.",
        show_default=False,
        metavar="INTEGER",
        parser=_one_size,
    ),
]
Delimiter = Annotated[
    str | None, typer.Option(help="Delimiter of CSV files; found out unless given.", callback=_sound_delimiter)
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of CSV files; found out unless given.", callback=_known_encoding)
]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", help="Seconds; then the best so far is taken.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of everything random.", max=LARGEST)]
Drop = Annotated[str | None, typer.Option("--drop", help="Columns to leave out, such as names, separated by commas.")]
Accept = Annotated[
    list[str] | None,
    typer.Option("--accept", help="A column that may tell who is who, accepted by name. May be repeated."),
]
TableHierarchy = Annotated[
    list[str] | None,
    typer.Option("--hierarchy", help="Levels of a variable's labels: variable=file.csv or file.hrc. May be repeated."),
]
Rule = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        help="What makes a cell sensitive: frequency=3, p=10, pq=10,50, dominance=2,85, zeros=20; and range=15, "
        "sliding=20, knowledge=100 or none. May be repeated.",
    ),
]
Report = Annotated[Path | None, typer.Option("--report", help="Write an HTML report, which prints to PDF.")]
Audience = Annotated[
    str | None,
    typer.Option(
        "--audience",
        help="For whom the report is: internal, or public, which holds no original value and no small count.",
        show_default="internal",
    ),
]
Json = Annotated[Path | None, typer.Option("--json", help="Write the figures of the run as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace output files that exist.")]
Memory = Annotated[
    str | None,
    typer.Option("--memory", help="How much memory it may take, such as 2GB.", show_default="2GB for folders"),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Where blocks are worked on: dask://host:port, local (Dask workers here), spark://host:port or local[2] "
        "(Spark here); on threads of this machine unless given.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run for this output that was stopped.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors and warnings.")]


Cap = Annotated[
    list[str] | None,
    typer.Option(
        "--cap",
        help="column=top, column=bottom:top or column=bottom: with nothing after it: values beyond are published as "
        "the cap. May be repeated.",
    ),
]
Level = Annotated[
    list[str] | None,
    typer.Option("--level", help="column=number: the level of its hierarchy that nothing is published below."),
]


def caps(given: list[str] | None) -> dict[str, dict[str, str]]:
    """The caps of `--cap`, by name; a time of day has colons of its own, so its ends stand apart by two of them."""
    found = {}
    for column, text in pairs(given, "--cap", "column=top or column=bottom:top").items():
        bottom, middle, top = text.partition("::" if "::" in text or text.count(":") > 1 else ":")
        ends = {"bottom": bottom, "top": top} if middle else {"top": text}
        found[column] = {name: end for name, end in ends.items() if end}
    return found


def levels(given: list[str] | None) -> dict[str, int]:
    """The least levels of `--level`."""
    from discreet.errors import InputError

    try:
        return {column: int(text) for column, text in pairs(given, "--level", "column=number").items()}
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError("--level takes column=number") from None


def pairs(given: list[str] | None, option: str, form: str) -> dict[str, str]:
    """`column=value` of an option that may be repeated, each column once."""
    from discreet.errors import Faults

    faults = Faults()
    found: dict[str, str] = {}
    for text in given or []:
        column, _, value = text.partition("=")
        if faults.check(bool(column and value), f"{option} takes {form}"):
            faults.check(column not in found, f"{option} is given twice for {column!r}")
            found[column] = value
    faults.raise_if_any()
    return found


def word(text: str | None) -> Any:
    """A word of the command line for a parameter that takes a few words only: the instrument says which it knows."""
    return text
