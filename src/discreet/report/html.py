"""A result as a self-contained HTML page: plain language first, then figures, the verdict, and what to keep on record.

The page loads nothing from elsewhere, reads in light and dark, and prints well. For the public it holds less:
`discreet.report.audience` says what.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from discreet._version import __version__
from discreet.errors import visible
from discreet.report import figures
from discreet.report.audience import blurred, check_audience, check_public, public_parameters, public_verdict
from discreet.report.record import Record, citation, made, record_of, versions
from discreet.results import Audience, Nested, Result, Section, Verdict

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


def _content(result: Result, verdict: Verdict | None, audience: Audience) -> dict[str, Any]:
    """What the template shows of one result."""
    internal, drawable = audience == "internal", figures.available()
    verdicts, statement, numbers = _verdicts(result, verdict), result.statement(), result.to_dict()
    if not internal:
        check_public(verdicts)
        verdicts = [public_verdict(one) for one in verdicts]
    return {
        "title": result.title() if internal else statement.heading,
        "questions": statement.questions(),
        "verdicts": verdicts,
        "claimed": bool(result.claim()),
        "facts": result.facts() if internal else [],
        "picture": _picture(result.plot(), audience) if internal and drawable else None,
        "sections": [_section(one, audience) for one in (result.sections() if internal else result.public_sections())],
        "proof": _proof(numbers, audience),
        "parameters": _parameters(numbers) if internal else _listed(public_parameters(numbers)),
    }


def _section(section: Section, audience: Audience) -> dict[str, Any]:
    return {
        "title": section.title,
        "text": section.text,
        "columns": section.columns,
        "words": _words(section.rows),
        "rows": section.rows,
        "nested": section.nested,
        "picture": _picture(section.figure, audience),
    }


def _picture(figure: Any, audience: Audience) -> str | None:
    """One figure or several as SVG; for the public, those that are not confidential, and not to the last digit."""
    drawn = [] if figure is None else list(figure) if isinstance(figure, Sequence) else [figure]
    if audience == "public":
        drawn = [one for one in drawn if not getattr(one, "confidential", False)]
    found = "\n".join(map(figures.svg, drawn))
    return (found if audience == "internal" else blurred(found)) or None


def _proof(numbers: Mapping[str, Any], audience: Audience) -> str:
    """What is proven of the loss; "" for results that have no bound. Its figure is one of the original."""
    if "lower_bound" not in numbers:
        return ""
    bound, how = numbers["lower_bound"], numbers.get("bound")
    if bound is None:
        return "No lower bound was asked for: it is not known how much less another release of this kind could lose."
    if audience == "public":
        return "A lower bound on the loss of any release of this kind is proven; the custodian holds the proof."
    by = f" ({how})" if how else ""
    reached = f" The gap to what was reached is {numbers['gap']:.4g}." if numbers.get("gap") is not None else ""
    return f"It is proven that nothing of this kind gets below {_figure(bound)}{by}.{reached}"


def _figure(number: float) -> str:
    """A whole number to the last digit, others to six."""
    return str(number) if isinstance(number, int) else f"{number:.6g}"


def _parameters(numbers: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Names and values, but not the seed of a draw: a page goes out, and whoever knows the seed repeats the draw."""
    named = {name: value for name, value in numbers.items() if isinstance(value, str | int | float | bool)}
    return _listed({n: named[n] for n in sorted(named) if n != "seed" or "secret_draw" not in named})


def _listed(named: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values as words."""
    return [(name.replace("_", " "), _words_of(value)) for name, value in named.items()]


def _words_of(value: Any) -> str:
    if isinstance(value, list | tuple):
        nested = any(isinstance(one, list | tuple) for one in value)
        return ("; " if nested else ", ").join(_words_of(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


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
    verdicts: Sequence[Verdict | None] | None = None,
    audience: Audience = "internal",
    record: Record | None = None,
) -> str:
    """The whole page, for one result or several; checks them where their verdicts are not at hand.

    `record` has the hashes of the very files and the command that checks them again.
    """
    check_audience(audience)
    checked = verdicts if verdicts is not None else [result.judged() for result in results]
    parts = [_content(result, verdict, audience) for result, verdict in zip(results, checked)]
    kept, day = record or Record(), made()
    text: str = (
        _templates()
        .get_template("report.html")
        .render(
            heading=heading or parts[0]["title"],
            parts=parts,
            audience=audience,
            version=__version__,
            drawable=figures.available(),
            files=kept.shown_files(audience),
            command=kept.shown_command(audience),
            day=day,
            versions=versions(audience),
            citation=citation(day),
        )
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


def write_report(
    result: Result,
    path: Path,
    *,
    audience: Audience = "internal",
    files: Mapping[str, str | Path | None] | None = None,
    force: bool = False,
) -> Path:
    """Write the page of one result; `files` are those it was read from and written to, by their roles."""
    from discreet.frames import write_text

    check_audience(audience)
    record = record_of(result.claim(), files or {})
    write_text(path, page([result], audience=audience, record=record), force=force)
    return path


def write_reports(
    results: Sequence[Result],
    path: Path,
    *,
    heading: str | None = None,
    audience: Audience = "internal",
    record: Record | None = None,
    force: bool = False,
) -> Path:
    """Write one page about all the results; an existing file is replaced only with `force`."""
    from discreet.frames import write_text

    write_text(path, page(results, heading=heading, audience=audience, record=record), force=force)
    return path
