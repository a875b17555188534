"""A first recipe is one that can be read back and run; what a recipe would do is foreseen without doing it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.frames import adopt
from discreet.instruments.protect.draft import K, draft, foresee
from discreet.instruments.protect.recipe import Recipe


def homes(n: int = 80) -> pd.DataFrame:
    return dc.datasets.survey(n, seed=4)[["person", "household", "region", "sex", "age", "income", "illness"]]


def test_a_draft_is_a_recipe_that_gives_every_column_a_role(tmp_path: Path) -> None:
    frame = homes()
    frame.loc[::9, "income"] = None
    frame.loc[::7, "region"] = None
    text = draft(adopt(frame))
    (tmp_path / "r.toml").write_text(text)
    recipe = Recipe.load(tmp_path / "r.toml")
    named = [*recipe.identifiers, *recipe.keys, *recipe.numeric, *recipe.sensitive, *recipe.leave]
    assert sorted([*named, recipe.household]) == sorted(frame.columns)
    assert recipe.k == K and recipe.seed is None and recipe.household == "household"
    gaps = {role: int(frame[list(getattr(recipe, role))].isna().sum().sum()) for role in ("keys", "numeric")}
    assert (recipe.missing["keys"] == "value") == bool(gaps["keys"])
    assert (recipe.missing["numbers"] == "known") == bool(gaps["numeric"])
    assert sum(gaps.values()) > 0 and f"{max(gaps.values())} values are missing" in text
    sizes = frame["household"].value_counts().value_counts()
    rare = sizes[sizes < K]
    assert recipe.rare == "merge" and all(f"{count} of size {size}" in text for size, count in rare.items())
    assert foresee(adopt(frame), recipe)[1] == ()


def test_no_value_of_the_data_is_in_a_draft() -> None:
    frame = homes().assign(note=[f"Ashford {i}" for i in range(80)])
    assert "Ashford" not in draft(adopt(frame))


def test_homes_of_common_sizes_need_no_word(tmp_path: Path) -> None:
    homes = np.repeat(np.arange(30), 2)
    frame = pd.DataFrame({"household": homes + 1000, "age": np.arange(60) % 7 + 20, "region": homes % 3})
    text = draft(adopt(frame))
    assert 'rare = "error"  # every size has k or more' in text and "[missing]" not in text


def test_what_a_recipe_would_do_is_said_and_what_stands_in_its_way() -> None:
    frame = homes()
    recipe = Recipe(
        k=3, identifiers=["person"], keys=["region", "sex", "age"], numeric=["income"], sensitive=["illness"],
        household="household", accept={"illness": "told anyway"},
    )  # fmt: skip
    text, faults = foresee(adopt(frame), recipe)
    sizes = frame["household"].value_counts().value_counts()
    assert f"80 rows, 7 columns: k = 3, matchings" in text  # noqa: F541
    assert "households by size: " + ", ".join(f"{c} of {s}" for s, c in sorted(sizes.items())) in text
    assert "the same within each: region" in text and "illness: told anyway" in text and "the draw is secret" in text
    few = sizes[sizes < 3]
    assert len(faults) == 1 and faults[0].startswith(f"{few.sum()} households ({(few.index * few).sum()} rows)")
    merged, none = foresee(adopt(frame), replace(recipe, rare="merge", seed=5))
    assert none == () and "rare = merge" in merged and "fixed by a seed" in merged


def test_all_faults_are_foreseen_at_once() -> None:
    frame = homes()
    wanted = Recipe(k=3, keys=["region", "hat"], levels={"sex": 1})
    faults = foresee(adopt(frame), wanted)[1]
    with pytest.raises(InputError) as caught:
        dc.protect(frame, recipe=wanted)
    assert faults == caught.value.faults and len(faults) >= 3
