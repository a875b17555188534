"""Pictures: the same bytes for the same figure, names drawn as they are, nothing left with pyplot."""

from __future__ import annotations

import pytest

from discreet.errors import InputError
from discreet.report import figures
from discreet.report.figures import LONGEST_NAME, MOST_BARS, bars, canvas, svg

pytest.importorskip("matplotlib")


def test_the_same_figure_has_the_same_bytes_and_another_has_not() -> None:
    def drawn(height: float) -> str:
        figure, axis = canvas()
        bars(axis, ["a", "b"], [1.0, height], "title", "x", "y")
        return svg(figure)

    assert drawn(2.0) == drawn(2.0) != drawn(3.0)
    assert drawn(2.0).startswith("<svg") and "<metadata>" not in drawn(2.0)


def test_of_very_many_lying_bars_the_largest_are_drawn_in_their_order() -> None:
    _, axis = canvas()
    values = [float(i % 70) for i in range(2 * MOST_BARS)]
    bars(axis, range(2 * MOST_BARS), values, "title", "x", "y", lying=True)
    names = [int(label.get_text()) for label in axis.get_yticklabels()]
    assert len(names) == MOST_BARS and names == sorted(names)
    assert sorted(values[name] for name in names) == sorted(values)[-MOST_BARS:]
    assert f"the {MOST_BARS} largest of {2 * MOST_BARS}" in axis.get_title(loc="left")


def test_dollars_are_no_formula_and_long_names_are_cut() -> None:
    figure, axis = canvas()
    bars(axis, [r"$\frac{1$", "n" * 100], [1.0, 2.0], "title", "x", "y")
    assert [label.get_text() for label in axis.get_xticklabels()] == [r"\$\frac{1\$", "n" * (LONGEST_NAME - 3) + "..."]
    assert "<svg" in svg(figure), "a formula that is none would not be drawn"


def test_without_matplotlib_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    with pytest.raises(InputError, match="pip install"):
        canvas()
