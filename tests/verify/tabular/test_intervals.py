"""A certificate of intervals: true ones pass, and an edit that claims more than is true never does."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.instruments.totals.audit_certificate import interval_certificate
from discreet.tabular.audit import audit
from discreet.tabular.problem import Problem
from discreet.verify.tabular.cuts import Rejected
from discreet.verify.tabular.intervals import check_intervals
from discreet.verify.tabular.problem import load


def certified(seed: int) -> tuple[Problem, dict[str, Any], np.ndarray] | None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None or not problem.cells.hidden.any():
        return None
    return problem, interval_certificate(audit(problem)), moves


@given(st.integers(0, 2**32))
def test_a_true_certificate_passes_and_narrower_ends_do_not(seed: int) -> None:
    found = certified(seed)
    if found is None:
        return
    problem, document, moves = found
    table, hidden = load(problem, "the table"), np.flatnonzero(problem.cells.hidden).tolist()
    checked = check_intervals(table, document, hidden)
    assert checked.sides == 2 * len(hidden)
    assert checked.sharp == sum(
        entry[f"{word}_sharp"] for entry in document["intervals"] for word in ("lower", "upper")
    )
    for at, entry in enumerate(document["intervals"]):
        cell = entry["cell"]
        place = hidden.index(cell)
        low, high = (int(problem.cells.value[cell] + end(moves[:, place])) for end in (np.min, np.max))
        for word, true, step in (("upper", high, -1), ("lower", low, 1)):
            forged = copy.deepcopy(document)
            forged["intervals"][at][word] = true + step  # a table lies outside
            with pytest.raises(Rejected):
                check_intervals(table, forged, hidden)
            if (entry[word] - true) * step < 0:  # not attained: may not be called sharp
                forged["intervals"][at] |= {word: entry[word], f"{word}_sharp": True}
                with pytest.raises(Rejected):
                    check_intervals(table, forged, hidden)


def simple() -> tuple[Problem, dict[str, Any], list[int]]:
    for seed in range(1000):
        found = certified(seed)
        if found is not None and len(found[1]["witnesses"]) > 1 and len(found[1]["hidden"]) > 3:
            return found[0], found[1], np.flatnonzero(found[0].cells.hidden).tolist()
    raise AssertionError("no such table")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: d.update(version=2), "no interval certificate"),
        (lambda d: d["hidden"].pop(), "about another pattern"),
        (lambda d: d.update(known=[d["hidden"][0]]), "attacker that was not stated"),
        (lambda d: d.update(witnesses=None), "no list of witnesses"),
        (lambda d: d["witnesses"].append([]), "a witness is no object"),
        (lambda d: d["witnesses"][0]["changes"].__setitem__(0, 10**6), "no table that the published cells allow"),
        (lambda d: d["witnesses"][0]["changes"].append(1), "no table that the published cells allow"),
        (lambda d: d["witnesses"][0].update(denominator=0), "not a whole number of 1 or more"),
        (lambda d: d["intervals"].pop(), "not those of the hidden cells"),
        (lambda d: d["intervals"].append(d["intervals"][0]), "name a cell twice"),
        (lambda d: d["intervals"][0].update(upper=0.5), "not a whole number"),
        (lambda d: d["intervals"][0].update(upper_proof=1), "a proof is no object"),
        (
            lambda d: d["intervals"][0].update(upper_sharp=True, upper_witness=len(d["witnesses"])),
            "names a witness that is not there",
        ),
    ],
)
def test_what_is_malformed_or_about_something_else_is_rejected(edit: Any, words: str) -> None:
    problem, document, hidden = simple()
    edit(document)
    with pytest.raises(Rejected, match=words):
        check_intervals(load(problem, "the table"), document, hidden)
