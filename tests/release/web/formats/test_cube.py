"""A margin becomes a cube: codes that are unique, labels that can be read, a total that is a cube too."""

from __future__ import annotations

import numpy as np
from formats_made import answer_of

from discreet.release.engine import Table
from discreet.release.web.formats.cube import cube_of


def test_texts_are_codes_where_they_differ() -> None:
    (dimension,) = cube_of("d", answer_of(Table(("v",), (("<140", ">=140"),), np.array([1, 2])))).dimensions
    assert dimension.codes == dimension.labels == ("<140", ">=140")


def test_places_are_codes_where_texts_are_alike_or_empty() -> None:
    levels = (1, "1", None, "", "a\n b")
    (dimension,) = cube_of("d", answer_of(Table(("v",), (levels,), np.arange(5)))).dimensions
    assert dimension.codes == ("1", "2", "3", "4", "5")
    assert dimension.labels == ("1", "1", "missing", "", "a b")


def test_a_total_has_one_dimension() -> None:
    cube = cube_of("d", answer_of(Table((), (), np.array(7))))
    assert [d.codes for d in cube.dimensions] == [("total",)]
    assert cube.counts == (7,)
