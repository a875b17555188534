"""Malformed certificates: never accepted, never a traceback, nothing of the file repeated."""

from __future__ import annotations

import json

import numpy as np
import pytest

from discreet.verify.certificates import reading
from discreet.verify.certificates.check import verify_certificate
from discreet.verify.certificates.reading import FORMAT, Malformed, parse, read_text

CUT = {"records": [0, 1, 2], "numerators": [1, 1, 1], "divisor": 2, "penalty": 0.0}
SOUND = {
    "format": FORMAT,
    "bound": "target enumeration",
    "k": 2,
    "n": 4,
    "sse": 1.0,
    "sst": 3.0,
    "lower_bound": 0.5,
    "status": "converged",
    "columns": ["a", "b"],
    "scale": "sd",
    "missing": "error",
    "exponent": 0,
    "multipliers": [0.1, 0.2, 0.3, 0.1],
    "roots": {"1": -0.1},
    "cuts": [CUT],
    "target": 0.9,
    "searched": 2,
    "spent": 0.1,
}
HUGE = 10**400
WRONG = {
    "format": ["discreet microaggregation certificate 2", None, 1],
    "bound": ["wishful thinking", None, 3, ["zero"], "zero", "column generation"],
    "k": ["2", 2.0, True, None, 0, -1, HUGE, [2]],
    "n": ["4", 4.0, True, None, 0, -4, HUGE, 5],
    "sse": ["1", None, True, HUGE, [1.0], float("nan"), float("inf")],
    "sst": ["3", None, HUGE],
    "lower_bound": ["0.5", None, False, HUGE, -HUGE, {}, float("-inf")],
    "gap": ["0", None, HUGE],
    "status": ["proven", None, 1],
    "columns": ["a", None, [1, 2], ["a", "a"], {"a": 1}],
    "scale": ["log", None, 1],
    "missing": ["ignore", None],
    "exponent": ["0", 0.5, True, HUGE, 10**6],
    "multipliers": [None, {}, [0.1], [0.1] * 5, [0.1, 0.2, 0.3, "x"], [0.1, 0.2, 0.3, None], [0.1, 0.2, 0.3, HUGE]],
    "roots": [None, [], [-0.1], {"4": -1}, {"-1": -1}, {"01": -1}, {"²": -1}, {"1": 1.0}, {"1": None}, {"1": HUGE}],
    "cuts": [
        None,
        {},
        [None],
        [{}],
        [[]],
        [{**CUT, "records": [0, 1, 4]}],
        [{**CUT, "records": [0, 1, -1]}],
        [{**CUT, "records": [0, 0, 1]}],
        [{**CUT, "records": [0, 1]}],
        [{**CUT, "records": [0, True, 2]}],
        [{**CUT, "records": None}],
        [{**CUT, "numerators": [1, 1, 0]}],
        [{**CUT, "numerators": [1, 1, 1.0]}],
        [{**CUT, "numerators": [1, 1, HUGE]}],
        [{**CUT, "divisor": 0}],
        [{**CUT, "divisor": None}],
        [{**CUT, "divisor": HUGE}],
        [{**CUT, "penalty": -0.5}],
        [{**CUT, "penalty": "0"}],
        [{**CUT, "more": 1}],
    ],
    "target": ["0.9", None, HUGE, [0.9]],
    "searched": ["2", 2.0, 0, 5, None, True, HUGE],
    "spent": ["0.1", None, HUGE],
    "tolerance": ["0.1", None, HUGE],
    "wishes": [1],
}


def test_the_sound_one_is_read() -> None:
    read = parse(json.dumps(SOUND))
    assert read.multipliers == (0.1, 0.2, 0.3, 0.1)
    assert read.roots == {1: -0.1}
    assert read.cuts[0].rhs == 1
    assert (read.target, read.searched, read.second) == (0.9, 2, True)
    assert read.claims == {"lower_bound": 0.5, "sse": 1.0, "sst": 3.0}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_wrong_values_are_malformed(name: str, value: object) -> None:
    text = json.dumps({**SOUND, name: value})
    with pytest.raises(Malformed):
        parse(text)
    values = np.arange(8.0).reshape(4, 2) ** 2
    verdict = verify_certificate(values, text, k=2, columns=["a", "b"])
    assert verdict.outcome == "cannot tell"
    assert verdict.exit_code == 2


@pytest.mark.parametrize(
    "name", ["format", "bound", "k", "n", "sse", "lower_bound", "multipliers", "target", "searched"]
)
def test_what_is_lacking(name: str) -> None:
    with pytest.raises(Malformed):
        parse(json.dumps({key: value for key, value in SOUND.items() if key != name}))


@pytest.mark.parametrize(
    "text",
    [
        "", "nonsense", "[]", "null", "3", '"text"', "{", "[" * 100_000, '{"a":' * 50_000, b"\xff\xfe{}", "\ufeff{}",
        json.dumps(SOUND)[:-1] + ', "lower_bound": 9.0}', json.dumps(SOUND).replace("0.9", "1e999"),
        json.dumps(SOUND).replace("0.9", "9" * 10_000), json.dumps(SOUND).replace('"1": -0.1', '"1": -0.1, "1": -0.2'),
        json.dumps(SOUND) + "{}",
    ],
)  # fmt: skip
def test_texts_that_are_no_certificates(text: str | bytes) -> None:
    with pytest.raises(Malformed):
        parse(text)


def test_files_that_cannot_be_read(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(Malformed):
            read_text(path, 10)
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    (tmp_path / "long.json").write_text(" " * 30_000)
    with pytest.raises(Malformed, match="longer"):
        read_text(tmp_path / "long.json", 10)


def test_nothing_of_the_file_is_repeated() -> None:
    values = np.arange(8.0).reshape(4, 2) ** 2
    for name in ("bound", "scale", "status", "columns", "format"):
        value = ["\x1b[31msecret"] if name == "columns" else "\x1b[31msecret"
        verdict = verify_certificate(values, json.dumps({**SOUND, name: value}), k=2, columns=["a", "b"])
        assert not verdict.safe
        assert "secret" not in verdict.summary()
