"""Generalized releases in files that do not fit: the verdict is the one that is given in memory."""

from __future__ import annotations

import datetime
import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from verify.large.streaming import in_memory, outcome, streamed

import discreet as dc
from discreet.results import Verdict
from discreet.verify.large.blocks import Allowance

KEYS = ["age", "region", "born"]
CLAIM = {"k": 2, "quasi_identifiers": KEYS, "guarantee": "matchings"}


def in_blocks(before: pa.Table, after: pa.Table, folder: Path, **claim: Any) -> Verdict | str:
    """The verdict where few pairs of a person and a box fit, so that there are several blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            import_module("discreet.verify.large.matchings_verdict"), "room_within", lambda memory: Allowance(6, 400)
        )
        return streamed(before, after, folder, **claim)


def people(n: int = 60, seed: int = 0, *, gaps: bool = False) -> pa.Table:
    rng = np.random.default_rng(seed)
    ages = rng.integers(0, 90, n).tolist()
    regions = rng.choice(["north", "south, far", "east", "w{e}st"], n).tolist()
    days = [datetime.date(1950, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 9000, n)]
    if gaps:
        ages[3] = ages[8] = None
        regions[5] = regions[9] = None
    return pa.table(
        {
            "age": pa.array(ages, pa.int64()),
            "region": regions,
            "born": pa.array(days),
            "sick": rng.choice(["x", "y", "z"], n),
        }
    )


def _edit(table: pa.Table, name: str, row: int, value: Any) -> pa.Table:
    values = table.column(name).to_pylist()
    values[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(values, table.schema.field(name).type))


@st.composite
def releases(draw: Any) -> tuple[pa.Table, pa.Table, int, str]:
    """Odd values, the hulls of groups of about k as boxes, shuffled; one or two boxes put otherwise."""
    k = draw(st.integers(1, 3))
    n = draw(st.integers(k, 18))
    numbers = draw(st.lists(st.sampled_from([None, 0, 1, 2, 3, 7, 7, 12, 40]), min_size=n, max_size=n))
    words = draw(st.lists(st.sampled_from([None, "a", "b", "c, d", "{e}"]), min_size=n, max_size=n))
    order = sorted(range(n), key=lambda i: (numbers[i] is None, numbers[i] or 0, words[i] or ""))
    groups = [order[i : i + k] for i in range(0, n - n % k, k)]
    groups[-1] += order[n - n % k :]
    boxes: list[tuple[str | None, str | None]] = [(None, None)] * n
    for group in groups:
        own = _range([numbers[i] for i in group]), _set([words[i] for i in group])
        for i in group:
            boxes[i] = own
    odd = [(None, None), ("[0, 40]", "{a, b}"), ("*", "*"), ("[1, 2]", "a"), ("7", '{"c, d", {e}}'), ("[50, 60]", "b")]
    for _ in range(draw(st.integers(0, 2))):
        i, (number, word) = draw(st.integers(0, n - 1)), draw(st.sampled_from(odd))
        boxes[i] = (number, boxes[i][1]) if draw(st.booleans()) else (boxes[i][0], word)
    rows = draw(st.permutations(list(range(n))))
    before = pa.table({"x": pa.array(numbers, pa.float64()), "y": pa.array(words, pa.string())})
    after = pa.table({name: pa.array([boxes[i][j] for i in rows], pa.string()) for j, name in enumerate("xy")})
    return before, after, k, draw(st.sampled_from(["value", "wildcard"]))


def _range(values: list[int | None]) -> str | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    if len(known) < len(values):
        return "*"
    return str(known[0]) if min(known) == max(known) else f"[{min(known)}, {max(known)}]"


def _set(values: list[str | None]) -> str | None:
    different = sorted({value or "" for value in values})
    if len(different) == 1:
        return different[0] or None
    return "{" + ", ".join(f'"{one}"' if set(one) & set(",{}") or not one else one for one in different) + "}"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(releases())
def test_the_verdict_is_the_one_in_memory(release: tuple[pa.Table, pa.Table, int, str]) -> None:
    before, after, k, missing = release
    claim = {"k": k, "quasi_identifiers": ["x", "y"], "guarantee": "matchings", "missing": missing}
    with tempfile.TemporaryDirectory() as folder:
        whole, parts = in_memory(before, after, **claim), in_blocks(before, after, Path(folder), **claim)
        one = streamed(before, after, Path(folder), **claim)
    assert outcome(whole) == outcome(one)
    assert outcome(parts) in (outcome(whole), "cannot tell")
    if missing == "value" and "*" not in after.column("x").to_pylist():
        assert outcome(parts) == outcome(whole) or "do not fall apart" in parts.failures[0]


def test_a_release_falls_apart_into_blocks_that_are_safe(tmp_path: Path) -> None:
    data = people()
    made = dc.generalize(data, 2, quasi_identifiers=KEYS, random_state=1).data
    whole, parts = in_memory(data, made, **CLAIM), in_blocks(data, made, tmp_path, **CLAIM)
    assert outcome(whole) == outcome(parts) == "safe"
    assert parts.figures["blocks"] > 3
    assert parts.proven == whole.proven
    for figure in ("n", "distinct_originals", "distinct_boxes", "fewest_candidates", "columns"):
        assert parts.figures[figure] == whole.figures[figure]


@pytest.mark.parametrize("missing", ["value", "wildcard"])
def test_boxes_that_hold_everybody_stand_on_one_side(tmp_path: Path, missing: str) -> None:
    """The youngest and those of unknown age share boxes that are anything; all others are in pairs."""
    ages = [None, None, *range(60)]
    boxes = ["*"] * 4 + [f"[{2 * (i // 2)}, {2 * (i // 2) + 1}]" for i in range(2, 60)]
    before = pa.table({"age": pa.array(ages, pa.int64())})
    after = pa.table({"age": boxes}).take(np.random.default_rng(0).permutation(62))
    claim = {"k": 2, "quasi_identifiers": ["age"], "guarantee": "matchings", "missing": missing}
    parts = in_blocks(before, after, tmp_path, **claim)
    assert outcome(parts) == outcome(in_memory(before, after, **claim)) == "safe"
    assert parts.figures["blocks"] > 3
    narrow = _edit(after, "age", after.column("age").to_pylist().index("[20, 21]"), "[20, 20]")
    assert outcome(in_blocks(before, narrow, tmp_path, **claim)) != "safe"


def test_hierarchies_caps_and_categories_are_read_as_in_memory(tmp_path: Path) -> None:
    data = people()
    ladder = [
        [name, "here" if name in ("north", "east") else "there", "*"]
        for name in sorted(set(data["region"].to_pylist()))
    ]
    more = {"hierarchies": {"region": ladder}, "caps": {"age": 70}}
    made = dc.generalize(data, 2, quasi_identifiers=KEYS, random_state=1, **more).data
    whole, parts = in_memory(data, made, **CLAIM, **more), in_blocks(data, made, tmp_path, **CLAIM, **more)
    assert outcome(whole) == outcome(parts) == "safe"
    assert outcome(in_blocks(data, made, tmp_path, **CLAIM)) != "safe"


def _two_exchanged(table: pa.Table) -> pa.Table:
    """A young row's range of ages in the place of an old one's: counts on both sides are off."""
    ages = table.column("age").to_pylist()
    low = [int(text.strip("[").split(",")[0]) for text in ages]
    return _edit(table, "age", int(np.argmax(low)), ages[int(np.argmin(low))])


FORGERIES = {
    "a box narrowed": lambda t: _edit(t, "age", 7, "[89, 89]"),
    "a box that holds nobody": lambda t: _edit(t, "age", 7, "[500, 600]"),
    "a row dropped": lambda t: t.slice(1),
    "a row twice": lambda t: t.take([0, *range(59)]),
    "a box elsewhere": _two_exchanged,
    "a spelling of its own": lambda t: _edit(t, "age", 7, t.column("age")[7].as_py().replace(",", ".0,")),
    "a set of nothing known": lambda t: _edit(t, "region", 7, "{mars, venus}"),
    "a left value": lambda t: _edit(t, "sick", 7, "q"),
    "a column of copies": lambda t: t.append_column("copy", people().column("age")),
    "a left column that copies": lambda t: t.set_column(3, "sick", people().column("region")),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_edited_releases_are_noticed(tmp_path: Path, case: str) -> None:
    data = people()
    made = dc.generalize(data, 2, quasi_identifiers=KEYS, random_state=1).data
    forged = FORGERIES[case](made)
    whole, parts = in_memory(data, forged, **CLAIM), in_blocks(data, forged, tmp_path, **CLAIM)
    assert outcome(whole) == outcome(parts) != "safe"


def test_numbers_that_are_equal_but_not_by_bits_are_noticed(tmp_path: Path) -> None:
    before = pa.table({"x": [0.0, 0.0, 1.0, 1.0] * 5})
    claim = {"k": 2, "quasi_identifiers": ["x"], "guarantee": "matchings"}
    for zero, expected in ((0.0, "safe"), (-0.0, "unsafe")):
        after = pa.table({"x": [1.0, 0.0] * 9 + [1.0, zero]})
        whole, parts = in_memory(before, after, **claim), in_blocks(before, after, tmp_path, **claim)
        assert outcome(whole) == outcome(parts) == expected


def test_an_order_that_was_kept_is_noticed(tmp_path: Path) -> None:
    data = people(200).append_column("note", pa.array(np.random.default_rng(3).permutation(200) * 1.5))
    made = dc.generalize(data.select(KEYS), 2, quasi_identifiers=KEYS, random_state=1)
    published = made.data.take(np.argsort(made.origin))
    for name in ("sick", "note"):
        published = published.append_column(name, data.column(name))
    claim = {**CLAIM, "accept": ["note", "sick"]}
    for table, fails in ((published, True), (published.take(np.random.default_rng(4).permutation(200)), False)):
        parts = in_blocks(data, table, tmp_path, **claim)
        assert outcome(parts) == outcome(in_memory(data, table, **claim))
        assert any("order of the original" in words for words in parts.failures) == fails


def test_left_columns_of_more_rows_than_are_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("discreet.verify.large.sample"), "MOST_PERSONS", 100)
    data = people(400)
    made = dc.generalize(data, 2, quasi_identifiers=KEYS, random_state=1).data
    assert outcome(streamed(data, made, tmp_path, **CLAIM)) == "safe"
    other = _edit(made, "sick", 7, "q")
    assert "does not hold the original values" in streamed(data, other, tmp_path, **CLAIM).failures[0]
    two = data.append_column("job", pa.array(np.random.default_rng(1).choice(["u", "v"], 400)))
    both = dc.generalize(two, 2, quasi_identifiers=KEYS, random_state=1).data
    torn = both.set_column(4, "job", both.column("job").take(np.random.default_rng(2).permutation(400)))
    assert "put together anew" in streamed(two, torn, tmp_path, **CLAIM).failures[0]
    spaced = made.set_column(3, "sick", pa.array([f" {text}" for text in made.column("sick").to_pylist()]))
    assert outcome(streamed(data, spaced, tmp_path, **CLAIM)) != "safe"


def test_what_cannot_be_cut_is_not_decided_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data = people().select(["age"])
    after = pa.table({"age": ["[0, 89]"] * 59 + ["[0, 90]"]})
    claim = {"k": 2, "quasi_identifiers": ["age"], "guarantee": "matchings"}
    parts = in_blocks(data, after, tmp_path / "files", **claim)
    assert outcome(parts) == "cannot tell"
    assert "--memory" in parts.advice[0]
    assert os.listdir(tmp_path) == ["files"]


def test_what_needs_all_rows_is_refused(tmp_path: Path) -> None:
    data = people()
    made = dc.generalize(data, 2, quasi_identifiers=KEYS, random_state=1).data
    for more in ({"sensitive": "sick", "l": 2}, {"quasi_identifiers": None}, {"identifiers": ["sick"]}):
        assert in_blocks(data, made, tmp_path, **{**CLAIM, **more}) == "error"
