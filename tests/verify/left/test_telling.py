"""Which columns tell which keys, and how that is said."""

from __future__ import annotations

import numpy as np

from discreet.verify.left.telling import Told, report, tellings
from discreet.verify.left.values import Values
from discreet.verify.other_columns import Findings
from tests.verify.left.made import numbers, words


def named(name: str, values: Values) -> Values:
    return Values(name, values.codes, values.known, values.places, values.kind)


def test_a_pair_is_named_where_neither_tells_alone() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 300), rng.integers(0, 2, 300)
    left = [
        named("a", words(a.tolist())),
        named("b", words(b.tolist())),
        named("c", words(rng.integers(0, 3, 300).tolist())),
    ]
    key = named("k", words((a ^ b).tolist()))
    assert [(told.columns, told.key) for told in tellings(left, [key])] == [(("a", "b"), "k")]
    tells = named("d", words((1 - (a ^ b)).tolist()))
    assert [told.columns for told in tellings([*left, tells], [key])] == [("d",), ("a", "b")]


def test_all_numbers_together_need_more_than_two_do() -> None:
    rng = np.random.default_rng(1)
    parts = rng.normal(size=(3, 400))
    left = [named(name, numbers(part.tolist())) for name, part in zip("abc", parts)]
    exact, noisy = parts.sum(axis=0), parts.sum(axis=0) + 0.5 * rng.normal(size=400)
    assert [told.columns for told in tellings(left, [numbers(exact.tolist())])] == [("a", "b", "c")]
    assert not tellings(left, [numbers(noisy.tolist())])


def test_words_say_who_tells_what() -> None:
    findings = Findings({"e"})
    found = [
        Told(("w",), "region", 0.91),
        Told(("w",), "sex", 0.7),
        Told(("e",), "age", 1.0),
        Told(("h",), "age", 0.45),
    ]
    report([*found, Told(("a", "b"), "age", 0.8)], findings, lambda name: f": {name}")
    assert findings.failures == [
        "column w tells region (skill 0.91 of 1), sex (skill 0.70 of 1): w",
        "columns a, b together tell age (skill 0.80 of 1)",
    ]
    assert findings.limits == [
        "accepted by name: column e tells age (skill 1.00 of 1): e",
        "some columns tell something about protected ones: h about age (skill 0.45 of 1)",
    ]
