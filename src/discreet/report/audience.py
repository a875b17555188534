"""What a page for the public may hold. Everything is left out that is not let in here.

A release may be looked at by whoever knows all but one record. So a public page shows no value of the original, no
count below the threshold, and no figure of the original that is exact enough to solve for what is missing: sentences of
the check only where their numbers are those that were asked for (k, l), parameters only by the names below, pictures
with coordinates in whole points. Who did not say that a result is safe may say so nowhere: an unsafe one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from discreet.errors import InputError, UnsafeReleaseError
from discreet.results import Audience, Verdict, about

AUDIENCES = get_args(Audience)
# What was asked for: words and names of columns, and few numbers. Figures, seeds, caps and rules are not among them.
WORDS = (
    *("instrument", "guarantee", "recoding", "numbers", "columns", "sets", "by", "weight", "round", "ncp", "missing"),
    *("quasi_identifiers", "categorical", "scale", "sensitive", "method", "shuffled", "keys", "exact"),
    *("variables", "releases", "semantics", "version"),
)
NUMBERS = ("k", "l", "base", "combinations")
MORE = "The check measured more than is told here; its figures are for those who hold the original."
_NUMBER = re.compile(r"(?<!\w)\d")
_COORDINATES = re.compile(r'(\s(?:d|x|y|x1|x2|y1|y2|cx|cy|width|height|points)="|translate\()([^")]*)')
_DECIMAL = re.compile(r"-?\d+\.\d+")
_ALT = re.compile(r'(aria-label="|<title>)([^"<]*)')
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")


def check_audience(audience: str) -> None:
    if audience not in AUDIENCES:
        raise InputError(f"unknown audience {audience!r}: choose one of {', '.join(AUDIENCES)}")


def check_public(verdicts: Sequence[Verdict]) -> None:
    """No page for the public about what the check calls unsafe."""
    if any(verdict.outcome == "unsafe" for verdict in verdicts):
        raise UnsafeReleaseError(
            "the independent check calls this unsafe, so there is no page for the public: mend what the internal page "
            "names, or write that one (audience='internal', --audience internal)"
        )


def public_verdict(verdict: Verdict) -> Verdict:
    """The verdict without what it measured: only sentences whose numbers are those that were asked for."""
    proven, limits = (
        [sentence for sentence in sentences if _tells_no_figure(sentence, verdict)]
        for sentences in (verdict.proven, verdict.limits)
    )
    if len(proven) + len(limits) < len(verdict.proven) + len(verdict.limits):
        limits.append(MORE)
    headline = verdict.headline if _tells_no_figure(verdict.headline, verdict) else ""
    return replace(
        verdict, failures=(), advice=(), figures={}, proven=tuple(proven), limits=tuple(limits), headline=headline
    )


def _tells_no_figure(sentence: str, verdict: Verdict) -> bool:
    """Whether all its numbers are k, "k - 1 others", 1/k, or the values or keys together that were asked for."""
    k, l, m = verdict.k, verdict.figures.get("l"), verdict.figures.get("combinations")
    asked = rf"{k}|1/{k}|1 in {k}|{k - 1} other" if k is not None else "(?!)"
    values = rf"{l} (?:different|distinct|or more)" if l is not None else "(?!)"
    together = rf"any {m} of" if m is not None else "(?!)"
    return _NUMBER.search(re.sub(rf"(?<!\w)(?:{asked}|{values}|{together})(?!\w)", "", sentence)) is None


def public_parameters(figures: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for. A name that elsewhere stands for a column may stand for a count: that is not shown."""
    numbers = {name: figures[name] for name in NUMBERS if isinstance(figures.get(name), int | float)}
    words = {name: figures[name] for name in WORDS if isinstance(figures.get(name), str | bool | list)}
    return numbers | {name: value for name, value in words.items() if value not in ("", [])}


def blurred(svg: str) -> str:
    """A picture with its coordinates in whole points and its words to two digits: it shows no figure exactly."""
    svg = _COORDINATES.sub(lambda found: found[1] + _DECIMAL.sub(_whole, found[2]), svg)
    return _ALT.sub(lambda found: found[1] + _FIGURE.sub(_rough, found[2]), svg)


def _rough(found: re.Match[str]) -> str:
    rough = about(float(found[0]))
    return rough if "." in found[0] else f"{float(rough):.0f}"


def _whole(found: re.Match[str]) -> str:
    return f"{float(found[0]):.0f}"
