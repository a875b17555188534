"""Whole numbers: one check, and every public function that takes k, l or another count goes by it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import at_least, whole
from discreet.generalization.methods import solve as match
from discreet.instruments.microaggregate import microaggregate
from discreet.microaggregation import solve as partition
from discreet.microaggregation.certificate import certify
from discreet.release.policy import Policy
from discreet.tables.bounds.risk import RiskPolicy
from discreet.verify import verify_certified
from discreet.verify.certificates import verify_certificate


class Size(IntEnum):
    THREE = 3


WHOLE = [3, Size.THREE, *(kind(3) for kind in (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.intp))]
OTHERS = [True, np.bool_(True), 3.0, np.float64(3), Decimal(3), "3", b"3", None, 0, -3, np.int64(-3)]

RANDOM = np.random.default_rng(1)
POINTS = np.round(RANDOM.normal(size=(12, 2)), 3)
FRAME = pd.DataFrame(POINTS, columns=["x", "y"]).assign(s=[0, 1, 2, 3] * 3)
NAMES = ["x", "y"]
RELEASED = dc.microaggregate(FRAME, 3, columns=NAMES, method="mdav", certify=True)
TABLE = dc.Table.from_frame(pd.DataFrame({"a": list("xxyy"), "b": list("xyxy")}), variables=["a", "b"])


def _domain() -> Any:
    from oracles.generalization_domains import random_domain

    return random_domain(12, 1)


def _certified(k: Any, path: Path) -> Any:
    from discreet.cli.outputs import as_json

    file = path / "certificate.json"
    file.write_text(as_json(dict(RELEASED.certificate or {})))
    verdict, proof = verify_certified(
        FRAME, RELEASED.data, file, k=k, quasi_identifiers=NAMES, **REST, accept=["s"], l=None, sensitive=None
    )
    return verdict.to_dict(), proof.to_dict()


REST: dict[str, Any] = {
    "guarantee": "microaggregation",
    "categorical": (),
    "hierarchies": None,
    "missing": None,
    "secret": None,
}

TAKE_A_COUNT: dict[str, Callable[[Any, Path], Any]] = {
    "microaggregate": lambda k, _: microaggregate(FRAME, k, columns=NAMES, method="mdav").labels.tolist(),
    "microaggregate, a list": lambda k, _: [
        result.labels.tolist() for result in dc.microaggregate(FRAME, [2, k], columns=NAMES, method="mdav")
    ],
    "generalize": lambda k, _: dc.generalize(
        FRAME, k, quasi_identifiers=NAMES, random_state=1, rounds=2, accept=["s"]
    ).matches.tolist(),
    "generalize, l": lambda l, _: dc.generalize(
        FRAME, 4, quasi_identifiers=NAMES, random_state=1, rounds=2, sensitive="s", l=l
    ).matches.tolist(),
    "verify": lambda k, _: dc.verify(FRAME, RELEASED.data, k=k, quasi_identifiers=NAMES, accept=["s"]).to_dict(),
    "verify, l": lambda l, _: dc.verify(
        None, FRAME.assign(x=1, y=1), k=3, quasi_identifiers=NAMES, sensitive="s", l=l
    ).to_dict(),
    "verify_certified": _certified,
    "partition of an array": lambda k, _: partition(POINTS, k, method="mdav").labels.tolist(),
    "matches of a domain": lambda k, _: match(_domain(), k, rounds=2).matches.tolist(),
    "certify an array": lambda k, _: certify(POINTS, k, effort="fast").lower_bound,
    "policy, c": lambda c, _: Policy(c=c).to_dict(),
    "policy, w": lambda w, _: Policy(w=w).to_dict(),
    "policy, min_tables": lambda least, _: Policy(min_tables=least).to_dict(),
    "risk, c": lambda c, _: RiskPolicy.of({"c": c}),
    "risk of bounds, w": lambda w, _: dc.bounds(TABLE.margins([["a"], ["b"]])).risk({"w": w}).summary(),
}


@pytest.mark.parametrize("value", WHOLE, ids=lambda value: type(value).__name__)
def test_whole_numbers_of_any_kind(value: Any) -> None:
    number = whole(value)
    assert number == 3 and type(number) is int
    assert at_least(value, 3) and not at_least(value, 4)


@pytest.mark.parametrize("value", [other for other in OTHERS if other not in (0, -3)], ids=repr)
def test_what_is_no_whole_number(value: Any) -> None:
    assert whole(value) is None and not at_least(value, 0)


@pytest.mark.parametrize("function", TAKE_A_COUNT)
def test_every_function_takes_whole_numbers_of_any_kind(function: str, tmp_path: Path) -> None:
    first, *others = [repr(TAKE_A_COUNT[function](value, tmp_path)) for value in WHOLE]
    assert all(other == first for other in others)


@pytest.mark.parametrize("function", TAKE_A_COUNT)
def test_every_function_refuses_all_else(function: str, tmp_path: Path) -> None:
    for value in OTHERS:
        if (function == "policy, c" and value == 0 and value is not False) or (value is None and ", l" in function):
            continue  # no count is small; no l is no claim
        with pytest.raises(dc.InputError, match="whole number"):
            TAKE_A_COUNT[function](value, tmp_path)


def test_the_array_check_of_a_certificate_takes_them_too() -> None:
    text = dict(RELEASED.certificate or {})
    verdicts = {verify_certificate(POINTS, text, k=value, columns=NAMES).outcome for value in WHOLE}
    assert verdicts == {"safe"}
    for value in OTHERS:
        assert verify_certificate(POINTS, text, k=value, columns=NAMES).outcome == "cannot tell"


def test_numbers_of_eight_bits_have_doubles() -> None:
    """2k does not fit into the type of k: what is computed goes on with numbers of Python."""
    points = np.random.default_rng(2).normal(size=(300, 2))
    sizes = np.bincount(partition(points, np.uint8(130), method="mdav").labels)
    assert sizes.tolist() == np.bincount(partition(points, 130, method="mdav").labels).tolist()


@pytest.mark.parametrize("text", ["3.0", "true", "three", "0", "-3", "3,4", "[3]"])
def test_the_command_refuses_them_too(discreet: Callable, text: str, tmp_path: Path) -> None:
    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    FRAME.to_csv(data, index=False)
    done = discreet("microaggregate", data, "-k", text, "--columns", "x,y", "-o", out)
    assert done.code == 2 and not out.exists()
