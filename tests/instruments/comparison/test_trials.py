"""What the names of methods stand for, and which instruments can run."""

from __future__ import annotations

import pytest

import discreet as dc
from discreet.errors import Faults
from discreet.instruments.comparison.trials import Roles, Trial, adopted, check_sizes, methods_of, possible, trials_of

NUMBERS, KEYS, BOTH = Roles(numeric=("x",)), Roles(keys=("a",)), Roles(keys=("a",), numeric=("x",))


def test_names_stand_for_instruments_and_methods() -> None:
    faults = Faults()
    words = ["mdav", "auto", "generalize:mondrian", "suppress-locally:cover", "protect", "suppress-locally", "mdav"]
    assert trials_of(words, BOTH, faults) == [
        Trial("microaggregate", "mdav"),
        Trial("microaggregate", "auto"),
        Trial("generalize", "auto"),
        Trial("generalize", "mondrian"),
        Trial("suppress-locally", "cover"),
        Trial("protect", "matchings"),
        Trial("suppress-locally", "class"),
    ]
    assert not faults
    assert [trial.name for trial in trials_of(["protect", "protect:classes"], KEYS, faults)] == [
        "protect",
        "protect:classes",
    ]
    assert trials_of(["auto"], KEYS, faults) == [Trial("generalize", "auto")]


@pytest.mark.parametrize("word", ["hat", "protect:hat", "hat:mdav", "generalize:mdav", "microaggregate:mondrian"])
def test_unknown_methods_are_named_with_all_that_are_known(word: str) -> None:
    faults = Faults()
    trials_of([word], BOTH, faults)
    with pytest.raises(dc.InputError, match=r"unknown method .* mdav.*mondrian"):
        faults.raise_if_any()


def test_what_the_roles_do_not_allow() -> None:
    for word, roles in (("mdav", KEYS), ("mondrian", NUMBERS), ("suppress-locally", NUMBERS)):
        faults = Faults()
        assert trials_of([word], roles, faults) == []
        assert faults
    assert possible(Roles(keys=("a",), household="h")) == ("protect",)
    assert possible(Roles(keys=("a",), weight="w")) == ("protect",)
    assert set(methods_of("suppress-locally")) == {"class", "cover"}


def test_sizes() -> None:
    faults = Faults()
    assert check_sizes([5, 3, 5], 10, faults) == [3, 5]
    assert not faults
    for wrong, words in (([], "at least one"), ([1], "2 or more"), ([2.5], "2 or more"), ([11], "larger than")):
        found = Faults()
        check_sizes(wrong, 10, found)
        with pytest.raises(dc.InputError, match=words):
            found.raise_if_any()


def test_columns_with_roles_must_be_there_once() -> None:
    frame = dc.datasets.survey(20, seed=1)
    with pytest.raises(dc.InputError, match="hat"):
        adopted(frame, Roles(keys=("hat",)))
    with pytest.raises(dc.InputError, match="both left out and used"):
        adopted(frame, Roles(keys=("age",), identifiers=("age",)))
    with pytest.raises(dc.InputError, match="twice"):
        adopted(frame, Roles(keys=("age",), numeric=("age",)))
