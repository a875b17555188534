"""The report as a person meets it: in a browser."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import discreet as dc
from discreet.report import figures, html, page
from discreet.report.record import Record, digest
from tests.report.printed import pages, print_page

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
    assert text.index(shown) < text.index("What was done")  # first of all, in whatever color


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
    assert "Verified" in dom and dom.count("<svg") == 5 and "What an intruder can do" in dom


def test_words_stand_to_the_left_and_numbers_to_the_right() -> None:
    rows = [("a", "key", "12.5", "+3.1 %", 4, ""), ("b", "left out", "", "-0.2 %", 1.5e-7, "")]
    assert html._words(rows) == [True, True, False, False, False, False]
    assert html._words([]) == []


def test_plain_language_first_and_the_record_last(result: dc.Microaggregation) -> None:
    record = Record([digest("original", "o.csv", b"o"), digest("published", "p.csv", b"p")], ["discreet", "verify"])
    text = page([result], record=record)
    order = [
        *("What was done", "Against whom it protects", "What it does not cover", "What it costs", "Figures"),
        *("Verdict, proof and parameters", "Certificate", "Parameters and figures", "For the record", "SHA-256"),
        *("date (UTC)", "made with", "How to check it again", "discreet verify", "Signature", "How to cite"),
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)


def test_several_results_have_a_statement_each(result: dc.Microaggregation) -> None:
    text = page([result, result], heading="Two of them")
    assert text.count("What was done") == 2 and text.count("For the record") == 1
    assert text.count("<h2>Microaggregation of 80 records") == 2


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("audience", ["internal", "public"])
def test_it_prints(result: dc.Microaggregation, tmp_path: Path, audience: str) -> None:
    """The plain-language page is the first sheet, and the block to sign stands undivided on the last."""
    path = result.report(tmp_path / "r.html", audience=audience)  # type: ignore[arg-type]
    printed = pages(print_page(str(CHROMIUM), FLAGS, path, tmp_path))
    assert 3 <= len(printed) <= 8
    for words in ("What was done", "Against whom it protects", "What it does not cover", "What it costs", "Verified"):
        assert words.replace(" ", "") in printed[0]
    assert "Parameters" not in printed[0] and "Parameters" in "".join(printed[1:-1])
    for words in ("For the record", "Name, function", "Institution", "Signature", "How to cite"):
        assert words.replace(" ", "") in printed[-1]


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_hangs_over_the_edge(result: dc.Microaggregation, tmp_path: Path, width: int) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    long = dc.microaggregate(
        dc.datasets.survey(60, seed=1)[["income"]].rename(columns={"income": "income_" * 30}), 3, method="mdav"
    )
    record = Record([digest("published", "published_" * 20, b"p")], ["discreet", "verify", "x" * 300])
    path = tmp_path / "r.html"
    path.write_text(page([result, long], record=record), encoding="utf-8")
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            seen = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            seen.goto(path.as_uri())
            assert seen.evaluate("document.documentElement.scrollWidth") <= width
        browser.close()
