"""What is shown of a dataset's life: where it can go, the rule as it can be written again, who belongs to it."""

from __future__ import annotations

from release_tables import declared

from discreet.release.engine import Table
from discreet.release.life.rule import change_policy
from discreet.release.life.stages import change_stage
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.web.views.life import MEANINGS, WORDS, life_view, policy_text


def test_the_rule_can_be_written_back_as_it_is_shown(service: Service, auto: Table) -> None:
    """What the text box holds is the present rule: sending it unchanged changes nothing."""
    names = {"é": "A", 'with "quotes"': "B"}
    odd = Table(tuple(names), auto.margin(["A", "B"]).categories, auto.margin(["A", "B"]).dense() * 3)
    rule = Policy(c=1, w=7, min_tables=2, published=(("é",),), time_limit=2.5, four_eyes=False)
    service.add("custodian", "odd", odd, rule)
    for name in ("auto", "odd"):
        opened = service.current(name)
        assert Policy.from_toml(policy_text(opened)) == opened.policy
    change_policy(service.database, "custodian", "auto", Policy(w=9))
    assert "w = 9" in policy_text(service.current("auto"))


def test_every_stage_has_its_meaning_and_its_steps(service: Service) -> None:
    shown = life_view(service, service.current("auto"))
    assert (shown["stage"], shown["meaning"]) == ("open", MEANINGS["open"])
    assert shown["steps"] == [("closed", WORDS["closed"]), ("retired", WORDS["retired"])]
    change_stage(service.database, "boss", "auto", "retired")
    assert life_view(service, service.current("auto"))["steps"] == []


def test_changes_are_told_the_latest_first(service: Service) -> None:
    change_stage(service.database, "boss", "auto", "closed")
    change_stage(service.database, "boss", "auto", "open")
    change_policy(service.database, "carla", "auto", Policy(w=9))
    told = life_view(service, service.current("auto"))["changes"]
    assert [(one["who"], one["what"]) for one in told] == [
        ("carla", "policy changed"),
        ("boss", "stage changed"),
        ("boss", "stage changed"),
        ("custodian", "opened"),
    ]
    assert "of 3 sensitive cells too narrow" in told[0]["said"]
    assert [one["said"] for one in told[1:3]] == ["closed → open", "open → closed"]


def test_what_belongs_together(service: Service, auto: Table) -> None:
    def times(factor: int, *names: str) -> Table:
        table = auto.margin(list(names or "ABCDEF"))
        return Table(table.names, table.categories, table.dense() * factor)

    for name, factor, people in (("one", 3, "p"), ("two", 5, "p"), ("three", 7, "q")):
        table = times(factor, "A", "B")
        service.add("custodian", name, table, Policy(), population=people, codebook=declared(table), distinct=True)
    service.add("custodian", "view", auto.margin(["A", "B"]), Policy(), unit="auto")
    service.add("custodian", "next", times(2), Policy(), predecessor="auto", codebook=declared(auto))
    shown = life_view(service, service.current("one"))
    assert (shown["population"], shown["people"]) == ("p", ["two"])
    assert (shown["declared"], shown["undeclared"]) == (["A", "B"], [])
    shown = life_view(service, service.current("auto"))
    assert (shown["people"], shown["views"], shown["successors"]) == ([], ["view"], ["next"])
    assert life_view(service, service.current("view"))["unit"] == "auto"
    assert life_view(service, service.current("next"))["predecessor"] == "auto"
