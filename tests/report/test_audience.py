"""A public page holds no value of the original and nothing below the threshold, for any class of results."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import replace
from html import unescape

import pytest

import discreet as dc
from discreet.report import page
from discreet.report.audience import MORE, blurred, public_parameters, public_verdict
from discreet.report.record import Record, digest
from discreet.results import Measurement, Result, Section, Verdict
from tests.report.planted import EXAMPLES, people, planted

REFUSED = ("Tabulation",)


def classes() -> set[str]:
    """The classes of results that users meet."""
    named = {
        importlib.import_module(home) and getattr(dc, name) for name, home in dc._HOME.items() if name[0].isupper()
    }
    return {
        one.__name__
        for one in named
        if inspect.isclass(one) and issubclass(one, Result) and one not in (Result, Measurement)
    }


def shown(text: str) -> str:
    """What a reader sees of a page, without the hashes, dates and versions that are meant to be there.

    Of pictures it is what they say in words: the numbers along their axes count nothing.
    """
    text = re.sub(r'<svg[^>]*aria-label="([^"]*)".*?</svg>', r" \1 ", text, flags=re.DOTALL)
    text = re.sub(r"<style>.*?</style>|<title>.*?</title>", " ", text, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]*>", " ", text))
    return re.sub(
        r"[0-9a-f]{64}|SHA-256|\d{4}-\d\d-\d\d|\(\d{4}\)|\d+\.\d+\.\d+\S*|c = \d+, w = \d+|Theorem \d", " ", text
    )


def counts(text: str) -> set[int]:
    """The whole numbers on a page that are no shares."""
    return {int(found) for found in re.findall(r"(?<![\w.,/-])\d+(?![\w.,/-]|\s*%)", shown(text))}


def test_every_class_has_an_example() -> None:
    assert classes() == set(EXAMPLES)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in REFUSED])
def test_no_original_value_and_nothing_below_the_threshold(name: str) -> None:
    result, secrets, threshold = planted(name)
    text = page([result], audience="public")
    internal = page([result])
    assert '<span class="badge">Public</span>' in text and '<span class="badge">Internal</span>' in internal
    for secret in secrets:  # in words, attributes and pictures alike: those hold their texts too
        assert secret not in text
    assert not {count for count in counts(text) if 0 < count < threshold}
    for question in ("What was done", "Against whom it protects", "What it does not cover", "What it costs"):
        assert question in text and question in internal
    assert len(text) < len(internal)


def test_the_search_finds_what_is_planted() -> None:
    """The internal pages do hold what is looked for, so that the test above can fail."""
    assert "Quillburg" in page([planted("Bounds").result])
    assert counts(page([planted("Risk").result])) & {1, 2}
    assert counts(page([planted("SuppressedTable").result])) & {1, 2, 3}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_safe_has_no_public_page(name: str) -> None:
    result = planted(name).result
    with pytest.raises(dc.UnsafeReleaseError, match="internal"):
        page([result], audience="public")
    assert 'class="verdict unsafe"' in page([result])


def test_what_cannot_be_told_goes_out_under_amber() -> None:
    result = planted("Bounds").result
    assert isinstance(result, dc.Bounds)
    text = page([replace(result, truth=None)], audience="public")
    assert "verdict doubt" in text and "is not decided" in text


def test_confidential_sections_and_pictures_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    result = planted("Microaggregation").result
    drawn = result.plot()
    drawn.confidential = True
    sections = [
        Section("Open", "for all", figure=result.plot()),
        Section("Closed", "for few", confidential=True),
        Section("Half", "for all", figure=drawn),
    ]
    monkeypatch.setattr(dc.Microaggregation, "sections", lambda self: sections)
    text = page([result], audience="public")
    assert "Open" in text and "Half" in text and "Closed" not in text and text.count("<svg") == 1
    assert page([result]).count("<svg") == 3


def test_pictures_are_not_exact() -> None:
    picture = '<g transform="translate(41.3125 7.25) scale(0.1 -0.1)"><path d="M 10.123456 20.98 L 3.5 -4.75"/></g>'
    assert blurred(picture) == '<g transform="translate(41 7) scale(0.1 -0.1)"><path d="M 10 21 L 4 -5"/></g>'
    words = '<svg aria-label="Bars: V12: 3.14159, 12345, 7, 8."><title>all 0.98765.</title></svg>'
    assert blurred(words) == '<svg aria-label="Bars: V12: 3.1, 12000, 7, 8."><title>all 0.99.</title></svg>'


def test_sentences_of_the_check_tell_no_figure() -> None:
    told = ("every row is shared by 5 rows or more", "2 rows are odd", "the same as 4 other rows", "4 rows stand out")
    limits = ("the column x1 is as it was", "found are 31.2 %", "at least 3 different values of it")
    verdict = Verdict("safe", "classes", 5, (), (), {"l": 3, "smallest": 5}, told, limits, "Seen 2 times")
    public = public_verdict(verdict)
    assert public.proven == (told[0], told[2]) and public.limits == (limits[0], limits[2], MORE)
    assert not public.figures and not public.headline
    assert MORE not in public_verdict(replace(verdict, proven=(), limits=limits[:1])).limits
    assert public_verdict(replace(verdict, figures={}, proven=(), limits=limits[2:])).limits == (MORE,)


def test_how_many_keys_together_is_told() -> None:
    """A verdict about any two keys must not stand there as one about all of them."""
    frame = dc.datasets.survey(300, seed=1)[["region", "sex", "education"]]
    verdict = dc.suppress_locally(frame, 3, keys=list(frame), combinations=2).verify()
    assert any("any 2 of" in sentence for sentence in public_verdict(verdict).proven)


def test_parameters_are_those_that_were_asked_for() -> None:
    found = public_parameters(planted("Microaggregation").result.to_dict())
    assert found["k"] == 7 and found["columns"] == ["income", "spending"]
    assert not set(found) & {"seed", "seconds", "sse", "sst", "information_loss", "lower_bound", "suppressed"}
    found = public_parameters(planted("Protection").result.to_dict())
    assert not set(found) & {"totals", "units", "losses", "recipe", "seed", "lost", "detail"}


def test_the_hash_and_the_name_of_the_original_stay_within(tmp_path: object) -> None:
    result, _, _ = planted("Microaggregation")
    files = [
        digest("original", "clinic.csv", b"a"),
        digest("published", "out.csv", b"b"),
        digest("certificate", "c.json", b"c"),
    ]
    words = ["discreet", "verify", "/home/me/clinic.csv", "/tmp/there/out.csv", "-k", "7"]
    record = Record(files, words, ["/home/me/clinic.csv"])
    internal, public = page([result], record=record), page([result], record=record, audience="public")
    assert all(file.sha256 in internal for file in files) and " ".join(words) in internal
    assert files[1].sha256 in public and files[0].sha256 not in public and files[2].sha256 not in public
    assert "clinic" not in public and "/home" not in public and "/tmp" not in public
    assert "discreet verify ORIGINAL out.csv -k 7" in public


def test_an_unknown_audience_is_an_error(tmp_path: object) -> None:
    with pytest.raises(dc.InputError, match="internal, public"):
        planted("Microaggregation").result.report(f"{tmp_path}/r.html", audience="everybody")  # type: ignore[arg-type]


def test_the_data_is_as_it_should_be() -> None:
    assert (people()["town"] == "Quillburg").sum() == 1 and people()["income"].is_unique
