"""Certificates: honest ones are accepted, and whatever is edited is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.verify import verify_certified
from discreet.verify.blanks import certificate as module
from discreet.verify.blanks.certificate import Question, Rejected, document, prove, verify_certificate

KEYS = ["a", "b", "c"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(11)
    return pd.DataFrame({name: rng.integers(1, 5, 120).astype(str) for name in KEYS})


def checked(people: pd.DataFrame, result: Any, text: str, path: Path, **claim: Any) -> Any:
    path.write_text(text)
    return verify_certified(people, result.data, path, **{**result.claim(), **claim})[1]


@pytest.mark.parametrize("asked", [{}, {"semantics": "cover"}, {"importance": {"a": 3, "b": 1.5}}, {"combinations": 2}])
def test_what_the_instrument_writes_is_proven_again(
    people: pd.DataFrame, tmp_path: Path, asked: dict[str, Any]
) -> None:
    result = dc.suppress_locally(people, 3, keys=KEYS, **asked)
    proof = checked(people, result, json.dumps(result.certificate), tmp_path / "c.json")
    assert proof.safe, proof.summary()
    assert proof.figures["lower_bound"] == result.certificate["lower_bound"]
    assert proof.figures["gap"] == pytest.approx(result.gap)


def edits(good: dict[str, Any]) -> dict[str, dict[str, Any]]:
    prices = good["prices"]
    out = {f"price {i} {step}": {**good, "prices": [*prices[:i], prices[i] + step, *prices[i + 1 :]]}
           for i in (0, len(prices) // 2, len(prices) - 1) for step in (1, -1, 65_536, -65_536)}  # fmt: skip
    for name in ("lower_bound", "total", "relief", "k", "scale", "version"):
        steps = (good[name], -good[name] // 2) if name == "scale" else (1, -1)
        out |= {f"{name} {step}": {**good, name: good[name] + step} for step in steps}
        out[f"{name} as text"] = {**good, name: str(good[name])}
        out[f"{name} as a fraction"] = {**good, name: good[name] + 0.5}
        out[f"{name} is true"] = {**good, name: True}
        out[f"no {name}"] = {key: value for key, value in good.items() if key != name}
    out["more than there is"] = {**good, "note": 1}
    out["a price too few"] = {**good, "prices": prices[:-1]}
    out["no prices"] = {**good, "prices": {}}
    out["other keys"] = {**good, "keys": good["keys"][::-1]}
    out["weights of nothing"] = {**good, "importance": {**good["importance"], "a": 0}}
    out["weights by another order"] = {**good, "importance": dict(reversed(good["importance"].items()))}
    out["other semantics"] = {**good, "semantics": "cover" if good["semantics"] == "class" else "class"}
    out["combinations"] = {**good, "combinations": 2}
    return out


@pytest.mark.parametrize("semantics", ["class", "cover"])
def test_edited_certificates_are_refused(people: pd.DataFrame, tmp_path: Path, semantics: Any) -> None:
    result = dc.suppress_locally(people, 3, keys=KEYS, semantics=semantics)
    good = dict(result.certificate)
    assert checked(people, result, json.dumps(good), tmp_path / "c.json").safe
    for what, forged in edits(good).items():
        assert not checked(people, result, json.dumps(forged), tmp_path / "c.json").safe, what
    for text in ("", "[]", "{", json.dumps(good)[:-1] + ', "k": 3}', json.dumps(good).replace("65536", "NaN")):
        assert not checked(people, result, text, tmp_path / "c.json").safe, text[:20]
    other = people.assign(a=people["a"].iloc[::-1].to_numpy())
    path = tmp_path / "c.json"
    path.write_text(json.dumps(good))
    assert not verify_certified(other, result.data, path, **{**result.claim(), "guarantee": "blanks"})[1].safe


def test_other_weights_are_another_statement_and_are_said(people: pd.DataFrame, tmp_path: Path) -> None:
    result = dc.suppress_locally(people, 3, keys=KEYS)
    heavier = {**dict(result.certificate), "importance": {"a": 2, "b": 1, "c": 1}}
    proof = checked(people, result, json.dumps(heavier), tmp_path / "c.json")
    assert "a: 2, b: 1, c: 1" in proof.summary()
    assert proof.figures["cost"] == result.cost + result.by_column["a"]


def test_a_bound_that_is_above_the_release_is_none(tmp_path: Path) -> None:
    codes = np.array([[1], [1], [2]])
    question = Question(("a",), codes, 2, "class", None)
    path = tmp_path / "c.json"
    path.write_text(json.dumps(document(question, np.array([1]), [0, 0], 10)))
    assert verify_certificate(path, question, np.array([3])).figures["gap"] == 100.0
    proof = verify_certificate(path, question, None)
    assert proof.safe
    assert "gap" not in proof.figures


def test_a_price_above_what_a_combination_must_cost_proves_nothing_by_cover() -> None:
    question = Question(("a",), np.array([[1], [1], [2]]), 2, "cover", None)
    assert prove(question, np.array([1]), [0, 10], 10).least == 1
    with pytest.raises(Rejected, match="above what its combination"):
        prove(question, np.array([1]), [0, 11], 10)


def test_too_many_keys_are_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(("a",), np.array([[1], [1], [2]]), 2, "class", None)
    path = tmp_path / "c.json"
    path.write_text(json.dumps(document(question, np.array([1]), [0, 0], 10)))
    monkeypatch.setattr(module, "MOST_WORK", 3)
    assert verify_certificate(path, question, None).outcome == "cannot tell"
    assert verify_certificate(tmp_path / "none.json", question, None).outcome == "unsafe"
