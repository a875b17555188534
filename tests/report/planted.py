"""A result of every class, made of data in which every value is told from all else that stands on a page.

Whoever adds a class of results adds an example here: `test_audience` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pandas as pd

import discreet as dc
from discreet.results import Result

K = 7
RARE = ("Quillburg", "Zorbitis", "987654.321")


class Planted(NamedTuple):
    """A result, the texts that no public page about it may hold, and the threshold of its counts."""

    result: Result
    secrets: tuple[str, ...]
    threshold: int


@cache
def people() -> pd.DataFrame:
    """84 persons whose numbers are told from all others, one of them in a town and with an illness of their own."""
    at = range(84)
    return pd.DataFrame(
        {
            "income": [987654.321 if i == 40 else 20011.17 + 613.731 * ((i * 37) % 84) for i in at],
            "spending": [5003.91 + 71.313 * ((i * 53) % 84) for i in at],
            "year": [1901 + (i * 29) % 84 for i in at],
            "town": ["Quillburg" if i == 40 else ("Norham", "Sutham", "Westham")[i % 3] for i in at],
            "illness": ["Zorbitis" if i == 40 else ("flu", "cold", "none", "none")[i % 4] for i in at],
            "household": [i // 12 for i in at],
        }
    )


def texts(*columns: str) -> tuple[str, ...]:
    """The values of columns as a page would show them."""
    return tuple(sorted({str(value) for name in columns for value in people()[name].tolist()}))


@cache
def counted() -> dc.Tabulation:
    """Two of the cells have 2 persons, and one has 1."""
    sizes = {("N", "A"): 2, ("N", "B"): 19, ("N", "C"): 31, ("S", "A"): 18, ("S", "B"): 2, ("S", "C"): 44}
    sizes |= {("W", "A"): 27, ("W", "B"): 36, ("W", "C"): 1}
    rows = [cell for cell, size in sizes.items() for _ in range(size)]
    return dc.tabulate(pd.DataFrame(rows, columns=["area", "branch"]), ["area", "branch"], rules=["frequency=3"])


def _microaggregation() -> Planted:
    frame = people()[["income", "spending", "town"]]
    found = dc.microaggregate(frame, K, columns=["income", "spending"], method="mdav", accept=["town"])
    return Planted(found, (*texts("income", "spending"), *RARE), K)


def _generalization() -> Planted:
    frame = people()[["year", "town", "illness"]]
    found = dc.generalize(frame, K, quasi_identifiers=["year", "town"], check=False, rounds=2)
    return Planted(found, (*texts("year"), *RARE), K)


def _protection() -> Planted:
    frame = people()[["income", "year", "town", "illness", "household"]]
    found = dc.protect(
        frame, K, keys=["year", "town"], numeric=["income"], sensitive=["illness"], household="household"
    )
    return Planted(found, (*texts("year", "income"), *RARE), K)


def _bounds() -> Planted:
    frame = people().assign(half=[i % 2 for i in range(84)])
    table = dc.Table.from_frame(frame, variables=["town", "illness", "half"])
    released = [["town"], ["half"]]
    found = dc.bounds(table.margins(released)).under({"c": 2, "w": 1}, table)
    return Planted(found, ("Quillburg", "Zorbitis"), 3)


def _simulation() -> Planted:
    table = dc.Table.from_frame(people().assign(half=[i % 2 for i in range(84)]), variables=["town", "half"])
    margins = table.margins([["town"], ["half"]])
    return Planted(dc.simulate(margins, random_state=1, pinned="say").result(margins), ("Quillburg",), 3)


def _cell_key() -> Planted:
    keys = dc.record_keys(list(range(84)), "a secret of ours", 16)
    rows = [(c, k, (k % 5) - 1) for c in range(1, 40) for k in range(16)]
    noise = pd.DataFrame(rows, columns=["pcv", "ckey", "pvalue"])
    frame = people().assign(key=keys)
    found = dc.cell_key(frame, ["town"], record_key="key", perturbation=noise)
    return Planted(found, ("Quillburg",), 3)


def _perturbation() -> Planted:
    frame = people()[["income", "spending", "town"]]
    found = dc.rank_swap(frame, ["income", "spending"], accept=["town"])
    return Planted(found, (*texts("income", "spending"), *RARE), K)


def _local_suppression() -> Planted:
    """Quillburg and the six that are left of its neighbors are too few, and get blanks."""
    return Planted(dc.suppress_locally(people()[["town", "illness"]], K, keys=["town", "illness"]), RARE, K)


def _coding() -> Planted:
    found = dc.top_code(people(), {"income": 60001.5, "year": 1979})
    return Planted(found, (*texts("income", "year"), *RARE, "60001.5", "1979"), K)


def _utility() -> Planted:
    frame = people()[["income", "spending", "town"]]
    published = dc.microaggregate(frame, K, columns=["income", "spending"]).data
    found = dc.utility(frame, published, by=["town"], regression="income ~ spending")
    return Planted(found, (*texts("income", "spending"), *RARE, "Norham"), K)


def _comparison() -> Planted:
    frame = people()[["income", "spending"]]
    tried = [dc.microaggregate(frame, k, columns=["income", "spending"]) for k in (K, K + 2)]
    return Planted(dc.compare(tried), (*texts("income", "spending"), *RARE), K)


def _recommendation() -> Planted:
    frame = people()[["income", "spending"]]
    found = dc.recommend(frame, numeric=["income", "spending"], most_risk=1 / K, random_state=1)
    return Planted(found, (*texts("income", "spending"), *RARE), K)


EXAMPLES: dict[str, Callable[[], Planted]] = {
    "Microaggregation": _microaggregation,
    "Generalization": _generalization,
    "Perturbation": _perturbation,
    "LocalSuppression": _local_suppression,
    "Coding": _coding,
    "Utility": _utility,
    "Comparison": _comparison,
    "Recommendation": _recommendation,
    "Protection": _protection,
    "Bounds": _bounds,
    "Simulation": _simulation,
    "Risk": lambda: Planted(
        dc.risk(people(), keys=["town", "year"], sensitive=["illness"], numeric=["income"]),
        (*texts("year", "income"), *RARE),
        3,
    ),
    "Tabulation": lambda: Planted(counted(), (), 3),
    "SuppressedTable": lambda: Planted(dc.suppress(counted(), cost="unit"), (), 3),
    "Audit": lambda: Planted(dc.audit(dc.suppress(counted(), cost="unit")), (), 3),
    "RoundedTable": lambda: Planted(dc.round_table(counted(), 5), (), 3),
    "CellKeyTable": _cell_key,
}


@cache
def planted(name: str) -> Planted:
    return EXAMPLES[name]()
