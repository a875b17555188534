"""The whole file, protected: every guarantee confirmed by the check, totals kept, ids fresh, nothing left in."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError, UnsafeReleaseError
from discreet.frames import adopt
from discreet.instruments.protect.draft import foresee

KEYS = ("region", "sex", "age", "education")
NUMBERS = ("income", "spending")


def people(n: int = 90, seed: int = 1) -> pd.DataFrame:
    frame = dc.datasets.survey(n, seed=seed)
    return frame[["person", "household", *KEYS, *NUMBERS, "illness"]].assign(w=1.25 + (np.arange(n) % 7) / 4)


def roles(**more: Any) -> dict[str, Any]:
    plain = {
        "identifiers": ["person", "household"],
        "keys": list(KEYS),
        "numeric": list(NUMBERS),
        "weight": "w",
        "sensitive": ["illness"],
    }
    return plain | more


def total(values: Any) -> Fraction:
    return sum((Fraction(repr(one)) for one in values), Fraction(0))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"guarantee": "classes"},
        {"guarantee": "classes", "recoding": "global"},
        {"numbers": "range"},
        {"guarantee": "classes", "numbers": "range"},
        {"guarantee": "classes", "recoding": "global", "numbers": "range"},
    ],
)
def test_every_guarantee_is_confirmed_and_totals_are_as_told(options: dict[str, Any]) -> None:
    frame = people()
    result = dc.protect(frame, 3, **roles(), **options)
    assert list(result.data.columns) == [*KEYS, *NUMBERS, "illness", "w"]
    assert len(result.data) == result.n == result.rows == 90
    assert sorted(result.data["illness"]) == sorted(frame["illness"])
    for name, one in result.totals.items():
        before, after = total(frame[name].tolist()), total(result.data[name].tolist())
        assert Fraction(one.original) == before
        assert Fraction(one.published) == after
        assert one.kept == (before == after)
        if result.recipe.guarantee == "matchings":
            assert one.kept
    assert set(result.totals) == ({"w"} if options.get("numbers") == "range" else {*NUMBERS, "w"})
    if result.recipe.guarantee == "classes":
        seen = result.data.drop(columns="illness").value_counts()
        assert seen.min() >= 3
    if options.get("recoding") == "global":
        assert result.status == "optimal"
        assert result.gap == 0
    text = result.summary()
    assert "left out" in text
    assert "person" in text


def test_the_call_and_the_recipe_are_the_same() -> None:
    frame = people()
    one = dc.protect(frame, 3, **roles(), random_state=5)
    again = dc.protect(frame, recipe=one.recipe)
    assert again.data.equals(one.data)
    assert again.secret() == one.secret()
    assert dc.Recipe.of(one.to_dict()["recipe"]) == one.recipe
    other = dc.protect(frame, recipe=one.recipe, random_state=6)
    assert other.recipe.seed == 6
    assert not other.data.equals(one.data)
    with pytest.raises(InputError, match="beside it: keys"):
        dc.protect(frame, recipe=one.recipe, keys=["sex"])


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_the_same_kind_of_frame_comes_back(kind: str) -> None:
    frame = people(40)
    expected = dc.protect(frame, 2, **roles(), random_state=1).data
    if kind == "polars":
        import polars as pl

        given = pl.from_pandas(frame)
        found = dc.protect(given, 2, **roles(), random_state=1).data
        assert isinstance(found, pl.DataFrame)
        assert found.rows() == [tuple(row) for row in expected.itertuples(index=False)]
    else:
        import pyarrow as pa

        found = dc.protect(pa.Table.from_pandas(frame), 2, **roles(), random_state=1).data
        assert isinstance(found, pa.Table)
        assert found.to_pandas().equals(expected)


def test_only_numbers_or_only_keys() -> None:
    frame = people(40)[["income", "spending", "illness"]]
    result = dc.protect(frame, 4, numeric=["income", "spending"], sensitive=["illness"])
    assert result.widened == {}
    assert all(one.kept for one in result.totals.values())
    frame = people(40)[["age", "sex", "illness"]]
    result = dc.protect(frame, 4, keys=["age", "sex"], sensitive=["illness"])
    assert result.totals == {}


def test_gaps_follow_the_policy_and_what_is_said_is_true() -> None:
    frame = people().assign(income=lambda f: f["income"].astype(float).where(f["income"] % 3 > 0))
    frame["sex"] = frame["sex"].where(np.arange(90) % 10 > 0)
    with pytest.raises(InputError) as error:
        dc.protect(frame, 3, **roles())
    assert "'income' has" in str(error.value)
    assert "'sex' has" in str(error.value)
    for policy in ("value", "wildcard"):
        result = dc.protect(frame, 3, **roles(), missing=policy)
        assert result.recipe.missing == {"keys": policy, "numbers": "known"}
        assert not result.totals["income"].kept
        assert result.totals["w"].kept
        assert "changed: income by" in result.summary()
        words = {section.title: section.text for section in result.sections()}
        assert "Not kept to the last digit: income, as" in words["Totals"]
        assert "values that are known" in words["Totals"]
        assert result.totals["income"].blank_rows == int(result.data["income"].isna().sum())


def test_l_is_about_known_values() -> None:
    frame = people().assign(illness=lambda f: [("a", "b", "c", None)[i % 4] for i in range(len(f))])
    result = dc.protect(frame, 4, **roles(), l=2)
    assert result.verify().figures["l"] == 2
    with pytest.raises(InputError, match="one sensitive column"):
        dc.protect(frame, 4, **roles(sensitive=[], leave=["illness"]), l=2)


def test_a_left_column_that_copies_a_number_is_refused_unless_accepted() -> None:
    frame = people().assign(copy=lambda f: f["income"])
    with pytest.raises(UnsafeReleaseError, match="copy"):
        dc.protect(frame, 3, **roles(leave=["copy"]))
    result = dc.protect(frame, 3, **roles(leave=["copy"]), accept={"copy": "a test"})
    titles = {section.title: section for section in result.sections()}
    assert titles["Accepted by name"].rows == [("copy", "a test")]
    assert any("copy" in limit for limit in result.verify().limits)


def test_checks_of_the_recipe_hold_or_nothing_comes_back() -> None:
    frame = people(40)
    with pytest.raises(UnsafeReleaseError, match="the loss is"):
        dc.protect(frame, 3, **roles(), checks={"loss": 0.0})
    assert dc.protect(frame, 3, **roles(), checks={"loss": 1.0}).loss <= 1.0


def test_weighted_totals_by_domain_are_those_of_the_files() -> None:
    frame = people()
    result = dc.protect(frame, 3, **roles())
    found = {(one.column, one.value): one for one in result.domains}
    assert {column for column, _ in found} == {"region", "sex", "education", "illness"}
    for value, rows in frame.groupby("illness"):
        if len(rows) >= 3:
            one = found["illness", value]
            assert one.before == pytest.approx(rows["w"].sum())
            assert one.after == pytest.approx(result.data["w"][result.data["illness"] == value].sum())
    for sex in ("f", "m"):
        plain = result.data["w"][result.data["sex"] == sex].sum()
        both = result.data["w"][result.data["sex"] == "{f, m}"].sum()
        assert found["sex", sex].after == pytest.approx(plain + both / 2)
    assert sum(found["sex", sex].after for sex in ("f", "m")) == pytest.approx(frame["w"].sum())


def test_caps_levels_hierarchies_and_importance_reach_the_release() -> None:
    frame = people()
    tree = {"all": {"north": ["Ashford", "Brook", "Calder", "Dunmore"], "south": sorted({*frame["region"]} - set("A"))}}
    tree["all"]["south"] = [one for one in tree["all"]["south"] if one not in tree["all"]["north"]]
    result = dc.protect(
        frame, 3, **roles(), hierarchies={"region": tree}, levels={"region": 1}, caps={"age": {"top": 60}},
        importance={"sex": 9.0},
    )  # fmt: skip
    assert set(result.data["region"]) <= {"north", "south", "all"}
    ends = {int(end) for text in result.data["age"].astype(str) for end in text.strip("[]").split(",")}
    assert max(ends) <= 60
    assert result.losses["sex"] <= dc.protect(frame, 3, **roles()).losses["sex"] + 1e-9
    for wrong, words in (
        ({"hierarchies": {"income": tree}}, "hierarchies names columns"),
        ({"caps": {"w": {"top": 1}}}, "caps names columns"),
        ({"importance": {"illness": 2}}, "importance names columns"),
    ):
        with pytest.raises(InputError, match=words):
            dc.protect(frame, 3, **roles(), **wrong)


def test_a_lower_bound_is_below_the_loss() -> None:
    for guarantee in ("matchings", "classes"):
        result = dc.protect(people(30), 2, **roles(), guarantee=guarantee, certify=True)  # type: ignore[arg-type]
        assert result.lower_bound is not None
        assert result.gap is not None
        assert 0 <= result.lower_bound <= result.loss
        assert "no release of this kind can lose less" in result.summary()


def test_pages_and_pictures() -> None:
    result = dc.protect(people(40), 3, **roles())
    assert "What an intruder can do" in {section.title for section in result.sections()}
    assert result.plot() is not None
    assert "Protection of 40 records" in result._repr_html_()
    figures = result.to_dict()
    assert figures["rows"] == 40
    assert figures["totals"]["w"]["kept"]


def test_a_secret_draw_differs_each_time() -> None:
    frame = people(40)
    assert dc.protect(frame, 3, **roles()).secret() != dc.protect(frame, 3, **roles()).secret()


def homes(n: int = 120) -> pd.DataFrame:
    frame = dc.datasets.survey(n, seed=4)
    return frame[["person", "household", *KEYS, *NUMBERS, "household_income", "illness"]].assign(
        w=frame["household"] % 5 + 1.5, household=[f"H{one:04d}" for one in frame["household"]]
    )


def in_homes(**more: Any) -> dict[str, Any]:
    numbers = [*NUMBERS, "household_income"]
    return roles(identifiers=["person"], numeric=numbers, **more)


def fits(person: Any, row: Any) -> bool:
    """Whether a person's keys are in the boxes of a published row: an intruder's own reading of them."""
    for name in ("region", "sex", "education"):
        if person[name] not in str(row[name]).strip("{}").split(", "):
            return False
    low, _, high = str(row["age"]).strip("[]").partition(", ")
    return int(low) <= person["age"] <= int(high or low)


def candidates(frame: pd.DataFrame, data: pd.DataFrame, unit: str) -> list[int]:
    """For every original unit how many published ones of its size have its members in their rows, in some order."""
    from itertools import permutations

    published = [rows.to_dict("records") for _, rows in data.groupby(unit)]
    found = []
    for _, rows in frame.groupby(unit):
        members = rows.to_dict("records")
        found.append(
            sum(
                len(one) == len(members) and any(all(map(fits, members, order)) for order in permutations(one))
                for one in published
            )
        )
    return found


@pytest.mark.parametrize("guarantee", ["matchings", "classes"])
def test_every_household_has_k_candidates_by_brute_force(guarantee: Any) -> None:
    frame = homes()
    sizes = frame.groupby("household")["person"].transform("size")
    frame = frame[sizes <= 4]
    result = dc.protect(frame, 3, **in_homes(), household="household", guarantee=guarantee)
    assert min(candidates(frame, result.data, "household")) >= 3
    assert result.shared >= {"region", "household_income", "w"}
    for name in result.shared:
        assert (result.data.groupby("household")[name].nunique() == 1).all()
    ids = result.data["household"].tolist()
    assert list(dict.fromkeys(ids)) == list(range(1, len(set(ids)) + 1))
    assert sorted(result.data["household"].value_counts()) == sorted(frame["household"].value_counts())
    if guarantee == "matchings":
        assert all(one.kept for one in result.totals.values())


@pytest.mark.parametrize("rare", ["merge", "suppress", "unlink"])
@pytest.mark.parametrize("guarantee", ["matchings", "classes"])
def test_rare_sizes_have_their_ways_out(rare: Any, guarantee: Any) -> None:
    frame = homes()
    sizes = frame["household"].value_counts()
    few = sizes.value_counts()
    scarce = sorted(few[few < 3].index)
    assert scarce
    with pytest.raises(InputError, match="rare="):
        dc.protect(frame, 3, **in_homes(), household="household", guarantee=guarantee)
    result = dc.protect(frame, 3, **in_homes(), household="household", guarantee=guarantee, rare=rare)
    persons = int(sizes[sizes.isin(scarce)].sum())
    if rare == "unlink":
        assert result.data["household"].isna().sum() == persons
        assert len(result.data) == len(frame)
    elif rare == "suppress":
        assert len(result.data) == len(frame) - persons
    else:
        assert len(frame) - persons < len(result.data) < len(frame)
        assert "published with fewer members" in result.summary()
    counts = result.data["household"].value_counts().value_counts()
    assert (counts >= 3).all()


def test_persons_with_several_rows_are_counted_as_persons() -> None:
    rng = np.random.default_rng(3)
    visits = np.repeat(np.arange(60), rng.integers(1, 4, 60))
    frame = pd.DataFrame(
        {
            "patient": visits,
            "sex": np.where(visits % 2, "f", "m"),
            "age": 20 + visits % 37,
            "pressure": rng.integers(90, 160, visits.size),
            "finding": rng.choice(["a", "b", "c"], visits.size),
        }
    )
    plain = {"keys": ["sex", "age"], "numeric": ["pressure"], "sensitive": ["finding"]}
    result = dc.protect(frame, 4, **plain, person="patient")
    assert result.title() == f"Protection of {len(frame)} records: each person has 4 equally likely matches"
    assert result.shared == {"sex", "age"}
    assert result.data.groupby("patient")["age"].nunique().max() == 1
    assert result.totals["pressure"].kept


def test_households_cannot_have_l_or_one_level_for_all() -> None:
    frame = homes()
    wanted = dc.Recipe(k=3, **in_homes(), household="household", l=2, guarantee="classes", recoding="global")
    assert [fault.split(" ")[0] for fault in foresee(adopt(frame), wanted)[1]] == ["l", "global"]  # --dry-run
    with pytest.raises(InputError, match="l = 2"):
        dc.protect(frame, 3, **in_homes(), household="household", rare="merge", l=2)
    with pytest.raises(InputError, match="global recoding"):
        dc.protect(frame, 3, **in_homes(), household="household", guarantee="classes", recoding="global")
    lacking = frame.assign(household=frame["household"].where(frame.index > 0))
    with pytest.raises(InputError, match="empty in 1 rows"):
        dc.protect(lacking, 3, **in_homes(), household="household")


def test_the_page_does_not_tell_the_seed(tmp_path: Path) -> None:
    """A page goes out with the file: with the seed on it whoever knows the keys repeats the draw."""
    frame = pd.DataFrame({"age": np.arange(40) % 8, "illness": ["flu", "cold", "none", "flu"] * 10})
    result = dc.protect(frame, 2, keys=["age"], sensitive=["illness"], random_state=424242)
    assert "fixed seed" in result.summary() and "424242" not in result.summary()
    page = result.report(tmp_path / "page.html").read_text()
    assert "fixed seed" in page and "424242" not in page
