"""How what was found becomes one verdict: sentences for what is proven, and which outcome outweighs which."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pandas as pd
import pytest

from discreet.errors import Faults
from discreet.results import Verdict
from discreet.verify.claims import Asked, Claim, check_claim
from discreet.verify.judgement import class_words, finish, judge_groups, judge_matchings, spelled_words
from discreet.verify.other_columns import Findings
from discreet.verify.readers import Table, open_table

DATA = pd.DataFrame({"x": [1.0, 1.0, 4.0, 4.0], "y": ["a", "a", "b", "b"], "s": ["p", "q", "p", "q"]})


def tables(before: pd.DataFrame | None, after: pd.DataFrame) -> tuple[Table | None, Table]:
    return None if before is None else open_table(before, "the original"), open_table(after, "the published data")


def claim_of(before: pd.DataFrame | None, after: pd.DataFrame, **asked: object) -> tuple[Table | None, Table, Claim]:
    one, two = tables(before, after)
    asked = {"k": 2, "quasi_identifiers": ["x", "y"], "guarantee": "classes"} | asked
    return one, two, check_claim(one, two, Faults(), Asked(**asked), has_original=before is not None)  # type: ignore[arg-type]


def judged(before: pd.DataFrame | None, after: pd.DataFrame, **asked: object) -> Verdict:
    one, two, claim = claim_of(before, after, **asked)
    if claim.guarantee == "matchings":
        assert one is not None
        return judge_matchings(one, two, claim)
    return judge_groups(one, two, claim)


@pytest.mark.parametrize("original", [DATA, None])
def test_classes_of_k_are_safe_and_smaller_ones_are_not(original: pd.DataFrame | None) -> None:
    found = judged(original, DATA, accept=["s"])
    assert found.outcome == "safe" and (found.figures["classes"], found.figures["smallest"]) == (2, 2)
    assert found.proven == ("every combination of published values of x, y is shared by 2 rows or more",)
    worse = judged(original, DATA.assign(y=["a", "a", "b", "c"]) if original is None else DATA, k=3, accept=["s"])
    assert worse.outcome == "unsafe" and not worse.proven and worse.advice
    assert "classes of fewer than 3 rows" in worse.failures[0]


def test_sensitive_values_within_classes() -> None:
    asked = {"sensitive": "s", "l": 2}
    assert judged(None, DATA, **asked).outcome == "safe"
    assert any("at least 2 different values of s" in words for words in judged(None, DATA, **asked).proven)
    same = judged(None, DATA.assign(s=["p", "p", "p", "q"]), **asked)
    assert same.outcome == "unsafe" and same.figures["fewest_values"] == 1


def test_rows_that_are_gone_are_noticed() -> None:
    found = judged(DATA, DATA.iloc[:2], guarantee="microaggregation", quasi_identifiers=["x"])
    assert found.outcome == "unsafe" and "the original has 4 rows, the published data 2" in found.failures


def test_matchings_need_boxes_that_can_be_read() -> None:
    frame = DATA[["x"]]
    wide = pd.DataFrame({"x": ["[1, 4]"] * 4})
    asked = {"guarantee": "matchings", "quasi_identifiers": ["x"]}
    assert judged(frame, wide, k=4, **asked).outcome == "safe"
    assert judged(frame, pd.DataFrame({"x": ["[1, 1]", "1", "[4, 4]", "4"]}), k=3, **asked).outcome == "unsafe"
    unreadable = judged(frame, pd.DataFrame({"x": ["somewhere"] * 4}), **asked)
    assert unreadable.outcome != "safe" and not unreadable.proven


@pytest.mark.parametrize("outcome", ["safe", "cannot tell", "unsafe"])
def test_a_finding_about_other_columns_outweighs_every_outcome(outcome: str) -> None:
    _, after, claim = claim_of(DATA, DATA)
    verdict = Verdict(outcome, "classes", 2, () if outcome == "safe" else ("something",), (), {}, ("so and so",))  # type: ignore[arg-type]
    kept = finish(verdict, claim, after, Findings(()), [])
    assert kept.outcome == outcome and bool(kept.proven) == (outcome == "safe")
    findings = Findings(())
    findings.failures.append("column s tells rows apart")
    found = finish(verdict, claim, after, findings, [])
    assert found.outcome == "unsafe" and found.failures[-1] == "column s tells rows apart" and not found.proven
    assert any("leave the columns at fault out" in words for words in found.advice)


def test_failures_make_unsafe_what_was_called_safe() -> None:
    _, after, claim = claim_of(DATA, DATA)
    found = finish(Verdict("safe", "classes", 2, ("4 rows are alone",)), claim, after, Findings(()), [])
    assert found.outcome == "unsafe" and found.advice


def test_k_of_one_and_what_a_file_carries_are_limits() -> None:
    _, after, claim = claim_of(DATA, DATA, k=1)
    after.carried = ("value labels",)
    found = finish(Verdict("safe", "classes", 1), claim, after, Findings(()), [])
    assert found.limits[0].startswith("k = 1 hides nobody") and "value labels" in found.limits[-1]


def test_columns_that_nobody_named_are_named_first() -> None:
    _, after, claim = claim_of(DATA, DATA)
    unnamed = replace(claim, named=False)
    found = finish(Verdict("safe", "classes", 2, (), (), {}, ("alike",)), unnamed, after, Findings(()), [])
    assert found.proven == ("columns examined, since none were named: x, y", "alike")


def test_each_set_of_columns_has_its_own_sentence() -> None:
    frame = DATA.assign(y=DATA["x"])
    *_, claim = claim_of(frame, frame, quasi_identifiers=[["x"], ["y"]], guarantee="microaggregation")
    assert [words.split(" of ")[2].split(" is ")[0] for words in class_words(claim)] == ["x", "y"]
    *_, within = claim_of(DATA, DATA, quasi_identifiers=["x"], by="s", guarantee="microaggregation")
    assert class_words(within)[0].endswith("shared by 2 rows or more, within each s")


def test_only_columns_with_several_spellings_are_failures() -> None:
    assert spelled_words({"a": 0, "b": 2}) == ["column b spells 2 values in more than one way, which tells rows apart"]


def test_the_room_offers_what_the_package_asks_for() -> None:
    package = import_module("discreet.verify")
    assert package.verify(DATA, DATA, k=2, quasi_identifiers=["x", "y"], accept=["s"]).outcome == "safe"


@pytest.mark.parametrize("original", [DATA, None])
def test_classes_made_for_l_may_tell(original: pd.DataFrame | None) -> None:
    for l, said in ((2, True), (None, False)):
        found = judged(original, DATA, sensitive=None if l is None else "s", l=l)
        assert found.outcome == "safe" and any("with a view to it" in words for words in found.limits) == said


def test_what_was_compared_with_no_other_release_says_so() -> None:
    means = DATA.assign(x=[2.0, 2.0, 3.0, 3.0], y=[1, 1, 2, 2])
    original = DATA.assign(x=[1.0, 3.0, 2.0, 4.0], y=[1, 1, 2, 2])
    for guarantee, after in (("classes", DATA), ("matchings", DATA.iloc[[1, 0, 3, 2]]), ("microaggregation", means)):
        before = original if after is means else DATA
        found = judged(before, after.reset_index(drop=True), guarantee=guarantee)
        assert any(words.startswith("earlier releases of these") for words in found.limits), guarantee
