"""What a custodian sees of a file: ready only where nothing is in doubt, lists cut, no counts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from discreet.release.engine import Table
from discreet.release.loading.columns import Column, Taken
from discreet.release.loading.preview import SHOWN_CATEGORIES, preview_of
from discreet.release.loading.published import Figures
from discreet.release.loading.reading import Reading

MANY = tuple(f"c{i}" for i in range(SHOWN_CATEGORIES + 5))
TABLE = Table(("a", "b"), (MANY, (1, 2)), np.full((len(MANY), 2), 7))
READING = Reading(70, (Column("a", "text", 35, False),), Taken("n", False, ("a", "b"), ("id",)), TABLE)


def test_figures_of_the_whole_and_lists_that_are_cut() -> None:
    seen = json.loads(json.dumps(preview_of(READING)))
    assert (seen["rows"], seen["total"], seen["cells"], seen["ready"]) == (70, TABLE.total, TABLE.size, True)
    first, second = seen["variables"]
    assert first == {"name": "a", "number": len(MANY), "categories": list(MANY[:SHOWN_CATEGORIES])}
    assert second["categories"] == ["1", "2"]
    assert (seen["count"], seen["records"], seen["left_out"]) == ("n", False, ["id"])
    assert seen["published"] is None and seen["published_safe"]
    assert "7" not in json.dumps(seen["variables"][1]), "counts of cells are not in it"


def test_what_is_in_doubt_or_wrong_is_not_ready() -> None:
    doubt = replace(READING, taken=Taken(None, False, ("a", "b"), (), ("n", "m")))
    assert preview_of(doubt)["doubt"] == ["n", "m"] and not preview_of(doubt)["ready"]
    wrong = replace(READING, table=None, faults=("the table is empty",))
    assert not preview_of(wrong)["ready"] and preview_of(wrong)["faults"] == ["the table is empty"]
    assert preview_of(wrong)["variables"] == [] and preview_of(wrong)["total"] is None
    assert preview_of(replace(wrong, taken=None))["count"] is None


def test_published_margins_that_tell_too_much_are_marked() -> None:
    seen = preview_of(replace(READING, figures=Figures(3, 1, 1, 0, 2, False)))
    assert not seen["published_safe"] and seen["published"]["narrow"] == 1
    assert preview_of(replace(READING, figures=Figures(3, 0, 0, 0, 9, False)))["published_safe"]
