"""Tables with nested headers: every cell at its place, headings that span what is below them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from discreet.report import nested
from discreet.report.nested import Axis, layout

REGION = Axis("region", ["Total", "north", "n1", "n2", "south"], [0, 1, 2, 2, 1])
SECTOR = Axis("sector", ["Total", "a", "b"], [0, 1, 1])


def cells(*axes: Axis) -> dict[tuple[int, ...], tuple[str, str]]:
    keys: list[tuple[int, ...]] = [()]
    for axis in axes:
        keys = [(*key, place) for key in keys for place in range(len(axis.labels))]
    return {key: ("/".join(map(str, key)), "") for key in keys}


def test_two_variables() -> None:
    found = layout([REGION, SECTOR], cells(REGION, SECTOR), ("0", ""))
    assert found.stub == ["region"]
    assert [[(h.text, h.columns, h.rows) for h in row] for row in found.head] == [
        [("sector", 3, 1)],
        [("Total", 3, 1)],
        [("", 1, 1), ("a", 1, 1), ("b", 1, 1)],
    ]
    assert [line.labels for line in found.lines] == [["Total"], ["north"], ["n1"], ["n2"], ["south"]]
    assert [line.depths for line in found.lines] == [[0], [1], [2], [2], [1]]
    assert [text for text, _ in found.lines[3].cells] == ["3/0", "3/1", "3/2"]


def test_three_variables_repeat_no_label() -> None:
    size = Axis("size", ["Total", "small"], [0, 1])
    found = layout([REGION, SECTOR, size], cells(REGION, SECTOR, size), ("0", ""))
    assert found.stub == ["region", "sector"]
    assert [line.labels for line in found.lines[:4]] == [
        ["Total", "Total"],
        [None, "a"],
        [None, "b"],
        ["north", "Total"],
    ]
    assert [text for text, _ in found.lines[4].cells] == ["1/1/0", "1/1/1"]


def test_cells_that_are_not_listed() -> None:
    some = {key: cell for key, cell in cells(REGION, SECTOR).items() if key != (2, 1)}
    found = layout([REGION, SECTOR], some, ("0", ""))
    assert found.lines[2].cells[1] == ("0", "")


def test_one_variable() -> None:
    found = layout([SECTOR], cells(SECTOR), ("0", ""))
    assert [(line.labels, line.cells) for line in found.lines] == [
        (["Total"], [("0", "")]),
        (["a"], [("1", "")]),
        (["b"], [("2", "")]),
    ]


def test_large_tables_are_cut_and_say_so() -> None:
    long = Axis("x", [str(i) for i in range(nested.MOST_ROWS + 5)], [0] + [1] * (nested.MOST_ROWS + 4))
    found = layout([long], cells(long), ("0", ""))
    assert len(found.lines) == nested.MOST_ROWS
    assert "of 405 rows" in found.note
    assert len(layout([long], cells(long), ("0", ""), whole=True).lines) == nested.MOST_ROWS + 5


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_headings_fill_a_rectangle(steps: list[int]) -> None:
    """Each place of the header is covered by one heading, and by that of the label or one above it."""
    depths, last = [0], 0
    for step in steps:
        last = min(step, last) + 1
        depths.append(last)
    axis = Axis("v", [f"l{i}" for i in range(len(depths))], depths)
    other = Axis("w", [f"m{i}" for i in range(len(depths) + 1)], [0] + [1] * len(depths))
    found = layout([other, axis], cells(other, axis), ("0", ""))
    rows = found.head[1:]
    covered = [[None] * len(depths) for _ in rows]
    for r, row in enumerate(rows):
        for heading in row:
            at = covered[r].index(None)
            for down in range(heading.rows):
                for right in range(heading.columns):
                    assert covered[r + down][at + right] is None
                    covered[r + down][at + right] = heading.text
    for column, label in enumerate(axis.labels):
        texts = [row[column] for row in covered]
        assert None not in texts
        assert label in texts
