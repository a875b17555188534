"""Every fuzzer holds for a few seconds; `make attack` runs them for as long as one likes."""

from __future__ import annotations

import importlib

import pytest

from attack.__main__ import attempt, modules


@pytest.mark.parametrize("name", modules())
def test_the_fuzzer_finds_nothing(name: str) -> None:
    held, words = attempt(name, 5.0, 20_261_118)
    assert held, words
    assert any(character.isdigit() for character in words), "it says what was tried"


def test_a_hole_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(seconds: float, seed: int) -> str:
        raise AssertionError("found")

    monkeypatch.setattr(importlib.import_module("attack.releases"), "run", leak)
    assert attempt("releases", 1.0, 7) == (False, "a hole (seed 7): found")
