"""A result as a self-contained HTML page: facts, the verdict of the independent check, tables and pictures.

The page loads nothing from elsewhere, reads in light and dark, prints well, and contains no record of the data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from discreet._version import __version__
from discreet.errors import visible
from discreet.report import figures
from discreet.results import Nested, Result, Verdict

_NUMBER = re.compile(r"(?:[<>≤≥±+−-]?\s*[0-9][0-9., ]*(?:[eE][+-]?[0-9]+)?\s*%?|nan|inf|[–—.-])?")


@cache
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        """Names of columns may hold anything; pictures are our own."""
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    return Environment(
        loader=PackageLoader("discreet.report", "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _content(result: Result, verdict: Verdict | None) -> dict[str, Any]:
    drawable = figures.available()
    return {
        "title": result.title(),
        "facts": result.facts(),
        "verdicts": _verdicts(result, verdict),
        "picture": figures.svg(result.plot()) if drawable else None,
        "sections": [
            {
                "title": section.title,
                "text": section.text,
                "columns": section.columns,
                "words": _words(section.rows),
                "rows": section.rows,
                "nested": section.nested,
                "picture": figures.svg(section.figure) if section.figure is not None else None,
            }
            for section in result.sections()
        ],
        "parameters": _parameters(result),
    }


def _parameters(result: Result) -> list[tuple[str, str | int | float | bool]]:
    """Names and values, but not the seed of a draw: a page goes out, and whoever knows the seed repeats the draw."""
    named = {name: value for name, value in result.to_dict().items() if isinstance(value, str | int | float | bool)}
    return sorted((name, value) for name, value in named.items() if name != "seed" or "secret_draw" not in named)


def _words(rows: Sequence[Sequence[Any]]) -> list[bool]:
    """Which columns of a table hold words: they stand to the left, and numbers to the right."""
    return [any(_NUMBER.fullmatch(str(value)) is None for value in column) for column in zip(*rows)]


def _verdicts(result: Result, verdict: Verdict | None) -> list[Verdict]:
    """The verdict under its headline, and what is judged beside; none for what is no release. An unsafe one is false,
    and must be seen all the more."""
    if verdict is None:
        return []
    return [replace(verdict, headline=result.headline(verdict)), *result.judged_beside()]


def page(
    results: Sequence[Result],
    *,
    heading: str | None = None,
    verdicts: Sequence[Verdict] | None = None,
    command: str | None = None,
) -> str:
    """The whole page, for one result or several; checks them where their verdicts are not at hand.

    `command` is the one that checks the very files again.
    """
    checked = verdicts if verdicts is not None else [result.judged() for result in results]
    parts = [_content(result, verdict) for result, verdict in zip(results, checked)]
    title = heading or parts[0]["title"]
    text: str = (
        _templates()
        .get_template("report.html")
        .render(heading=title, parts=parts, version=__version__, drawable=figures.available(), command=command)
    )
    return text


def public(title: str, tables: Sequence[tuple[str, Nested]]) -> str:
    """A page of tables alone: what is published of them, without figures of how it came about."""
    marks = {text for _, nested in tables for line in nested.lines for text, mark in line.cells if mark}
    text: str = (
        _templates()
        .get_template("public.html")
        .render(title=title, tables=tables, hidden=bool(marks), mark=", ".join(sorted(marks)))
    )
    return text


class Card(Protocol):
    """Whatever has a title and facts."""

    def title(self) -> str: ...

    def facts(self) -> list[tuple[str, str]]: ...


def fragment(card: Card) -> str:
    """The short form that notebooks show: of a result, a verdict, margins."""
    outcome = card.outcome if isinstance(card, Verdict) else ""
    text: str = (
        _templates().get_template("fragment.html").render(title=card.title(), facts=card.facts(), outcome=outcome)
    )
    return text


def write_report(result: Result, path: Path, *, force: bool = False) -> Path:
    return write_reports([result], path, force=force)


def write_reports(results: Sequence[Result], path: Path, *, heading: str | None = None, force: bool = False) -> Path:
    """Write one page about all the results; an existing file is replaced only with `force`."""
    from discreet.frames import write_text

    write_text(path, page(results, heading=heading), force=force)
    return path
