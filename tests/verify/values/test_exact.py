"""Exact numbers against fractions: which texts are numbers, their order, and their nearest floats."""

from __future__ import annotations

import random

import numpy as np
from oracles.published import number

from discreet.verify.values.exact import as_floats, binary, parse, rank

FIXED = [
    "0",
    "-0",
    "00",
    "0.10",
    "1_1",
    "1.",
    ".",
    ".5",
    "+.5e3",
    "1e400",
    "1e401",
    "1e-400",
    "",
    "-",
    "1e",
    "1e+",
    "１",
]
FIXED += [
    "1" + "0" * 24,
    "0." + "0" * 23 + "1",
    "123456789012345678",
    "1234567890123456789",
    " 1\t",
    "1 2",
    "0x1",
    "inf",
]


def test_numbers_in_text_are_exact() -> None:
    rng = random.Random(0)
    texts = FIXED + ["".join(rng.choices("0123456789.00eE+- ", k=rng.randint(1, 24))) for _ in range(3000)]
    texts += ["".join(rng.choices("01259.00", k=rng.randint(1, 24))) for _ in range(3000)]
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([len(part) for part in encoded]).astype(np.int64)
    found = parse(b"".join(encoded), ends - np.array([len(part) for part in encoded]), ends)
    truth = [number(text) for text in texts]
    places = {value: place for place, value in enumerate(sorted({value for value in truth if value is not None}))}
    assert found.valid.tolist() == [value is not None for value in truth]
    assert rank([found])[0].tolist() == [-1 if value is None else places[value] for value in truth]
    for value, nearest in zip(truth, as_floats(found)):
        if value is not None and abs(value) < 10**300:
            assert nearest == float(value)


def test_columns_are_ranked_jointly() -> None:
    data = b"0.1 0.3 16777217"
    texts = parse(data, np.array([0, 4, 8]), np.array([3, 7, 16]))
    wide = binary(np.array([0.1, 0.30000000000000004, np.nan]), 64)
    a, b = rank([texts, wide])
    assert a[0] == b[0] and a[1] < b[1] and b[2] == -1
    narrow = binary(np.float64([np.float32(0.1), np.float32(0.3), 16777216.0]), 32)
    a, b = rank([texts, narrow])
    assert (a == b).all()
    middle = parse(b"16777217.0000000001", np.array([0]), np.array([19]))
    assert as_floats(middle, 32).tolist() == [16777218.0]
