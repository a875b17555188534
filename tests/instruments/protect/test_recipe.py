"""A recipe as a file and as a call: the same thing in two spellings, and every fault by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.protect.recipe import Recipe

NAMES = st.text(min_size=1, max_size=12)
COLUMNS = st.lists(NAMES, max_size=3, unique=True)


@st.composite
def recipes(draw: Any) -> Recipe:
    names = draw(st.lists(NAMES, min_size=2, max_size=9, unique=True))
    cuts = sorted(draw(st.lists(st.integers(0, len(names)), min_size=4, max_size=4)))
    parts = [names[a:b] for a, b in zip([0, *cuts], [*cuts, len(names)])]
    bottom = draw(st.integers(-99, 0))
    return Recipe(
        k=draw(st.integers(2, 99)),
        guarantee=draw(st.sampled_from(["matchings", "classes"])),
        numbers=draw(st.sampled_from(["mean", "range"])),
        time_limit=draw(st.none() | st.floats(0, 1e6)),
        identifiers=parts[0],
        keys=parts[1],
        numeric=parts[2],
        sensitive=parts[3],
        leave=parts[4],
        weight=draw(st.none() | NAMES),
        household=draw(st.none() | NAMES),
        rare=draw(st.sampled_from(["error", "merge", "suppress", "unlink"])),
        hierarchies={name: f"h{place}.csv" for place, name in enumerate(parts[1])},
        caps={name: {"bottom": bottom, "top": 85.5} for name in parts[1][:1]},
        levels=dict.fromkeys(parts[1][1:], 2),
        importance=dict.fromkeys(parts[1], 0.5),
        categorical=parts[2],
        ordered={name: tuple(parts[0]) for name in parts[2]},
        missing=draw(st.sampled_from(["error", "value", "wildcard"])),
        accept=dict.fromkeys(parts[4], 'a "reason"\nof two lines'),
        seed=draw(st.none() | st.integers(0, 2**63 - 1)),
        checks={"loss": 0.25},
        outputs={"report": "r.html"},
        earlier=("old.csv.manifest.json",),
    )


@given(recipes())
def test_what_is_written_is_what_is_read(tmp_path_factory: pytest.TempPathFactory, recipe: Recipe) -> None:
    if recipe.household is None:
        recipe = Recipe(**{**vars(recipe), "rare": "error"})  # there is nothing to be rare
    path = tmp_path_factory.mktemp("recipe") / "recipe.toml"
    recipe.dump(path)
    assert Recipe.load(path).text() == recipe._moved(path.parent).text()
    assert Recipe.load(path) == recipe._moved(path.parent)
    assert Recipe.of(recipe.to_dict()) == recipe


def test_the_file_of_the_issue(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(
        """
k = 4
l = 2
guarantee = "classes"
[roles]
identifiers = ["person"]
keys = ["region", "age"]
numeric = ["income"]
sensitive = ["illness"]
leave = ["notes"]
household = "hh"
weight = "w"
[households]
rare = "merge"
[hierarchies]
region = "regions.csv"
[caps]
age = {top = 85}
[missing]
keys = "value"
[accept]
notes = "written by nobody"
"""
    )
    recipe = dc.Recipe.load(path)
    assert (recipe.k, recipe.l, recipe.guarantee, recipe.rare) == (4, 2, "classes", "merge")
    assert recipe.trees == {"region": tmp_path / "regions.csv"}
    assert recipe.missing == {"keys": "value", "numbers": "error"}
    assert recipe.means == ("income", "w")
    assert recipe.boxes == ("region", "age")
    assert recipe.unit == "hh"
    assert recipe.accept == {"notes": "written by nobody"}


def test_unknown_entries_are_named_and_all_faults_come_at_once(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(
        'version = 2\nk = 1\nkk = 3\nseed = 5\n[roles]\nkey = ["a"]\nnumeric = "x"\n[households]\nrar = 1\n'
    )
    with pytest.raises(InputError) as error:
        Recipe.load(path)
    text = str(error.value)
    for words in (
        "version",
        "k must be",
        "'kk'",
        "'key' in [roles]",
        "numeric must be a list",
        "'rar'",
        "seed must be",
    ):
        assert words in text
    assert "did you mean 'keys'" in text


def test_files_that_are_no_recipes(tmp_path: Path) -> None:
    for content, words in ((b"k = [", "not TOML"), (b"\xff\xfe", "UTF-8")):
        (tmp_path / "r.toml").write_bytes(content)
        with pytest.raises(InputError, match=words):
            Recipe.load(tmp_path / "r.toml")
    with pytest.raises(InputError, match="does not exist"):
        Recipe.load(tmp_path / "none.toml")
    (tmp_path / "r.toml").write_text('roles = 3\n[seed]\npolicy = "fixed"\n')
    with pytest.raises(InputError) as error:
        Recipe.load(tmp_path / "r.toml")
    assert "[roles]" in str(error.value)
    assert "[seed]" in str(error.value)


def test_a_hierarchy_in_memory_is_written_beside_the_recipe(tmp_path: Path) -> None:
    recipe = Recipe(keys=["a b"], hierarchies={"a b": {"all": ["x", "y"]}})
    recipe.dump(tmp_path / "recipe.toml")
    loaded = Recipe.load(tmp_path / "recipe.toml")
    (tree,) = loaded.trees.values()
    assert tree.read_text() == "x;all\ny;all\n"
    with pytest.raises(InputError, match="exists already"):
        recipe.dump(tmp_path / "recipe.toml")


def test_a_recipe_that_moves_still_finds_its_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "h.csv").write_text("x;*\n")
    (tmp_path / "in" / "r.toml").write_text('[roles]\nkeys = ["a"]\n[hierarchies]\na = "h.csv"\n')
    recipe = Recipe.load(tmp_path / "in" / "r.toml")
    recipe.dump(tmp_path / "out" / "r.toml")
    moved = Recipe.load(tmp_path / "out" / "r.toml")
    assert os.path.samefile(moved.trees["a"], recipe.trees["a"])
