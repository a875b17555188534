"""A perturbed file in plain language: nobody is promised anything."""

from __future__ import annotations

import pytest

import discreet as dc
from discreet.instruments.statements.perturbed import statement

FRAME = dc.datasets.survey(90, seed=2)[["region", "sex", "income", "spending"]]
MADE = {
    "exchanged between records whose ranks differ by at most 8 %": dc.rank_swap(FRAME, ["income"], percent=8),
    "random noise was added, to each column": dc.add_noise(FRAME, ["income"]),
    "noise was added that has their correlations": dc.add_noise(FRAME, ["income", "spending"], correlated=True),
    "categories were drawn anew": dc.pram(FRAME, ["region"]),
    "Some households exchanged their values of region": dc.swap_records(FRAME, ["region"]),
}


@pytest.mark.parametrize("words", MADE)
def test_what_was_done_and_that_it_is_not_proven(words: str) -> None:
    found = statement(MADE[words])
    assert words in found.done[0] and "measured, not proven" in found.heading
    assert "nobody is promised" in found.against_whom[0]
    assert "The random numbers are secret." in found.done
    assert len(found.not_covered) == 4 and len(found.cost) == 1


def test_a_fixed_seed_is_told() -> None:
    assert "fixed seed" in " ".join(statement(dc.pram(FRAME, ["sex"], random_state=1)).done)
