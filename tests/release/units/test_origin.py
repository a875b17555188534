"""What a custodian says of a new table is checked against what is here: nothing joins a history by a mere word."""

from __future__ import annotations

import pytest

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history.database import Database
from discreet.release.history.store import Origin
from discreet.release.life.rule import change_policy
from discreet.release.loading.sameness import Match
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.units.origin import (
    check_opening,
    check_origin,
    origin_content,
    resolve_origin,
    settle_origin,
)
from discreet.release.units.relatives import Relative


def test_finer_and_other_tables_are_no_views(database: Database, auto: Table) -> None:
    service = Service(database)
    service.add("custodian", "coarse", auto.margin(list("ABC")), Policy())
    with pytest.raises(InputError, match="finer than coarse"):
        service.add("custodian", "fine", auto, Policy(), unit="coarse")
    other = auto.margin(list("ABC")).dense().copy()
    other[0, 0, 0] += 1
    other[1, 1, 1] -= 1
    with pytest.raises(InputError, match="no view of coarse"):
        service.add("custodian", "other", Table.from_array(other), Policy(), unit="coarse")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"unit": "auto", "distinct": True}, "not both"),
        ({"unit": "auto", "population": "p"}, "leave them out"),
        ({"unit": "nowhere"}, "no dataset named"),
        ({"population": "a b"}, "population's name"),
        ({"predecessor": "nowhere"}, "no dataset named"),
    ],
)
def test_what_cannot_be_said_together(service: Service, auto: Table, options: dict[str, str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        service.add("custodian", "x", auto, Policy(), **options)  # type: ignore[arg-type]


def test_a_view_has_no_rule_of_its_own(service: Service, auto: Table) -> None:
    with pytest.raises(InputError, match="rule of its table"):
        service.add("custodian", "lax", auto, Policy(c=0), unit="auto")


def test_a_rule_that_has_changed_is_the_views_rule_too(service: Service, auto: Table) -> None:
    """The rule with which the table was opened is no longer one that a view may be loaded with."""
    opening = service.current("auto").policy
    change_policy(service.database, "custodian", "auto", Policy(w=6))
    with pytest.raises(InputError, match="rule of its table"):
        service.add("custodian", "old", auto.margin(["A"]), Policy(w=5), unit="auto")
    service.add("custodian", "new", auto.margin(["A"]), Policy(w=6), unit="auto")
    assert opening == Policy() and service.current("new").policy == Policy(w=6)


def test_all_that_contradicts_itself_is_said_at_once() -> None:
    check_origin(Origin(), distinct=True)
    check_origin(Origin(population="p", predecessor="x"), distinct=False)
    with pytest.raises(InputError) as caught:
        check_origin(Origin(unit="t", population="a b"), distinct=True)
    assert len(caught.value.faults) == 3


def test_an_edition_follows_the_table_of_a_view(service: Service, auto: Table) -> None:
    service.add("custodian", "view", auto.margin(["A", "B"]), Policy(), unit="auto")
    with service.database.reading() as connection:
        assert resolve_origin(connection, Origin(predecessor="view")).predecessor == "auto"
        assert resolve_origin(connection, Origin()) == Origin()
        for name in ("nowhere", "../x", "x" * 1000):
            with pytest.raises(InputError, match="no dataset named") as caught:
                resolve_origin(connection, Origin(predecessor=name))
            assert len(str(caught.value)) < 200


def test_a_lookalike_needs_a_word(service: Service, auto: Table) -> None:
    """It is the same, of the same people, or distinct: a match of a relative is no surprise, any other one is."""
    match, policy = Match("twin", None, 3, True, True), Policy()
    relatives = [Relative(1, "twin", edition=False)]
    with service.database.reading() as connection:
        with pytest.raises(InputError, match="same-as twin") as caught:
            settle_origin(connection, auto, policy, Origin(), [match], [], distinct=False)
        assert "it has the counts of twin" in str(caught.value)
        of_view = Match("a-view", "twin", 0, False, False)
        with pytest.raises(InputError, match="same-as twin"):
            settle_origin(connection, auto, policy, Origin(), [of_view], [], distinct=False)
        for known in ([match], [of_view], [match, of_view]):
            assert settle_origin(connection, auto, policy, Origin(), known, relatives, distinct=False) == Origin()
        other = Match("other", None, 0, False, False)
        with pytest.raises(InputError, match="same-as other"):
            settle_origin(connection, auto, policy, Origin(), [match, other], relatives, distinct=False)
        assert settle_origin(connection, auto, policy, Origin(), [match, other], [], distinct=True) == Origin()


def test_lists_that_appear_by_releases_are_not_for_tables_with_relatives(service: Service, auto: Table) -> None:
    relatives = [Relative(1, "auto", edition=False)]
    with service.database.writing() as connection:
        assert check_opening(connection, auto, Policy(support="released"), [], Frontier((1,))) == []
        with pytest.raises(InputError, match="before any decision"):
            check_opening(connection, auto, Policy(support="released"), relatives, Frontier())


def test_what_is_published_with_a_table_makes_its_relatives_think_again(service: Service, auto: Table) -> None:
    before = service.current("auto").state.revision
    with service.database.writing() as connection:
        number = service.open("auto").stored.id
        relatives = [Relative(number, "auto", edition=False)]
        quiet = check_opening(connection, auto, Policy(), relatives, Frontier())
        assert not any("counts in the decisions" in note for note in quiet)
    assert service.current("auto").state.revision == before
    with service.database.writing() as connection:
        notes = check_opening(connection, auto, Policy(), relatives, Frontier((1,)))
        assert any("counts in the decisions" in note for note in notes)
    assert service.current("auto").state.revision == before + 1


def test_the_entry_tells_what_was_said_and_digests_of_lists() -> None:
    """Codebooks and maps are as confidential as the lists; another one shows all the same."""
    assert origin_content(Origin()) == {}
    full = Origin({"A": ("secret", "b")}, "t", {"X": ("A", (0, 1))}, "people", "before")
    told = origin_content(full)
    assert (told["same as"], told["population"], told["predecessor"]) == ("t", "people", "before")
    assert "secret" not in str(told) and len(told["codebook"]) == len(told["mapping"]) == 64
    for other in (Origin({"A": ("Secret", "b")}), Origin({"B": ("secret", "b")})):
        assert origin_content(other)["codebook"] != told["codebook"]
    assert origin_content(Origin({}, "t", {"X": ("A", (1, 0))}))["mapping"] != told["mapping"]
