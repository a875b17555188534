"""Policies as data: what they accept, and that all faults are told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.policy import Policy, read_policy, split_margin


def test_reads_every_setting() -> None:
    text = """c = 3
    w = 5
    min_tables = 100
    mode = "simulatable"
    otherwise = "simulate"
    time_limit = 2.5
    published = ["A:B", "", "C"]"""
    policy = Policy.from_toml(text)
    assert policy == Policy(3, 5, 100, "simulatable", "simulate", 2.5, (("A", "B"), (), ("C",)))
    assert Policy.from_mapping(policy.to_dict()) == policy


def test_defaults_stand_in() -> None:
    assert Policy.from_toml("") == Policy()
    assert Policy.from_toml("w = 9").w == 9


def test_tells_all_faults_at_once() -> None:
    text = 'c = -1\nw = 0\nmin_tables = 1.5\nmode = "odd"\notherwise = "x"\ntime_limit = 0\nwidth = 3\npublished = 4'
    with pytest.raises(InputError) as caught:
        Policy.from_toml(text)
    told = str(caught.value)
    for word in ("c must", "w must", "min_tables must", "mode must", "otherwise must", "time_limit must", "'width'"):
        assert word in told
    assert "published must" in told


@pytest.mark.parametrize("text", ["c = ", "c = true", "published = [[1]]", 'published = ["A::B"]', "time_limit = nan"])
def test_refuses_nonsense(text: str) -> None:
    with pytest.raises(InputError):
        Policy.from_toml(text)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_policy(tmp_path / "none.toml")


def test_margins_are_written_with_colons() -> None:
    assert split_margin("A:B") == ("A", "B")
    assert split_margin(" ") == ()
    with pytest.raises(InputError):
        split_margin("A:")


def test_the_rule_in_words_says_which_mode_is_on() -> None:
    assert any("refusal carries" in s for s in Policy().sentences())
    assert any("says nothing" in s for s in Policy(mode="simulatable").sentences())


def test_four_eyes_is_yes_or_no() -> None:
    assert Policy.from_toml("four_eyes = true").four_eyes
    assert not Policy().four_eyes
    assert "two custodians" in " ".join(Policy(four_eyes=True).sentences())
    for text in ("four_eyes = 1", 'four_eyes = "yes"'):
        with pytest.raises(InputError, match="four_eyes"):
            Policy.from_toml(text)
