"""A protected file in plain language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.instruments.statements.boxed import FIXED_SEED, SECRET
from discreet.instruments.statements.common import OTHER_RELEASES, columns
from discreet.results import Section, Statement, about

if TYPE_CHECKING:
    from discreet.instruments.protect.protection import Protection

_RARE = {
    "merge": "Households of rare sizes are published with fewer members.",
    "suppress": "Households of rare sizes are not published.",
    "unlink": "Households of rare sizes are published person by person, without what tells that they belong together.",
}


def statement(result: Protection) -> Statement:
    matchings = result.recipe.guarantee == "matchings"
    equally = "equally likely " if matchings and result.seed is None else ""
    what = f"{result.k} {equally}matches" if matchings else f"{result.k} or more that look alike"
    return Statement(
        f"A whole file protected: each {result.whom} has {what}",
        _done(result),
        _against(result),
        _not_covered(result),
        _cost(result),
    )


def _done(result: Protection) -> list[str]:
    recipe = result.recipe
    words = []
    if recipe.identifiers:
        words.append("Columns that tell by themselves who somebody is were left out.")
    if recipe.boxes:
        words.append(f"In {columns(recipe.boxes)}, values were widened to ranges and sets where that was needed.")
    if recipe.means:
        words.append(f"In {columns(recipe.means)}, numbers were replaced by the mean of the set that a row belongs to.")
    left = [*recipe.sensitive, *recipe.leave]
    if left:
        words.append(f"{_start(columns(left))} {_were(left)} left as before.")
    if recipe.unit is not None:
        words.append(f"The numbers in {recipe.unit} are new ones, which only tell who belongs together.")
    if any(count < result.k for count in result.units.values()) and recipe.rare in _RARE:
        words.append(_RARE[recipe.rare])
    return [*words, "The rows are in a new order, and say nothing of the old one."]


def _start(words: str) -> str:
    return words[0].upper() + words[1:]


def _were(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _against(result: Protection) -> list[str]:
    recipe, k = result.recipe, result.k
    known = columns([*recipe.keys, *_numbers(result)])
    several = "people" if result.whom == "person" else "households"
    words = f"Someone who knows {known} of everyone, and the method, and looks for a certain {result.whom}: "
    if recipe.guarantee == "classes":
        words += f"{k} or more published {several} look the same in all of these, and a guess is right once in {k} "
        words += "times at most."
    else:
        words += f"there are {k} ways to assign all {several} to all that is published, no two alike for anyone"
        words += "." if result.seed is not None else f", so a guess is right once in {k} times."
    found = [words]
    if recipe.l is not None and recipe.l > 1:
        found.append(f"Among the matches there are always {recipe.l} or more values of {recipe.sensitive[0]}.")
    return found


def _not_covered(result: Protection) -> list[str]:
    recipe = result.recipe
    words = []
    if result.seed is not None and recipe.guarantee == "matchings":
        words.append(FIXED_SEED)
    if recipe.sensitive or recipe.leave:
        words.append("What the columns that go out as they were tell about a person by themselves.")
    if recipe.accept:
        words.append(f"What {listing(list(recipe.accept))} may tell: that was accepted by name, with a reason.")
    if recipe.l is None:
        words.append("What all matches have in common in another column is told about each of them.")
    numbers = _numbers(result)
    if recipe.guarantee == "matchings" and numbers:
        words.append(
            f"The single numbers in {columns(numbers)}: sets overlap, so someone who finds them out may solve for what "
            "is behind means, or see whose the ends of ranges are. Classes do not have that."
        )
    if recipe.rare == "unlink" and any(count < result.k for count in result.units.values()):
        words.append("Households of rare sizes as such: only their single persons are hidden among one another.")
    if recipe.guarantee == "matchings":
        words.append(SECRET)
    return [*words, OTHER_RELEASES]


def _numbers(result: Protection) -> list[str]:
    recipe = result.recipe
    return [*recipe.numeric, *([] if recipe.weight is None else [recipe.weight])]


def _cost(result: Protection) -> list[str]:
    words = [
        f"On average about {about(100 * result.loss)} % of what a value tells is lost: the width of ranges and sets, "
        "and the variance that means do not show."
    ]
    if result.lower_bound is not None:
        words.append(
            f"It is proven that no release of this kind could lose less than about {about(100 * result.lower_bound)} %."
        )
    if result.totals:
        kept = [name for name, one in result.totals.items() if one.kept]
        if kept:
            words.append(f"Totals of {listing(kept)} over the published rows are kept to the last digit.")
        if len(kept) < len(result.totals):
            other = "Other totals" if kept else "Totals"
            words.append(f"{other} change by rounding, or because rows must look alike.")
    if result.covering.lost.size:
        words.append("Some rows are not published.")
    return words


def lost(result: Protection) -> Section:
    """The loss of each column to two digits."""
    rows = [(name, about(100 * loss)) for name, loss in result.losses.items()]
    words = "The mean width of ranges and sets, or the share of the variance that means do not show, to two digits."
    return Section("What is lost, column by column", words, ("column", "loss, %"), rows)
