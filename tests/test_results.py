"""What every result says of itself: figures, words, and what of it is published."""

from __future__ import annotations

import inspect
import typing

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.cli import outputs
from discreet.methods import Status
from discreet.results import Judged, Measurement, Result, about

FRAME = pd.DataFrame({"x": np.arange(12.0) ** 2, "y": np.arange(12.0), "name": list("abcdefghijkl")})


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    table = dc.Table.from_frame(FRAME.assign(a=list("xy") * 6, b=list("xxy") * 4), variables=["a", "b"])
    return {
        "microaggregation": dc.microaggregate(FRAME, 3, columns=["x", "y"], method="mdav", accept=["name"]),
        "generalization": dc.generalize(FRAME, 3, quasi_identifiers=["x", "y"], random_state=1, check=False, rounds=2),
        "bounds": dc.bounds(table.margins([["a"], ["b"]])),
    }


def test_a_result_says_what_it_publishes(results: dict[str, Result]) -> None:
    micro, general, bounds = (results[name].publication() for name in ("microaggregation", "generalization", "bounds"))
    assert micro.data is results["microaggregation"].data and micro.order is None
    assert tuple(micro.anew) == tuple(general.anew) == ("x", "y")
    assert general.data is results["generalization"].data
    # Each published row carries the other columns of the row it comes from.
    assert general.data["name"].tolist() == FRAME["name"].iloc[general.order].tolist()
    assert list(bounds.data.columns if hasattr(bounds.data, "columns") else bounds.data.column_names)[:2] == ["a", "b"]
    assert not bounds.anew


def test_nobody_looks_for_fields_that_a_result_may_have() -> None:
    assert "getattr" not in inspect.getsource(outputs)


def test_statuses_are_among_those_that_are_named(results: dict[str, Result]) -> None:
    assert results["microaggregation"].to_dict()["status"] in typing.get_args(Status)
    assert results["generalization"].to_dict()["status"] in typing.get_args(Status)
    for name in ("microaggregation", "bounds"):
        assert results[name].verify().outcome in typing.get_args(Judged)


def test_everything_has_a_card(results: dict[str, Result]) -> None:
    verdict = results["microaggregation"].verify()
    bounds = results["bounds"]
    for card in (
        verdict,
        bounds,
        bounds.risk(),
        bounds.margins,
        dc.risk(FRAME, keys=["name"]),
        dc.utility(FRAME, FRAME),
        results["generalization"],
    ):
        text = card._repr_html_()
        assert text.startswith("<div") and "<table" in text
    assert "Verified" in verdict._repr_html_() and "#1f7a4d" in verdict._repr_html_()
    assert "[a]" in bounds.margins._repr_html_() and "12 persons" in bounds.margins._repr_html_()


def test_pictures_show_themselves(results: dict[str, Result]) -> None:
    for result in results.values():
        assert result.plot()._repr_html_().startswith("<svg")


def test_fixed_words_are_literals() -> None:
    """Whoever writes code sees which words there are: those that the methods and checks know."""
    from discreet.generalization.methods import REGISTRY as GENERALIZATION
    from discreet.instruments import generalize, microaggregate, quantities, quasi_identifiers, risk, tables
    from discreet.measure.risk.frequencies import MISSING
    from discreet.measure.risk.suda import SCORES
    from discreet.microaggregation.methods import EFFORTS, REGISTRY
    from discreet.microaggregation.problem import SCALES
    from discreet.verify import Guarantee
    from discreet.verify.claims import GUARANTEES

    for literal, words in (
        (microaggregate.Method, REGISTRY),
        (microaggregate.Effort, EFFORTS),
        (microaggregate.Scale, SCALES),
        (microaggregate.Missing, quantities.MISSING),
        (generalize.Method, GENERALIZATION),
        (generalize.Missing, quasi_identifiers.MISSING),
        (generalize.Ncp, ("distinct", "share")),
        (tables.Method, tables.METHODS),
        (risk.Missing, MISSING),
        (risk.Score, SCORES),
        (Guarantee, GUARANTEES),
    ):
        assert set(typing.get_args(literal)) == set(words)


def test_figures_to_two_digits() -> None:
    shown = {0: "0", 5.678: "5.7", 56.78: "57", 567.8: "570", 0.012345: "0.012", -3.14: "-3.1", 99.6: "100"}
    assert {value: about(value) for value in shown} == shown
    assert about(float("nan")) == "nan"


def test_a_result_without_a_statement_claims_nothing(results: dict[str, Result]) -> None:
    plain = Result.statement(results["bounds"])
    assert all(sentences for _, sentences in plain.questions()) and "not stated" in plain.against_whom[0]
    assert "protects nobody" in Measurement.statement(dc.risk(FRAME, keys=["name"])).against_whom[0]
