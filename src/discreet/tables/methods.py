"""The methods by name and what each can honor; what a problem, an answer and a proof are in this room.

A method is a function from a `Call` to an `Outcome`, imported when it is first used: those of `bounds/proven.py`
find tables that attain their bounds, those of `bounds/outside.py` bound from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet import methods as protocol
from discreet.methods import Method, Option, Registry

if TYPE_CHECKING:
    from discreet.tables.bounds.whole_table import Solution
    from discreet.tables.table import Margins
    from discreet.tables.theory.graph import Decomposition

Numbers = NDArray[Any]
Flags = NDArray[np.bool_]


class Problem(NamedTuple):
    """Bounds on every cell of a table with these margins; `previous` is a solution for some of them, to start from."""

    margins: Margins
    previous: Solution | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """Bounds on every cell, and how far tables are known to reach: a side is sharp where a table attains it."""

    lower: Numbers = field(repr=False)
    upper: Numbers = field(repr=False)
    lower_sharp: Flags = field(repr=False)
    upper_sharp: Flags = field(repr=False)
    inner_lower: Numbers = field(repr=False)
    inner_upper: Numbers = field(repr=False)
    tree: Decomposition = field(repr=False)
    reasons: tuple[str, ...] = ()

    @property
    def sharp(self) -> bool:
        """Whether all sides are."""
        return bool(self.lower_sharp.all() and self.upper_sharp.all())


Call: TypeAlias = protocol.Call[Problem]
# "optimal" where all sides are sharp. The proof, where a method has one, are the tables that attain the bounds.
Outcome: TypeAlias = protocol.Outcome[Cells, "Solution"]

_PROVEN: Mapping[str, Option] = {"integer_solver": Option(lambda value: isinstance(value, bool), "True or False")}

# The shuttles and the closed forms are done before a limit could matter.
REGISTRY: Registry[Problem, Cells, Solution] = Registry(
    "discreet.tables",
    {
        "auto": Method(
            "splits the table at released separators and bounds each part exactly, with witnesses",
            "bounds.proven:run_auto",
            time_limit=True,
            options=_PROVEN,
        ),
        "exact": Method(
            "the same engine on the whole table, without the theorems",
            "bounds.proven:run_exact",
            time_limit=True,
            options=_PROVEN,
        ),
        "frechet": Method(
            "closed form for decomposable margins (Theorem 1)",
            "bounds.proven:run_frechet",
            time_limit=True,
            options=_PROVEN,
        ),
        "reducible": Method(
            "exact components, combined by Theorem 2; needs a graph that falls apart",
            "bounds.proven:run_reducible",
            time_limit=True,
            options=_PROVEN,
        ),
        "shuttle": Method(
            "generalized shuttle over all dichotomous collapses; outer bounds",
            "bounds.outside:run_shuttle",
            time_limit=True,
        ),
        "shuttle-lines": Method(
            "generalized shuttle over single categories and totals; outer bounds",
            "bounds.outside:run_shuttle_lines",
            time_limit=True,
        ),
        "buzzigoli-giusti": Method(
            "the original shuttle between cells and margins; outer bounds",
            "bounds.outside:run_buzzigoli_giusti",
            time_limit=True,
        ),
        "lp": Method("linear program; outer bounds, fractions shown", "bounds.outside:run_lp", time_limit=True),
    },
)
METHODS: Mapping[str, str] = {name: method.summary for name, method in REGISTRY.items()}
