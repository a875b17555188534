"""Results side by side, and a proposal made from them, in plain language: nothing of either goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import columns
from discreet.results import Statement, about

if TYPE_CHECKING:
    from discreet.instruments.comparison.comparison import Comparison
    from discreet.instruments.comparison.recommendation import Recommendation

CHANGED = "This by itself changed no file and published none."
ATTACKS = "Attacks that were not tried, where nothing is proven: they may find more."
NOT_CHECKED = "The release that is chosen in the end: have the very file checked that goes out."


def statement(result: Comparison) -> Statement:
    if not result.columns:
        done = "Results of several methods were put side by side, each by its own figures."
        return Statement("Several results side by side", (done, CHANGED), (_NOBODY,), (NOT_CHECKED,), (_NOTHING,))
    return Statement(
        "Several ways to protect one file, side by side",
        (
            "Several releases of one file were put side by side. The same attacks were made on all of them, by someone "
            f"who knows {columns(result.columns)} of everybody, and their losses were measured on one scale.",
            CHANGED,
        ),
        (_NOBODY,),
        (f"Someone who knows other columns than {_these(result.columns)}.", ATTACKS, NOT_CHECKED),
        (_NOTHING,),
    )


def proposal(result: Recommendation) -> Statement:
    roles = (*result.roles.keys, *result.roles.numeric)
    uncovered = [
        f"Someone who knows other columns than {_these(roles)}.",
        "Methods, and numbers of people who look alike, that were not tried.",
        NOT_CHECKED,
    ]
    if result.guessed:
        uncovered.insert(0, "Roles of columns that were guessed wrongly: look at them before anything is published.")
    return Statement(
        "A proposal how to protect a file",
        (*_proposed(result), CHANGED),
        (
            "A proposal protects nobody; the release that is made by it does. It was tried against someone who knows "
            f"{columns(roles)} of everybody.",
        ),
        uncovered,
        (_loss(result),),
    )


def _proposed(result: Recommendation) -> list[str]:
    asked = []
    if result.most_risk is not None:
        asked.append(f"at most {about(100 * result.most_risk)} % of the people may be found, by proof")
    if result.most_loss is not None:
        asked.append(f"at most {about(100 * result.most_loss)} % of what the cells tell may be lost")
    words = f"Several ways to protect the file were tried. What was asked for: {', and '.join(asked)}."
    if not result.met:
        return [words, "Nothing that was tried keeps to it."]
    return [words, f"Proposed is {result.instrument} by the method {result.method}, with k = {result.k}."]


def _loss(result: Recommendation) -> str:
    if result.chosen is None or result.chosen.loss is None:
        return _NOTHING
    return (
        f"{_NOTHING} The release that is proposed would lose about {about(100 * result.chosen.loss)} % of what these "
        "cells told."
    )


def _these(names: tuple[str, ...]) -> str:
    return "this one" if len(names) == 1 else "these"


_NOBODY = "A comparison protects nobody. It says what each release would expose and lose, for whoever decides."
_NOTHING = "By itself nothing: no file was changed."
