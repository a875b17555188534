"""Microaggregations and classes in files that do not fit: the verdict is the one that is given in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from verify.large.streaming import in_memory, outcome, streamed

import discreet as dc

NAN = float("nan")
ODD = [0.0, -0.0, 1.5, -3.0, 1e-310, 1.7e308, -1.7e308, NAN, 2.0**53 + 2, 1e12]
WORDS = ("classes of fewer", "fewer than", "not their class's mean", "in more than one way", "not numeric", "infinite")


def about_groups(verdict: Any) -> list[str]:
    return [words for words in verdict.failures if any(part in words for part in WORDS)]


@st.composite
def releases(draw: Any) -> tuple[pa.Table, pa.Table, int]:
    """Odd numbers, their means in groups of about k, and one or two published values put otherwise."""
    k = draw(st.integers(1, 3))
    groups = draw(st.integers(1, 5))
    n = groups * k + draw(st.integers(0, 2))
    of = np.minimum(np.arange(n) // k, groups - 1)
    order = np.array(draw(st.permutations(list(range(n)))))
    kind = draw(st.sampled_from([pa.float64(), pa.float32(), pa.int64(), pa.string()]))
    before, after = {}, {}
    for name in "ab"[: draw(st.integers(1, 2))]:
        plain = st.integers(-9, 9).map(float)
        values = draw(st.lists(plain if kind == pa.int64() else st.sampled_from(ODD) | plain, min_size=n, max_size=n))
        x = np.array(values)
        y = np.full(n, NAN)
        for group in range(groups):
            known = x[of == group][~np.isnan(x[of == group])]
            if known.size >= k:
                scale = max(float(np.abs(known).max()), 1e-300)
                y[of == group] = float((known / scale).mean()) * scale
        if kind == pa.int64():
            y = np.rint(y)
        for _ in range(draw(st.integers(0, 1))):
            y[draw(st.integers(0, n - 1))] = draw(st.sampled_from([*ODD[:5], NAN, 7.0]) | st.just(float(y[0]) + 1e-6))
        before[name], after[name] = (_column(side[order], kind) for side in (x, y))
    left = pa.array(["u", "v"] * n)[:n]
    return pa.table(before | {"z": left}), pa.table(after | {"z": left}), k


def _column(values: np.ndarray, kind: pa.DataType) -> pa.Array:
    if kind == pa.string():
        return pa.array([None if np.isnan(v) else repr(float(v)) for v in values])
    if kind == pa.int64():
        return pa.array([None if np.isnan(v) else int(v) for v in values], kind)
    with np.errstate(over="ignore"):
        return pa.array(values.astype(kind.to_pandas_dtype()), kind)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(releases())
def test_the_verdict_is_the_one_in_memory(release: tuple[pa.Table, pa.Table, int]) -> None:
    before, after, k = release
    names = [name for name in before.column_names if name != "z"]
    for guarantee in ("microaggregation", "classes"):
        claim = {"k": k, "quasi_identifiers": names, "guarantee": guarantee}
        with tempfile.TemporaryDirectory() as folder:
            whole, parts = in_memory(before, after, **claim), streamed(before, after, Path(folder), **claim)
        assert outcome(whole) == outcome(parts)
        assert about_groups(whole) == about_groups(parts)


def records(n: int = 600, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "a": rng.normal(size=n).round(3),
            "b": rng.lognormal(size=n),
            "w": rng.uniform(1, 5, n),
            "stratum": rng.choice(["n", "s"], n),
            "sick": rng.choice(["x", "y", "z"], n),
        }
    )


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"by": ["stratum"]}])
def test_a_release_is_safe_and_loses_what_it_loses_in_memory(tmp_path: Path, more: dict[str, Any]) -> None:
    data = records()
    made = dc.microaggregate(data, k=4, columns=["a", "b"], random_state=1, **more)
    claim = {"k": 4, "quasi_identifiers": ["a", "b"], "guarantee": "microaggregation", "accept": ["w"], **more}
    whole, parts = in_memory(data, made.data, **claim), streamed(data, made.data, tmp_path, **claim)
    assert outcome(whole) == outcome(parts) == "safe"
    assert parts.proven == whole.proven
    for figure in ("rows", "classes", "smallest"):
        assert parts.figures[figure] == whole.figures[figure]
    assert parts.figures["information_loss"] == pytest.approx(whole.figures["information_loss"], rel=1e-9)


def _edit(table: pa.Table, name: str, row: int, value: Any) -> pa.Table:
    values = table.column(name).to_pylist()
    values[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(values, table.schema.field(name).type))


FORGERIES = {
    "a value": lambda t: _edit(t, "a", 17, 0.123),
    "a sign": lambda t: _edit(t, "a", 17, -t.column("a")[17].as_py()),
    "the last bit": lambda t: _edit(t, "b", 599, float(np.nextafter(t.column("b")[599].as_py(), 9e9))),
    "a left value": lambda t: _edit(t, "sick", 300, "q"),
    "a left value gone": lambda t: _edit(t, "stratum", 0, None),
    "a column of copies": lambda t: t.append_column("c", records().column("a")),
    "a left column that copies": lambda t: t.set_column(2, "w", records().column("a")),
    "a row fewer": lambda t: t.slice(1),
    "rows exchanged": lambda t: t.take([1, 0, *range(2, 600)]),
    "a column less": lambda t: t.drop_columns(["b"]),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_edited_parts_are_noticed(tmp_path: Path, case: str) -> None:
    data = records()
    made = dc.microaggregate(data, k=4, columns=["a", "b"], random_state=1)
    claim = {"k": 4, "quasi_identifiers": ["a", "b"], "guarantee": "microaggregation"}
    forged = FORGERIES[case](made.data)
    whole, parts = in_memory(data, forged, **claim), streamed(data, forged, tmp_path, **claim)
    assert outcome(whole) == outcome(parts) != "safe"


def test_several_sets_and_sensitive_values(tmp_path: Path) -> None:
    data = records()
    made = dc.microaggregate(data, k=4, columns=["a"], random_state=1).data
    made = dc.microaggregate(made, k=4, columns=["b"], random_state=1).data
    for claim in (
        {"quasi_identifiers": [["a"], ["b"]]},
        {"quasi_identifiers": [["a"], ["b"]], "accept": ["a"]},
        {"quasi_identifiers": ["a"], "sensitive": "sick", "l": 2, "accept": ["b"]},
        {"quasi_identifiers": ["a"], "sensitive": "sick", "l": 1, "accept": ["b"]},
    ):
        asked = {"k": 4, "guarantee": "microaggregation", **claim}
        whole, parts = in_memory(data, made, **asked), streamed(data, made, tmp_path, **asked)
        assert outcome(whole) == outcome(parts)
        assert [f for f in whole.figures if f in ("alone_together", "fewest_values")] == [
            f for f in parts.figures if f in ("alone_together", "fewest_values")
        ]


def test_without_an_original_and_without_names(tmp_path: Path) -> None:
    data = records().select(["a", "b", "sick"])
    made = dc.microaggregate(data, k=4, columns=["a", "b"], random_state=1).data
    for before, claim in ((None, {"quasi_identifiers": ["a"]}), (data, {}), (data, {"guarantee": "classes"})):
        whole, parts = in_memory(before, made, k=4, **claim), streamed(before, made, tmp_path, k=4, **claim)
        assert outcome(whole) == outcome(parts)
        assert whole.figures["columns"] == parts.figures["columns"]


def test_classes_may_be_shuffled(tmp_path: Path) -> None:
    data = pa.table({"a": [1, 1, 2, 2] * 30, "c": [*"xyxy"] * 30})
    order = np.random.default_rng(0).permutation(120)
    for rows in (order, np.arange(120)):
        claim = {"k": 2, "quasi_identifiers": ["a"], "guarantee": "classes"}
        other = data.take(rows)
        whole, parts = in_memory(data, other, **claim), streamed(data, other, tmp_path, **claim)
        assert outcome(whole) == outcome(parts) == "safe"
