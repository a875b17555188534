"""The guided run: every file is there, each was checked, and nothing is overwritten by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import discreet as dc
from discreet import demo
from discreet.errors import UnsafeReleaseError


def test_demo(discreet: Callable, tmp_path: Path) -> None:
    ran = discreet("demo", "--folder", tmp_path / "demo", "-n", 300)
    assert ran.code == 0, ran.err
    report = tmp_path / "demo" / "report.html"
    assert report.exists() and str(report) in ran.err
    assert "safe" in ran.err
    assert discreet("demo", "--folder", tmp_path / "demo", "-n", 300).code == 2  # never overwrites by itself
    files = {path.name for path in (tmp_path / "demo").iterdir()}
    assert {f"{name}.csv" for name in ("survey", "microaggregated", "generalized", "bounds")} <= files
    assert (tmp_path / "demo" / "public.html").exists()
    survey = tmp_path / "demo" / "survey.csv"
    told = {"microaggregated": demo.NUMBERS, "generalized": demo.QUASI_IDENTIFIERS}
    for name, columns in told.items():
        verdict = dc.verify(survey, tmp_path / "demo" / f"{name}.csv", k=demo.K, quasi_identifiers=columns)
        assert verdict.safe, verdict.summary()


def test_a_release_that_its_files_do_not_confirm_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are asked once more, by themselves: here somebody spoils one between writing and asking."""
    from discreet.cli import outputs

    publish = outputs.publish

    def spoiled(result: object, path: Path, **more: object) -> object:
        told = publish(result, path, **more)  # type: ignore[arg-type]
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([*lines[:-1], lines[-1].replace("1", "2").replace("0", "3")]) + "\n")
        return told

    monkeypatch.setattr(outputs, "publish", spoiled)
    with pytest.raises(UnsafeReleaseError):
        demo.run(tmp_path / "demo", n=90)
    assert not (tmp_path / "demo" / "report.html").exists()
