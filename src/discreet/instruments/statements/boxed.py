"""A generalization in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import OTHER_RELEASES, columns
from discreet.results import Section, Statement, about

if TYPE_CHECKING:
    from discreet.instruments.generalization import Generalization

FIXED_SEED = "The draw came from a fixed seed: whoever knows or guesses the seed knows everyone's record."
SECRET = "The secret of the draw: whoever gets the custodian's file of it knows everyone's record."


def statement(result: Generalization) -> Statement:
    equally = "equally likely " if result.secret_draw else ""
    return Statement(
        f"Values widened until each person has {result.k} {equally}matches",
        _done(result),
        _against(result),
        _not_covered(result),
        _cost(result),
    )


def _done(result: Generalization) -> list[str]:
    words = [
        f"In {columns(result.quasi_identifiers)}, values were replaced by ranges and sets that hold those of several "
        "people; values that could stay were left as they were.",
        f"Each published record fits {result.k} people or more. Its other columns are as they were, and belong to one "
        "of them, who was drawn" + (" in secret." if result.seed is None else "."),
    ]
    words.append("The rows were shuffled." if result.shuffled else "The rows stand in the order of the original.")
    if result.caps:
        words.append("Very large or very small values were published as the cap that was set for them.")
    return words


def _against(result: Generalization) -> list[str]:
    known = f"Someone who knows {columns(result.quasi_identifiers)} of everyone, and the method"
    if not result.secret_draw:
        return [f"{known}, but neither the seed nor the order of the rows: {_ways(result.k)}."]
    return [f"{known}: {_ways(result.k)}, so a guess at anyone's record is right once in {result.k} times."]


def _ways(k: int) -> str:
    return f"there are {k} ways to assign all people to all records, no two alike for anyone"


def _not_covered(result: Generalization) -> list[str]:
    words = ["What the other columns tell about a person by themselves: they go out as they were."]
    if result.l is None:
        words.append("What all matches of a person have in common in another column is told about that person.")
    else:
        words.append(f"How likely each of a person's possible values of {result.sensitive} is.")
    if result.seed is not None:
        words.insert(0, FIXED_SEED)
    if not result.shuffled:
        words.insert(0, "The order of the rows, which may tell the draw: the file is not fit to be published.")
    return [*words, SECRET, OTHER_RELEASES]


def _cost(result: Generalization) -> list[str]:
    cells = result.n * len(result.quasi_identifiers)
    share = 100 * sum(result.widened.values()) / cells
    words = [
        f"On average a published value spans about {about(100 * result.gcp)} % of its column; about {about(share)} % "
        "of the values were widened."
    ]
    if result.lower_bound is not None:
        words.append(
            "It is proven that no release of this kind could span less than about "
            f"{about(100 * result.lower_bound)} % on average."
        )
    return [*words, "Analyses have to work with ranges and sets in place of values."]


def lost(result: Generalization) -> Section:
    """How wide the values of each column are, and how many were widened, to two digits."""
    rows = [
        (name, about(100 * result.losses[name]), about(100 * result.widened[name] / result.n))
        for name in result.quasi_identifiers
    ]
    words = "How much of its column a published value spans on average, and how many were widened, to two digits."
    return Section("What is lost, column by column", words, ("column", "spans, %", "widened, %"), rows)
