"""A generalization in plain language: the draw is called secret only where it is."""

from __future__ import annotations

from dataclasses import replace

import discreet as dc
from discreet.instruments.statements.boxed import lost, statement

FRAME = dc.datasets.survey(60, seed=1)[["age", "region", "illness"]]


def said(result: dc.Generalization) -> str:
    return " ".join(sentence for _, sentences in statement(result).questions() for sentence in sentences)


def test_a_secret_draw() -> None:
    result = dc.generalize(FRAME, 3, quasi_identifiers=["age", "region"], rounds=2)
    assert "equally likely" in statement(result).heading
    words = said(result)
    assert "drawn in secret" in words and "right once in 3 times" in words and "fixed seed" not in words
    assert "no release of this kind" not in words and "cap that was set" not in words


def test_a_draw_that_can_be_repeated() -> None:
    result = dc.generalize(FRAME, 3, quasi_identifiers=["age", "region"], rounds=2, random_state=1, certify=True)
    words = said(result)
    assert "equally likely" not in statement(result).heading and "fixed seed" in words
    assert "right once in" not in words and "It is proven that no release of this kind" in words
    assert "not fit to be published" in said(replace(result, shuffled=False))


def test_sensitive_values_and_caps() -> None:
    result = dc.generalize(
        FRAME, 3, quasi_identifiers=["age"], sensitive="region", l=2, caps={"age": {"top": "70"}}, rounds=2
    )
    words = said(result)
    assert "possible values of region" in words and "cap that was set" in words and "70" not in words


def test_losses_to_two_digits() -> None:
    result = dc.generalize(FRAME, 3, quasi_identifiers=["age", "region"], rounds=2)
    rows = {name: (float(spans), float(widened)) for name, spans, widened in lost(result).rows}
    for name, (spans, widened) in rows.items():
        assert abs(spans - 100 * result.losses[name]) <= 0.05 * spans
        assert abs(widened - 100 * result.widened[name] / 60) <= 0.05 * widened
