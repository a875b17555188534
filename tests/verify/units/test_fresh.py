"""Published ids say which rows belong together, and nothing more."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from verify.units.cases import claim, frame, release, survey

import discreet as dc

Rows = list[dict[str, str]]
TABLE = survey(seed=1)
MADE = release(TABLE)
CLAIM = claim(accept=["s"])  # rows are known by it, which is what the order of rows is judged by


def renamed(name: Callable[[int, str], str]) -> Rows:
    """The release with other ids: by published row's origin and its fresh id."""
    return [{**row, "h": name(origin, row["h"])} for row, origin in zip(MADE.rows, MADE.origin)]


FORGED: dict[str, Callable[[], Rows]] = {
    "copied": lambda: renamed(lambda origin, _: TABLE[origin]["h"]),
    "hashed": lambda: renamed(lambda origin, _: str(int(TABLE[origin]["h"][1:]) * 7919 % 10007)),
    "counted by the original": lambda: renamed(lambda origin, _: str(origin // 2 + 1)),
    "counted backward": lambda: renamed(lambda origin, _: str(30 - origin // 2)),
    "texts": lambda: renamed(lambda _, fresh: f"no {fresh}"),
    "with gaps": lambda: renamed(lambda _, fresh: str(int(fresh) * 2)),
    "spelled twice": lambda: [{**row, "h": row["h"] + ".0" * (at % 2)} for at, row in enumerate(MADE.rows)],
    "one spelled otherwise": lambda: renamed(lambda _, fresh: "03" if fresh == "3" else fresh),
    "one without": lambda: [{**row, "h": "" if at == 5 else row["h"]} for at, row in enumerate(MADE.rows)],
    "infinite": lambda: renamed(lambda _, fresh: "inf" if fresh == "3" else fresh),
}


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.parametrize("guarantee", ["matchings", "classes"])
def test_forged_ids(name: str, guarantee: str) -> None:
    verdict = dc.verify(frame(TABLE), frame(FORGED[name]()), **claim(guarantee=guarantee, accept=["s"]))
    assert not verdict.safe
    if guarantee == "matchings":
        assert verdict.failures, verdict.summary()


def test_numbers_in_any_other_order_are_fresh() -> None:
    assert dc.verify(frame(TABLE), frame(MADE.rows), **CLAIM).safe
    ids = [str(number + 1) for number in range(30)]
    random.Random(3).shuffle(ids)
    verdict = dc.verify(frame(TABLE), frame(renamed(lambda _, fresh: ids[int(fresh) - 1])), **CLAIM)
    assert verdict.safe, verdict.summary()
    zero = dc.verify(frame(TABLE), frame(renamed(lambda _, fresh: str(int(fresh) - 1))), **CLAIM)
    assert zero.safe, zero.summary()


def test_ids_in_order_are_seen_by_boxes_alone() -> None:
    """Nothing is left that names a row: the boxes of units by id lie where the originals do."""
    table: list[dict[str, Any]] = [{**row, "s": "x", "q0": str(at // 2)} for at, row in enumerate(survey(200, seed=1))]
    made = release(table)
    assert dc.verify(frame(table), frame(made.rows), **CLAIM).safe
    home = {row["name"]: at // 2 for at, row in enumerate(table)}
    rows = [{**row, "h": str(home[table[origin]["name"]] + 1)} for row, origin in zip(made.rows, made.origin)]
    near = [{**row, "q0": f"[{max(0, int(row['h']) - 4)}, {int(row['h']) + 4}]"} for row in rows]
    verdict = dc.verify(
        frame(table),
        frame(near),
        k=1,
        quasi_identifiers=["q0"],
        household="h",
        guarantee="matchings",
        identifiers=["name"],
        accept=["q1", "x", "w"],
    )
    assert any("stand in the order" in words for words in verdict.failures), verdict.summary()
