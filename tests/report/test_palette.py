"""Colors: legible in light and dark, told apart by everybody, and variables in the SVG that leave words alone."""

from __future__ import annotations

import re

import numpy as np
import pytest

from discreet.report.palette import (
    ACCENT,
    DARK,
    DIVERGING,
    INK,
    ON_DIVERGING,
    ON_RAMP,
    PAPER,
    RAMP,
    SECOND,
    SERIES,
    SOFT,
    styled,
)

SCHEMES = ({color: color for color in DARK}, DARK)
# Machado, Oliveira and Fernandes (2009), severity 1: what a color looks like to those who lack a cone.
DEUTAN = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
PROTAN = np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]])

CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LIGHTNESS_AND_HUES = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(color: str) -> np.ndarray:
    values = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def luminance(color: str) -> float:
    return float(linear(color) @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    """As the Web Content Accessibility Guidelines 2.1 have it."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_texts_are_legible_on_what_is_behind_them(scheme: dict[str, str]) -> None:
    pairs = [(INK, PAPER), *zip(ON_RAMP, RAMP), *zip(ON_DIVERGING, DIVERGING), (PAPER, ACCENT)]
    for text, ground in pairs:
        assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_bars_and_lines_stand_out_from_the_paper(scheme: dict[str, str]) -> None:
    for color in SERIES:
        assert contrast(scheme[color], scheme[PAPER]) >= 3
    assert contrast(scheme[SOFT], scheme[ACCENT]) >= 1.9, "before and after"


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("sight", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
def test_steps_differ_for_everybody(scheme: dict[str, str], sight: np.ndarray) -> None:
    for colors in (RAMP, DIVERGING, (ACCENT, SECOND, SOFT)):
        seen = [np.clip(sight @ linear(scheme[color]), 0, 1) ** (1 / 2.2) for color in colors]
        apart = [np.abs(a - b).max() for i, a in enumerate(seen) for b in seen[i + 1 :]]
        assert min(apart) > 0.03


def perceived(light: np.ndarray) -> np.ndarray:
    """Lightness and two hues of linear light (Oklab, Ottosson 2020): 0.02 apart is about what the eye notices."""
    return LIGHTNESS_AND_HUES @ np.cbrt(CONES @ np.clip(light, 0, 1))


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("sight", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
def test_series_are_told_apart_by_everybody(scheme: dict[str, str], sight: np.ndarray) -> None:
    seen = [perceived(sight @ linear(scheme[color])) for color in SERIES]
    assert min(np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[i + 1 :]) > 0.12


def test_a_ramp_only_gets_darker_or_only_lighter() -> None:
    for scheme in SCHEMES:
        steps = np.diff([luminance(scheme[color]) for color in RAMP])
        assert (steps < 0).all() or (steps > 0).all()


def test_colors_become_variables_and_words_do_not() -> None:
    text, sheet = styled(f'<path style="fill: {ACCENT}; stroke: #000000"/><text>{ACCENT} #000000</text>')
    assert f">{ACCENT} #000000<" in text
    names = re.findall(r"var\((--dp-\d+), (#\w+)\)", text)
    assert [color for _, color in names] == [ACCENT, INK]
    for name, color in names:
        assert f"{name}:{color};" in sheet and f"{name}:{DARK[color]};" in sheet
    assert "@media screen and (prefers-color-scheme:dark)" in sheet, "paper stays light"


def test_colors_are_distinct() -> None:
    assert len(DARK) == 6 + len(RAMP) + len(DIVERGING) + len(SERIES[2:])
