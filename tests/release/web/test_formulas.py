"""No cell of a CSV file is run by a spreadsheet, and every text can be had back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.release.engine import Table
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.web.formulas import harmless

STARTS = "=+-@\t\r\n＝＋－＠"
texts = st.text(st.sampled_from("=+-@\t\r\n＝'1e.ab "), max_size=8)


def original(cell: str) -> str:
    """As the documentation says: exactly one apostrophe is removed before such a beginning."""
    return cell[1:] if re.match(f"'+[{re.escape(STARTS)}]", cell) else cell


@given(texts)
def test_nothing_is_run_and_nothing_lost(text: str) -> None:
    cell = harmless(text)
    if cell[:1] and cell[0] in STARTS and len(cell) > 1:
        float(cell)  # a plain number
    assert original(cell) == text


@pytest.mark.parametrize(
    "value", [-1, 2.5, None, True, "-9", "+3.5", "-1e5", "under 5", "a=b", "", "-", "it's", "'90s"]
)
def test_what_stays(value: Any) -> None:
    assert harmless(value) == value


@pytest.mark.parametrize("value", ["=1+1", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-a", "＝1+1", "--1", "=-1"])
def test_what_is_made_harmless(value: str) -> None:
    assert harmless(value) == "'" + value


def test_files(web: Callable[..., Any], service: Service) -> None:
    table = Table(("=v", "synthetic"), (("=1+1", "b"), ("@x", "-3")), np.array([[50, 60], [70, 80]]))
    service.add("custodian", "odd", table, Policy())
    client = web("analyst")
    path = "/datasets/odd/download"
    csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets/odd").text)
    assert csrf is not None
    client.post("/datasets/odd/ask", data={"v": ["=v", "synthetic"], "csrf": csrf[1]})
    text = client.get(path, params={"v": ["=v", "synthetic"], "format": "csv"}).text
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["'=v", "synthetic", "count"]
    assert [row[:2] for row in rows[1:]] == [["'=1+1", "'@x"], ["'=1+1", "-3"], ["b", "'@x"], ["b", "-3"]]
    told = client.get(path, params={"v": ["=v", "synthetic"], "format": "json"}).json()
    assert told["margin"][0] == {"=v": "=1+1", "synthetic": "@x", "count": 50}
