"""What holds for the pictures of every result."""

from __future__ import annotations

import re
from typing import Any

import pytest

import discreet as dc
from discreet.report.figures import alt, confidential, svg


def check_kinds(result: Any, module: Any, kinds: list[str]) -> None:
    """Each picture is drawn by its name, the first without one, and a wrong name lists them."""
    assert list(module.pictures(result)) == kinds
    for kind in kinds:
        figure = result.plot(kind)
        assert len(alt(figure)) > 20 and svg(figure).startswith("<svg")
    assert alt(result.plot()) == alt(result.plot(kinds[0]))
    with pytest.raises(dc.InputError, match=re.escape(", ".join(kinds))):
        result.plot("nothing")


def check_sections(result: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No confidential picture is shown to everybody, and without matplotlib there are words only."""
    from discreet.report import figures

    for section in result.public_sections():
        shown = [] if section.figure is None else section.figure
        assert not any(map(confidential, shown if isinstance(shown, list) else [shown])), section.title
    assert any(section.figure is not None for section in result.sections())
    monkeypatch.setattr(figures, "available", lambda: False)
    assert all(section.figure is None for section in [*result.sections(), *result.public_sections()])
