"""Every fuzzer holds for a few seconds; `make attack` runs them for as long as one likes."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

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


def test_the_fuzzer_of_inputs_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, fed = importlib.import_module("attack.inputs"), importlib.import_module("fed")
    clock = [0.0]

    def serve(*_: object) -> None:
        clock[0] += 1.0

    for module in (inputs, fed):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(fed.Table, "serve", serve)
    assert inputs.run(5.0, 1).startswith("6 commands")
    assert clock[0] == 6.0
