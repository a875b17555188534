"""A microaggregation in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.instruments.statements.common import OTHER_RELEASES, SHARED, columns, once_in
from discreet.results import Section, Statement, about

if TYPE_CHECKING:
    from discreet.instruments.microaggregation import Microaggregation


def statement(result: Microaggregation) -> Statement:
    return Statement(
        f"Numbers published as means of groups of at least {result.k} records",
        _done(result),
        _against(result),
        _not_covered(result),
        _cost(result),
    )


def _done(result: Microaggregation) -> list[str]:
    sets = result.sets or (result.columns,)
    words = [
        f"Each record shows, in {columns(names)}, the mean of its group in place of its own numbers; every group has "
        f"{result.k} records or more."
        for names in sets
    ]
    words.append("Records that are much alike were put together, so that as little as possible is lost.")
    if result.by:
        words.append(f"Groups stay within the values of {listing(result.by)}.")
    if result.weight is not None:
        words.append(f"Means are weighted by {result.weight}.")
    if result.rounded:
        words.append("Means are published as whole numbers.")
    if result.suppressed:
        words.append("Records with missing values were made a class of their own, and show no numbers.")
    if result.filled or result.blanked:
        words.append("Where numbers are missing, the mean is that of the known ones, or the cell is left blank.")
    words.append("All other columns of the file are published as they were.")
    return words


def _against(result: Microaggregation) -> list[str]:
    if result.k == 1:
        return ["Nobody: with k = 1 every record shows its own numbers."]
    known = "these columns" if len(result.sets) < 2 else "the columns of one set"
    return [
        f"Someone who knows {known} of a person exactly, and the method, and looks for that person's record: "
        f"{result.k} records or more look the same there, and a guess is right {once_in(result.k)}."
    ]


def _not_covered(result: Microaggregation) -> list[str]:
    words = [
        "What the other columns tell: whoever knows them too may know which record of a group is whose.",
        "Someone who knows the numbers of all others in a group can compute those of the last one from the mean.",
        f"The mean itself: everybody in a group is known to be near it. {SHARED}",
        OTHER_RELEASES,
    ]
    if len(result.sets) > 1:
        words.insert(0, "Someone who knows the columns of several sets: each set is protected by itself.")
    if result.weight is not None:
        words.insert(0, "A record whose weight is most of its group's: the mean is then close to its own value.")
    return words


def _cost(result: Microaggregation) -> list[str]:
    words = [f"About {about(result.information_loss)} % of the variation of these columns is gone."]
    if result.status == "optimal":
        words.append("It is proven that no grouping of this kind could lose less.")
    elif result.lower_bound is not None:
        words.append(
            f"It is proven that no grouping of this kind could lose less than about {about(result.lower_bound)} %."
        )
    if result.rounded or result.filled or result.blanked or result.suppressed:
        words.append("Means and totals change: numbers were rounded, or gaps were filled or left blank.")
    else:
        words.append("Means and totals of the file are kept, up to rounding in the last digits.")
    words.append("Spread shrinks, and extremes are gone; relations between columns may look stronger than they are.")
    return words


def lost(result: Microaggregation) -> Section:
    """The loss of each column to two digits, set by set."""
    from discreet.instruments.grouped.pages import numbers
    from discreet.measure import column_losses

    rows = []
    for names in result.sets or (result.columns,):
        one = numbers(result, names)
        rows += [(name, about(loss)) for name, loss in zip(names, column_losses(one.before, one.after, one.weights))]
    words = "The share of a column's variation that is gone, to two digits."
    return Section("What is lost, column by column", words, ("column", "loss, %"), rows)
