"""A table without some of its rows reads as if they had never been there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discreet.verify import File
from discreet.verify.readers import open_table
from discreet.verify.units.kept import Kept
from discreet.verify.values.meaning import missing, texts

FRAME = pd.DataFrame({"a": ["x", None, "y", "x", "z"], "n": [1.5, 2.0, 3.0, None, 1.5]})


@pytest.mark.parametrize("source", [FRAME, File(data=FRAME.to_csv(index=False).encode())])
def test_entries_that_no_kept_row_has_are_gone(source: object) -> None:
    rows = np.array([0, 1, 3])
    kept = Kept(open_table(source, "data"), rows)
    alone = open_table(FRAME.iloc[rows].reset_index(drop=True), "data")
    assert (kept.rows, tuple(kept.names)) == (3, ("a", "n"))
    column = kept.column("a")
    assert column.size == 2 and set(column.codes.tolist()) == {0, 1}
    for name in kept.names:
        mine, theirs = kept.column(name), alone.column(name)
        gone = missing(mine, numeric=name == "n")[mine.codes]
        shown = [texts(mine)[code] for code in mine.codes]
        expected = [texts(theirs)[code] for code in theirs.codes]
        held = [(float(a), float(b)) if name == "n" else (a, b) for a, b, no in zip(shown, expected, gone) if not no]
        assert held and all(a == b for a, b in held)


def test_a_peek_shows_the_rows_behind() -> None:
    kept = Kept(open_table(FRAME, "data"), np.array([2, 4]))
    assert kept.peek("a", [1, 0]) == ["z", "y"]
