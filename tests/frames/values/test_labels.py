from __future__ import annotations

import pandas as pd

from discreet.frames.values.labels import box_labels

LABELS = {1.0: "north", 2.0: "south", 3.0: "far, far away"}


def test_boxes_get_the_labels_of_their_codes() -> None:
    column = pd.Series(["1", "{1, 2}", "[1, 2]", "{1, 4}", "*", None, "{1, 3}"])
    assert box_labels(column, LABELS) == {
        "1": "north",
        "{1, 2}": "{north, south}",
        "[1, 2]": "[north, south]",
        "{1, 3}": "{north, far, far away}",
    }


def test_codes_of_text_and_labels_that_are_too_long() -> None:
    column = pd.Series(['{"a, b", c}', "c"])
    assert box_labels(column, {"a, b": "x", "c": "y"}) == {'{"a, b", c}': "{x, y}", "c": "y"}
    assert box_labels(column, {"a, b": "x", "c": "y" * 119}) == {"c": "y" * 119}
