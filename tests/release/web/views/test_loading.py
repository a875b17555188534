"""The form on which a table is loaded: what is entered is the rule, what is not there stays, nothing is guessed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from discreet.errors import Faults, InputError
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Intent, StoredDraft
from discreet.release.policy import BASE, Policy
from discreet.release.web.views.loading import draft_view, plan_of_form, policy_fields, policy_of_form

COLUMNS = [
    {"name": "sex", "kind": "text", "distinct": 2, "could_count": False},
    {"name": "Freq", "kind": "whole", "distinct": 4, "could_count": True},
    {"name": "year", "kind": "whole", "distinct": 2, "could_count": True},
    {"name": "tags", "kind": "parts", "distinct": 0, "could_count": False},
]
PREVIEW = {"ready": True, "records": False, "count": "Freq", "columns": COLUMNS, "variables": [], "published": None}


def draft(plan: Intent | None = None, **preview: Any) -> StoredDraft:
    return StoredDraft("t", "carla", datetime.now(UTC), ".csv", plan or Intent(), {**PREVIEW, **preview})


def read(given: dict[str, str], base: Policy | None = None) -> Policy:
    faults = Faults()
    found = policy_of_form(given, base or Policy(), faults)
    faults.raise_if_any()
    return found


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(c=1, w=9, min_tables=3, time_limit=2.5, four_eyes=True),
        Policy(otherwise="round", base=7),
        Policy(mode="simulatable", support="released", published=(("A", "B"), ("C",), ())),
    ],
)
def test_a_form_that_is_sent_as_it_is_shown_changes_nothing(policy: Policy) -> None:
    shown = policy_fields(policy, {})
    if () in policy.published:
        policy = replace(policy, published=tuple(margin for margin in policy.published if margin))
    assert read(shown, Policy(w=8)) == policy
    assert policy_fields(policy, {"w": "some"})["w"] == "some", "what was entered is shown again"
    assert policy_fields(Policy(), {})["base"] == str(BASE)


def test_what_the_form_does_not_have_stays() -> None:
    base = Policy(c=3, w=6, time_limit=4, four_eyes=True)
    assert read({}, base) == replace(base, published=())
    assert read({"w": " 7 ", "c": ""}, base) == replace(base, w=7, published=())
    assert read({"four_eyes": "false"}, base).four_eyes is False
    assert read({"otherwise": "suppress", "base": "7"}).base == 1, "the field is there, but means nothing"
    assert read({"published": "A, B:C\r\n\n D "}).published == (("A",), ("B", "C"), ("D",))


@pytest.mark.parametrize(
    "given",
    [
        {"c": "some"},
        {"w": "-1"},
        {"w": "9" * 19},
        {"w": "1e3"},
        {"w": "\u00b2"},
        {"min_tables": "1.5"},
        {"time_limit": "soon"},
        {"time_limit": "nan"},
        {"time_limit": "inf"},
        {"mode": "magic"},
        {"otherwise": "tell"},
        {"support": "all"},
        {"published": "A::B"},
        {"otherwise": "round", "base": "1"},
    ],
)
def test_what_is_no_rule_is_a_fault_and_the_old_one_stays(given: dict[str, str]) -> None:
    faults, base = Faults(), Policy(w=6)
    assert policy_of_form(given, base, faults) == base
    with pytest.raises(InputError):
        faults.raise_if_any()


def test_what_the_count_is_must_be_said() -> None:
    """Not even a file whose preview is ready is opened by a form that does not say it."""
    for said in ("", "Freq", "records ", "yes"):
        with pytest.raises(InputError, match="Say which column"):
            plan_of_form({"count": said}, ("sex",), draft())
    assert plan_of_form({"count": "records"}, ("sex",), draft()).choices == Choices(None, True, ("sex",))
    assert plan_of_form({"count": "=Freq"}, ("sex", "year"), draft()).choices == Choices("Freq", False, None)
    odd = plan_of_form({"count": "=records"}, ("sex", "year"), draft()).choices
    assert (odd.count, odd.records) == ("records", False), "a column may have that name"


def test_variables_are_those_that_were_ticked() -> None:
    assert plan_of_form({"count": "=Freq"}, ("sex", "Freq"), draft()).choices.variables == ("sex",)
    with pytest.raises(InputError, match="at least one"):
        plan_of_form({"count": "=Freq"}, (), draft())
    assert plan_of_form({"count": "=Freq"}, (), draft(ready=False)).choices.variables is None, "there was no choice yet"


def test_the_other_fields() -> None:
    known = draft(Intent(codebook="A = {a = 'x'}\n", distinct=True, population="p"))
    given = {"count": "=Freq", "codebook": "A = {a = 'x'}\r\n", "same_as": " auto ", "population": ""}
    plan = plan_of_form(given, ("sex", "year"), known)
    assert plan.codebook == known.plan.codebook, "a text box ends its lines otherwise: that is no change"
    assert (plan.same_as, plan.population, plan.distinct) == ("auto", None, False)
    assert plan_of_form({**given, "distinct": "true", "codebook": "B = {}"}, ("sex",), known).codebook == "B = {}"


def test_a_count_is_offered_and_not_chosen() -> None:
    doubt = draft(ready=False, count=None)
    view = draft_view(doubt, {})
    assert view["candidates"] == [("Freq", "=Freq"), ("year", "=year")]
    assert view["chosen_count"] == "=Freq", "one bears the name of a count: a hint"
    two = [*COLUMNS, {"name": "n", "kind": "whole", "distinct": 9, "could_count": True}]
    assert draft_view(draft(ready=False, count=None, columns=two), {})["chosen_count"] == ""
    assert draft_view(draft(records=True, count=None), {})["chosen_count"] == "records"
    assert draft_view(doubt, {"count": "=year"})["chosen_count"] == "=year"


def test_what_is_taken_is_ticked() -> None:
    shown = {column.name: taken for column, taken in draft_view(draft(), {})["columns"]}
    assert shown == {"sex": True, "Freq": False, "year": True}
    chosen = draft(variables=[{"name": "year"}])
    assert {c.name for c, taken in draft_view(chosen, {})["columns"] if taken} == {"year"}
