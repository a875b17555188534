"""Columns beside the quasi-identifiers, and the order of rows: what is refused, what is a limit, what is accepted."""

from __future__ import annotations

import gzip
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet as dc
from discreet.verify import File, other_columns
from discreet.verify.order import aligned, fitting
from discreet.verify.readers import open_table


def csv(frame: pd.DataFrame) -> File:
    return File(data=frame.to_csv(index=False).encode())


def micro(n: int = 12) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Originals, and groups of three replaced by their means."""
    rng = np.random.default_rng(0)
    original = pd.DataFrame({"x": rng.integers(0, 99, n) * 3, "note": [f"n{i % 5}" for i in range(n)]})
    published = original.copy()
    published["x"] = original["x"].groupby(np.arange(n) // 3).transform("mean")
    return original, published


KINDS = {
    "csv": csv,
    "pandas": lambda f: f,
    "polars": pl.from_pandas,
    "pyarrow": lambda f: pa.Table.from_pandas(f, preserve_index=False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_extra_and_changed_columns_are_failures(kind: str) -> None:
    """A column that the original does not have may be accepted; one that was changed is not the one that is."""
    original, published = micro()
    make = KINDS[kind]
    assert dc.verify(make(original), make(published), k=3, quasi_identifiers=["x"])
    extra = published.assign(copy=original["x"])
    changed = published.assign(note=published["note"].where(published.index != 4, "n99"))
    for forged, name, words in ((extra, "copy", "has no column copy"), (changed, "note", "differs in 1 rows")):
        verdict = dc.verify(make(original), make(forged), k=3, quasi_identifiers=["x"])
        assert verdict.outcome == "unsafe" and any(words in failure for failure in verdict.failures)
        taken = dc.verify(make(original), make(forged), k=3, quasi_identifiers=["x"], accept=[name])
        if forged is extra:
            assert taken.safe and any(words in limit for limit in taken.limits)
        else:
            assert taken.outcome == "unsafe" and any(words in failure for failure in taken.failures)


@pytest.mark.parametrize("guarantee", ["classes", "microaggregation", "matchings"])
def test_what_is_accepted_is_the_column_as_the_original_has_it(guarantee: str) -> None:
    """Other values, spellings that tell equal ones apart, torn rows: none of these is let through by accepting."""
    original, published, shuffle = boxes(200, 3)
    original["born"] = published["born"] = np.arange(200) // 4 + 0.5
    if guarantee != "matchings":
        published["x"] = original["x"].groupby(np.arange(200) // 5).transform("mean")
        shuffle = np.arange(200)
    call = {"k": 5, "quasi_identifiers": ["x"], "guarantee": guarantee, "accept": ["left", "born"]}
    changed, torn = published["left"].copy(), published["left"].copy()
    changed[7], torn[:] = 0.125, np.roll(torn, 1)
    marked = [f"{value:.1f}" if i % 2 else f"{value:.2f}" for i, value in enumerate(published["born"])]
    assert dc.verify(csv(original), csv(published.iloc[shuffle]), **call).safe
    # Where each value stands once, a zero more on every third one is a sign on single rows.
    signs = [f"{value}{'0' * (i % 3 == 0)}" for i, value in enumerate(published["left"].tolist())]
    for forged in ({"left": changed}, {"left": torn}, {"born": marked}, {"left": signs}):
        assert dc.verify(csv(original), csv(published.assign(**forged).iloc[shuffle]), **call).outcome == "unsafe"


@pytest.mark.parametrize("respell", [str, lambda x: f"{x}.0", lambda x: f" {x}", lambda x: f"0{x}"])
def test_a_copy_of_a_protected_column_is_a_failure(respell: object) -> None:
    original, published = micro()
    copied = original["x"].map(respell)
    verdict = dc.verify(csv(original.assign(z=copied)), csv(published.assign(z=copied)), k=3, quasi_identifiers=["x"])
    assert any("column z repeats x" in failure for failure in verdict.failures)
    other = original["x"].iloc[::-1].to_numpy()
    assert dc.verify(csv(original.assign(z=other)), csv(published.assign(z=other)), k=3, quasi_identifiers=["x"])


def test_a_left_column_may_not_be_respelled_row_by_row() -> None:
    original, published = micro()
    same = ["1.5"] * len(original)
    marked = ["1.5" if i % 2 else "1.50" for i in range(len(original))]
    quoted = csv(original.assign(z=same)), csv(published.assign(z=marked))
    assert any("more ways" in f for f in dc.verify(*quoted, k=3, quasi_identifiers=["x"]).failures)
    assert dc.verify(csv(original.assign(z=marked)), csv(published.assign(z=same)), k=3, quasi_identifiers=["x"])


def test_what_goes_out_as_it_is_is_named() -> None:
    original, published = micro()
    verdict = dc.verify(original, published, k=3, quasi_identifiers=["x"])
    assert any("note goes out as it is" in limit for limit in verdict.limits)
    assert "Not covered: note" in verdict.summary()


def test_an_index_is_a_column() -> None:
    original, published = micro()
    told = published.set_index(pd.Index([f"person {i}" for i in range(12)], name="who"))
    assert any("has no column who" in f for f in dc.verify(original, told, k=3, quasi_identifiers=["x"]).failures)
    stored = pa.Table.from_pandas(told)
    assert any("has no column who" in f for f in dc.verify(original, stored, k=3, quasi_identifiers=["x"]).failures)
    assert any("metadata" in limit for limit in dc.verify(original, stored, k=3, quasi_identifiers=["x"]).limits)


def boxes(n: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Records with a unique left value, their boxes of five, and a uniform shuffle of them."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.permutation(10 * n)[:n])
    original = pd.DataFrame({"x": x, "left": rng.permutation(n) / 7})
    first = (np.arange(n) // 5) * 5
    last = np.minimum(first + 4, n - 1)
    published = pd.DataFrame({"x": [f"[{x[a]}, {x[b]}]" for a, b in zip(first, last)], "left": original["left"]})
    return original, published, rng.permutation(n)


def test_rows_in_the_original_order_are_refused() -> None:
    original, published, shuffle = boxes(200, 1)
    turned = np.roll(np.arange(200), 70)
    swapped = np.arange(200).reshape(-1, 2)[:, ::-1].ravel()
    names = {"quasi_identifiers": ["x"], "guarantee": "matchings"}
    assert dc.verify(original, published.iloc[shuffle].reset_index(drop=True), k=5, **names)
    for order in (np.arange(200), np.arange(200)[::-1], turned, swapped):
        forged = published.iloc[order].reset_index(drop=True)
        verdict = dc.verify(original, forged, k=5, accept=["left"], **names)
        assert any("order of the original" in failure for failure in verdict.failures)
    for order in (np.arange(200), np.arange(200)[::-1]):
        alone = published[["x"]].iloc[order].reset_index(drop=True)
        assert any("order of the original" in f for f in dc.verify(original[["x"]], alone, k=5, **names).failures)


def test_small_files_are_a_limit() -> None:
    original, published, _ = boxes(10, 0)
    verdict = dc.verify(original, published, k=5, quasi_identifiers=["x"], guarantee="matchings")
    assert verdict.safe and any("must have been shuffled" in limit for limit in verdict.limits)


def test_a_uniform_shuffle_is_never_refused() -> None:
    refused = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 120))
        refused += bool(aligned(np.arange(n), rng.permutation(n)))
    assert refused == 0
    assert aligned(np.arange(14), np.arange(14)) is True and aligned(np.arange(13), np.arange(13)) is None
    assert math.factorial(14) > 6e9


def test_a_shuffle_of_boxes_is_never_refused() -> None:
    from discreet.verify.matchings.reading import read_attribute
    from discreet.verify.readers import open_table

    for seed in range(60):
        original, published, shuffle = boxes(60 + seed, seed)
        before, after = open_table(original, "a"), open_table(published.iloc[shuffle].reset_index(drop=True), "b")
        reading, _ = read_attribute(
            before.column("x"), after.column("x"), categorical=False, labels=None, missing="value"
        )
        assert not fitting([reading])


def test_left_rows_of_a_shuffled_release_stay_together() -> None:
    original, published, shuffle = boxes(60, 3)
    original["other"] = np.arange(60) * 7 % 60 / 7
    published["other"] = original["other"]
    honest = published.iloc[shuffle].reset_index(drop=True)
    names = {"quasi_identifiers": ["x"], "guarantee": "matchings"}
    assert dc.verify(csv(original), csv(honest), k=5, **names) and dc.verify(original, honest, k=5, **names)
    torn = honest.assign(other=np.roll(honest["other"], 1))
    wrong = honest.assign(other=honest["other"] + (honest["other"] == honest["other"][5]))
    for forged, words in ((torn, "torn"), (wrong, "does not hold the original values")):
        for make in (csv, lambda f: f):
            verdict = dc.verify(make(original), make(forged), k=5, **names)
            assert any(words in failure for failure in verdict.failures)


def text(rows: list[str], ends: list[str]) -> File:
    return File(data=("x,note\n" + "".join(row + end for row, end in zip(rows, ends))).encode())


def test_line_ends_and_blank_lines_are_signs_on_rows() -> None:
    original, published = micro()
    was, now = ([f"{x},{note}" for x, note in frame.itertuples(index=False)] for frame in (original, published))
    plain = ["\n"] * 12
    for signs in (["\n", "\r\n"] * 6, ["\n", "\n\n"] * 6, ["\r", "\n", "\n"] * 4, [*plain[:5], "\n\r\n", *plain[6:]]):
        verdict = dc.verify(text(was, plain), text(now, signs), k=3, quasi_identifiers=["x"])
        assert not verdict.safe and "line ends differ" in verdict.failures[0]
        # In the order of the original they say what the original says.
        kept = dc.verify(text(was, signs), text(now, signs), k=3, quasi_identifiers=["x"])
        assert kept.safe and any("line ends" in limit for limit in kept.limits)
        boxes = ['"[0, 999]",' + row.split(",")[1] for row in was]
        shuffled = dc.verify(text(was, signs), text(boxes, signs), k=3, quasi_identifiers=["x"])
        assert any("line ends differ" in failure for failure in shuffled.failures)
    for end in ("\n", "\r\n", "\r", "\n\n"):
        assert dc.verify(text(was, plain), text(now, [end] * 11 + [""]), k=3, quasi_identifiers=["x"])


@pytest.mark.parametrize(
    ("values", "respelled", "safe"),
    [
        (list("abcd"), ['"a"', "b", "c", '"d"'], False),
        (list("abcd"), ['"a"', '"b"', '"c"', '"d"'], True),
        (['"a"', "b", "c", "d"], list("abcd"), True),
        (['"a"', "b", "c", "d"], ['"a"', "b", "c", "d"], True),
        (["a", "b", '"c,d"', ""], ["a", "b", '"c,d"', '""'], True),
        (["a", "b", '"c,d"', ""], ['"a"', '"b"', '"c,d"', ""], True),
        (["1.5", "2.5", "3", "4"], ["1.50", "2.5", "3", "4"], False),
        (["1.5", "2.5", "3", "4"], ["1.50", "2.50", "3.00", "4.00"], True),
        (["1.50", "2.50", "3", "4"], ["1.5", "2.5", "3.0", "4.0"], True),
        (["1.50", "2.50", "3", "4"], ["1.5", "2.5", "3.0", "4"], False),
        (["1", "2", "3", "4"], ["+1", "2", "3", "4"], False),
        (["1", "2", "3", "4"], [" 1", "2", "3", "4"], False),
        (["1", "2", "3", "4"], ["1e0", "2", "3", "4"], False),
        (["0.0000001", "2", "3", "4000000"], ["1e-07", "2", "3", "4e+06"], True),
        (["1", "2", "3", "4"], ["01", "2", "3", "4"], False),
        (["1", "02", "3", "4"], ["1", "02", "3", "4"], True),
    ],
)
def test_left_columns_are_respelled_in_one_style_or_not_at_all(
    values: list[str], respelled: list[str], safe: bool
) -> None:
    was, now = (File(data="\n".join(["x,y", *(f"1,{v}" for v in side)]).encode()) for side in (values, respelled))
    assert dc.verify(was, now, k=4, quasi_identifiers=["x"], guarantee="classes").safe == safe
    shuffled = File(data="\n".join(["x,y", *(f"1,{v}" for v in reversed(respelled))]).encode())
    assert dc.verify(was, shuffled, k=4, quasi_identifiers=["x"], guarantee="matchings").safe == safe


@pytest.mark.parametrize("gap", ["nan", "NaN", "NA", "", "null"])
def test_a_copy_with_gaps_is_a_copy(gap: str) -> None:
    values = [gap if i % 4 == 0 else str(i * i) for i in range(24)]
    was = File(data="\n".join(["x,z", *(f"{v},{v}" for v in values)]).encode())
    now = File(data="\n".join(["x,z", *(f"*,{v}" for v in reversed(values))]).encode())
    verdict = dc.verify(was, now, k=3, quasi_identifiers=["x"], guarantee="matchings")
    assert any("column z repeats x" in failure for failure in verdict.failures)
    frame = pd.DataFrame({"x": [float("nan") if v == gap else float(v) for v in values]})
    typed = dc.verify(
        frame.assign(z=frame["x"]),
        pd.DataFrame({"x": ["*"] * 24, "z": frame["x"][::-1].to_numpy()}),
        k=3,
        quasi_identifiers=["x"],
        guarantee="matchings",
    )
    assert any("column z repeats x" in failure for failure in typed.failures)


@pytest.mark.parametrize("turn", [1, 77, 250])
@pytest.mark.parametrize("backward", [False, True])
def test_rows_that_were_only_turned_are_found_by_their_boxes(turn: int, backward: bool) -> None:
    rng = np.random.default_rng(turn)
    values = rng.permutation(300)
    boxes = [f"[{v // 3 * 3}, {v // 3 * 3 + 2}]" for v in values]
    boxes = boxes[turn:] + boxes[:turn]
    original = pd.DataFrame({"x": values})
    verdict = dc.verify(original, pd.DataFrame({"x": boxes[::-1] if backward else boxes}), k=3, quasi_identifiers=["x"])
    assert any("order of the original" in failure for failure in verdict.failures)
    for _ in range(5):
        assert dc.verify(original, pd.DataFrame({"x": rng.permutation(boxes)}), k=3, quasi_identifiers=["x"])


def test_numbers_with_a_decimal_comma_are_the_same_in_a_typed_file() -> None:
    was = File(data=b"x;y\n" + b"".join(b"1;%d,5\n" % i for i in range(4)))
    now = pa.table({"x": ["1"] * 4, "y": [f"{i}.5" for i in (2, 0, 3, 1)]})
    assert dc.verify(was, now, k=4, quasi_identifiers=["x"], guarantee="matchings")
    other = pa.table({"x": ["1"] * 4, "y": [f"{i}.5" for i in (2, 0, 3, 7)]})
    assert not dc.verify(was, other, k=4, quasi_identifiers=["x"], guarantee="matchings")


def test_a_dictionary_in_the_order_of_the_original_gives_the_order_away() -> None:
    rng = np.random.default_rng(5)
    names = [f"n{i}" for i in rng.permutation(30)]
    original = pa.table({"x": [i // 3 for i in range(30)], "name": names})
    order = rng.permutation(30)

    def release(words: list[str]) -> pa.Table:
        places = pa.array([words.index(names[i]) for i in order], pa.int32())
        column = pa.DictionaryArray.from_arrays(places, pa.array(words))
        return pa.table({"x": [i // 3 for i in order.tolist()], "name": column})

    call = {"k": 3, "quasi_identifiers": ["x"], "guarantee": "matchings"}
    for words in (names, names[::-1], names[7:] + names[:7]):
        verdict = dc.verify(original, release(words), **call)
        assert any("dictionary of column name" in failure for failure in verdict.failures)
        assert not dc.verify(original, release(words), **call, accept=["name"]).safe
    for words in (sorted(names), [names[i] for i in order]):
        verdict = dc.verify(original, release(words), **call)
        assert not any("dictionary" in failure for failure in verdict.failures), "though a name tells who is who"


def test_without_an_original_nothing_is_said_to_go_out_as_it_is() -> None:
    verdict = dc.verify(None, pd.DataFrame({"x": [1, 1], "y": [2, 3]}), k=2, quasi_identifiers=["x"])
    assert verdict.safe and any("y was not examined" in limit for limit in verdict.limits)


def test_what_a_gzip_header_says_is_a_limit() -> None:
    rows = b"x\n1\n1\n"
    plain = gzip.compress(rows)
    named = plain[:3] + b"\x10" + plain[4:10] + b"a comment\0" + plain[10:]
    for data, told in ((plain, False), (named, True), (gzip.compress(rows[:4]) + gzip.compress(rows[4:]), True)):
        verdict = dc.verify(File(data=rows), File(data=data, format="csv.gz"), k=2, quasi_identifiers=["x"])
        assert verdict.safe and any("gzip" in limit for limit in verdict.limits) == told


def test_looking_for_copies_is_linear_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where many columns look alike: those of few rows, and indicators, which are zero almost everywhere."""
    calls = [0]
    joint = other_columns.joint

    def counted(*columns: Any) -> Any:
        calls[0] += 1
        return joint(*columns)

    monkeypatch.setattr(other_columns, "joint", counted)

    def work(width: int) -> int:
        rng = np.random.default_rng(1)
        few = {f"b{j}": rng.integers(0, 2, 4) for j in range(width)}
        few |= {f"a{j}": rng.integers(0, 2, 4) for j in range(width)}
        sparse = {f"a{j}": np.eye(100, dtype=int)[j] for j in range(width)}
        sparse |= {f"b{j}": np.eye(100, dtype=int)[width + j] for j in range(width)}
        calls[0] = 0
        for data in (few, sparse):
            before = pa.table(data)
            after = pa.table({name: 7 * values + 1 if name[0] == "a" else values for name, values in data.items()})
            tables = open_table(before, "original"), open_table(after, "published")
            other_columns.copies(
                *tables, [f"a{j}" for j in range(width)], [f"b{j}" for j in range(width)], other_columns.Findings(())
            )
        return calls[0]

    assert work(40) < 3 * work(20)
