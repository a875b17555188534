"""`discreet verify`: 0 safe, 1 unsafe, 2 cannot tell, by files, with a certificate or by a manifest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.cli.outputs import as_json

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve people, microaggregated by k = 3, with the certificate of the loss."""
    folder = tmp_path_factory.mktemp("made")
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"a": rng.integers(0, 90, 12), "b": rng.integers(0, 90, 12)}).astype(float)
    people.to_csv(folder / "people.csv", index=False)
    result = dc.microaggregate(people, k=3, certify=True, random_state=1)
    result.data.to_csv(folder / "out.csv", index=False)
    (folder / "proof.json").write_text(as_json(dict(result.certificate or {})))
    return folder


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Path:
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def words(files: Path, *more: object) -> tuple[object, ...]:
    return ("verify", files / "people.csv", files / "out.csv", *more)


def test_each_verdict_has_its_code(files: Path, discreet: Run) -> None:
    safe = discreet(*words(files, "-k", 3))
    assert (safe.code, safe.out.startswith("safe")) == (0, True)
    assert discreet(*words(files, "-k", 6)).code == 1
    frame = pd.read_csv(files / "out.csv")
    frame.loc[0, "a"] += 0.25
    frame.to_csv(files / "out.csv", index=False)
    unsafe = discreet(*words(files, "-k", 3))
    assert (unsafe.code, unsafe.out.startswith("unsafe")) == (1, True)
    perturbed = discreet(*words(files, "-k", 1, "--guarantee", "measured"))
    assert (perturbed.code, perturbed.out.startswith("cannot tell")) == (2, True)


def test_the_figures_say_what_the_exit_code_says(files: Path, discreet: Run) -> None:
    out = files / "v.json"
    assert discreet(*words(files, "-k", 3, "--json", out)).code == 0
    told = json.loads(out.read_text())
    assert told["outcome"] == "safe" and "certificate" not in told
    kept = out.read_text()
    assert discreet(*words(files, "-k", 6, "--json", out)).code == 2, "it exists"
    assert out.read_text() == kept
    assert discreet(*words(files, "-k", 6, "--json", out, "--force")).code == 1
    assert json.loads(out.read_text())["outcome"] == "unsafe"


def test_a_bound_is_proved_again_and_a_false_one_is_unsafe(files: Path, discreet: Run) -> None:
    proof, out = files / "proof.json", files / "v.json"
    ran = discreet(*words(files, "-k", 3, "--certificate", proof, "--json", out))
    assert ran.code == 0, ran.out + ran.err
    assert json.loads(out.read_text())["certificate"]
    claimed = json.loads(proof.read_text())
    proof.write_text(json.dumps({**claimed, "lower_bound": claimed["lower_bound"] * 1.0001}))
    wrong = discreet(*words(files, "-k", 3, "--certificate", proof))
    assert wrong.code == 1, wrong.out
    proof.unlink()
    unread = discreet(*words(files, "-k", 3, "--certificate", proof))
    assert (unread.code, "cannot be read" in unread.out) == (2, True), "the file is safe, its bound is not proved"


def test_an_unsafe_file_stays_unsafe_whatever_its_certificate_proves(files: Path, discreet: Run) -> None:
    """And the other way round: 1 outweighs 2, and 2 outweighs 0."""
    frame = pd.read_csv(files / "out.csv")
    frame.loc[0, "a"] += 0.25
    frame.to_csv(files / "out.csv", index=False)
    assert discreet(*words(files, "-k", 3, "--certificate", files / "proof.json")).code == 1
    (files / "proof.json").unlink()
    assert discreet(*words(files, "-k", 3, "--certificate", files / "proof.json")).code == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "-k"),
        (("-k", 3, "--scale", "magic"), "sd, range, none"),
        (("-k", 3, "--scale", "sd"), "--certificate"),
        (("-k", 3, "--certificate", "{proof}", "--memory", "1GB"), "leave out --memory"),
        (("-k", 3, "--json", "{people}", "--force"), "is the input"),
        (("-k", 3, "--hierarchy", "a"), "column=file.csv"),
    ],
)
def test_what_cannot_be_checked_is_said(files: Path, discreet: Run, more: tuple[object, ...], said: str) -> None:
    names = {"{proof}": files / "proof.json", "{people}": files / "people.csv"}
    kept = (files / "people.csv").read_bytes()
    ran = discreet(*words(files, *(names.get(str(word), word) for word in more)))
    assert ran.code == 2 and said in ran.err, ran.err
    assert ran.out == ""
    assert (files / "people.csv").read_bytes() == kept


def test_two_files_do_not_come_from_one_stream(discreet: Run) -> None:
    ran = discreet("verify", "-", "-", "-k", 3)
    assert ran.code == 2 and "only one of the two" in ran.err


@pytest.fixture
def protected(discreet: Run, tmp_path: Path) -> Path:
    dc.datasets.survey(60, seed=3)[["age", "sex", "income"]].to_csv(tmp_path / "people.csv", index=False)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('k = 3\n[roles]\nkeys = ["age", "sex"]\nsensitive = ["income"]\n')
    ran = discreet("protect", tmp_path / "people.csv", recipe, "-o", tmp_path / "out.csv", "--seed", 1)
    assert ran.code == 0, ran.err
    return tmp_path


def test_a_manifest_says_what_is_checked(protected: Path, discreet: Run) -> None:
    manifest, people, out = (protected / name for name in ("out.csv.manifest.json", "people.csv", "out.csv"))
    assert discreet("verify", "--manifest", manifest, people).code == 0
    for more in (("-k", 2), ("--qi", "sex"), ("--rare", "merge"), ("--guarantee", "classes"), ("--memory", "1GB")):
        ran = discreet("verify", "--manifest", manifest, people, *more)
        assert ran.code == 2 and "leave out" in ran.err, more
    assert discreet("verify", "--manifest", manifest, people, out).code == 2
    text = out.read_text().splitlines(keepends=True)
    out.write_text("".join([*text[:-1], text[1]]))
    assert discreet("verify", "--manifest", manifest, people).code == 1
