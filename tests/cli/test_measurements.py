"""What commands that measure put on record: the command as it is typed, and no seed on a page for the public."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.cli.measurements import words_of
from tests.cli.test_options import BASES, files

__all__ = ["files"]


def test_options_as_they_are_typed() -> None:
    asked = {"--a": None, "--b": False, "--c": True, "--d": 0.5, "--e": ["x", "y"], "--f": [], "--g": 0}
    assert words_of(asked) == ["--c", "--d", "0.5", "--e", "x", "--e", "y", "--g", "0"]


@pytest.mark.parametrize("command", ["compare", "recommend"])
def test_the_seed_is_for_those_who_hold_the_original(
    discreet: Callable, files: dict, tmp_path: Path, command: str
) -> None:
    """A release may be drawn by the same one."""
    words = [word.format(**files) for word in BASES[command]]
    for audience, told in (("internal", True), ("public", False)):
        page = tmp_path / f"{audience}.html"
        more = ("--seed", "8642", "--report", page, "--audience", audience, "-q")
        assert discreet(command, *words, *more).code == 0
        assert ("8642" in page.read_text(encoding="utf-8")) == told


def test_a_published_file_from_a_pipe_is_hashed(
    discreet: Callable, files: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = files["released"].read_bytes()
    monkeypatch.setattr(importlib.import_module("discreet.frames.atomic"), "standard_input", lambda: data)
    words = ("utility", files["people"], "-", "--columns", "age", "--report", tmp_path / "r.html", "-q")
    assert discreet(*words).code == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert hashlib.sha256(data).hexdigest() in text and "standard input" in text
