"""The check against brute force on the bytes of tiny files: thousands of them, in CSV and in Parquet."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracles.published import fold, judge_classes, judge_matchings

from discreet.frames.exact import folded
from discreet.verify import File, verify
from discreet.verify.readers import open_table
from discreet.verify.values.meaning import folded_codes

NUMBERS = ["1", "2", "3", "1.0", "01", "+1", " 1", "1e0", "0", "-0", "0.0", "", "NA", '"1"', "100000000000000000001"]
WORDS = ["a", "b", "A", "a ", '"a"', "1_1", "１", "11", "", "n/a", "*", '"{a, b}"', "0300", "300"]
WIDE_NUMBERS = [
    '"[1, 2]"',
    '"[1,2]"',
    '"[1, 2.0]"',
    '"[1.0, 3]"',
    '"[1, 3]"',
    "*",
    '"{1, 2}"',
    '"{2, 1}"',
    '"[2, 2]"',
    '"{, 1}"',
    '"[100000000000000000000, 100000000000000000001]"',
]
WIDE_WORDS = ['"{a, b}"', '"{b, a}"', '"{a, b, A}"', "*", "{a}", '"{, a}"', '"{a, 1_1}"', '"{0300, 300}"']


def table(columns: list[list[str]]) -> File:
    names = [f"c{j}" for j in range(len(columns))]
    lines = [",".join(names), *(",".join(row) for row in zip(*columns))]
    return File(data=("\n".join(lines) + "\n").encode())


def draw(rng: np.random.Generator, n: int) -> tuple[list[str], list[str]]:
    """A column and a release of it: mostly what stands there or a box over it, sometimes anything."""
    plain, wide = (NUMBERS, WIDE_NUMBERS) if rng.random() < 0.6 else (WORDS, WIDE_WORDS)
    few = rng.choice(plain, rng.integers(1, 4))
    was = [str(text) for text in rng.choice(few, n)]
    boxes = rng.choice(wide, rng.integers(1, 3))
    kept = rng.random() * 1.2
    now = [text if rng.random() < kept else str(rng.choice(boxes)) for text in was]
    if rng.random() < 0.4:
        now = [str(boxes[0])] * n
    return was, [now[i] for i in rng.permutation(n)]


@pytest.mark.parametrize("part", range(8))
def test_matchings_as_by_brute_force(part: int) -> None:
    found = {"safe": 0, "unsafe": 0, "cannot tell": 0}
    for seed in range(150):
        rng = np.random.default_rng([part, seed])
        n = int(rng.integers(2, 6))
        pairs = [draw(rng, n) for _ in range(rng.integers(1, 3))]
        was, now = [list(side) for side in zip(*pairs)]
        if all(row == "" for row in was[0] + now[0]) or (len(was) == 1 and "" in was[0] + now[0]):
            continue  # an empty line is no record
        k = int(rng.integers(1, 4))
        names = [f"c{j}" for j in range(len(was))]
        verdict = verify(table(was), table(now), k=k, quasi_identifiers=names, guarantee="matchings")
        assert verdict.outcome == judge_matchings(was, now, k), (was, now, k)
        found[verdict.outcome] += 1
    assert min(found.values()) >= 5, found


@pytest.mark.parametrize("part", range(4))
def test_classes_as_by_brute_force(part: int) -> None:
    found = {"safe": 0, "unsafe": 0}
    for seed in range(150):
        rng = np.random.default_rng([part, seed, 1])
        n = int(rng.integers(2, 8))
        plain = NUMBERS if rng.random() < 0.5 else WORDS
        few = [str(text) for text in rng.choice(plain, rng.integers(1, 3))]
        columns = [[str(text) for text in rng.choice(few, n)], ["1"] * n]
        k = int(rng.integers(1, 4))
        verdict = verify(table(columns), table(columns), k=k, quasi_identifiers=["c0"], guarantee="classes")
        assert verdict.outcome == judge_classes(columns[:1], columns[:1], k), (columns, k)
        found[verdict.outcome] += 1
    assert min(found.values()) >= 20, found


def parquet(array: pa.Array, **more: pa.Array) -> File:
    sink = io.BytesIO()
    pq.write_table(pa.table({"x": array, **more}), sink)
    return File(data=sink.getvalue(), format="parquet")


def csv(fields: list[str]) -> File:
    return File(data=("x,y\n" + "".join(f"{field},0\n" for field in fields)).encode())


IDS = [str(10**17 + i) for i in range(8)]
EQUATED = {
    "ids beyond float64": IDS,
    "underscores": ["1_1", "11"] * 4,
    "full width": ["１", "1"] * 4,
    "signs of zero": ["0", "-0"] * 4,
    "trailing zeros": ["4.1", "4.10"] * 4,
    "leading zeros": ["300", "0300"] * 4,
    "blanks": ["1", " 1"] * 4,
    "decimals near 1e20": ["100000000000000000000.1", "100000000000000000000.2"] * 4,
    "words for missing": ["1", "NA", "", "1", "NA", "", "1", "NA"],
    "quotes": ["a", '"a"'] * 4,
    "exponents": ["1e400", "1e401"] * 4,
    "hexadecimal": ["0x10", "16"] * 4,
    "infinities": ["inf", "1e400"] * 4,
}


@pytest.mark.parametrize("case", EQUATED)
@pytest.mark.parametrize("guarantee", ["matchings", "classes", "auto"])
def test_rows_that_the_bytes_tell_apart_are_not_alike(case: str, guarantee: str) -> None:
    fields = EQUATED[case]
    assert not verify(csv(fields), csv(fields), k=5, quasi_identifiers=["x"], guarantee=guarantee).safe


TYPED = {
    "signs of zero": pa.array([0.0, -0.0] * 4),
    "narrow signs of zero": pa.array(np.array([0.0, -0.0] * 4, np.float16)),
    "text 4.1": pa.array(["4.1", "4.10"] * 4),
    "text 300": pa.array(["300", "0300"] * 4),
    "text in views": pa.array(["4.1", "4.10"] * 4, pa.string_view()),
    "dictionary": pa.array(["4.1", "4.10"] * 4).dictionary_encode(),
    "empty and null": pa.array(["", None] * 4),
    "NaN and null": pa.array([float("nan"), None] * 4),
    "several NaN": pa.array(np.array([0x7FF8000000000000, 0x7FF8000000000001] * 4).view(np.float64)),
    "decimals": pa.array(["100000000000000000000.1", "100000000000000000000.2"] * 4).cast(pa.decimal128(30, 1)),
    "wide decimals": pa.array(["1e60", "2e60"] * 4).cast(pa.decimal256(70, 1)),
    "durations": pa.array([2**60 + i for i in range(8)], pa.duration("ns")),
    "times": pa.array([1, 2] * 4, pa.time64("ns")),
    "moments": pa.array([2**60 + i for i in range(8)], pa.timestamp("ns")),
    "unsigned": pa.array([2**64 - 1, 2**64 - 2] * 4, pa.uint64()),
    "denormal": pa.array([5e-324, 1e-323] * 4),
    "bytes": pa.array([b"a", b"a\x00"] * 4),
    "bytes in views": pa.array([b"a", b"b"] * 4, pa.binary_view()),
}


@pytest.mark.parametrize("case", TYPED)
@pytest.mark.parametrize("guarantee", ["matchings", "classes", "auto"])
def test_rows_that_bits_tell_apart_are_not_alike(case: str, guarantee: str) -> None:
    file = parquet(TYPED[case])
    assert not verify(file, file, k=5, quasi_identifiers=["x"], guarantee=guarantee).safe
    assert verify(file, file, k=1, quasi_identifiers=["x"], guarantee="classes").outcome in ("safe", "unsafe")


SPELLED = {
    "numbers": (["4.1", "4.10"], "4.1"),
    "ranges": (["1", "3"], ['"[1, 3]"', '"[1, 3.0]"']),
    "sets": (["a", "b"], ['"{a, b}"', '"{b, a}"']),
    "quotes": (["a", "a"], ["a", '"a"']),
    "missing": (["1", ""], ["*", '"*"']),
    "quoted range": (["1", "3"], ['"[1, 3]"', '"[1,3]"']),
    "a set of one": (["a", "a"], ["a", "{a}"]),
}


@pytest.mark.parametrize("case", SPELLED)
def test_one_value_has_one_spelling(case: str) -> None:
    was, now = SPELLED[case]
    ways = now if isinstance(now, list) else was
    verdict = verify(csv(was * 4), csv(ways * 4), k=4, quasi_identifiers=["x"], guarantee="matchings")
    assert any("in more than one way" in failure for failure in verdict.failures)
    one = [ways[0]] * 8
    assert verify(csv(was * 4), csv(one), k=4, quasi_identifiers=["x"], guarantee="matchings").safe


def test_sensitive_values_are_folded() -> None:
    pool = [
        "flu",
        "Flu",
        " flu",
        "ﬂu",
        "fl\u200bu",
        "flu\u00a0",
        "1",
        "1.0",
        "１",
        "straße",
        "STRASSE",
        "",
        "a  b",
        "a b",
    ]
    for seed in range(300):
        rng = np.random.default_rng(seed)
        texts = [str(text) for text in rng.choice(pool, 5)]
        column = open_table(pa.table({"x": pa.array(texts)}), "data").column("x")
        found = folded_codes(column)
        want = [fold(text) for text in texts]
        assert [[a == b for b in found] for a in found] == [[a == b for b in want] for a in want], texts


INVISIBLE = [chr(c) for c in (0x8, 0x7F, 0xAD, 0x34F, 0x115F, 0x180B, 0x200B, 0x2060, 0x2800, 0x3164, 0xFE0F, 0xE0101)]


@pytest.mark.parametrize("sign", INVISIBLE, ids=ascii)
def test_a_character_that_nobody_sees_makes_no_second_sensitive_value(sign: str) -> None:
    for other in ("flu" + sign, "f" + sign + "lu", sign + "FLU"):
        found = folded_codes(open_table(pa.table({"x": ["flu", other, "cold"]}), "data").column("x"))
        assert found[0] == found[1] != found[2]
        by_method = folded(pa.table({"x": ["flu", other, "cold"]}), "x")
        assert by_method[0] == by_method[1] != by_method[2]


def test_names_of_nothing_are_one_sensitive_value() -> None:
    words = ["", "NA", "null", "nan", " NULL ", "none of these"]
    assert len(set(folded_codes(open_table(pa.table({"x": words}), "data").column("x")).tolist())) == 2
