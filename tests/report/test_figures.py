"""Pictures: the same bytes for the same figure, names drawn as they are, nothing left with pyplot."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from discreet.errors import InputError
from discreet.report import figures
from discreet.report.figures import (
    LONGEST_NAME,
    MOST_BARS,
    alt,
    bars,
    canvas,
    choose,
    confidential,
    mark_confidential,
    panel,
    svg,
)

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


def test_a_picture_says_what_it_shows() -> None:
    figure, axis = canvas()
    axis.set(title="Title", xlabel="x", ylabel="y")
    assert alt(figure) == "Picture: Title, x, y."
    bars(axis, ["<b>", "c"], [1.0, 2.0], "Loss & co", "x", "%")
    assert alt(figure) == "Bars of Loss & co, % by x: <b>: 1, c: 2."
    text = svg(figure)
    assert 'role="img"' in text and "<title>Bars of Loss &amp; co, % by x: &lt;b&gt;: 1, c: 2.</title>" in text
    assert 'aria-label="Bars of Loss &amp; co, % by x: &lt;b&gt;: 1, c: 2."' in text


def test_an_svg_is_well_formed_and_its_texts_are_texts() -> None:
    figure, axis = panel("a & b <c>")
    axis.plot([0, 1], [0, 1])
    root = ElementTree.fromstring(svg(figure))
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a & b <c>" in words and root.get("role") == "img" and float(root.get("width", 0)) <= 430


def test_pictures_on_one_page_do_not_share_names() -> None:
    def drawn(height: float) -> str:
        figure, axis = panel("title")
        axis.bar([0, 1], [1.0, height])
        return svg(figure)

    both = svg([panel("one")[0], panel("two")[0]]), drawn(1.0) + drawn(2.0)
    for text in both:
        assert text.count("<svg") == 2
        named = re.findall(r' id="([^"]+)"', text)
        assert len(named) == len(set(named))
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', text)) == set(named)


def test_decimals_of_words_stay() -> None:
    figure, axis = panel("title")
    axis.text(0.1, 0.1, 'd="0.123456"')
    assert 'd="0.123456"' in svg(figure) and not re.search(r' d="[^"]*\d\.\d{3}', svg(figure).split("<text")[0])


def test_pictures_are_chosen_by_name() -> None:
    first, second = panel("first")[0], panel("second")[0]
    drawn = {"loss": lambda: first, "distribution": lambda column=None: second}
    assert choose(drawn, None) is first and choose(drawn, "distribution", "x") is second
    with pytest.raises(InputError, match="loss, distribution"):
        choose(drawn, "sizes")
    with pytest.raises(InputError, match="not of one column"):
        choose(drawn, "loss", "x")


def test_confidential_is_said() -> None:
    figure = panel("title")[0]
    assert not confidential(figure)
    mark_confidential(figure)
    assert confidential(figure)
