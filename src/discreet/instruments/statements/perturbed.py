"""A perturbed file in plain language: what was done to it, and that nothing about it is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.instruments.statements.common import OTHER_RELEASES, columns
from discreet.results import Statement

if TYPE_CHECKING:
    from discreet.instruments.perturbed.perturbation import Perturbation


def statement(result: Perturbation) -> Statement:
    return Statement(
        f"Values changed at random by {result.method}: measured, not proven",
        _done(result),
        [
            "It makes it harder, for someone who knows these columns of a person, to find that person's record. How "
            "much harder was measured for certain attacks, and is not proven: nobody is promised to be one of several.",
        ],
        _not_covered(result),
        [_COST[result.method]],
    )


def _done(result: Perturbation) -> list[str]:
    settings, names = result.settings, columns(result.columns)
    words = {
        "PRAM": f"In {names}, categories were drawn anew, so that their counts stay the same in expectation.",
        "rank swapping": (
            f"In {names}, numbers were exchanged between records whose ranks differ by at most "
            f"{settings.get('percent', 0):g} % of the records, each column by itself."
        ),
        "additive noise": f"To the numbers in {names}, random noise was added, to each column by itself.",
        "correlated noise": f"To the numbers in {names}, random noise was added that has their correlations.",
        "record swapping": (
            f"Some households exchanged their values of {listing(result.columns)} with households of like composition."
        ),
    }[result.method]
    draw = "secret" if result.secret_draw else "made from a fixed seed, which is to be kept like the data"
    return [words, "All other columns of the file are published as they were.", f"The random numbers are {draw}."]


def _not_covered(result: Perturbation) -> list[str]:
    from discreet.instruments.perturbed.pages import LIMITS

    return [
        "Any attack that was not tried, and whoever learns the random numbers: these undo what was done.",
        "What the other columns tell: whoever knows them too may find a record by them alone.",
        LIMITS[result.method],
        OTHER_RELEASES,
    ]


_COST = {
    "PRAM": "Counts are kept in expectation only, and relations with other columns become weaker.",
    "rank swapping": "The values of each column are kept; relations between columns become weaker.",
    "additive noise": "Means are kept in expectation; spread grows unless it was restored, and correlations shrink.",
    "correlated noise": "Means and correlations are kept in expectation; spread grows unless it was restored.",
    "record swapping": "Tables of the exchanged columns with others are no longer exact; all other tables are.",
}
