"""A second release of the same people: candidates in both must leave k."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from verify.test_manifest import digest, edited

import discreet as dc

CLAIM: dict[str, Any] = {
    "k": 3,
    "quasi_identifiers": ["q"],
    "guarantee": "matchings",
    "identifiers": ["name"],
    "accept": ["s"],  # it names people, which is what links two releases
}


def people(n: int = 12) -> pd.DataFrame:
    return pd.DataFrame({"name": [f"n{i}" for i in range(n)], "q": range(n), "s": [f"s{i}" for i in range(n)]})


def publish(table: pd.DataFrame, order: list[int], k: int = 3) -> pd.DataFrame:
    """Classes of k in this order of people, shuffled."""
    rows = []
    for first in range(0, len(order), k):
        within = order[first : first + k]
        low, high = min(within), max(within)
        rows += [{"q": f"[{low}, {high}]", "s": table["s"][one]} for one in within]
    random.Random(1).shuffle(rows)
    return pd.DataFrame(rows)


def written(folder: Path, table: pd.DataFrame, published: pd.DataFrame, claim: dict[str, Any] = CLAIM) -> Path:
    folder.mkdir()
    table.to_csv(folder / "data.csv", index=False)
    published.to_csv(folder / "out.csv", index=False)
    manifest = {
        "format": "discreet manifest",
        "format_version": 1,
        "input": {"name": "data.csv", "sha256": digest(folder / "data.csv"), "rows": len(table)},
        "output": {"name": "out.csv", "sha256": digest(folder / "out.csv"), "rows": len(published)},
        "hierarchies": {},
        "dropped": ["name"],
        "claim": claim,
        "seed": "secret",
        "earlier": [],
        "verdict": {},
    }
    path = folder / "out.csv.manifest.json"
    path.write_text(json.dumps(manifest))
    return path


STRAIGHT = list(range(12))
CROSSED = [0, 1, 3, 2, 4, 5, 6, 7, 9, 8, 10, 11]


def verdict_on(order: list[int], path: Path, table: pd.DataFrame | None = None, **more: Any) -> dc.Verdict:
    table = people() if table is None else table
    return dc.verify(table, publish(table, order), **{**CLAIM, **more}, earlier=[path])


def test_the_same_sets_leave_k(tmp_path: Path) -> None:
    path = written(tmp_path / "a", people(), publish(people(), STRAIGHT))
    verdict = verdict_on(STRAIGHT, path)
    assert verdict.safe, verdict.summary()
    assert any(
        "compared with the earlier release of out.csv.manifest.json (12 units in both)" in p for p in verdict.proven
    )
    assert verdict.figures["earlier_1_fewest"] == 3


def test_other_sets_give_people_away(tmp_path: Path) -> None:
    path = written(tmp_path / "a", people(), publish(people(), STRAIGHT))
    verdict = verdict_on(CROSSED, path)
    assert not verdict.safe
    assert any("someone has 1 candidates" in words or "someone has" in words for words in verdict.failures)
    assert verdict.figures["earlier_1_fewest"] < 3


def test_left_values_that_are_common_or_absent_link_nothing(tmp_path: Path) -> None:
    table = people().assign(s="same")
    path = written(tmp_path / "a", table, publish(table, STRAIGHT))
    assert verdict_on(CROSSED, path, table).safe


def test_people_who_came_and_changed(tmp_path: Path) -> None:
    path = written(tmp_path / "a", people(), publish(people(), STRAIGHT))
    new = people(15)
    new.loc[new.index < 12, "s"] = [f"t{i}" for i in range(12)]
    order = [*CROSSED, 12, 13, 14]
    verdict = dc.verify(new, publish(new, order), **CLAIM, earlier=[path])
    assert verdict.safe, verdict.summary()
    assert verdict.figures["earlier_1_same"] == 0
    grown = people(15)
    verdict = dc.verify(grown, publish(grown, order), **CLAIM, earlier=[path])
    assert not verdict.safe and verdict.figures["earlier_1_same"] == 12


def test_records_without_an_identifier(tmp_path: Path) -> None:
    table = people().drop(columns="name")
    claim = {**CLAIM, "identifiers": []}
    path = written(tmp_path / "a", table, publish(table, STRAIGHT), claim)
    edited(path, lambda m: m.update(dropped=[]))
    assert dc.verify(table, publish(table, STRAIGHT), **claim, earlier=[path]).safe
    assert not dc.verify(table, publish(table, CROSSED), **claim, earlier=[path]).safe


def test_what_cannot_be_compared_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "a", people(), publish(people(), STRAIGHT))
    data = path.with_name("data.csv")
    aside = tmp_path / "aside.csv"
    data.rename(aside)
    verdict = verdict_on(CROSSED, path)
    assert verdict.safe and any("not compared: its original" in words for words in verdict.limits)
    same = dc.verify(str(aside), publish(people(), CROSSED), **CLAIM, earlier=[path])
    assert not same.safe, "this original is that of the earlier release: its hash says so"
    aside.rename(data)
    out = path.with_name("out.csv")
    out.write_text(out.read_text().replace("s1\n", "s2\n"))
    assert any("not the one that its manifest names" in words for words in verdict_on(STRAIGHT, path).limits)
    edited(path, lambda m: (m["claim"].update(k=5), m["output"].update(sha256=digest(out))))
    assert any("does not hold" in words for words in verdict_on(STRAIGHT, path).limits)


@pytest.mark.parametrize("given", [["none.json"], [3], 5])
def test_what_is_no_manifest(given: Any) -> None:
    with pytest.raises(dc.InputError):
        dc.verify(people(), publish(people(), STRAIGHT), **CLAIM, earlier=given)


def test_a_release_with_roles_says_that_it_was_compared_with_none() -> None:
    frame = dc.datasets.survey(40, seed=1)[["sex", "income", "illness"]]
    release = dc.protect(frame, k=2, keys=["sex"], numeric=["income"], sensitive=["illness"])
    assert any("compared with none" in limit for limit in release.verify().limits)
