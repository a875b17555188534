"""`discreet protect`: from a stranger's file to a recipe, to a release, to its check by the manifest."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.protect.manifest import file_hash

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    frame = dc.datasets.survey(120, seed=6).drop(columns=["dwelling", "hours", "savings"])
    frame.assign(weight=frame["region"].str.len() / 4).to_csv(path, index=False)
    return path


@pytest.fixture
def recipe(discreet: Callable, people: Path, tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    ran = discreet("protect", people)
    assert ran.code == 0, ran.err
    path.write_text(ran.out.replace("k = 5", "k = 3"))
    return path


def test_a_stranger_gets_a_recipe_that_works(discreet: Callable, people: Path, recipe: Path, tmp_path: Path) -> None:
    found = tomllib.loads(recipe.read_text())
    assert found["version"] == 1
    assert found["roles"]["identifiers"] == ["person"]
    assert found["roles"]["household"] == "household"
    assert found["roles"]["weight"] == "weight"
    assert found["roles"]["sensitive"] == ["illness"]
    assert found["households"]["rare"] in ("merge", "error")
    before = sorted(path.name for path in tmp_path.iterdir())
    foreseen = discreet("protect", people, recipe, "--dry-run")
    assert foreseen.code == 0, foreseen.err
    for words in (
        "120 rows",
        "households by size",
        "the same within each",
        "the draw is secret",
        "nothing was written",
    ):
        assert words in foreseen.out
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    out, secret = tmp_path / "out.csv", tmp_path / "secret.csv"
    ran = discreet("protect", people, recipe, "-o", out, "--keep-secret", secret)
    assert ran.code == 0, ran.err
    assert f"discreet verify --manifest {out}.manifest.json {people} --secret {secret}" in ran.err
    original, published = pd.read_csv(people, dtype=str), pd.read_csv(out, dtype=str)
    assert "person" not in published.columns
    assert set(published["household"]) & set(original["household"]) <= set(published["household"])
    for more in ((), ("--secret", secret)):
        checked = discreet("verify", "--manifest", f"{out}.manifest.json", people, *more)
        assert checked.code == 0, checked.out
        assert checked.out.startswith("safe (matchings, k = 3)")


def test_without_a_recipe_nothing_else_is_taken(discreet: Callable, people: Path, tmp_path: Path) -> None:
    for words in (("-o", tmp_path / "o.csv"), ("--dry-run",), ("--seed", "1"), ("--accept", "income"), ("--certify",)):
        ran = discreet("protect", people, *words)
        assert ran.code == 2
        assert "there is no recipe" in ran.err
        assert words[0] in ran.err
    ran = discreet("protect", people, tmp_path / "none.toml", "-o", tmp_path / "o.csv")
    assert ran.code == 2
    assert "does not exist" in ran.err


def test_a_dry_run_says_what_stands_in_the_way(discreet: Callable, people: Path, recipe: Path) -> None:
    text = recipe.read_text()
    recipe.write_text(text.replace('rare = "merge"', 'rare = "error"').replace('"illness",', ""))
    ran = discreet("protect", people, recipe, "--dry-run")
    assert ran.code == 2
    assert "illness: sensitive, perhaps" in ran.out
    recipe.write_text(text.replace('rare = "merge"', 'rare = "error"'))
    ran = discreet("protect", people, recipe, "--dry-run")
    assert ran.code == 2
    assert "say what becomes of them" in ran.out


def test_where_to_write_must_be_said(discreet: Callable, people: Path, recipe: Path) -> None:
    ran = discreet("protect", people, recipe)
    assert ran.code == 2
    assert "-o" in ran.err


@posix
def test_all_files_or_none_and_the_manifest_among_them(
    discreet: Callable, people: Path, recipe: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    manifest = tmp_path / "out.csv.manifest.json"
    files = ("--report", tmp_path / "r.html", "--json", tmp_path / "j.json", "--keep-secret", tmp_path / "s.csv")
    assert discreet("protect", people, recipe, "-o", out, *files).code == 0
    assert stat.S_IMODE((tmp_path / "s.csv").stat().st_mode) == 0o600
    manifest = tmp_path / "out.csv.manifest.json"
    assert stat.S_IMODE(manifest.stat().st_mode) == 0o600, "the original's hash confirms guesses about it"
    told = json.loads(manifest.read_text())
    assert (told["format"], told["format_version"], told["instrument"]) == ("discreet manifest", 1, "protection")
    assert told["input"] == {"name": "people.csv", "sha256": file_hash(people), "rows": 120}
    assert told["output"]["sha256"] == file_hash(out)
    assert told["output"]["rows"] == len(pd.read_csv(out))
    assert told["dropped"] == ["person"]
    assert told["seed"] == "secret"
    assert told["verdict"]["outcome"] == "safe"
    assert dc.Recipe.of(told["recipe"]).keys == dc.Recipe.load(recipe).keys
    assert "secret" not in told["claim"]
    text = manifest.read_text()
    for value in ("Ashford", "cardiac", "secondary"):
        assert value not in text
    assert f"discreet verify --manifest {out}.manifest.json {people}" in (tmp_path / "r.html").read_text()
    figures = json.loads((tmp_path / "j.json").read_text())
    assert figures["rows"] == told["output"]["rows"]
    out.unlink()
    ran = discreet("protect", people, recipe, "-o", out)
    assert ran.code == 2
    assert "manifest.json exists already" in ran.err
    assert not out.exists()
    assert discreet("protect", people, recipe, "-o", out, "--force").code == 0
    assert json.loads(manifest.read_text())["output"]["sha256"] == file_hash(out)


def test_standard_output_has_no_manifest(discreet: Callable, people: Path, recipe: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    ran = discreet("protect", people, recipe, "-o", "-")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("household,region,sex")
    assert "To check it" not in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_the_command_and_the_call_do_the_same(discreet: Callable, people: Path, recipe: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "out.csv", tmp_path / "again.csv"
    assert discreet("protect", people, recipe, "-o", out, "--seed", "5").code == 0
    assert discreet("protect", people, recipe, "-o", again, "--seed", "5").code == 0
    assert out.read_bytes() == again.read_bytes()
    assert json.loads((tmp_path / "out.csv.manifest.json").read_text())["seed"] == "fixed"
    assert '"value": 5' not in (tmp_path / "out.csv.manifest.json").read_text()
    result = dc.protect(pd.read_csv(people, dtype={"person": str}), recipe=recipe, random_state=5)
    called = result.data.to_csv(index=False)
    table = pd.read_csv(out)
    assert pd.read_csv(pd.io.common.StringIO(called)).equals(table)


def test_totals_are_kept_to_the_digits_of_the_file(discreet: Callable, tmp_path: Path) -> None:
    data, out, recipe = tmp_path / "d.csv", tmp_path / "o.csv", tmp_path / "r.toml"
    rows = [f"{i % 3},{10**20 + i * i}.{i % 10}7,{i % 4}" for i in range(30)]
    data.write_text("key,amount,s\n" + "\n".join(rows) + "\n")
    recipe.write_text('k = 3\n[roles]\nkeys = ["key"]\nnumeric = ["amount"]\nsensitive = ["s"]\n')
    ran = discreet("protect", data, recipe, "-o", out)
    assert ran.code == 0, ran.err
    assert "kept to the last digit: amount" in ran.err
    before, after = (pd.read_csv(path, dtype=str)["amount"] for path in (data, out))
    assert sum(map(Fraction, before)) == sum(map(Fraction, after))
    assert not set(before) & set(after)


def test_a_column_that_tells_must_be_accepted_by_name(discreet: Callable, tmp_path: Path) -> None:
    data, out, recipe = tmp_path / "d.csv", tmp_path / "o.csv", tmp_path / "r.toml"
    frame = dc.datasets.survey(80, seed=2)[["age", "sex", "income", "illness"]]
    frame.assign(copy=frame["income"]).to_csv(data, index=False)
    recipe.write_text(
        'k = 3\n[roles]\nkeys = ["age", "sex"]\nnumeric = ["income"]\nsensitive = ["illness"]\nleave = ["copy"]\n'
    )
    ran = discreet("protect", data, recipe, "-o", out)
    assert ran.code == 1
    assert "copy" in ran.err
    assert "nothing was written" in ran.err
    assert not out.exists()
    ran = discreet("protect", data, recipe, "-o", out, "--accept", "copy", "--report", tmp_path / "r.html")
    assert ran.code == 0, ran.err
    assert "accepted" in ran.err
    assert "Accepted by name" in (tmp_path / "r.html").read_text()
    recipe.write_text(recipe.read_text() + '[accept]\ncopy = "for a test"\n')
    assert discreet("protect", data, recipe, "-o", out, "--force").code == 0
    ran = discreet("protect", data, recipe, "-o", out, "--force", "--accept", "age")
    assert ran.code == 2
    assert "neither left nor sensitive: age" in ran.err


def test_checks_of_the_recipe_stop_a_release(discreet: Callable, people: Path, recipe: Path, tmp_path: Path) -> None:
    recipe.write_text(recipe.read_text() + "[checks]\nloss = 0.0001\n")
    ran = discreet("protect", people, recipe, "-o", tmp_path / "o.csv")
    assert ran.code == 1
    assert "the recipe allows 0.0001" in ran.err
    assert not (tmp_path / "o.csv").exists()
    assert not (tmp_path / "o.csv.manifest.json").exists()


def test_outputs_and_hierarchies_of_a_recipe_stand_beside_it(
    discreet: Callable, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, away = tmp_path / "office", tmp_path / "away"
    folder.mkdir()
    away.mkdir()
    regions = sorted(set(pd.read_csv(people)["region"]))
    (folder / "regions.csv").write_text("".join(f"{one};{'AB'[one > 'F']};*\n" for one in regions))
    (folder / "r.toml").write_text(
        'k = 3\n[roles]\nidentifiers = ["person", "household", "household_income"]\n'
        'keys = ["region", "sex", "age", "education", "employment"]\nnumeric = ["income", "spending"]\n'
        'weight = "weight"\nsensitive = ["illness"]\n[hierarchies]\nregion = "regions.csv"\n'
        '[outputs]\nreport = "r.html"\njson = "r.json"\nsecret = "who.csv"\n'
    )
    monkeypatch.chdir(away)
    ran = discreet("protect", people, folder / "r.toml", "-o", "out.csv")
    assert ran.code == 0, ran.err
    assert {path.name for path in folder.iterdir()} == {"regions.csv", "r.toml", "r.html", "r.json", "who.csv"}
    told = json.loads((away / "out.csv.manifest.json").read_text())
    assert told["hierarchies"]["region"]["name"] == "../office/regions.csv"
    assert told["hierarchies"]["region"]["sha256"] == file_hash(folder / "regions.csv")
    monkeypatch.chdir(folder)
    manifest = away / "out.csv.manifest.json"
    checked = discreet("verify", "--manifest", manifest, people, "--secret", folder / "who.csv")
    assert checked.code == 0, checked.out + checked.err
    (folder / "regions.csv").write_text("".join(f"{one};*\n" for one in regions))
    assert discreet("verify", "--manifest", manifest, people).code != 0


@pytest.mark.parametrize("kind", ["parquet", "csv.gz"])
def test_other_kinds_of_files(discreet: Callable, people: Path, recipe: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"out.{kind}"
    ran = discreet("protect", people, recipe, "-o", out)
    assert ran.code == 0, ran.err
    assert discreet("verify", "--manifest", f"{out}.manifest.json", people).code == 0


def test_a_tampered_release_fails_its_manifest(discreet: Callable, people: Path, recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert discreet("protect", people, recipe, "-o", out).code == 0
    out.write_text(out.read_text().replace("none", "other", 1))
    assert discreet("verify", "--manifest", f"{out}.manifest.json", people).code == 1


def test_other_releases_have_manifests_too(discreet: Callable, people: Path, tmp_path: Path) -> None:
    drop = ("--drop", "person,household,household_income,weight")
    for words, seed in (
        (("generalize", people, "-k", "3", "--qi", "region,sex,age", *drop), "secret"),
        (("microaggregate", people, "-k", "3", "--columns", "income,spending", *drop), "none"),
    ):
        out = tmp_path / f"{words[0]}.csv"
        ran = discreet(*words, "-o", out)
        assert ran.code == 0, ran.err
        told = json.loads(Path(f"{out}.manifest.json").read_text())
        assert told["dropped"] == ["person", "household", "household_income", "weight"]
        assert told["seed"] == seed
        checked = discreet("verify", "--manifest", f"{out}.manifest.json", people)
        assert checked.code == 0, checked.out + checked.err
