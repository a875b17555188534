"""The report as a person meets it: in a browser."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import discreet as dc
from discreet.report import figures, html, page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1000,1400",
)  # fmt: skip


@pytest.fixture(scope="module")
def result() -> dc.Microaggregation:
    people = dc.datasets.survey(80, seed=1)[["region", "sex", "income", "spending"]]
    return dc.microaggregate(people, 3, columns=["income", "spending"], method="mdav")


def test_a_page_is_self_contained_and_repeatable(result: dc.Microaggregation, tmp_path: Path) -> None:
    path = result.report(tmp_path / "r.html")
    text = path.read_text(encoding="utf-8")
    assert text == page([result])
    for outside in ("src=", "href=", "@import", "<script"):
        assert outside not in text.replace("xlink:href=", "")
    with pytest.raises(dc.InputError, match="force"):
        result.report(path)
    result.report(path, force=True)


def test_names_are_escaped() -> None:
    frame = dc.datasets.survey(30, seed=1).rename(columns={"income": "<script>alert(1)</script>"})
    result = dc.microaggregate(frame, 3, columns=["<script>alert(1)</script>"])
    assert "<script>" not in page([result]) and "<script>" not in result._repr_html_()


@pytest.mark.parametrize(
    ("outcome", "shown"), [("safe", "Verified"), ("unsafe", "Not safe"), ("cannot tell", "Cannot")]
)
def test_every_verdict_is_shown(result: dc.Microaggregation, outcome: str, shown: str) -> None:
    verdict = replace(result.verify(), outcome=outcome, failures=("something is wrong",))
    text = page([result], verdicts=[verdict])
    assert shown in text and "something is wrong" in text and text.count('role="status"') == 1


def test_without_matplotlib(result: dc.Microaggregation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    assert "discreet[plot]" in page([result])
    with pytest.raises(dc.InputError, match="plot"):
        result.plot()


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_in_a_browser(result: dc.Microaggregation, tmp_path: Path) -> None:
    path, picture = result.report(tmp_path / "r.html"), tmp_path / "r.png"
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    shot = [CHROMIUM, *FLAGS, profile, f"--screenshot={picture}", path.as_uri()]
    subprocess.run(shot, check=True, capture_output=True, timeout=120)
    assert picture.stat().st_size > 20_000  # a blank page of this size has a few kilobytes
    dump = [CHROMIUM, *FLAGS, profile, "--dump-dom", path.as_uri()]
    dom = subprocess.run(dump, check=True, capture_output=True, text=True, timeout=120).stdout
    assert "Verified" in dom and dom.count("<svg") == 1 and "What an intruder can do" in dom


def test_words_stand_to_the_left_and_numbers_to_the_right() -> None:
    rows = [("a", "key", "12.5", "+3.1 %", 4, ""), ("b", "left out", "", "-0.2 %", 1.5e-7, "")]
    assert html._words(rows) == [True, True, False, False, False, False]
    assert html._words([]) == []
