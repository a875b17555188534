"""A survey of households made by hand, its honest releases, and what they claim."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd

from attack import households
from attack.households import Made, Roles

ROLES = Roles(k=3, guarantee="matchings", keys=("q0", "q1"), numeric=("x",), weight="w", unit="h")


def survey(n_units: int = 30, seed: int = 1, size: int = 2) -> list[dict[str, str]]:
    """Households of one size, no gaps, ids that are no numbers of ours, sorted by id."""
    chance = random.Random(seed)
    return [
        {
            "name": f"n{home}.{member}",
            "h": f"H{100 + home}",
            "q0": str(chance.randrange(40)),
            "q1": chance.choice("abc"),
            "x": str(chance.randrange(1000)),
            "w": str(chance.randrange(1, 9)),
            "s": f"s{home}.{member}" if seed % 2 else chance.choice("uvw"),
        }
        for home in range(n_units)
        for member in range(size)
    ]


def release(table: list[dict[str, str]], roles: Roles = ROLES, seed: int = 7) -> Made:
    made = households.publish(random.Random(seed), table, roles)
    assert made is not None
    return made


def frame(rows: list[dict[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, dtype="str")


def claim(roles: Roles = ROLES, **more: Any) -> dict[str, Any]:
    return {**roles.claim(), **more}
