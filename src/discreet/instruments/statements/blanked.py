"""A local suppression in plain language.

It does not say how near the fewest possible its blanks are: that a pattern is the cheapest rules out originals for
which another one were cheaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import OTHER_RELEASES, columns, once_in
from discreet.results import Statement, about

if TYPE_CHECKING:
    from discreet.instruments.local_suppression.local_suppression import LocalSuppression


def statement(result: LocalSuppression) -> Statement:
    heading = f"Some cells left blank, so that {result.k} "
    heading += "rows or more show the same" if result.semantics == "class" else "people or more fit each row"
    return Statement(heading, _done(result), _against(result), _not_covered(result), _cost(result))


def _some(result: LocalSuppression) -> str:
    names = columns(result.keys)
    return names if result.combinations is None else f"any {result.combinations} of {names}"


def _done(result: LocalSuppression) -> list[str]:
    some = _some(result)
    shared = (
        f"Every combination of {some} that is published, blanks included, is shown by {result.k} rows or more."
        if result.semantics == "class"
        else f"Every combination of {some} that is published fits {result.k} records of the original or more."
    )
    words = [
        f"In {columns(result.keys)}, some cells were left blank. All others are as they were.",
        shared,
        "All other columns of the file are published as they were.",
    ]
    if result.shuffled:
        secret = "in secret" if result.seed is None else "by a fixed seed"
        return [*words, f"The rows were shuffled {secret}."]
    return [*words, "The rows stand in the order of the original."]


def _against(result: LocalSuppression) -> list[str]:
    if result.k == 1:
        return ["Nobody: with k = 1 nothing had to be blank."]
    if result.semantics == "class":
        return [
            f"Someone who knows {_some(result)} of a person and looks for that person's record: {result.k} rows or "
            f"more look the same there, and a guess among them is right {once_in(result.k)}."
        ]
    return [
        f"Someone who picks a published row and asks whose it is, knowing {_some(result)} of everyone: {result.k} "
        "people or more fit it."
    ]


def _not_covered(result: LocalSuppression) -> list[str]:
    words = [
        "What the other columns tell: whoever knows them too may know which row of several is whose.",
        "What all rows that look the same have in common in another column is told about each of their people.",
        "What a blank tells: that the value was rare together with the rest of its row. Whoever knows the method and "
        "almost everyone else may rule out some of the values that it could be.",
        OTHER_RELEASES,
    ]
    if result.semantics == "cover":
        words.insert(0, "Someone who looks for a person rather than at a row: fewer rows than that may fit the person.")
    if result.combinations is not None:
        words.insert(0, f"Someone who knows more than {result.combinations} of these columns.")
    if not result.shuffled:
        words.insert(0, "The order of the rows: whoever knows it knows who is who, and a sorted file tells its blanks.")
    elif result.seed is not None:
        words.insert(0, "The shuffle came from a fixed seed: whoever knows or guesses it knows the order of the rows.")
    return words


def _cost(result: LocalSuppression) -> list[str]:
    empty = 100 * (result.suppressed + result.missing) / (result.n * len(result.keys))
    return [
        f"About {about(empty)} % of the cells of these columns are blank.",
        "Blanks are not missing at random: they stand where values are rare. Analyses that leave out rows with blanks "
        "lose rare people first.",
    ]
