from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import InputError
from discreet.tables.table import Margins, Table


def test_margins_of_dense_and_sparse_tables_agree() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (50, 5)).astype(np.int32)
    names, levels = list("ABCDE"), [("x", "y", "z")] * 5
    dense = Table.from_coordinates(codes, np.ones(50), names, levels)
    cells, counts = np.unique(codes, axis=0, return_counts=True)
    sparse = Table(tuple(names), tuple(levels), counts, cells.astype(np.int32))
    assert dense.coordinates is None
    assert sparse.coordinates is not None
    assert np.array_equal(dense.dense(), sparse.dense())
    for chosen in (["A"], ["B", "D"], ["E", "A", "C"], []):
        assert np.array_equal(dense.margin(chosen).dense(), sparse.margin(chosen).dense())


def test_many_variables_stay_sparse_and_have_margins() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 4, (1000, 40)).astype(np.int32)
    table = Table.from_coordinates(codes, np.ones(1000), [f"v{i}" for i in range(40)], [range(4)] * 40)
    assert table.size == 4**40
    assert table.margin(["v3", "v39"]).total == 1000
    with pytest.raises(InputError, match="margins of fewer variables"):
        table.dense()


def test_collapse_joins_categories() -> None:
    table = Table.from_array(np.arange(6).reshape(2, 3), ["A", "B"], [("n", "y"), (1, 2, 3)])
    joined = table.collapse("B", {2: "more", 3: "more"})
    assert joined.categories == (("n", "y"), (1, "more"))
    assert joined.dense().tolist() == [[0, 3], [3, 9]]


def test_margins_join_from_published_tables_in_any_order() -> None:
    table = Table.from_array(np.arange(12).reshape(2, 3, 2), ["A", "B", "C"])
    one = table.margin(["A", "B"])
    two = table.margin(["B", "C"])
    turned = Table(("C", "B"), (two.categories[1][::-1], two.categories[0]), two.dense().T[::-1].copy())
    joined = Margins.from_tables([one, turned], names=["A", "B", "C"], categories={"C": (0, 1)})
    direct = table.margins([("A", "B"), ("B", "C")])
    assert joined.values.keys() == direct.values.keys()
    assert all(np.array_equal(joined.values[g], direct.values[g]) for g in direct.values)


def test_one_error_for_all_that_is_wrong() -> None:
    table = Table.from_array(np.ones((2, 2)), ["A", "B"])
    with pytest.raises(InputError) as caught:
        table.margins([("A", "Q"), ("B", "B"), ("Z",)])
    assert len(caught.value.faults) == 3
    assert "'Q'" in str(caught.value)


@pytest.mark.parametrize("counts", [[[1.5, 0], [0, 0]], [[-1, 0], [0, 0]], [[np.nan, 0], [0, 0]], [1, 2]])
def test_counts_must_be_whole_and_non_negative(counts: object) -> None:
    with pytest.raises(InputError):
        Table.from_array(counts, ["A", "B"], [(0, 1), (0, 1)])


def test_a_margin_with_other_counts_is_refused() -> None:
    table = Table.from_array(np.ones((2, 2)), ["A", "B"])
    margins = table.margins([("A",)])
    with pytest.raises(InputError, match="other counts"):
        margins.add(Table.from_array([3, 1], ["A"]))
