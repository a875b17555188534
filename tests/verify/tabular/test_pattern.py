"""Verdicts on patterns from files: safe, unsafe, of another table; forged certificates of intervals are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import random_problem, short, truth
from references import reference
from verify.tabular.cases import VALUES, written

from discreet.errors import InputError
from discreet.instruments.totals.audit import audit
from discreet.verify.tabular import verify_pattern


def test_a_cycle_protects_and_less_does_not(tmp_path: Path) -> None:
    problem = written(tmp_path / "p.jj")
    assert verify_pattern(problem, written(tmp_path / "a.jj", "ssssumsmm")).outcome == "safe"
    assert verify_pattern(problem, written(tmp_path / "b.jj", "ssssumsms")).outcome == "unsafe"
    assert verify_pattern(problem).outcome == "unsafe", "the problem itself hides its sensitive cell alone"


def test_levels_and_boxes_count(tmp_path: Path) -> None:
    for level, expected in ((2, "safe"), (3, "unsafe")):
        path = written(tmp_path / f"{level}.jj", "ssssumsmm", level=level)
        assert verify_pattern(path).outcome == expected, "cell 7 is 2, and cannot fall by 3 for cell 4 to rise"
    for sliding, expected in ((5, "safe"), (6, "unsafe")):
        path = written(tmp_path / f"s{sliding}.jj", "ssssumsmm", sliding=sliding)
        assert verify_pattern(path).outcome == expected, "the cycle moves from -3 to 2"


def test_attackers_who_know_a_cell(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    assert verify_pattern(path, attackers=[[5]]).outcome == "unsafe"
    assert verify_pattern(path, attackers=[[4], [0]]).outcome == "safe", "who is sensitive knows himself"


def test_another_table_is_refused(tmp_path: Path) -> None:
    problem = written(tmp_path / "p.jj")
    moved = [18, 5, 13, 8, 4, 4, 10, 1, 9]
    other = written(tmp_path / "o.jj", "ssssumsmm", values=moved)
    verdict = verify_pattern(problem, other)
    assert verdict.outcome == "unsafe" and "another value" in verdict.failures[0]
    assert not any(str(value) in verdict.summary() for value in (13, 18)), "no value is quoted"
    lower = verify_pattern(problem, written(tmp_path / "l.jj", "ssssumsmm", level=0))
    assert lower.outcome == "unsafe", "levels may not be lowered on the way"
    shown = verify_pattern(problem, written(tmp_path / "s.jj", "ssssmmsmm"))
    assert "cell 4 is sensitive and not marked so" in shown.failures[-1]
    never = verify_pattern(written(tmp_path / "z.jj", "ssssuzsss"), written(tmp_path / "n.jj", "ssssumsmm"))
    assert any("cell 5 must be published" in failure for failure in never.failures)


def test_units_do_not_matter(tmp_path: Path) -> None:
    problem = written(tmp_path / "p.jj")
    assert verify_pattern(problem, written(tmp_path / "d.jj", "ssssumsmm", unit=".00")).outcome == "safe"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("0 3 : 0 (-1)", "1 3 : 0 (-1)"), "relation 0 does not add up"),
        (lambda text: text.replace("4 (1)", "3 (1)", 1), "not add up|twice"),
        (lambda text: "0\n0\n0\n", "not laid out"),
        (lambda text: text.replace(" u ", " q "), "not laid out"),
        (lambda text: text.replace("\n6\n", "\n7\n"), "not laid out"),
        (lambda text: text.replace("3 3 u", "3 x u"), "not laid out"),
        (lambda text: text.replace("5 5 5 s 0 20", "5 5 5 s 6 20"), "outside the limits"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, change: Callable[[str], str], words: str) -> None:
    path = written(tmp_path / "p.jj")
    text = path.read_text()
    path.write_text(change(text))
    assert path.read_text() != text
    with pytest.raises(InputError, match=words):
        verify_pattern(path)


@given(st.integers(0, 2**32))
def test_verdicts_are_those_of_all_tables(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    ends = truth(problem)
    if ends is None:
        return
    wrong = short(problem, ends)
    assert verify_pattern(problem).outcome in ({"unsafe"} if wrong else {"safe", "cannot tell"})


def forge(document: dict[str, Any], kind: str) -> None:
    entry = next(e for e in document["intervals"] if e["upper"] > VALUES[e["cell"]])
    if kind == "narrower":
        entry["upper"] -= 1
    elif kind == "wider":
        entry["upper"] += 1
    elif kind == "witness":
        document["witnesses"][0]["changes"][0] += 1
    elif kind == "missing":
        document["intervals"].pop()
    elif kind == "number":
        entry["upper_witness"] = 99
    elif kind == "multipliers":
        entry["upper_proof"] = {"denominator": 0, "multipliers": {}}


@pytest.mark.parametrize("kind", ["narrower", "wider", "witness", "missing", "number", "multipliers"])
def test_forged_intervals_are_refused(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    document = audit(path).certificate()
    assert verify_pattern(path, certificate=document).outcome == "safe"
    forged = copy.deepcopy(document)
    forge(forged, kind)
    assert forged != document
    verdict = verify_pattern(path, certificate=forged)
    assert verdict.outcome == "unsafe" and "the certificate is wrong" in verdict.failures[0]


def test_intervals_of_another_pattern_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    nothing = {"format": "discreet interval certificate", "version": 1, "hidden": [], "witnesses": [], "intervals": []}
    fewer = audit(written(tmp_path / "f.jj", "ssssumsms")).certificate()
    knowing = audit(path).certificate() | {"known": [0]}
    for document, words in ((nothing, "another pattern"), (fewer, "another pattern"), (knowing, "not stated")):
        verdict = verify_pattern(path, certificate=document)
        assert verdict.outcome == "unsafe" and words in verdict.failures[0]
    assert verify_pattern(path, certificate=knowing, attackers=[[0]]).outcome == "safe"


def test_levels_of_nothing_are_told_and_protect_nothing_published(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssussss", level=0)
    verdict = verify_pattern(path)
    assert verdict.outcome == "safe" and any("levels of 0" in limit for limit in verdict.limits)
    assert verify_pattern(path, hidden=[]).outcome == "unsafe", "a sensitive cell is published"


def test_the_public_pattern(tmp_path: Path) -> None:
    path = reference("sumit_pattern.jj")
    found = audit(path)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(found.certificate()))
    verdict = verify_pattern(path, certificate=file)
    assert verdict.outcome == "unsafe" and verdict.figures["exposed"] == 2
    assert verdict.figures["sides"] == verdict.figures["sharp"] == 1586
    assert verdict.failures[0] == "cell 219 is not protected (above)"
